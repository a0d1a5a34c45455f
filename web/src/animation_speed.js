// Speed of all animations: the pace that the player chose, a speed-up for moves that queue up, and the system's "reduce
// motion" setting. Every duration in the client is multiplied by one factor computed here.

import { getCookie, setCookie } from "./dom.js";

/** Factor by which each pace multiplies a duration; 0 switches animations off. */
export const PACES = { calm: 1.6, usual: 1, quick: 0.5, none: 0 };
/** Milliseconds of the cross-fade that replaces all other motion if the system asks for reduced motion. */
export const FADE_TIME = 120;
let chosen = null;
/** Number of consecutive moves that each arrived while the previous one was still animating. */
let queue = 0;
let hurried = 1;

/** Return the pace that was chosen in this browser: a key of `PACES`. */
export function chosenPace() {
  const kept = chosen ?? getCookie("pace");
  chosen = kept in PACES ? kept : "usual";
  return chosen;
}

/** Choose a pace, remember it in a cookie and pass it on to the stylesheets. */
export function choosePace(name) {
  chosen = name in PACES ? name : "usual";
  setCookie("pace", chosen);
  applyPaceToStyles();
}

/** Set `data-pace` on the root element, from which the stylesheets take the pace. */
export function applyPaceToStyles() {
  document.documentElement.dataset.pace = chosenPace();
}

/**
 * Return the duration factor for a queue of `many` moves: 1 for up to two, 0.5 from three moves on, 0 (no animation)
 * from five.
 */
export const queueSpeedFactor = (many) => (many >= 5 ? 0 : many >= 3 ? 0.5 : 1);

/**
 * Record that a move has arrived; `moving` is true if an earlier one is still animating. Animations that start before
 * `endQueuedMove` is called are sped up according to the length of the queue.
 */
export function beginQueuedMove(moving) {
  queue = moving ? queue + 1 : 1;
  hurried = queueSpeedFactor(queue);
}

/** Record that all animations of the move have been started. Later animations run at normal speed again. */
export const endQueuedMove = () => (hurried = 1);

const less = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");
/** Return whether the operating system asks for reduced motion. */
export const prefersReducedMotion = () => Boolean(less?.matches);
/**
 * Return whether cards must not move, flip or lift: because of the system setting, pace "none" or a long queue of
 * moves.
 */
export const isMotionOff = () => prefersReducedMotion() || durationFactor() === 0;
/**
 * Return the factor by which all durations are multiplied. With reduced motion it is 1, because the cross-fades that
 * remain have a fixed duration.
 */
export const durationFactor = () => (prefersReducedMotion() ? 1 : PACES[chosenPace()] * hurried);
/** Return a duration in ms, scaled by the current factor. */
export const scaleDuration = (time) => time * durationFactor();

/**
 * Finish the CSS transitions of pieces and of the side column at once, so that positions can be measured at their final
 * values. (A class that disables transitions would make the browser restyle every card of the table twice.)
 */
export function cancelCssTransitions() {
  for (const path of document.getAnimations()) if (path instanceof CSSTransition && path.effect.target.matches(".piece, .rail")) path.cancel();
}

/**
 * Start an animation with the duration and the delay (ms) scaled to the current speed. The element shows the first
 * frame during the delay; otherwise a busy browser could draw it once in its final position before the animation
 * starts.
 */
export function animate(element, frames, { duration, delay = 0, ...timing }) {
  return element.animate(frames, { fill: "backwards", ...timing, duration: scaleDuration(duration), delay: scaleDuration(delay) });
}

/**
 * Show an element with a fixed style for `time` ms. The animation itself lasts only one millisecond, after a delay.
 * During the delay, its backwards fill shows the style without drawing frames.
 */
export const holdStyle = (element, look, time, id = "waits") => animate(element, [look, look], { duration: 1, delay: time - 1, id });
