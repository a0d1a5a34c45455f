// Keyboard focus on the table. If an update removes the focused element, the focus moves to the nearest remaining one.

import { $, $$, focusablePieces, setAttributeIfChanged, zoneElement } from "./dom.js";

/** Return the focused element of the table, with its id and its zone; null if the focus is elsewhere. */
export function captureFocus() {
  const element = document.activeElement;
  if (!element?.closest?.("#app")) return null;
  return { element, id: element.id, zone: element.closest("[data-zone]")?.dataset.zone ?? "" };
}

/** If the focus was lost, return it to the element `held`, else to that element's zone, the hand or the prompt. */
export function restoreFocus(held) {
  const active = document.activeElement;
  if (!held || (active && active !== document.body && !active.matches(":disabled"))) return;
  for (const find of [sameElement, firstInZone, firstInHand, promptElement]) {
    const element = find(held);
    if (!element) continue;
    element.focus({ preventScroll: true });
    if (document.activeElement === element) return;
  }
}

const sameElement = ({ id }) => id && $(`[id="${CSS.escape(id)}"]:not(:disabled)`);
const firstInZone = ({ zone }) => zone && firstStop(zoneElement(zone));
const firstInHand = () => firstStop($(".hand-area")) ?? firstStop($(".you-area"));
const promptElement = () => $("#prompt");

const firstStop = (part) => {
  const things = part ? focusablePieces(part) : [];
  return things.find((thing) => thing.tabIndex === 0) ?? things[0];
};

/**
 * Set the tab stops: one in each zone where something can be touched, and one in the hand. The arrow keys reach the
 * other elements.
 */
export function updateTabStops() {
  const active = document.activeElement;
  for (const zone of $$("#app [data-zone], #app .tricks")) {
    const things = focusablePieces(zone);
    const open = things.filter((thing) => thing.matches(".lit, .can, .zone.lit .option, [aria-pressed=true]"));
    const own = zone.dataset.area === "hand" ? things : open;
    const first = things.find((thing) => thing === active) ?? open[0] ?? own[0];
    for (const thing of things) setAttributeIfChanged(thing, "tabindex", thing === first ? "0" : "-1");
  }
  // If nothing can be touched, an element that explains why must still be reachable.
  if (!$("#app :is(.piece, .option)[tabindex='0']")) $("#app [data-refused]")?.setAttribute("tabindex", "0");
}
