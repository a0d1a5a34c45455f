import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameQueue } from "../src/page_update_stages.js";

/** Return a queue whose frames are drawn when the test calls `draw`. */
function queueInTest() {
  const frames = [];
  const done = [];
  const draw = () => frames.splice(0).forEach((frame) => frame());
  return { stages: new FrameQueue((what) => frames.push(what)), draw, done, does: (name) => () => done.push(name) };
}

test("the frame queue runs the first stage at once and each other stage in its own frame", () => {
  const { stages, draw, done, does } = queueInTest();
  stages.begin(does("a"), does("b"), does("c"));
  assert.deepEqual(done, ["a"]);
  draw();
  assert.deepEqual(done, ["a", "b"]);
  draw();
  draw();
  assert.deepEqual(done, ["a", "b", "c"]);
});

test("finish runs the remaining stages at once, in order, and only once", () => {
  const { stages, draw, done, does } = queueInTest();
  stages.begin(does("a"), does("b"), does("c"));
  stages.finish();
  assert.deepEqual(done, ["a", "b", "c"]);
  draw();
  assert.deepEqual(done, ["a", "b", "c"]);
});

test("a new begin first runs the remaining stages of the earlier one", () => {
  const { stages, draw, done, does } = queueInTest();
  stages.begin(does("a"), does("b"));
  stages.begin(does("c"), does("d"));
  assert.deepEqual(done, ["a", "b", "c"]);
  draw();
  assert.deepEqual(done, ["a", "b", "c", "d"]);
});

test("a stage that calls finish ends before the next stage starts", () => {
  const { stages, draw, done, does } = queueInTest();
  const calls = () => {
    stages.finish();
    does("b")();
  };
  stages.begin(does("a"), calls, does("c"));
  stages.finish();
  assert.deepEqual(done, ["a", "b", "c"]);
  stages.begin(does("d"), calls, does("e"));
  draw();
  assert.deepEqual(done.slice(3), ["d", "b"]);
  draw();
  assert.deepEqual(done.slice(3), ["d", "b", "e"]);
});
