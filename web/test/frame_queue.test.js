import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameQueue } from "../src/frame_queue.js";

/** Return a queue whose frames are drawn when the test calls `draw`. */
function staged() {
  const frames = [];
  const done = [];
  const draw = () => frames.splice(0).forEach((frame) => frame());
  return { stages: new FrameQueue((what) => frames.push(what)), draw, done, does: (name) => () => done.push(name) };
}

test("the first stage is done at once, each of the others in a frame of its own", () => {
  const { stages, draw, done, does } = staged();
  stages.begin(does("a"), does("b"), does("c"));
  assert.deepEqual(done, ["a"]);
  draw();
  assert.deepEqual(done, ["a", "b"]);
  draw();
  draw();
  assert.deepEqual(done, ["a", "b", "c"]);
});

test("what is left is done at once, in its order, when somebody cannot wait, and not again in the next frame", () => {
  const { stages, draw, done, does } = staged();
  stages.begin(does("a"), does("b"), does("c"));
  stages.finish();
  assert.deepEqual(done, ["a", "b", "c"]);
  draw();
  assert.deepEqual(done, ["a", "b", "c"]);
});

test("what comes next waits for nothing that was begun before", () => {
  const { stages, draw, done, does } = staged();
  stages.begin(does("a"), does("b"));
  stages.begin(does("c"), does("d"));
  assert.deepEqual(done, ["a", "b", "c"]);
  draw();
  assert.deepEqual(done, ["a", "b", "c", "d"]);
});

test("a stage is done before the next one begins, also when it calls for the rest", () => {
  const { stages, draw, done, does } = staged();
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
