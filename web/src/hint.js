// Hints: asked of the server, shown beside the table, their cards marked on it. Nothing here knows what a good move is.

import { $, $$, at, zoneElement } from "./page.js";
import { say } from "./say.js";

/** Marks the things of the best move and shows the sheet; it goes when the table changes, or is closed. */
export class Hint {
  /** `ask()` sends the wish and says whether the line was up. */
  constructor(ask) {
    this.ask = ask;
    this.touches = [];
    this.step = "";
  }

  /** Ask for one, where the table allows hints. */
  wish() {
    if (!$("#hint")) return;
    for (const open of $$("dialog[open]")) open.close();
    if (this.touches.length && !$("#hint").hidden) {
      this.close();
      return;
    }
    say(this.ask() ? "The coach is thinking." : "The line is down. Nothing was sent.");
  }

  /** A hint has come. */
  show(message) {
    const sheet = $("#hint");
    if (!sheet) return;
    this.close();
    $("#hint-words").innerHTML = message.html;
    sheet.hidden = false;
    this.touches = message.moves[0]?.touches ?? [];
    this.mark();
    say(message.say);
  }

  mark() {
    for (const touch of this.touches) (at(touch) ?? zoneElement(touch) ?? $(`#actions [data-button="${CSS.escape(touch)}"]`))?.classList.add("hinted");
  }

  /** A table has come, with what may be touched now: a hint goes with what it was given for. */
  stands(step) {
    if (step !== this.step) this.close();
    this.step = step;
  }

  /** Takes sheet and marks away; true if there was something. */
  close() {
    const sheet = $("#hint");
    const was = Boolean(sheet && !sheet.hidden);
    if (sheet) sheet.hidden = true;
    this.touches = [];
    for (const marked of $$(".hinted")) marked.classList.remove("hinted");
    return was;
  }
}
