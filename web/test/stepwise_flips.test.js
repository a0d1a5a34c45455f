import assert from "node:assert/strict";
import { test } from "node:test";
import { coveredPlaces, parseSteps } from "../src/stepwise_flips.js";

const text = JSON.stringify([
  { says: "The columns nobody chose", places: ["a1", "a2"] },
  { says: "The other side", places: [] },
  { says: "The last cards", places: ["z"] },
]);

test("parseSteps drops steps that flip no cards", () => {
  assert.deepEqual(parseSteps(text).map((step) => step.says), ["The columns nobody chose", "The last cards"]);
  assert.deepEqual(parseSteps(""), []);
});

test("places of later flip steps stay covered", () => {
  const steps = parseSteps(text);
  assert.deepEqual(coveredPlaces(steps, 0), ["a1", "a2", "z"]);
  assert.deepEqual(coveredPlaces(steps, 1), ["z"]);
  assert.deepEqual(coveredPlaces(steps, 2), []);
});
