// Cards that are flipped in steps, for example before a round is scored. The page already contains all of them face up.
// This module covers them and uncovers them step by step; a touch shows the next step at once. The page contains the
// steps as [{says, places}], so the code is the same for all games.

import { glideParts, measureParts } from "./layout_transitions.js";
import { animate, FADE_TIME, isMotionOff, scaleDuration } from "./animation_speed.js";
import { $, faceSvg, make, placeElement, setRichText } from "./dom.js";
import { turnOver } from "./card_animation.js";
import { animateSums, announceFlipStep, CARD_TRAVEL_TIME, mostAddedCards, removeSums, showSums } from "./flip_sums.js";
import { t } from "./translations.js";

const APART = 600;
/** Milliseconds between the flip of the last cards and the moment when they are added to the totals. */
const QUIET = 540;

/** Return the steps in a JSON text from the page, without those that flip no card. */
export function parseSteps(text) {
  const steps = text ? JSON.parse(text) : [];
  return steps.filter((step) => step.places.length);
}

/** Return the places that are still face down after `shown` steps. */
export function coveredPlaces(steps, shown) {
  return steps.slice(shown).flatMap((step) => step.places);
}

export class FlipSteps {
  /** `after()` is called when all cards are face up; it restores the prompt. */
  constructor(after) {
    this.after = after;
    this.key = "";
    this.steps = [];
    this.shown = -1;
    this.timer = 0;
    this.flights = [];
  }

  /** Return the players' totals after `shown` steps. */
  sumsAfter(shown) {
    return (shown ? this.steps[shown - 1].sums : JSON.parse($("[data-steps]")?.dataset.sums || "[]")) ?? [];
  }

  /** All texts that may appear below the totals, in the order of the steps. */
  get sumLines() {
    return [$("[data-steps]")?.dataset.line, ...this.steps.map((step) => step.line)];
  }

  /** Milliseconds between two steps. With animations off, the texts still need time to be read. */
  get stepInterval() {
    return isMotionOff() ? APART : scaleDuration(APART);
  }

  get running() {
    return this.shown >= 0;
  }

  /** Places that flip in steps, which an update must therefore not animate by itself. */
  get places() {
    return new Set(this.running ? this.steps.flatMap((step) => step.places) : []);
  }

  /** Read the steps of an updated page. `begin`: start to show new steps, instead of only remembering them. */
  readSteps(begin) {
    const key = $("[data-steps]")?.dataset.steps ?? "";
    const news = key !== this.key;
    this.key = key;
    this.steps = parseSteps(key);
    // Remove covers of earlier steps, which may be in sections that the update has not replaced.
    if (news) for (const cover of document.querySelectorAll(".cover")) cover.remove();
    if (!this.steps.length) this.showAll();
    else if (news && begin) this.start();
    else if (this.running) this.coverHiddenPlaces();
  }

  /** Show all steps, beginning with the first. */
  start() {
    if (!this.steps.length) return;
    this.clearTimers();
    this.shown = 0;
    removeSums();
    this.coverHiddenPlaces();
    this.timer = setTimeout(() => this.showNextStep(), this.stepInterval);
  }

  showNextStep() {
    this.clearTimers();
    if (this.shown > 0) announceFlipStep(this.steps[this.shown - 1]);
    const step = this.steps[this.shown];
    if (!step) return this.showAll();
    const before = this.sumsAfter(this.shown);
    this.shown += 1;
    const after = this.sumsAfter(this.shown);
    this.coverHiddenPlaces();
    for (const place of step.places) this.turnUp(placeElement(place));
    const last = this.shown === this.steps.length;
    const wait = last ? QUIET : 0;
    animateSums(before, after, step, wait, (what, when) => this.flights.push(setTimeout(what, scaleDuration(when))));
    const counted = scaleDuration(wait + mostAddedCards(before, after) * CARD_TRAVEL_TIME);
    this.timer = setTimeout(() => this.showNextStep(), last ? counted + this.stepInterval : Math.max(this.stepInterval, counted));
  }

  /** Stop all timers. */
  clearTimers() {
    clearTimeout(this.timer);
    for (const flight of this.flights) clearTimeout(flight);
    this.flights = [];
  }

  /** Show all remaining cards face up at once. */
  showAll() {
    this.clearTimers();
    if (!this.running) return;
    announceFlipStep(this.steps.at(-1));
    this.shown = -1;
    const places = measureParts();
    removeSums();
    for (const cover of document.querySelectorAll(".cover")) cover.remove();
    document.body.classList.remove("stepping");
    $("#board")?.classList.toggle("has-slips", Boolean($(".rail.slips")));
    this.updateStepMarks();
    glideParts(places);
    this.after();
  }

  /** Cover the cards whose step has not come yet; also called after an update has redrawn the page. */
  coverHiddenPlaces() {
    document.body.classList.add("stepping");
    $("#board")?.classList.remove("has-slips");
    for (const place of coveredPlaces(this.steps, this.shown)) {
      const piece = placeElement(place);
      if (piece && !$(".cover:not(.turning)", piece)) piece.append(makeCover());
    }
    const words = $("#prompt-words");
    if (words) {
      setRichText(words, this.steps[Math.max(0, this.shown - 1)].says);
      $("#prompt-help")?.replaceChildren();
    }
    if (!$("#tallies")) showSums(this.sumsAfter(this.shown), this.sumLines, this.sumLines[this.shown]);
    this.addShowAllButton();
    this.updateStepMarks();
  }

  /** Show a button "All at once", as wide as the main button that it replaces for now. */
  addShowAllButton() {
    const box = $("#actions");
    if (!box || $("[data-all]", box)) return;
    const wide = $(".primary", box)?.offsetWidth ?? 0;
    const all = make("button", "button primary", t("All at once"));
    all.type = "button";
    all.dataset.all = "";
    if (wide) all.style.minWidth = `${wide}px`;
    box.replaceChildren(all);
  }

  updateStepMarks() {
    document.querySelectorAll("[data-steps] li").forEach((mark, i) => mark.classList.toggle("shown", !this.running || i < this.shown));
  }

  turnUp(piece) {
    const cover = piece && $(".cover:not(.turning)", piece);
    if (!cover) return;
    cover.remove();
    if (isMotionOff()) animate(piece, [{ opacity: 0.2 }, { opacity: 1 }], { duration: FADE_TIME });
    else turnOver(piece, cover, 0);
  }
}

const makeCover = () => make("span", "cover", faceSvg("back"));
