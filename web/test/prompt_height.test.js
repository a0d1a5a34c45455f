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

test("promptTexts lists all prompts and refusals that a turn may show", () => {
  assert.deepEqual(promptTexts(tree).map(([words]) => words), ["Take the 12, or draw?", "First take a card.", "Where does the 12 go?", "You have 23 of 25."]);
});

test("longestTexts returns the longest prompt first", () => {
  assert.equal(longestTexts(promptTexts(tree))[0][0], "Where does the 12 go?");
  assert.deepEqual(promptTexts({}), [["", ""]]);
});

test("isSurelyShorter is true only for texts clearly shorter than a measured one", () => {
  const known = [["Take the 12, or draw?", "Touch a pile."]];
  assert.ok(isSurelyShorter(["Mara chooses.", ""], known));
  assert.ok(!isSurelyShorter(["Take the 12, or draw", ""], known), "letters differ in width");
  assert.ok(!isSurelyShorter(["Mara chooses.", "Touch a card in your grid."], known));
});
