// Keyboard shortcuts of the table: arrow keys move the focus within a zone (group of cards), Tab moves it to the next
// zone, Enter touches the focused card or place, Escape takes back the last touch, and "?" lists the keys.

import { $, $$, focusablePieces } from "./dom.js";
import { say } from "./announcer.js";
import { appUrl } from "./translations.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Return the nearest element in a direction, or null. Distances are measured between centres; sideways distance counts
 * 2.2 times.
 */
export function nearestInDirection(from, others, [dx, dy]) {
  const middle = (e) => {
    const r = e.getBoundingClientRect();
    return [r.left + r.width / 2, r.top + r.height / 2];
  };
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const other of others) {
    if (other === from) continue;
    const [ox, oy] = middle(other);
    const along = (ox - x) * dx + (oy - y) * dy;
    const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (along <= 1) continue;
    const far = along + aside * 2.2;
    if (far < least) [best, least] = [other, far];
  }
  return best;
}

export function enableKeyboard(table, hint) {
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    const typing = target.matches?.("input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea");
    if (event.key === "Escape" && !$("dialog[open]")) {
      if (document.body.classList.contains("sheet-log")) document.body.classList.remove("sheet-log");
      else if (typing) target.blur();
      else if (hint.close() || table.takeBack()) event.preventDefault();
      else if ($(".sheet.new-table")) location.href = appUrl("/");
      return;
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (ARROWS[event.key]?.[0] && target.matches?.("#app .k-gap.holds") && table.slideGap(target.closest("[data-zone]"), { by: ARROWS[event.key][0] })) event.preventDefault();
    else if (["Enter", " "].includes(event.key) && target.matches?.("#app .piece[data-refused]:not(button)")) {
      table.touch(target.dataset.place, target);
      event.preventDefault();
    } else if (ARROWS[event.key] && target.matches?.("#app .piece, #app .option")) {
      const zone = target.closest("[data-zone], .tricks") ?? target.closest(".area");
      let pieces = focusablePieces(zone);
      let next = nearestInDirection(target, pieces, ARROWS[event.key]);
      for (const part of [target.closest(".area"), $("#board")]) {
        if (next || !part) continue;
        pieces = focusablePieces(part);
        next = nearestInDirection(target, pieces, ARROWS[event.key]);
      }
      if (next) {
        for (const piece of $$("[tabindex='0']", next.closest("[data-zone]") ?? zone)) piece.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
      }
      event.preventDefault();
    } else if (event.key === "?") {
      const dialog = $("dialog#keys");
      if (dialog && !dialog.open) dialog.showModal();
    } else if (table.chooseFaceByKey(event.key)) {
      event.preventDefault();
    } else if (event.key === "l" || event.key === "L") {
      const lit = $$("#app .piece.lit, #app .piece.can, #app .zone.lit .option, #actions .button:not([aria-disabled])").filter((e) => e.checkVisibility({ visibilityProperty: true }));
      const next = lit[(lit.indexOf(document.activeElement) + 1) % lit.length];
      if (next) {
        if (next.matches(".piece")) next.tabIndex = 0;
        next.focus();
      }
    } else if (event.key === "h" || event.key === "H") {
      hint.request();
    } else if (event.key === "p" || event.key === "P") {
      say(`${$("#prompt-words")?.textContent ?? ""} ${$("#prompt-help")?.textContent ?? ""}`);
    }
  });
}
