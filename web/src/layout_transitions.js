// When other things lie on the table, what stays finds other places. It is seen to go there: each part of the table glides
// from where it stood. Parts are told apart by their ids, so this knows no game.

import { animate, calm } from "./animation_speed.js";
import { $, $$, drawn } from "./dom.js";

/**
 * Outer parts come before what lies in them: each glides by as much as it moves in the part that it lies in. What glides is an
 * anchor to all that lies in it, so no part holds what is anchored outside of it: areas, which do, are no parts.
 */
const PARTS =
  "#rail, #board > :is(.others, .mid, .dock-back, .prompt, .actions, .hand-area, .you-area, .you-seat, .tallies), .others > .seat, .seat > .person, .mid .panel, .lane, [data-zone], .piece[data-place], .counted-card";
/** How long a part glides, in ms. */
export const LONG = 280;
const ARRIVE = "cubic-bezier(.2,.8,.2,1)";
/** Nearer than this a part has not moved. */
const NEAR = 2;

const glides = new Map();

const name = (element) => element.id || `${element.parentElement.id} ${element.className}`;

/** A row of seats that is wider than its window: it is rolled to the seat to act. */
const row = () => $("#app .crowd");

/**
 * Where a part lies, but for its own lift: a touched card is no other place. Cards by their middle, as wide as they are by now: they
 * grow as they glide. The row of buttons by its end, before which they come and go. `was`: where it lay, as far as that is known;
 * `rolled`: how far the row is that it lies in, which is no move of its own.
 */
function place(element, was, rolled) {
  const box = element.getBoundingClientRect();
  if (!box.width || !box.height) return null;
  // Styles are asked only of what is not just where it was: each costs as much as all the boxes.
  if (was && ["left", "top", "width", "height"].every((side) => was.box[side] === box[side]) && was.rolled === rolled) return was;
  const { transform, scale, translate } = getComputedStyle(element);
  const lift = transform === "none" ? { e: 0, f: 0 } : new DOMMatrix(transform);
  const card = element.matches(".piece");
  const half = card ? 0.5 : 0;
  const along = element.id === "actions" ? 1 : half;
  return { box, rolled, x: box.left + rolled + along * box.width - lift.e, y: box.top + half * box.height - lift.f, wide: card ? element.offsetWidth * (parseFloat(scale) || 1) : 0, plain: scale === "none" && translate === "none" };
}

/**
 * Where all parts of the table stand; nowhere, where nothing is to move. The cards of a section that stays as it is stay where
 * they are in it: they go where it goes. `before`: where they stood, as far as that is known.
 */
export function standing(same = new Set(), before = new Map()) {
  const found = new Map();
  if (calm()) return found;
  const crowd = row();
  found.rolled = crowd?.scrollLeft ?? 0;
  for (const element of $$(PARTS, drawn())) {
    if (same.size && element.matches(".piece") && same.has(element.closest("section")?.id)) continue;
    const called = name(element);
    const where = place(element, before.get(called), crowd?.contains(element) && crowd !== element ? found.rolled : 0);
    if (where) found.set(called, { ...where, element });
  }
  // What scrolls nothing cuts nothing off on its way.
  found.open = $$("#board > .others").filter((box) => box.scrollHeight <= box.clientHeight + 1);
  return found;
}

/**
 * What stood elsewhere before glides to where it stands now, but for the cards of `flown`: their pictures travel above the
 * table. Whoever has written to the page since the table was brought to its place gives what was measured before that: to
 * measure once more costs a layout.
 */
export function glide(before, flown = new Set(), after = standing()) {
  if (!before.size) return;
  const far = new Map();
  const moves = [];
  for (const [called, now] of after) {
    const { element } = now;
    const was = before.get(called);
    const whole = was ? { x: was.x - now.x, y: was.y - now.y } : rises(element) && far.get($("#prompt"));
    if (!whole) continue;
    far.set(element, whole);
    const inside = above(element, far);
    const own = { x: whole.x - inside.x, y: whole.y - inside.y };
    const size = now.wide ? was.wide / now.wide : 1;
    if (!flown.has(element.dataset.place) && (Math.hypot(own.x, own.y) >= NEAR || Math.abs(was.wide - now.wide) >= NEAR)) moves.push([element, own, size, now.plain]);
  }
  for (const box of moves.length ? $$("#board > .others") : []) box.classList.toggle("open", after.open.includes(box));
  roll(row(), before.rolled, after.rolled);
  for (const [element, { x, y }, size, plain] of moves) {
    // Chromium keeps the style that something had at its last journey, unless its own style changes.
    element.style.willChange = "translate, scale";
    // What is added to something keeps the page busy at every frame.
    const composite = plain ? "replace" : "add";
    const path = animate(element, [{ translate: `${x}px ${y}px`, scale: size }, { translate: "0 0", scale: 1 }], { id: "glide", duration: LONG, easing: ARRIVE, composite });
    launch(path, () => (element.style.willChange = ""));
  }
}

/** A path begins; `done()` is called when it ends, or is ended. */
function launch(path, done) {
  glides.set(path, done);
  document.body.classList.add("gliding");
  path.finished.catch(() => {}).then(() => end(path));
}

/**
 * A row that has been rolled is seen to roll: as one, and not each seat for itself, which is more than a phone draws in time.
 * Whoever rolls it by hand has it at once.
 */
function roll(crowd, from, to) {
  if (!crowd || Math.abs(from - to) < NEAR) return;
  const path = animate(crowd, [], { id: "glide", duration: LONG, easing: ARRIVE });
  const hand = new AbortController();
  for (const rolled of ["pointerdown", "wheel"]) crowd.addEventListener(rolled, () => end(path), { passive: true, signal: hand.signal });
  const step = () => {
    if (!glides.has(path)) return;
    crowd.scrollLeft = from + (to - from) * (path.effect.getComputedTiming().progress ?? 0);
    requestAnimationFrame(step);
  };
  crowd.scrollLeft = from;
  launch(path, () => {
    hand.abort();
    crowd.scrollLeft = to;
  });
  requestAnimationFrame(step);
}

/** Is this new below the words of the dock? Then it comes up with them. */
const rises = (element) => element.matches(".tallies") && getComputedStyle(element).position !== "fixed";

/** How far the part that an element lies in has moved. */
function above(element, far) {
  for (let part = element.parentElement; part; part = part.parentElement) if (far.has(part)) return far.get(part);
  return { x: 0, y: 0 };
}

function end(path) {
  const done = glides.get(path);
  if (!done) return;
  glides.delete(path);
  path.cancel();
  done();
  document.body.classList.toggle("gliding", glides.size > 0);
}

export const gliding = () => glides.size > 0;

/** Everything that glides is there. */
export function arrive() {
  for (const path of [...glides.keys()]) end(path);
}
