import assert from "node:assert/strict";
import test from "node:test";
import { assembled } from "../src/parts.js";

test("a page is put together from what is new and what stays", () => {
  const first = assembled([], ["<a>", "<b>", "<c>"]);
  assert.deepEqual(first, ["<a>", "<b>", "<c>"]);
  assert.deepEqual(assembled(first, [[1, 2], "<d>", [0, 1]]), ["<b>", "<c>", "<d>", "<a>"]);
  assert.deepEqual(assembled(first, [[0, 3]]), first);
});

test("a page that missed some says so", () => {
  assert.equal(assembled([], [[0, 1]]), null);
  assert.equal(assembled(["<a>"], ["<b>", [0, 2]]), null);
});
