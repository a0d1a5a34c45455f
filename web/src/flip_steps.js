// Cards that are turned up in steps. The table already lies open; here it is shown one step after the other, and a touch
// shows the rest at once. The steps come with the page as [{says, places}], so this knows no game.

import { glide, standing } from "./layout_transitions.js";
import { animate, calm, FADE, paced } from "./animation_speed.js";
import { $, at, drawing, make, write } from "./dom.js";
import { turnOver } from "./card_animation.js";
import { away, EACH, gains, grow, lay, tell } from "./flip_sums.js";
import { t } from "./translations.js";

const APART = 600;
/** The last cards turn, and lie quiet for a while before they count. */
const QUIET = 540;

/** The steps of a text, as a page carries them; those that turn nothing are left out. */
export function read(text) {
  const steps = text ? JSON.parse(text) : [];
  return steps.filter((step) => step.places.length);
}

/** The places that still lie face down when so many steps are shown. */
export function covered(steps, shown) {
  return steps.slice(shown).flatMap((step) => step.places);
}

export class Steps {
  /** `after()` is called when everything is shown, to bring the prompt back. */
  constructor(after) {
    this.after = after;
    this.key = "";
    this.steps = [];
    this.shown = -1;
    this.timer = 0;
    this.flights = [];
  }

  /** What everybody has when so many steps are shown. */
  sums(shown) {
    return (shown ? this.steps[shown - 1].sums : JSON.parse($("[data-steps]")?.dataset.sums || "[]")) ?? [];
  }

  /** All lines that stand with the sums, the first one first. */
  get lines() {
    return [$("[data-steps]")?.dataset.line, ...this.steps.map((step) => step.line)];
  }

  /** How far steps lie apart: they are read, at any pace. */
  get apart() {
    return calm() ? APART : paced(APART);
  }

  get running() {
    return this.shown >= 0;
  }

  /** The places that a new table must not turn by itself. */
  get places() {
    return new Set(this.running ? this.steps.flatMap((step) => step.places) : []);
  }

  /** A new table stands on the page; `begin`: new steps are shown, not just remembered. */
  take(begin) {
    const key = $("[data-steps]")?.dataset.steps ?? "";
    const news = key !== this.key;
    this.key = key;
    this.steps = read(key);
    // What other steps have covered may lie in parts that stay as they are.
    if (news) for (const cover of document.querySelectorAll(".cover")) cover.remove();
    if (!this.steps.length) this.stop();
    else if (news && begin) this.start();
    else if (this.running) this.dress();
  }

  /** Shows all steps from the first on. */
  start() {
    if (!this.steps.length) return;
    this.still();
    this.shown = 0;
    away();
    this.dress();
    this.timer = setTimeout(() => this.next(), this.apart);
  }

  next() {
    this.still();
    if (this.shown > 0) tell(this.steps[this.shown - 1]);
    const step = this.steps[this.shown];
    if (!step) return this.stop();
    const before = this.sums(this.shown);
    this.shown += 1;
    const after = this.sums(this.shown);
    this.dress();
    for (const place of step.places) this.turn(at(place));
    const last = this.shown === this.steps.length;
    const wait = last ? QUIET : 0;
    grow(before, after, step, wait, (what, when) => this.flights.push(setTimeout(what, paced(when))));
    const counted = paced(wait + gains(before, after) * EACH);
    this.timer = setTimeout(() => this.next(), last ? counted + this.apart : Math.max(this.apart, counted));
  }

  /** Nothing more is on its way. */
  still() {
    clearTimeout(this.timer);
    for (const flight of this.flights) clearTimeout(flight);
    this.flights = [];
  }

  /** Shows the rest at once. */
  stop() {
    this.still();
    if (!this.running) return;
    tell(this.steps.at(-1));
    this.shown = -1;
    const places = standing();
    away();
    for (const cover of document.querySelectorAll(".cover")) cover.remove();
    document.body.classList.remove("stepping");
    $("#board")?.classList.toggle("has-slips", Boolean($(".rail.slips")));
    this.marks();
    glide(places);
    this.after();
  }

  /** Covers what is not shown yet; also after the page was drawn anew. */
  dress() {
    document.body.classList.add("stepping");
    $("#board")?.classList.remove("has-slips");
    for (const place of covered(this.steps, this.shown)) {
      const piece = at(place);
      if (piece && !$(".cover:not(.turning)", piece)) piece.append(back());
    }
    const words = $("#prompt-words");
    if (words) {
      write(words, this.steps[Math.max(0, this.shown - 1)].says);
      $("#prompt-help")?.replaceChildren();
    }
    if (!$("#tallies")) lay(this.sums(this.shown), this.lines, this.lines[this.shown]);
    this.button();
    this.marks();
  }

  /** One button, where the one to go on will stand. */
  button() {
    const box = $("#actions");
    if (!box || $("[data-all]", box)) return;
    const wide = $(".primary", box)?.offsetWidth ?? 0;
    const all = make("button", "button primary", t("All at once"));
    all.type = "button";
    all.dataset.all = "";
    if (wide) all.style.minWidth = `${wide}px`;
    box.replaceChildren(all);
  }

  marks() {
    document.querySelectorAll("[data-steps] li").forEach((mark, i) => mark.classList.toggle("shown", !this.running || i < this.shown));
  }

  turn(piece) {
    const cover = piece && $(".cover:not(.turning)", piece);
    if (!cover) return;
    cover.remove();
    if (calm()) animate(piece, [{ opacity: 0.2 }, { opacity: 1 }], { duration: FADE });
    else turnOver(piece, cover, 0);
  }
}

const back = () => make("span", "cover", drawing("back"));
