// How fast things move, as somebody likes it: one factor for every motion, none at all, or only what the system allows.

import { recall, remember } from "./dom.js";

/** By how much each pace stretches a time. */
export const PACES = { calm: 1.6, usual: 1, quick: 0.5, none: 0 };
/** How long old and new cross-fade where the system asks for less motion. */
export const FADE = 120;
let chosen = null;
/** How many moves have come one upon the other, each while the one before it still moved. */
let queue = 0;
let hurried = 1;

/** The pace that was chosen in this browser. */
export function pace() {
  const kept = chosen ?? recall("pace");
  chosen = kept in PACES ? kept : "usual";
  return chosen;
}

/** From now on it goes at this pace; the styles know it, too. */
export function choose(name) {
  chosen = name in PACES ? name : "usual";
  remember("pace", chosen);
  dress();
}

/** Tells the styles. */
export function dress() {
  document.documentElement.dataset.pace = pace();
}

/** What a queue of so many moves does to their times: from the third on they run fast, from the fifth not at all. */
export const rush = (many) => (many >= 5 ? 0 : many >= 3 ? 0.5 : 1);

/** A move has come, maybe while another one still moved: what is set in motion for it goes accordingly, until `rested`. */
export function queued(moving) {
  queue = moving ? queue + 1 : 1;
  hurried = rush(queue);
}

/** All that the move sets in motion is on its way. */
export const rested = () => (hurried = 1);

const less = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");
/** Does the system ask for less motion? */
export const reduced = () => Boolean(less?.matches);
/** Nothing travels, nothing turns, nothing is lifted. */
export const calm = () => reduced() || factor() === 0;
/** By how much times are stretched now. A fade, which is all that is left with less motion, takes its own time. */
export const factor = () => (reduced() ? 1 : PACES[pace()] * hurried);
/** A time at the chosen pace. */
export const paced = (time) => time * factor();

/**
 * What the styles are just bringing to another place is there: places are measured where things lie, not where they are
 * going. A class that stops it would restyle every card of the table, twice.
 */
export function still() {
  for (const path of document.getAnimations()) if (path instanceof CSSTransition && path.effect.target.matches(".piece, .rail")) path.cancel();
}

/**
 * Sets a thing in motion, at the chosen pace. It stands at the beginning until it begins: a busy browser draws a frame before
 * that, and it would be seen at its end.
 */
export function animate(element, frames, { duration, delay = 0, ...timing }) {
  return element.animate(frames, { fill: "backwards", ...timing, duration: paced(duration), delay: paced(delay) });
}

/** A thing looks so for a while. Its motion has not begun until then: what only waits asks for no frames. */
export const meanwhile = (element, look, time, id = "waits") => animate(element, [look, look], { duration: 1, delay: time - 1, id });
