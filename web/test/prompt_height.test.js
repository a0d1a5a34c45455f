import assert from "node:assert/strict";
import { test } from "node:test";
import { isSurelyShorter, longestTexts, promptTexts } from "../src/prompt_height.js";

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
  assert.deepEqual(promptTexts(tree).map(([words]) => words), ["Take the 12, or draw?", "First take a card.", "Where does the 12 go?", "You have 23 of 25."]);
});

test("room is measured for the longest of it", () => {
  assert.equal(longestTexts(promptTexts(tree))[0][0], "Where does the 12 go?");
  assert.deepEqual(promptTexts({}), [["", ""]]);
});

test("what is clearly shorter than something measured needs no measuring", () => {
  const known = [["Take the 12, or draw?", "Touch a pile."]];
  assert.ok(isSurelyShorter(["Mara chooses.", ""], known));
  assert.ok(!isSurelyShorter(["Take the 12, or draw", ""], known), "letters differ in width");
  assert.ok(!isSurelyShorter(["Mara chooses.", "Touch a card in your grid."], known));
});
