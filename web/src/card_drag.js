// Dragging with mouse or finger: a card that can be put into a gap can be dragged there, and a card in a gap can be
// dragged to another gap. A drag has the same effect as touching the card and then the gap, so this code is the same
// for all games.

import { $, make, placeElement } from "./dom.js";
import { nearestThing } from "./table_input.js";

/** Distance in px that a pointer may move before a touch becomes a drag. */
const SHAKE = 8;
/** Margin in px around the hand within which a dragged card still snaps to a gap. */
const NEAR = 56;

export function enableCardDrag(table) {
  let held = null;

  const end = (keep) => {
    if (!held) return;
    const { dragging, root, before, flying, gap } = held;
    held = null;
    if (!dragging) return;
    flying.remove();
    document.body.classList.remove("dragging");
    if (table.root === root) {
      if (!keep || !gap) table.showPath(before);
      table.announcePath();
    }
    // The browser sends a click at the end of a drag; it must not count as a touch.
    const swallow = (event) => event.stopImmediatePropagation();
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
  };

  const begin = () => {
    const piece = placeElement(held.place);
    const art = (piece && $(".staged-card .art, .art", piece)) ?? null;
    if (!art) return false;
    const copy = art.cloneNode(true);
    table.showPath(held.lifted);
    held.gaps = table.gapsAfter(held.lifted).map((place) => [place, placeElement(place).getBoundingClientRect()]);
    const zone = placeElement(held.gaps[0][0]).closest("[data-zone]");
    held.rect = zone.getBoundingClientRect();
    held.flying = make("span", "flying", copy);
    held.flying.setAttribute("aria-hidden", "true");
    held.flying.style.setProperty("--w", getComputedStyle(zone).getPropertyValue("--w"));
    document.body.append(held.flying);
    document.body.classList.add("dragging");
    held.dragging = true;
    return true;
  };

  document.addEventListener("pointerdown", (event) => {
    end(false);
    if (event.button || !event.isPrimary) return;
    const piece = event.target.closest?.("#app .piece.carried");
    const lifted = piece && table.pathToLift(piece.dataset.place);
    if (lifted) held = { id: event.pointerId, root: table.root, place: piece.dataset.place, lifted, before: [...table.path], x: event.clientX, y: event.clientY };
  });

  document.addEventListener("pointermove", (event) => {
    if (!held || event.pointerId !== held.id) return;
    if (table.root !== held.root || table.sent) return end(false);
    const { clientX: x, clientY: y } = event;
    if (!held.dragging && (Math.hypot(x - held.x, y - held.y) < SHAKE || !begin())) return;
    const { rect } = held;
    const over = x > rect.left - NEAR && x < rect.right + NEAR && y > rect.top - NEAR && y < rect.bottom + NEAR;
    const gap = over ? nearestThing(held.gaps, { x, y }, ([, r]) => r)?.[0] : null;
    held.gap = gap;
    table.showPath(gap ? table.pathWithGap(held.lifted, gap) : held.lifted);
    held.flying.hidden = Boolean(gap);
    held.flying.style.translate = `${x}px ${y}px`;
  });

  // Prevent the browser from scrolling during a drag. If it scrolled, the page would go on scrolling after a fast drag
  // on a touch screen, and the next tap would be lost.
  document.addEventListener("touchmove", (event) => held && event.cancelable && event.preventDefault(), { passive: false });
  document.addEventListener("pointerup", (event) => event.pointerId === held?.id && end(true));
  document.addEventListener("pointercancel", (event) => event.pointerId === held?.id && end(false));
}
