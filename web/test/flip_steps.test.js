import assert from "node:assert/strict";
import { test } from "node:test";
import { covered, read } from "../src/flip_steps.js";

const text = JSON.stringify([
  { says: "The columns nobody chose", places: ["a1", "a2"] },
  { says: "The other side", places: [] },
  { says: "The last cards", places: ["z"] },
]);

test("a step that turns nothing is left out", () => {
  assert.deepEqual(read(text).map((step) => step.says), ["The columns nobody chose", "The last cards"]);
  assert.deepEqual(read(""), []);
});

test("what is not shown yet stays covered", () => {
  const steps = read(text);
  assert.deepEqual(covered(steps, 0), ["a1", "a2", "z"]);
  assert.deepEqual(covered(steps, 1), ["z"]);
  assert.deepEqual(covered(steps, 2), []);
});
