// The focus stays at the table: a thing that goes with a move hands it to the nearest thing that is left.

import { $, $$, set, stops, zoneElement } from "./dom.js";

/** Where the focus is on the table; null when it is elsewhere. */
export function focused() {
  const element = document.activeElement;
  if (!element?.closest?.("#app")) return null;
  return { element, id: element.id, zone: element.closest("[data-zone]")?.dataset.zone ?? "" };
}

/** Gives the focus back, where it was lost: to the same thing, its zone, the row of buttons or the hand, whatever is there first. */
export function refocus(held) {
  const active = document.activeElement;
  if (!held || (active && active !== document.body && !active.matches(":disabled"))) return;
  for (const find of [same, sameZone, hand, prompt]) {
    const element = find(held);
    if (!element) continue;
    element.focus({ preventScroll: true });
    if (document.activeElement === element) return;
  }
}

const same = ({ id }) => id && $(`[id="${CSS.escape(id)}"]:not(:disabled)`);
const sameZone = ({ zone }) => zone && stop(zoneElement(zone));
const hand = () => stop($(".hand-area")) ?? stop($(".you-area"));
const prompt = () => $("#prompt");

const stop = (part) => {
  const things = part ? stops(part) : [];
  return things.find((thing) => thing.tabIndex === 0) ?? things[0];
};

/** One stop of the Tab key for each zone where something may be touched, and one for the hand: all else is reached by the arrows. */
export function tabs() {
  const active = document.activeElement;
  for (const zone of $$("#app [data-zone], #app .tricks")) {
    const things = stops(zone);
    const open = things.filter((thing) => thing.matches(".lit, .can, .zone.lit .option, [aria-pressed=true]"));
    const own = zone.dataset.area === "hand" ? things : open;
    const first = things.find((thing) => thing === active) ?? open[0] ?? own[0];
    for (const thing of things) set(thing, "tabindex", thing === first ? "0" : "-1");
  }
  // Where nothing can be touched, what says why not can still be asked.
  if (!$("#app :is(.piece, .option)[tabindex='0']")) $("#app [data-refused]")?.setAttribute("tabindex", "0");
}
