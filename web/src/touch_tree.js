// The tree of touches: pure functions over the step tree and the path of touches made so far. Knows no game, no page.

/** What somebody is asked, told from any other question: the help beside it may change while they think (another has chosen). */
export const asks = (step) => JSON.stringify([step?.prompt, step?.choices], (key, value) => (key === "help" ? undefined : value));

/** The step after a path of touches, or null when the path leads nowhere (or is complete). */
export function stepAt(root, path) {
  let step = root;
  for (const touch of path) {
    const choice = find(step, touch);
    if (!choice || !choice.then) return null;
    step = choice.then;
  }
  return step;
}

/** The choice of a step for a touch, grey buttons excepted. */
export function find(step, touch) {
  return (step?.choices ?? []).find((c) => c.touch === touch && !c.refuses) ?? null;
}

/** The choices that a path of touches went through. */
export function choicesOf(root, path) {
  const found = [];
  let step = root;
  for (const touch of path) {
    const choice = find(step, touch);
    if (!choice) break;
    found.push(choice);
    step = choice.then;
  }
  return found;
}

/**
 * What a touch does: {path} goes on, {action} is complete, {refused} says why not ("" when nobody says).
 * A thing that an earlier step offered may be touched as well: it takes the place of the touch made there.
 */
export function touch(root, path, thing) {
  const step = stepAt(root, path);
  if (!step) return { refused: "" };
  const choice = find(step, thing);
  if (choice) return choice.then ? { path: [...path, thing] } : { action: choice.action, path: [...path, thing] };
  const grey = (step.choices ?? []).find((c) => c.touch === thing && c.refuses);
  if (grey) return { refused: grey.refuses };
  const set = root.picks === "set";
  if (path.includes(thing)) {
    const without = path.filter((t) => t !== thing);
    return { path: set && stepAt(root, without) ? without : path.slice(0, path.indexOf(thing)) };
  }
  if (set && path.length && stepAt(root, [...path.slice(1), thing])) return { path: [...path.slice(1), thing] };
  if (root.picks === "slice" && find(root, thing)?.then) return { path: [thing] };
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const earlier = find(stepAt(root, path.slice(0, depth)), thing);
    if (earlier?.then) {
      let changed = [...path.slice(0, depth), thing];
      for (const later of path.slice(depth + 1)) {
        const next = stepAt(root, [...changed, later]);
        if (next && !asksAgain(next, [later])) changed = [...changed, later];
      }
      return { path: changed };
    }
  }
  return { refused: refusal(root, path, thing) };
}

/** Why a thing may not be touched after a path, as the step there or an earlier one says; "" when nobody says. */
export function refusal(root, path, thing) {
  for (let depth = path.length; depth >= 0; depth--) {
    const said = (stepAt(root, path.slice(0, depth))?.refusals ?? []).find(([what]) => what === thing);
    if (said) return said[1];
  }
  return "";
}

/** Everything that says why it may not be touched now: [thing, reason], the nearest step's reason first; what may be touched is left out. */
export function refusals(root, path) {
  const found = new Map();
  for (let depth = path.length; depth >= 0; depth--)
    for (const [thing, why] of stepAt(root, path.slice(0, depth))?.refusals ?? []) if (!found.has(thing)) found.set(thing, why);
  return [...found].filter(([thing]) => !reachable(root, path, thing));
}

/** May this thing be touched now, directly or in place of an earlier touch? */
export function reachable(root, path, thing) {
  return !("refused" in touch(root, path, thing));
}

/** Is a costly move asked about once more after a path? Then only the touch that makes it anyway is left. */
export const asksAgain = (step, path) => path.length > 0 && step?.choices?.[0]?.touch === `${path.at(-1)}-anyway`;

/** Touches that need no choosing: the only thing that a step lets one do, when more follows and no button says it. */
export function opening(root) {
  const open = (root?.choices ?? []).filter((c) => !c.refuses && !asksAgain(c.then, [c.touch]));
  return open.length === 1 && open[0].then && !open[0].button ? [open[0].touch] : [];
}
