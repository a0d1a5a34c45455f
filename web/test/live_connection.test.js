import assert from "node:assert/strict";
import { test } from "node:test";
import { reconnectDelay } from "../src/live_connection.js";

const CLIENTS = Array.from({ length: 1000 }, (_, i) => i / 1000);

test("clients that lost their connections together reconnect spread over several seconds", () => {
  for (let tries = 0; tries < 6; tries++) {
    const back = CLIENTS.map((chance) => reconnectDelay(tries, chance));
    for (const from of back) assert.ok(back.filter((at) => from <= at && at < from + 1000).length <= 400, `try ${tries}`);
  }
});

test("reconnect delays grow with each attempt up to a limit", () => {
  const middle = [0, 1, 2, 3, 4, 50].map((tries) => reconnectDelay(tries, 0.5));
  assert.deepEqual(middle, [2000, 4000, 8000, 15000, 15000, 15000]);
  assert.ok(reconnectDelay(0, 0) >= 500);
  assert.ok(reconnectDelay(50, 1) <= 30000);
});
