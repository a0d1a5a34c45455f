// Highlight of the last move: a halo on every place that it changed. A halo lasts until the next move, but at least
// three seconds.

import { $$, appElement, placeElement } from "./dom.js";

const LEAST = 3000;

/** Time (`performance.now()`) at which each place got its halo, by place. */
const worn = new Map();
let newest = [];
let timer = 0;

/**
 * Return the places that a move visibly changed. `made` lists the movements of cards. Cards that only made room are
 * left out. So are cards in a fan of card backs, because it is secret which of these cards moved.
 */
export const changedPlaces = (made, fanned = (place) => placeElement(place)?.matches(".fan .k-back") ?? false) => [...new Set(made.filter((m) => !m.shift && !fanned(m.place)).map((m) => m.place))];

/** Put halos on the places that the latest move changed. If the list is empty, the current halos stay. */
export function highlightPlaces(places, now = performance.now()) {
  if (places.length) newest = places;
  for (const place of places) worn.set(place, now);
  applyPlaceHighlights(now);
}

/** Remove all halos, because no move has been made since a new deal. */
export function clearPlaceHighlights() {
  newest = [];
  worn.clear();
  applyPlaceHighlights();
}

/** Put the halos on the elements of their places, and remove halos whose time is over. Also called after redraws. */
export function applyPlaceHighlights(now = performance.now()) {
  clearTimeout(timer);
  const old = [...worn].filter(([place]) => !newest.includes(place));
  for (const [place, since] of old) if (now - since >= LEAST) worn.delete(place);
  for (const piece of $$(".piece.haloed", appElement())) if (!worn.has(piece.dataset.place)) piece.classList.remove("haloed");
  for (const place of worn.keys()) placeElement(place)?.classList.add("haloed");
  const next = Math.min(...old.filter(([place]) => worn.has(place)).map(([, since]) => since + LEAST - now));
  if (Number.isFinite(next)) timer = setTimeout(applyPlaceHighlights, next);
}

/** Selector of numbers at the seats, such as points. A change of them is shown only after the cards have landed. */
const SEAT_NUMBERS = ".seat[id] .line, .seat[id] .points, .seat[id] .badge b";
const seatNumberKey = (element) => `${element.closest(".seat").id} ${element.parentElement.className} ${element.className.replace(/ (held|fresh)/g, "")}`;
const held = new Set();

/** Return the texts of all numbers at the seats, by `seatNumberKey`. */
export const readSeatNumbers = () => new Map($$(SEAT_NUMBERS, appElement()).map((element) => [seatNumberKey(element), element.textContent]));

/**
 * Show the old numbers at the seats (`before`, by `readSeatNumbers`) while cards are moving. The page contains the new
 * numbers already, so no seat changes its size later.
 */
export function holdSeatNumbers(before) {
  for (const element of $$(SEAT_NUMBERS, appElement())) {
    const said = before.get(seatNumberKey(element));
    if (said === undefined || said === element.textContent) continue;
    held.add(element);
    element.dataset.was = said;
    element.classList.add("held");
  }
}

/** Show the new numbers after the cards have landed, and highlight those that changed for three seconds. */
export function releaseSeatNumbers() {
  for (const element of held) {
    delete element.dataset.was;
    element.classList.remove("held");
    element.classList.add("fresh");
    setTimeout(() => element.classList.remove("fresh"), LEAST);
  }
  held.clear();
}
