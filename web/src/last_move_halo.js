// Highlight of the last move: a halo on every place that it changed. A halo lasts until the next move, but at least
// three seconds.

import { $$, appElement, placeElement } from "./dom.js";

const LEAST = 3000;

/** Time (`performance.now()`) since which each place has had its halo. */
const worn = new Map();
let newest = [];
let timer = 0;

/**
 * Return the places that a move visibly changed. Places in a fan of card backs are left out, because which of those
 * cards was affected is secret.
 */
export const changedPlaces = (made, fanned = (place) => placeElement(place)?.matches(".fan .k-back") ?? false) => [...new Set(made.filter((m) => !m.shift && !fanned(m.place)).map((m) => m.place))];

/** Put halos on the places that the latest move changed; an empty list leaves the current ones. */
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

/** Add and remove halos as needed; also called after the page was redrawn. */
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
 * Show the old numbers while cards are moving. The new ones are in the page already, so that no seat changes its size
 * later.
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
