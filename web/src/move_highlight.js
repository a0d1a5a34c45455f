// The last move's halo: on every place that changed, until the next change, but never for less than three seconds.

import { $$, at, drawn } from "./dom.js";

const LEAST = 3000;

/** Since when each place has worn it. */
const worn = new Map();
let newest = [];
let timer = 0;

/** The places that a move changed for all to see: where in a fan of backs something happened is nobody's business. */
export const changed = (made, fanned = (place) => at(place)?.matches(".fan .k-back") ?? false) => [...new Set(made.filter((m) => !m.shift && !fanned(m.place)).map((m) => m.place))];

/** A move has changed these places; nothing has changed where there are none. */
export function wear(places, now = performance.now()) {
  if (places.length) newest = places;
  for (const place of places) worn.set(place, now);
  dress(now);
}

/** A new deal: nobody has moved yet. */
export function bare() {
  newest = [];
  worn.clear();
  dress();
}

/** Puts the halos where they belong; also after the page was drawn anew. */
export function dress(now = performance.now()) {
  clearTimeout(timer);
  const old = [...worn].filter(([place]) => !newest.includes(place));
  for (const [place, since] of old) if (now - since >= LEAST) worn.delete(place);
  for (const piece of $$(".piece.haloed", drawn())) if (!worn.has(piece.dataset.place)) piece.classList.remove("haloed");
  for (const place of worn.keys()) at(place)?.classList.add("haloed");
  const next = Math.min(...old.filter(([place]) => worn.has(place)).map(([, since]) => since + LEAST - now));
  if (Number.isFinite(next)) timer = setTimeout(dress, next);
}

/** Figures at the seats: they are seen to change when nothing moves any more. */
const FIGURES = ".seat[id] .line, .seat[id] .points, .seat[id] .badge b";
const key = (element) => `${element.closest(".seat").id} ${element.parentElement.className} ${element.className.replace(/ (held|fresh)/g, "")}`;
const held = new Set();

/** What the figures say now. */
export const figures = () => new Map($$(FIGURES, drawn()).map((element) => [key(element), element.textContent]));

/** While cards travel the figures are seen as they were; what they are stands there already, so that no seat changes its shape. */
export function hold(before) {
  for (const element of $$(FIGURES, drawn())) {
    const said = before.get(key(element));
    if (said === undefined || said === element.textContent) continue;
    held.add(element);
    element.dataset.was = said;
    element.classList.add("held");
  }
}

/** The cards lie: the figures are seen as they are; what is new in them stands in ink for a while. */
export function settle() {
  for (const element of held) {
    delete element.dataset.was;
    element.classList.remove("held");
    element.classList.add("fresh");
    setTimeout(() => element.classList.remove("fresh"), LEAST);
  }
  held.clear();
}
