import assert from "node:assert/strict";
import { test } from "node:test";

const cookies = [];
globalThis.document = { documentElement: { dataset: {} }, get cookie() { return cookies.join("; "); }, set cookie(text) { cookies.splice(0, 1, text.split(";")[0]); } };
let less = false;
// A list of media lives: it says at any time how things are.
globalThis.matchMedia = () => ({ get matches() { return less; } });
const { animate, calm, choose, factor, pace, paced, queued, rested, rush } = await import("../src/animation_speed.js");

test("a pace stretches every time, at once, and is kept", () => {
  assert.equal(pace(), "usual");
  choose("calm");
  assert.deepEqual([paced(100), document.documentElement.dataset.pace, document.cookie], [160, "calm", "facedown-pace=calm"]);
  const thing = { animate: (frames, timing) => timing };
  assert.deepEqual(animate(thing, [], { duration: 100, delay: 50, easing: "linear" }), { fill: "backwards", easing: "linear", duration: 160, delay: 80 });
  choose("quick");
  assert.equal(paced(100), 50);
  choose("none");
  assert.ok(calm());
  choose("anything");
  assert.deepEqual([pace(), calm()], ["usual", false]);
});

test("with less motion nothing travels, at any pace, and a fade takes its time", () => {
  less = true;
  choose("calm");
  assert.deepEqual([calm(), factor()], [true, 1]);
  less = false;
  choose("usual");
});

test("moves that come one upon the other run fast from the third on, and not at all from the fifth", () => {
  assert.deepEqual([1, 2, 3, 4, 5, 9].map(rush), [1, 1, 0.5, 0.5, 0, 0]);
  for (let i = 0; i < 3; i++) queued(i > 0);
  assert.equal(factor(), 0.5);
  rested();
  assert.equal(factor(), 1, "only what the move itself sets in motion");
  queued(false);
  assert.equal(factor(), 1, "nothing moved any more");
  rested();
});
