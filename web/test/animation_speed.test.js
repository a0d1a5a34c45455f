import assert from "node:assert/strict";
import { test } from "node:test";

const cookies = [];
globalThis.document = { documentElement: { dataset: {} }, get cookie() { return cookies.join("; "); }, set cookie(text) { cookies.splice(0, 1, text.split(";")[0]); } };
let less = false;
// A MediaQueryList is live: `matches` always returns the current setting.
globalThis.matchMedia = () => ({ get matches() { return less; } });
const { animate, beginQueuedMove, choosePace, chosenPace, durationFactor, endQueuedMove, isMotionOff, queueSpeedFactor, scaleDuration } = await import("../src/animation_speed.js");

test("the chosen pace scales animation times at once and is saved in a cookie", () => {
  assert.equal(chosenPace(), "usual");
  choosePace("calm");
  assert.deepEqual([scaleDuration(100), document.documentElement.dataset.pace, document.cookie], [160, "calm", "facedown-pace=calm"]);
  const thing = { animate: (frames, timing) => timing };
  assert.deepEqual(animate(thing, [], { duration: 100, delay: 50, easing: "linear" }), { fill: "backwards", easing: "linear", duration: 160, delay: 80 });
  choosePace("quick");
  assert.equal(scaleDuration(100), 50);
  choosePace("none");
  assert.ok(isMotionOff());
  choosePace("anything");
  assert.deepEqual([chosenPace(), isMotionOff()], ["usual", false]);
});

test("with reduced motion, movement is off at any pace and fades keep their duration", () => {
  less = true;
  choosePace("calm");
  assert.deepEqual([isMotionOff(), durationFactor()], [true, 1]);
  less = false;
  choosePace("usual");
});

test("queued moves are animated faster from the third and not at all from the fifth", () => {
  assert.deepEqual([1, 2, 3, 4, 5, 9].map(queueSpeedFactor), [1, 1, 0.5, 0.5, 0, 0]);
  for (let i = 0; i < 3; i++) beginQueuedMove(i > 0);
  assert.equal(durationFactor(), 0.5);
  endQueuedMove();
  assert.equal(durationFactor(), 1, "only what the move itself sets in motion");
  beginQueuedMove(false);
  assert.equal(durationFactor(), 1, "nothing moved any more");
  endQueuedMove();
});
