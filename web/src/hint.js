// Hints: asked of the server, shown beside the table, their cards marked on it. Nothing here knows what a good move is.

import { $, $$, at, zoneElement } from "./dom.js";
import { DOWN } from "./live_connection.js";
import { say } from "./announcer.js";
import { t } from "./translations.js";
import { asks } from "./touch_tree.js";

/** An answer that comes sooner than this is not waited for in sight. */
const UNSEEN = 300;
/** From here on it is said that this one takes long. */
const LONG = 20000;
const wide = matchMedia("(min-width: 1260px)");

/** What a touch is on the page: a piece, the whole reading of a hand, a zone, a face, a button, or the numbers it is among. */
function marked(touch) {
  const piece = at(touch);
  const key = CSS.escape(touch);
  if (piece) return piece.matches(".option") ? piece.closest(".zone") : piece;
  return zoneElement(touch) ?? $(`#faces [data-touch="${key}"]`) ?? $(`#actions .button[data-button="${key}"]`) ?? $(`#actions .stepper[data-touches~="${key}"]`);
}

/** Marks the things of the best move and shows the card; it goes when the table changes, or is closed. */
export class Hint {
  /** `ask(more)` sends the request, with more in it, and says whether the line was up. */
  constructor(ask) {
    this.ask = ask;
    this.touches = [];
    this.zone = "";
    this.rest = [];
    this.step = "";
    this.asked = false;
    wide.addEventListener("change", () => this.place());
  }

  /** Ask for one, where the table allows hints; what is shown or asked already goes away. */
  request() {
    if (!$("#hint")) return;
    for (const open of $$("dialog[open]")) open.close();
    if (this.more() || this.close()) return;
    if (!this.ask({})) {
      say(DOWN);
      return;
    }
    say(t("The coach is thinking."));
    this.asked = true;
    $("#hint-worlds").textContent = "";
    $("#hint-done").removeAttribute("value");
    this.timers = [setTimeout(() => this.open(true), UNSEEN), setTimeout(() => this.long(), LONG)];
  }

  /** The coach has come so far, or does not answer any more. */
  think({ done, of, over, preparing }) {
    if (over) this.close();
    if (over || !this.asked) return;
    const words = preparing ? t("Getting ready, step {done} of {of}.", { done, of }) : t("Tried in {done} of {of} deals.", { done, of });
    $("#hint-worlds").textContent = `${words} `;
    $("#hint-done").max = of;
    $("#hint-done").value = done;
  }

  long() {
    if (this.asked) $("#hint-worlds").append(`${t("This takes longer than usual.")} `);
  }

  /** A hint has come. */
  show(message) {
    if (!$("#hint")) return;
    this.asked = false;
    this.close();
    const moves = { html: message.html, say: message.say, touches: message.moves[0]?.touches ?? [] };
    this.rest = [...(message.steps ?? []), moves];
    this.more();
  }

  /** The next step of the hint; false where there is none. */
  more() {
    const next = this.rest.shift();
    if (!next) return false;
    const focused = $("#hint").contains(document.activeElement);
    $("#hint-words").innerHTML = next.html;
    this.open(false);
    this.unmark();
    this.touches = next.touches ?? [];
    this.zone = next.zone ?? "";
    this.mark();
    say(next.say);
    if (focused) ($("#hint [data-hint-more]") ?? $("#hint [data-hint-close]"))?.focus();
    return true;
  }

  open(thinking) {
    const card = $("#hint");
    $("#hint-thinking").hidden = !thinking;
    $("#hint-words").hidden = thinking;
    card.hidden = false;
    for (const button of $$(".bar [data-hint]")) button.setAttribute("aria-pressed", "true");
    this.place();
  }

  /** Puts the card where it belongs: first in the rail, or in the prompt's place. */
  place() {
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
    // The hand and the button keep their places: what does not fit above them scrolls.
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

  mark() {
    this.place();
    this.light();
  }

  /** Marks what is drawn anew as well: a button may come with the touch before it. */
  light() {
    if (this.zone) zoneElement(this.zone)?.classList.add("hinted");
    for (const touch of this.touches) marked(touch)?.classList.add("hinted");
  }

  /** A table has come, with what may be touched now: a hint goes with what it was given for, and not when others choose. */
  stands(step) {
    const asked = asks(step);
    if (asked !== this.step) this.close();
    this.step = asked;
  }

  /** Takes card and marks away, and lets go of what was asked; true if there was something. */
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
      // Outside of what is drawn anew.
      document.body.append(card);
    }
    $("#board")?.classList.remove("hinting");
    for (const button of $$(".bar [data-hint]")) button.removeAttribute("aria-pressed");
    this.unmark();
    return was;
  }

  unmark() {
    for (const marked of $$(".hinted")) marked.classList.remove("hinted");
  }
}
