// Number picker with card faces: if the player must choose a number that is printed on cards (such as the trump
// suit), a row above the hand shows one card face per number. The player selects a face, and the cards of the hand with
// that number are raised.

import { $, $$, faceSvg, make } from "./dom.js";
import { t } from "./translations.js";

/**
 * Return the choices of a step (prompt) that have a number, such as bids: in the server's order if they also have card
 * faces, else in ascending order.
 */
export function numberChoices(step) {
  const found = (step?.choices ?? []).filter((c) => c.number !== undefined);
  return found[0]?.face ? found : found.sort((a, b) => a.number - b.number);
}

/** Return the index of the choice that is selected at first: the primary one, else the first. */
export const defaultNumberIndex = (numbers) => Math.max(0, numbers.findIndex((c) => c.primary));

/**
 * Return the index of the choice that a key selects; −1 if there is none. The key is the choice's number, or the first
 * letter of the text below its face.
 */
export function numberIndexForKey(numbers, key) {
  if (!numbers[0]?.face) return -1;
  return numbers.findIndex((c) => (c.lifts || c.tag === "0" ? String(c.number) === key : c.tag?.[0] === key.toLowerCase()));
}

/** Show the row of faces above the hand; `choose(index)` is called when another one is selected. */
export function showFaceRow(numbers, chosen, choose) {
  const hand = $("#board > .hand-area");
  if (!hand) return;
  const old = $("#faces");
  const focused = old?.contains(document.activeElement);
  const buttons = numbers.map((choice, i) => {
    const button = make("button", "face", faceSvg(choice.face), make("b", "", choice.tag ?? ""));
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
  box.setAttribute("aria-label", t("Your choice"));
  if (old) old.replaceWith(box);
  else hand.prepend(box);
  if (focused) buttons[chosen].focus();
  const lifts = new Set(numbers[chosen].lifts ?? []);
  for (const piece of $$(".piece[data-place]", hand)) {
    piece.classList.toggle("raised", lifts.has(piece.dataset.place));
    piece.classList.toggle("dimmed", Boolean(lifts.size) && !lifts.has(piece.dataset.place));
  }
}

/** Remove the row of faces. */
export function removeFaceRow() {
  $("#faces")?.remove();
  for (const piece of $$(".piece.raised")) piece.classList.remove("raised");
}
