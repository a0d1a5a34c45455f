// Hints: requested from the server and shown in a box next to the table, with the best move highlighted on the table.
// The server chooses the move.

import { $, $$, placeElement, zoneElement } from "./dom.js";
import { NOT_SENT_TEXT } from "./live_connection.js";
import { say } from "./announcer.js";
import { t } from "./translations.js";
import { questionKey } from "./touch_tree.js";

/** Milliseconds after which a box says that the coach is thinking. A faster answer does not need it. */
const UNSEEN = 300;
/** Milliseconds after which the box says that the hint takes longer than usual. */
const LONG = 20000;
const wide = matchMedia("(min-width: 1260px)");

/**
 * Return the element that a touch names: a card or tile, an option, a zone, a card face to choose, a button or the
 * number selector.
 */
function elementOfTouch(touch) {
  const piece = placeElement(touch);
  const key = CSS.escape(touch);
  if (piece) return piece.matches(".option") ? piece.closest(".zone") : piece;
  return zoneElement(touch) ?? $(`#faces [data-touch="${key}"]`) ?? $(`#actions .button[data-button="${key}"]`) ?? $(`#actions .stepper[data-touches~="${key}"]`);
}

/**
 * The box with a hint, and the highlighted elements of its move. It closes when another decision has to be made or the
 * player closes it.
 */
export class Hint {
  /** `ask(more)` sends the request with the fields of `more` and returns whether the connection was up. */
  constructor(ask) {
    this.ask = ask;
    this.touches = [];
    this.zone = "";
    this.rest = [];
    this.step = "";
    this.asked = false;
    wide.addEventListener("change", () => this.placeCard());
  }

  /**
   * Show the next part of the open hint. If there is none, close the hint. If no hint is open, request one, if the
   * table allows hints.
   */
  request() {
    if (!$("#hint")) return;
    for (const open of $$("dialog[open]")) open.close();
    if (this.showNextPart() || this.close()) return;
    if (!this.ask({})) {
      say(NOT_SENT_TEXT);
      return;
    }
    say(t("The coach is thinking."));
    this.asked = true;
    $("#hint-worlds").textContent = "";
    $("#hint-done").removeAttribute("value");
    this.timers = [setTimeout(() => this.openCard(true), UNSEEN), setTimeout(() => this.showDelayNotice(), LONG)];
  }

  /**
   * Show the progress of the coach: `done` of `of` sampled deals or, if `preparing`, steps of compiling. Close the hint
   * if the coach has given up (`over`).
   */
  showProgress({ done, of, over, preparing }) {
    if (over) this.close();
    if (over || !this.asked) return;
    const words = preparing ? t("Getting ready, step {done} of {of}.", { done, of }) : t("Tried {done} of {of} deals.", { done, of });
    $("#hint-worlds").textContent = `${words} `;
    $("#hint-done").max = of;
    $("#hint-done").value = done;
  }

  showDelayNotice() {
    if (this.asked) $("#hint-worlds").append(`${t("This is taking longer than usual.")} `);
  }

  /** Show a hint received from the server. */
  receiveHint(message) {
    if (!$("#hint")) return;
    this.asked = false;
    this.close();
    const moves = { html: message.html, say: message.say, touches: message.moves[0]?.touches ?? [] };
    this.rest = [...(message.steps ?? []), moves];
    this.showNextPart();
  }

  /** Show the next part of the hint; return false if there is none. */
  showNextPart() {
    const next = this.rest.shift();
    if (!next) return false;
    const focused = $("#hint").contains(document.activeElement);
    $("#hint-words").innerHTML = next.html;
    this.openCard(false);
    this.clearHighlight();
    this.touches = next.touches ?? [];
    this.zone = next.zone ?? "";
    this.placeCardAndHighlight();
    say(next.say);
    if (focused) ($("#hint [data-hint-more]") ?? $("#hint [data-hint-close]"))?.focus();
    return true;
  }

  openCard(thinking) {
    const card = $("#hint");
    $("#hint-thinking").hidden = !thinking;
    $("#hint-words").hidden = thinking;
    card.hidden = false;
    for (const button of $$(".bar [data-hint]")) button.setAttribute("aria-pressed", "true");
    this.placeCard();
  }

  /** Place the hint's box: at the top of the side column on a wide page, else in place of the prompt. */
  placeCard() {
    const card = $("#hint");
    if (!card || card.hidden) return;
    const board = $("#board");
    const rail = $("#rail");
    if (!board || !rail) {
      this.close();
      return;
    }
    if (wide.matches) {
      board.classList.remove("hinting");
      card.style.maxHeight = "";
      if (rail.firstElementChild !== card) rail.prepend(card);
      return;
    }
    if (card.parentElement !== board) board.append(card);
    // The box must not push down the hand and the buttons. If it does not fit above them, its contents scroll.
    const row = $("#actions");
    const top = () => (row ? row.getBoundingClientRect().top + scrollY : 0);
    card.style.maxHeight = "0";
    board.classList.remove("hinting");
    const prompt = $("#prompt")?.offsetHeight ?? 0;
    card.hidden = true;
    const stood = top();
    card.hidden = false;
    board.classList.add("hinting");
    card.style.maxHeight = "";
    const sunk = top() - stood;
    if (sunk > 0.5) card.style.maxHeight = `${Math.max(prompt, card.offsetHeight - sunk)}px`;
  }

  placeCardAndHighlight() {
    this.placeCard();
    this.highlightMove();
  }

  /** Highlight the hint's move. Also called after redraws: a touch of the move may add the button for the next one. */
  highlightMove() {
    if (this.zone) zoneElement(this.zone)?.classList.add("hinted");
    for (const touch of this.touches) elementOfTouch(touch)?.classList.add("hinted");
  }

  /** Close the hint if `step` is not the decision for which it was given. */
  closeIfStepChanged(step) {
    const asked = questionKey(step);
    if (asked !== this.step) this.close();
    this.step = asked;
  }

  /** Close the box, remove the highlights and cancel a running request. Return whether there was a hint or request. */
  close() {
    const card = $("#hint");
    const was = Boolean(card && !card.hidden) || this.asked;
    for (const timer of this.timers ?? []) clearTimeout(timer);
    if (this.asked) this.ask({ stop: true });
    this.asked = false;
    this.touches = [];
    this.zone = "";
    this.rest = [];
    if (card) {
      card.hidden = true;
      // Move the hidden box out of the part of the page that is replaced by updates, so that no update removes it.
      document.body.append(card);
    }
    $("#board")?.classList.remove("hinting");
    for (const button of $$(".bar [data-hint]")) button.removeAttribute("aria-pressed");
    this.clearHighlight();
    return was;
  }

  clearHighlight() {
    for (const marked of $$(".hinted")) marked.classList.remove("hinted");
  }
}
