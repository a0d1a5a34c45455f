import assert from "node:assert/strict";
import { test } from "node:test";
import { applyTouch, forcedTouches, isConfirmation, isTouchable, questionKey, refusalReason, refusalReasons, skipConfirmation, stepAt } from "../src/touch_tree.js";

const leaf = (touch, action, more = {}) => ({ touch, action, ...more });
const root = {
  prompt: "Keep or throw?",
  choices: [leaf("a1", 1), leaf("a2", 2), { touch: "discard", button: "Throw", then: { prompt: "Turn which?", choices: [leaf("a1", 11), leaf("b1", 12)], refusals: [["a3", "It lies open."]] } }],
  refusals: [["deck", "You have drawn."]],
};

test("a touch extends the path, completes an action, or is refused with a reason", () => {
  assert.deepEqual(applyTouch(root, [], "a1"), { action: 1, path: ["a1"] });
  assert.deepEqual(applyTouch(root, [], "discard"), { path: ["discard"] });
  assert.deepEqual(applyTouch(root, ["discard"], "b1"), { action: 12, path: ["discard", "b1"] });
  assert.deepEqual(applyTouch(root, ["discard"], "a3"), { refused: "It lies open." });
  assert.deepEqual(applyTouch(root, ["discard"], "deck"), { refused: "You have drawn." });
  assert.deepEqual(applyTouch(root, [], "nowhere"), { refused: "" });
});

test("a second touch of the same place undoes it, and an earlier choice is not sent", () => {
  assert.deepEqual(applyTouch(root, ["discard"], "discard"), { path: [] });
  assert.deepEqual(applyTouch(root, ["discard"], "a2"), { refused: "" });
  assert.equal(isTouchable(root, ["discard"], "a2"), false);
});

test("a disabled button gives its reason and completes no action", () => {
  const grey = { prompt: "", choices: [{ touch: "claim", button: "Claim: 2 short", refuses: "You have 23 of 25." }] };
  assert.deepEqual(applyTouch(grey, [], "claim"), { refused: "You have 23 of 25." });
});

const cells = ["a", "b", "c", "d"];
const done = { prompt: "Turn these two?", choices: [leaf("turn", 9, { button: "Turn" })] };
const pick = { prompt: "Choose two", picks: "set", choices: cells.map((x) => ({ touch: x, then: { prompt: "One more", choices: cells.filter((y) => y !== x).map((y) => ({ touch: y, then: done })) } })) };

test("questionKey ignores changes of the help text", () => {
  const then = (help) => ({ prompt: "Where to?", help, choices: [leaf("b1", 1), leaf("b2", 2)] });
  const step = (help) => ({ prompt: "Which card?", help, choices: [{ touch: "a1", then: then(help) }] });
  assert.equal(questionKey(step("")), questionKey(step("Mara has chosen.")));
  assert.notEqual(questionKey(step("")), questionKey({ ...step(""), choices: [leaf("a1", 1)] }));
  assert.notEqual(questionKey(step("")), questionKey({ ...step(""), prompt: "Which row?" }));
  assert.equal(questionKey(null), questionKey(undefined));
});

test("when picking a set, a third pick replaces the oldest and a pick can be undone", () => {
  assert.deepEqual(applyTouch(pick, ["a", "b"], "c"), { path: ["b", "c"] });
  assert.deepEqual(applyTouch(pick, ["a", "b"], "a"), { path: ["b"] });
  assert.deepEqual(applyTouch(pick, ["a", "b"], "turn"), { action: 9, path: ["a", "b", "turn"] });
});

const slots = ["L", "C", "R"];
const place = (left, open) => ({ prompt: "", choices: left.map((c) => ({ touch: c, then: { prompt: "", choices: open.map((s) => ({ touch: s, then: left.length > 1 ? place(left.filter((x) => x !== c), open.filter((x) => x !== s)) : done })) } })) });
const three = place(["h1", "h2", "h3"], slots);

test("touching another hand card replaces the one just touched", () => {
  assert.deepEqual(applyTouch(three, ["h1"], "h2"), { path: ["h2"] });
  assert.deepEqual(applyTouch(three, ["h1", "C", "h2"], "h3"), { path: ["h1", "C", "h3"] });
});

test("moving a staged card keeps the later touches that are still valid", () => {
  assert.deepEqual(applyTouch(three, ["h1", "C", "h2"], "C"), { path: ["h1"] });
  assert.deepEqual(applyTouch(three, ["h1", "C"], "R"), { path: ["h1", "R"] });
});

test("the only possible touch is preselected", () => {
  assert.deepEqual(forcedTouches({ choices: [{ touch: "h5", then: done }, { touch: "claim", button: "Claim", refuses: "no" }] }), ["h5"]);
  assert.deepEqual(forcedTouches(root), []);
  assert.deepEqual(forcedTouches({ choices: [leaf("continue", 1)] }), []);
});

test("a costly move needs confirmation, and touching another card cancels it", () => {
  const claim = { touch: "claim", button: "Claim: 2 short", then: { prompt: "Claim anyway?", choices: [leaf("claim-anyway", 9, { button: "Claim anyway" })] } };
  const bone = (n) => ({ touch: `h${n}`, then: { prompt: "", choices: [claim, leaf("reply", n)] } });
  const two = { prompt: "", choices: [bone(1), bone(2), claim] };
  for (const path of [["claim"], ["h1", "claim"]]) {
    assert.deepEqual(applyTouch(two, path.slice(0, -1), "claim"), { path });
    assert.ok(isConfirmation(stepAt(two, path), path));
    assert.deepEqual(applyTouch(two, path, "claim-anyway"), { action: 9, path: [...path, "claim-anyway"] });
    assert.deepEqual(applyTouch(two, path, "h2"), { path: ["h2"] });
  }
  assert.ok(!isConfirmation(stepAt(two, ["h1"]), ["h1"]));
  const skipped = (path, thing) => skipConfirmation(two, applyTouch(two, path, thing));
  assert.deepEqual(skipped(["h1"], "claim"), { action: 9, path: ["h1", "claim", "claim-anyway"] });
  assert.deepEqual(skipped([], "h1"), { path: ["h1"] }, "other touches are the same");
  assert.deepEqual(forcedTouches({ choices: [bone(1), claim] }), ["h1"]);
});

test("nothing is preselected if there is a choice or a button", () => {
  const take = { touch: "discard", then: done };
  assert.deepEqual(forcedTouches({ choices: [take, leaf("draw", 1, { button: "Draw" })] }), []);
  assert.deepEqual(forcedTouches({ choices: [{ ...take, button: "Take the 12" }, leaf("draw", 1, { button: "Draw" })] }), []);
  assert.deepEqual(forcedTouches({ choices: [{ ...take, button: "Take the 12" }] }), []);
  assert.deepEqual(forcedTouches({ choices: [take, { touch: "claim", button: "Claim", then: done }] }), []);
  assert.deepEqual(forcedTouches({ choices: [take, leaf("n3", 3, { button: "Bid 30", number: 30 })] }), []);
});

const choicesOfKind = (n, kind) => Array.from({ length: n }, (_, i) => (kind >> i & 1 ? { touch: `x${i}`, button: `X${i}`, ...(kind >> (i + n) & 1 ? { then: done } : { action: i }) } : { touch: `x${i}`, ...(kind >> (i + n) & 1 ? { then: done } : { action: i }) }));

test("every choice of a step can be started after the preselected touches", () => {
  for (let n = 1; n <= 3; n++) {
    for (let kind = 0; kind < 1 << (2 * n); kind++) {
      const step = { choices: choicesOfKind(n, kind) };
      const path = forcedTouches(step);
      if (n > 1) assert.deepEqual(path, []);
      for (const { touch: thing } of step.choices) assert.ok(path.includes(thing) || isTouchable(step, path, thing), JSON.stringify([n, kind, thing]));
    }
  }
});

test("stepAt returns null for a path without a step", () => {
  assert.equal(stepAt(root, ["a1"]), null);
  assert.equal(stepAt(root, ["x"]), null);
  assert.equal(stepAt(root, []), root);
});

test("refusal reasons come from the nearest step, also if there are no choices", () => {
  const tree = { prompt: "A?", refusals: [["x", "far"], ["y", "only here"]], choices: [{ touch: "a", then: { prompt: "B?", refusals: [["x", "near"]], choices: [{ touch: "y", action: 1 }] } }] };
  assert.equal(refusalReason(tree, ["a"], "x"), "near");
  assert.equal(refusalReason(tree, [], "x"), "far");
  assert.deepEqual(refusalReasons(tree, []), [["x", "far"], ["y", "only here"]]);
  assert.deepEqual(refusalReasons(tree, ["a"]), [["x", "near"]], "what may be touched now is not refused");
  assert.equal(refusalReason({ prompt: "Mara is choosing.", refusals: [["x", "not yet"]] }, [], "x"), "not yet");
});
