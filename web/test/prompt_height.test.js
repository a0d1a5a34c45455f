import assert from "node:assert/strict";
import { test } from "node:test";
import { longest, sayings, within } from "../src/prompt_height.js";

const tree = {
  prompt: "Take the 12, or draw?",
  help: "Touch a pile.",
  refusals: [["a1", "First take a card."]],
  choices: [
    { touch: "discard", then: { prompt: "Where does the 12 go?", help: "Touch a place in your grid. The card that lies there goes on the discard pile.", choices: [] } },
    { touch: "claim", button: "Claim", refuses: "You have 23 of 25." },
  ],
};

test("all that a turn may say is known before it is said", () => {
  assert.deepEqual(sayings(tree).map(([words]) => words), ["Take the 12, or draw?", "First take a card.", "Where does the 12 go?", "You have 23 of 25."]);
});

test("room is measured for the longest of it", () => {
  assert.equal(longest(sayings(tree))[0][0], "Where does the 12 go?");
  assert.deepEqual(sayings({}), [["", ""]]);
});

test("what is clearly shorter than something measured needs no measuring", () => {
  const known = [["Take the 12, or draw?", "Touch a pile."]];
  assert.ok(within(["Mara chooses.", ""], known));
  assert.ok(!within(["Take the 12, or draw", ""], known), "letters differ in width");
  assert.ok(!within(["Mara chooses.", "Touch a card in your grid."], known));
});
