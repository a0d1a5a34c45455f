// Transitions of the table's layout. When an update moves parts of the table (seats, zones, cards, buttons), each part
// glides from its old position to the new one. Parts are identified by their element ids, so this is the same for all
// games.

import { animate, isMotionOff } from "./animation_speed.js";
import { $, $$, appElement } from "./dom.js";

/**
 * Selector of the parts. An outer part comes before the parts inside it, because each part glides only by its movement
 * relative to the outer part. Areas are not parts: a gliding element becomes the containing block of its descendants,
 * but areas contain elements whose position must be relative to something outside.
 */
const PARTS =
  "#rail, #board > :is(.others, .mid, .dock-back, .prompt, .actions, .hand-area, .you-area, .you-seat, .tallies), .others > .seat, .seat > .person, .mid .panel, .lane, [data-zone], .piece[data-place], .counted-card";
/** Milliseconds that a part glides. */
export const GLIDE_TIME = 280;
const ARRIVE = "cubic-bezier(.2,.8,.2,1)";
/** Distance in px below which a part counts as not moved. */
const NEAR = 2;

const glides = new Map();

const partName = (element) => element.id || `${element.parentElement.id} ${element.className}`;

/** Return the row of seats that scrolls if it is wider than the window. */
const scrollableSeatRow = () => $("#app .crowd");

/**
 * Return the position of a part; null if it isn't displayed.
 *
 * * A card: the position of its centre, and its width, because cards are scaled as they glide. A touched card is
 *   measured as if it were not lifted.
 * * The row of buttons: the position of its right end.
 *
 * `was`: the part's last measurement, if known. `rolled`: how far the row that contains the part is scrolled, in px;
 * scrolling does not count as a movement of the part.
 */
function measurePart(element, was, rolled) {
  const box = element.getBoundingClientRect();
  if (!box.width || !box.height) return null;
  // Read styles only for parts whose box has changed: reading one style takes as long as measuring all boxes.
  if (was && ["left", "top", "width", "height"].every((side) => was.box[side] === box[side]) && was.rolled === rolled) return was;
  const { transform, scale, translate } = getComputedStyle(element);
  const lift = transform === "none" ? { e: 0, f: 0 } : new DOMMatrix(transform);
  const card = element.matches(".piece");
  const half = card ? 0.5 : 0;
  const along = element.id === "actions" ? 1 : half;
  return { box, rolled, x: box.left + rolled + along * box.width - lift.e, y: box.top + half * box.height - lift.f, wide: card ? element.offsetWidth * (parseFloat(scale) || 1) : 0, plain: scale === "none" && translate === "none" };
}

/**
 * Return a map from part to its position; empty if animations are off. Cards in the sections `same`, which were not
 * updated, are skipped: they move with their section. `before`: the last measurements, if known.
 */
export function measureParts(same = new Set(), before = new Map()) {
  const found = new Map();
  if (isMotionOff()) return found;
  const crowd = scrollableSeatRow();
  found.rolled = crowd?.scrollLeft ?? 0;
  for (const element of $$(PARTS, appElement())) {
    if (same.size && element.matches(".piece") && same.has(element.closest("section")?.id)) continue;
    const called = partName(element);
    const where = measurePart(element, before.get(called), crowd?.contains(element) && crowd !== element ? found.rolled : 0);
    if (where) found.set(called, { ...where, element });
  }
  // `open` lists the rows of seats that have nothing to scroll. While the seats glide, these rows also show what
  // extends beyond their edges, so that no seat is cut off.
  found.open = $$("#board > .others").filter((box) => box.scrollHeight <= box.clientHeight + 1);
  return found;
}

/**
 * Let all parts glide from their position in `before` to the current one, except the cards at the places `flown`, whose
 * pictures fly above the table. `after` has the current positions. A caller that has changed the page since measuring
 * must pass it, because measuring again would make the browser compute the layout of the page once more.
 */
export function glideParts(before, flown = new Set(), after = measureParts()) {
  if (!before.size) return;
  const far = new Map();
  const moves = [];
  for (const [called, now] of after) {
    const { element } = now;
    const was = before.get(called);
    const whole = was ? { x: was.x - now.x, y: was.y - now.y } : risesWithPrompt(element) && far.get($("#prompt"));
    if (!whole) continue;
    far.set(element, whole);
    const inside = parentPartMovement(element, far);
    const own = { x: whole.x - inside.x, y: whole.y - inside.y };
    const size = now.wide ? was.wide / now.wide : 1;
    if (!flown.has(element.dataset.place) && (Math.hypot(own.x, own.y) >= NEAR || Math.abs(was.wide - now.wide) >= NEAR)) moves.push([element, own, size, now.plain]);
  }
  for (const box of moves.length ? $$("#board > .others") : []) box.classList.toggle("open", after.open.includes(box));
  animateRowScroll(scrollableSeatRow(), before.rolled, after.rolled);
  for (const [element, { x, y }, size, plain] of moves) {
    // Without this property, Chromium keeps drawing the element with the style of its previous glide.
    element.style.willChange = "translate, scale";
    // Additive animations keep the browser's main thread busy in every frame. So they are used only for a part that is
    // translated or scaled already (not `plain`).
    const composite = plain ? "replace" : "add";
    const path = animate(element, [{ translate: `${x}px ${y}px`, scale: size }, { translate: "0 0", scale: 1 }], { id: "glide", duration: GLIDE_TIME, easing: ARRIVE, composite });
    trackGlide(path, () => (element.style.willChange = ""));
  }
}

/** Register a glide; `done()` is called when it ends or is ended early. */
function trackGlide(path, done) {
  glides.set(path, done);
  document.body.classList.add("gliding");
  path.finished.catch(() => {}).then(() => endGlide(path));
}

/**
 * Animate the scrolling of the row of seats as a whole: one animation per seat is too slow for a phone. If the player
 * touches or scrolls the row, the animation ends at once.
 */
function animateRowScroll(crowd, from, to) {
  if (!crowd || Math.abs(from - to) < NEAR) return;
  const path = animate(crowd, [], { id: "glide", duration: GLIDE_TIME, easing: ARRIVE });
  const hand = new AbortController();
  for (const rolled of ["pointerdown", "wheel"]) crowd.addEventListener(rolled, () => endGlide(path), { passive: true, signal: hand.signal });
  const step = () => {
    if (!glides.has(path)) return;
    crowd.scrollLeft = from + (to - from) * (path.effect.getComputedTiming().progress ?? 0);
    requestAnimationFrame(step);
  };
  crowd.scrollLeft = from;
  trackGlide(path, () => {
    hand.abort();
    crowd.scrollLeft = to;
  });
  requestAnimationFrame(step);
}

/** Return whether a new element appears below the prompt, so that it glides together with the prompt. */
const risesWithPrompt = (element) => element.matches(".tallies") && getComputedStyle(element).position !== "fixed";

/** Return how far the nearest moved ancestor of an element has moved: {x, y} in px. */
function parentPartMovement(element, far) {
  for (let part = element.parentElement; part; part = part.parentElement) if (far.has(part)) return far.get(part);
  return { x: 0, y: 0 };
}

function endGlide(path) {
  const done = glides.get(path);
  if (!done) return;
  glides.delete(path);
  path.cancel();
  done();
  document.body.classList.toggle("gliding", glides.size > 0);
}

export const isGliding = () => glides.size > 0;

/** End all glides at once. */
export function finishGlides() {
  for (const path of [...glides.keys()]) endGlide(path);
}
