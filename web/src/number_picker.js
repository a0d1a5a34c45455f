// A choice among faces: each a touch of its own, the chosen one tells which pieces of the hand it is about.

import { $, $$, drawing, make } from "./dom.js";
import { t } from "./translations.js";

/** The choices of a step that are offered together by number: those with a face in the table's order, else ascending. */
export function numbered(step) {
  const found = (step?.choices ?? []).filter((c) => c.number !== undefined);
  return found[0]?.face ? found : found.sort((a, b) => a.number - b.number);
}

/** Which of them comes chosen: the one the table fills, else the first. */
export const usual = (numbers) => Math.max(0, numbers.findIndex((c) => c.primary));

/** Which of them a key means: its number, or the first letter of what stands below its face; -1 for none. */
export function keyed(numbers, key) {
  if (!numbers[0]?.face) return -1;
  return numbers.findIndex((c) => (c.lifts || c.tag === "0" ? String(c.number) === key : c.tag?.[0] === key.toLowerCase()));
}

/** Lays the row above the hand; `choose(index)` is called with another one. */
export function row(numbers, chosen, choose) {
  const hand = $("#board > .hand-area");
  if (!hand) return;
  const old = $("#faces");
  const focused = old?.contains(document.activeElement);
  const buttons = numbers.map((choice, i) => {
    const button = make("button", "face", drawing(choice.face), make("b", "", choice.tag ?? ""));
    button.type = "button";
    button.setAttribute("role", "radio");
    button.setAttribute("aria-checked", String(i === chosen));
    button.setAttribute("aria-label", `${choice.button}. ${choice.says ?? ""}`);
    button.tabIndex = i === chosen ? 0 : -1;
    button.dataset.number = choice.number;
    button.dataset.touch = choice.touch;
    button.addEventListener("click", () => choose(i));
    button.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      choose((i + by + numbers.length) % numbers.length);
    });
    return button;
  });
  const box = make("div", "faces", ...buttons);
  box.id = "faces";
  box.setAttribute("role", "radiogroup");
  box.setAttribute("aria-label", t("Which one"));
  if (old) old.replaceWith(box);
  else hand.prepend(box);
  if (focused) buttons[chosen].focus();
  const lifts = new Set(numbers[chosen].lifts ?? []);
  for (const piece of $$(".piece[data-place]", hand)) {
    piece.classList.toggle("raised", lifts.has(piece.dataset.place));
    piece.classList.toggle("dimmed", Boolean(lifts.size) && !lifts.has(piece.dataset.place));
  }
}

/** No such choice is asked for now. */
export function away() {
  $("#faces")?.remove();
  for (const piece of $$(".piece.raised")) piece.classList.remove("raised");
}
