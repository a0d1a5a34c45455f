// A replay: one finished match, moved through by buttons, by the strip, by the keys, or by itself.

import { morph } from "./page_patch.js";
import { bare, changed, figures, hold, settle, wear } from "./move_highlight.js";
import { counting, measure, moving, travel } from "./card_animation.js";
import { calm, paced } from "./animation_speed.js";
import { $ } from "./dom.js";
import { say } from "./announcer.js";
import { landing } from "./sound.js";
import { here, spoken, t } from "./translations.js";

/** Between two moves that are played by themselves, in milliseconds. */
const PACE = 1100;

export class Replay {
  constructor(app) {
    this.app = app;
    this.wanted = null;
    this.busy = false;
    document.addEventListener("click", (event) => this.click(event));
    document.addEventListener("input", (event) => {
      if (event.target.id !== "replay-move") return;
      this.pause();
      this.plumb(event.target.value);
      this.go(Number(event.target.value));
    });
    document.addEventListener("keydown", (event) => this.key(event));
    this.scroll();
  }

  get dock() {
    return $("#replay");
  }

  get ply() {
    return this.wanted?.ply ?? Number(this.dock.dataset.ply);
  }

  get last() {
    return Number(this.dock.dataset.last);
  }

  /** How long a move stands; where nothing moves it is still read. */
  get between() {
    return calm() ? PACE : paced(PACE);
  }

  click(event) {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const target = event.target.closest("#app [data-ply]:not(#replay), #app [data-eyes]:not(#replay), #app [data-play]");
    if (!target) return;
    event.preventDefault();
    if (target.dataset.play !== undefined) return this.timer ? this.pause() : this.run();
    this.pause();
    if (target.dataset.eyes) this.go(this.ply, target.dataset.eyes);
    else this.go(Number(target.dataset.ply));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]")) return;
    const target = event.target;
    if (event.key === " " && !target.matches("button, a")) this.timer ? this.pause() : this.run();
    else if (target.id === "replay-move" || (target.matches?.("#app .piece") && event.key.startsWith("Arrow"))) return;
    else if (event.key === "ArrowLeft") this.by(-1);
    else if (event.key === "ArrowRight") this.by(1);
    else if (event.key === "Home") this.by(-Infinity);
    else if (event.key === "End") this.by(Infinity);
    else return;
    event.preventDefault();
  }

  by(moves) {
    this.pause();
    this.go(this.ply + moves);
  }

  /** Shows the match after so many moves; while one is being fetched, only the latest request is kept. */
  async go(ply, eyes = this.wanted?.eyes ?? this.dock.dataset.eyes) {
    this.wanted = { ply: Math.max(0, Math.min(this.last, ply)), eyes };
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.wanted) {
        const { ply: at, eyes: by } = this.wanted;
        const answer = await fetch(spoken(here(`/m/${this.dock.dataset.code}/moment?ply=${at}&eyes=${by}`)));
        if (!answer.ok) throw new Error((await answer.json()).reason);
        const message = await answer.json();
        if (this.wanted.ply === at && this.wanted.eyes === by) this.wanted = null;
        this.show(message, by);
      }
    } catch (error) {
      this.wanted = null;
      this.pause();
      say(t("The move could not be shown: {why}", { why: error.message }));
    } finally {
      this.busy = false;
    }
  }

  show(message, eyes) {
    settle();
    const before = measure();
    const said = figures();
    const counted = counting();
    const steps = Math.abs(message.ply - Number(this.dock.dataset.ply)) === 1 && eyes === this.dock.dataset.eyes;
    const playing = Boolean(this.timer);
    morph(this.app, message.html);
    const slider = $("#replay-move");
    const at = this.wanted?.ply ?? message.ply;
    slider.value = at;
    this.plumb(at);
    this.lamp(playing);
    document.title = `${message.title} – Facedown`;
    history.replaceState(null, "", here(`/m/${this.dock.dataset.code}?ply=${message.ply}&eyes=${eyes}`));
    if (steps) this.moved(before, said, counted && counting() === false);
    else bare();
    this.scroll();
    say(message.say);
  }

  /** One move on or back is seen as it was seen at the table. */
  moved(before, said, anew) {
    const landed = (journey) => {
      landing(journey);
      if (!moving()) settle();
    };
    const made = travel(before, { anew, watched: true, landed });
    if (moving()) hold(said);
    if (anew) bare();
    else wear(changed(made));
  }

  /** The line hangs where the thumb is, also before the move is there. */
  plumb(ply) {
    for (const end of ["x1", "x2"]) $("#plumb").setAttribute(end, `${(100 * ply) / (this.last || 1)}%`);
  }

  run() {
    if (this.ply >= this.last) this.go(0);
    const tick = async () => {
      if (!this.timer) return;
      await this.go(this.ply + 1);
      if (this.ply >= this.last) this.pause();
      else if (this.timer) this.timer = setTimeout(tick, this.between);
    };
    this.timer = setTimeout(tick, this.between / 3);
    this.lamp(true);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.lamp(false);
  }

  lamp(on) {
    const button = $("[data-play]");
    if (!button) return;
    button.setAttribute("aria-pressed", String(on));
    button.setAttribute("aria-label", on ? t("Pause") : t("Play"));
  }

  /** The move that is shown stays in view in the list. */
  scroll() {
    const log = $("#log");
    const now = $(".replay-moves .now");
    if (!log || !now) return;
    const top = now.offsetTop - log.offsetTop;
    if (top < log.scrollTop + 40 || top + now.offsetHeight > log.scrollTop + log.clientHeight) log.scrollTop = top - log.clientHeight / 2;
  }
}
