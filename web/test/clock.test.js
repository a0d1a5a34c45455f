import assert from "node:assert/strict";
import { test } from "node:test";
import { formatDeadline, formatTimeLeft } from "../src/clock.js";

test("time left is formatted as hours, minutes or m:ss without tenths", () => {
  const said = [[86400, "24 h"], [32400, "9 h"], [3599.5, "1 h"], [3599, "60 min"], [601, "11 min"], [600, "10:00"], [61.2, "1:02"], [42, "0:42"], [0.4, "0:01"], [0, "0:00"], [-3, "0:00"]];
  for (const [left, words] of said) assert.equal(formatTimeLeft(left), words);
});

test("a deadline is formatted relative to the reader's day", () => {
  const now = new Date(2026, 4, 6, 20, 0);
  assert.equal(formatDeadline(new Date(2026, 4, 6, 22, 5), now), "22:05");
  assert.equal(formatDeadline(new Date(2026, 4, 7, 18, 40), now), "18:40 tomorrow");
  assert.match(formatDeadline(new Date(2026, 4, 9, 18, 40), now), /^18:40 on \w+/);
});
