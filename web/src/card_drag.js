// Dragging: a card that goes into a gap can be carried there, and the gap that holds it can be slid. Nothing is sent by a
// drag; it ends where touches would have led, so it knows no game.

import { $, at, make } from "./dom.js";
import { nearest } from "./table_input.js";

/** So far a finger may shake before a touch is a drag. */
const SHAKE = 8;
/** So far around the hand a card still belongs to it. */
const NEAR = 56;

export function drag(table) {
  let held = null;

  const end = (keep) => {
    if (!held) return;
    const { dragging, root, before, flying, gap } = held;
    held = null;
    if (!dragging) return;
    flying.remove();
    document.body.classList.remove("dragging");
    if (table.root === root) {
      if (!keep || !gap) table.lay(before);
      table.told();
    }
    // The click that ends a drag touches nothing.
    const swallow = (event) => event.stopImmediatePropagation();
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
  };

  const begin = () => {
    const piece = at(held.place);
    const art = (piece && $(".staged-card .art, .art", piece)) ?? null;
    if (!art) return false;
    const copy = art.cloneNode(true);
    table.lay(held.lifted);
    held.gaps = table.gaps(held.lifted).map((place) => [place, at(place).getBoundingClientRect()]);
    const zone = at(held.gaps[0][0]).closest("[data-zone]");
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
    const lifted = piece && table.lift(piece.dataset.place);
    if (lifted) held = { id: event.pointerId, root: table.root, place: piece.dataset.place, lifted, before: [...table.path], x: event.clientX, y: event.clientY };
  });

  document.addEventListener("pointermove", (event) => {
    if (!held || event.pointerId !== held.id) return;
    if (table.root !== held.root || table.sent) return end(false);
    const { clientX: x, clientY: y } = event;
    if (!held.dragging && (Math.hypot(x - held.x, y - held.y) < SHAKE || !begin())) return;
    const { rect } = held;
    const over = x > rect.left - NEAR && x < rect.right + NEAR && y > rect.top - NEAR && y < rect.bottom + NEAR;
    const gap = over ? nearest(held.gaps, { x, y }, ([, r]) => r)?.[0] : null;
    held.gap = gap;
    table.lay(gap ? table.moved(held.lifted, gap) : held.lifted);
    held.flying.hidden = Boolean(gap);
    held.flying.style.translate = `${x}px ${y}px`;
  });

  // A fling at the end of a drag would take the next tap away.
  document.addEventListener("touchmove", (event) => held && event.cancelable && event.preventDefault(), { passive: false });
  document.addEventListener("pointerup", (event) => event.pointerId === held?.id && end(true));
  document.addEventListener("pointercancel", (event) => event.pointerId === held?.id && end(false));
}
