// Replay of a finished match. The visitor goes from move to move with buttons, keys or the slider of the score strip (a
// chart of the scores), or lets the moves play automatically.

import { morphHtml } from "./page_patch.js";
import { changedPlaces, clearPlaceHighlights, highlightPlaces, holdSeatNumbers, readSeatNumbers, releaseSeatNumbers } from "./last_move_halo.js";
import { animateCardMoves, isCounting, isMoving, measurePieces } from "./card_animation.js";
import { isMotionOff, scaleDuration } from "./animation_speed.js";
import { $ } from "./dom.js";
import { say } from "./announcer.js";
import { playCardLanding } from "./sound.js";
import { appUrl, localizedUrl, t } from "./translations.js";

/** Milliseconds between two moves in automatic play. */
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
      this.placeStripMarker(event.target.value);
      this.goToPly(Number(event.target.value));
    });
    document.addEventListener("keydown", (event) => this.key(event));
    this.scrollToCurrentMove();
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

  /** Return the ms between two moves. It is not 0 if animations are off, because the moves must be read. */
  get moveInterval() {
    return isMotionOff() ? PACE : scaleDuration(PACE);
  }

  click(event) {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const target = event.target.closest("#app [data-ply]:not(#replay), #app [data-eyes]:not(#replay), #app [data-play]");
    if (!target) return;
    event.preventDefault();
    if (target.dataset.play !== undefined) return this.timer ? this.pause() : this.startPlaying();
    this.pause();
    if (target.dataset.eyes) this.goToPly(this.ply, target.dataset.eyes);
    else this.goToPly(Number(target.dataset.ply));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]")) return;
    const target = event.target;
    if (event.key === " " && !target.matches("button, a")) this.timer ? this.pause() : this.startPlaying();
    else if (target.id === "replay-move" || (target.matches?.("#app .piece") && event.key.startsWith("Arrow"))) return;
    else if (event.key === "ArrowLeft") this.stepBy(-1);
    else if (event.key === "ArrowRight") this.stepBy(1);
    else if (event.key === "Home") this.stepBy(-Infinity);
    else if (event.key === "End") this.stepBy(Infinity);
    else return;
    event.preventDefault();
  }

  stepBy(moves) {
    this.pause();
    this.goToPly(this.ply + moves);
  }

  /**
   * Show the match after `ply` moves, as `eyes` (a seat, or "all" for spectators) saw it. While the server is answering
   * a request, only the latest further request is kept.
   */
  async goToPly(ply, eyes = this.wanted?.eyes ?? this.dock.dataset.eyes) {
    this.wanted = { ply: Math.max(0, Math.min(this.last, ply)), eyes };
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.wanted) {
        const { ply: at, eyes: by } = this.wanted;
        const answer = await fetch(localizedUrl(appUrl(`/m/${this.dock.dataset.code}/moment?ply=${at}&eyes=${by}`)));
        if (!answer.ok) throw new Error((await answer.json()).reason);
        const message = await answer.json();
        if (this.wanted.ply === at && this.wanted.eyes === by) this.wanted = null;
        this.showMoment(message, by);
      }
    } catch (error) {
      this.wanted = null;
      this.pause();
      say(t("This move can’t be shown: {why}", { why: error.message }));
    } finally {
      this.busy = false;
    }
  }

  showMoment(message, eyes) {
    releaseSeatNumbers();
    const before = measurePieces();
    const said = readSeatNumbers();
    const counted = isCounting();
    const steps = Math.abs(message.ply - Number(this.dock.dataset.ply)) === 1 && eyes === this.dock.dataset.eyes;
    const playing = Boolean(this.timer);
    morphHtml(this.app, message.html);
    const slider = $("#replay-move");
    const at = this.wanted?.ply ?? message.ply;
    slider.value = at;
    this.placeStripMarker(at);
    this.updatePlayButton(playing);
    document.title = `${message.title} – Facedown`;
    history.replaceState(null, "", appUrl(`/m/${this.dock.dataset.code}?ply=${message.ply}&eyes=${eyes}`));
    if (steps) this.animateStep(before, said, counted && isCounting() === false);
    else clearPlaceHighlights();
    this.scrollToCurrentMove();
    say(message.say);
  }

  /** Animate the change by one move, forwards or backwards, like a move at the table. */
  animateStep(before, said, isNewDeal) {
    const landed = (journey) => {
      playCardLanding(journey);
      if (!isMoving()) releaseSeatNumbers();
    };
    const made = animateCardMoves(before, { isNewDeal, watched: true, landed });
    if (isMoving()) holdSeatNumbers(said);
    if (isNewDeal) clearPlaceHighlights();
    else highlightPlaces(changedPlaces(made));
  }

  /** Move the marker line of the score strip to the slider's thumb at once, before the position has loaded. */
  placeStripMarker(ply) {
    for (const end of ["x1", "x2"]) $("#plumb").setAttribute(end, `${(100 * ply) / (this.last || 1)}%`);
  }

  startPlaying() {
    if (this.ply >= this.last) this.goToPly(0);
    const tick = async () => {
      if (!this.timer) return;
      await this.goToPly(this.ply + 1);
      if (this.ply >= this.last) this.pause();
      else if (this.timer) this.timer = setTimeout(tick, this.moveInterval);
    };
    this.timer = setTimeout(tick, this.moveInterval / 3);
    this.updatePlayButton(true);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.updatePlayButton(false);
  }

  updatePlayButton(on) {
    const button = $("[data-play]");
    if (!button) return;
    button.setAttribute("aria-pressed", String(on));
    button.setAttribute("aria-label", on ? t("Pause") : t("Play"));
  }

  /** Scroll the list so that the current move is visible. */
  scrollToCurrentMove() {
    const log = $("#log");
    const now = $(".replay-moves .now");
    if (!log || !now) return;
    const top = now.offsetTop - log.offsetTop;
    if (top < log.scrollTop + 40 || top + now.offsetHeight > log.scrollTop + log.clientHeight) log.scrollTop = top - log.clientHeight / 2;
  }
}
