// Tree of touches for one decision. Each step has choices, one for each possible touch. A choice leads to the next step
// or completes an action. These pure functions take the first step (`root`) and the path of touches made so far. They
// depend neither on a game nor on the page.

/**
 * Return a key that identifies a decision. It excludes the help text, because that may change while the player is
 * thinking (for example, if another player has chosen).
 */
export const questionKey = (step) => JSON.stringify([step?.prompt, step?.choices], (key, value) => (key === "help" ? undefined : value));

/** Return the step after a path of touches; null if the path is impossible or complete. */
export function stepAt(root, path) {
  let step = root;
  for (const touch of path) {
    const choice = findChoice(step, touch);
    if (!choice || !choice.then) return null;
    step = choice.then;
  }
  return step;
}

/** Return the choice of a step for a touch; null if there is none or it is disabled. */
export function findChoice(step, touch) {
  return (step?.choices ?? []).find((c) => c.touch === touch && !c.refuses) ?? null;
}

/** Return the choices along a path of touches. */
export function choicesOnPath(root, path) {
  const found = [];
  let step = root;
  for (const touch of path) {
    const choice = findChoice(step, touch);
    if (!choice) break;
    found.push(choice);
    step = choice.then;
  }
  return found;
}

/**
 * Return the result of a touch:
 *
 * * {path} if more touches follow;
 * * {action, path} if the move is complete;
 * * {refused} if the touch is impossible, with the reason or "".
 *
 * A thing that an earlier step offered may be touched, too. It replaces the touch made at that step.
 */
export function applyTouch(root, path, thing) {
  const step = stepAt(root, path);
  if (!step) return { refused: "" };
  const choice = findChoice(step, thing);
  if (choice) return choice.then ? { path: [...path, thing] } : { action: choice.action, path: [...path, thing] };
  const grey = (step.choices ?? []).find((c) => c.touch === thing && c.refuses);
  if (grey) return { refused: grey.refuses };
  const set = root.picks === "set";
  if (path.includes(thing)) {
    const without = path.filter((t) => t !== thing);
    return { path: set && stepAt(root, without) ? without : path.slice(0, path.indexOf(thing)) };
  }
  if (set && path.length && stepAt(root, [...path.slice(1), thing])) return { path: [...path.slice(1), thing] };
  if (root.picks === "slice" && findChoice(root, thing)?.then) return { path: [thing] };
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const earlier = findChoice(stepAt(root, path.slice(0, depth)), thing);
    if (earlier?.then) {
      let changed = [...path.slice(0, depth), thing];
      for (const later of path.slice(depth + 1)) {
        const next = stepAt(root, [...changed, later]);
        if (next && !isConfirmation(next, [later])) changed = [...changed, later];
      }
      return { path: changed };
    }
  }
  return { refused: refusalReason(root, path, thing) };
}

/**
 * Return the reason why a thing can't be touched after a path of touches: the one in the step after the path, else the
 * one in the nearest earlier step; "" if no step has one.
 */
export function refusalReason(root, path, thing) {
  for (let depth = path.length; depth >= 0; depth--) {
    const said = (stepAt(root, path.slice(0, depth))?.refusals ?? []).find(([what]) => what === thing);
    if (said) return said[1];
  }
  return "";
}

/**
 * Return [thing, reason] for everything that can't be touched now and has a reason. Reasons of later steps take
 * precedence.
 */
export function refusalReasons(root, path) {
  const found = new Map();
  for (let depth = path.length; depth >= 0; depth--)
    for (const [thing, why] of stepAt(root, path.slice(0, depth))?.refusals ?? []) if (!found.has(thing)) found.set(thing, why);
  return [...found].filter(([thing]) => !isTouchable(root, path, thing));
}

/** Return whether a thing can be touched now, directly or to replace an earlier touch. */
export function isTouchable(root, path, thing) {
  return !("refused" in applyTouch(root, path, thing));
}

/** Return whether a step only asks for confirmation of a costly move: its one choice then makes the move anyway. */
export const isConfirmation = (step, path) => path.length > 0 && step?.choices?.[0]?.touch === `${path.at(-1)}-anyway`;

/**
 * Return the result of a touch (see `applyTouch`) for a player who is not asked before costly moves: a result that would
 * ask for confirmation makes the move at once.
 */
export const skipConfirmation = (root, result) => (isConfirmation(stepAt(root, result.path), result.path) ? applyTouch(root, result.path, `${result.path.at(-1)}-anyway`) : result);

/** Return the automatic touches: the only possible one, if more touches follow it and it is no button. */
export function forcedTouches(root) {
  const open = (root?.choices ?? []).filter((c) => !c.refuses && !isConfirmation(c.then, [c.touch]));
  return open.length === 1 && open[0].then && !open[0].button ? [open[0].touch] : [];
}
