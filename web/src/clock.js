// Clocks: every chip counts down once a second; your last ten seconds are said, filled and banded. The server decides.

import { $, $$ } from "./dom.js";
import { alarm, say } from "./announcer.js";
import { play } from "./sound.js";
import { lang, t, tn } from "./translations.js";

const LAST = 10;
const HOUR = 3600;
const TEN_MINUTES = 600;

/** What a chip says of so many seconds: "9 h", "12 min", "0:42". */
export function figures(left) {
  const whole = Math.ceil(Math.max(0, left) - 1e-6);
  if (whole >= HOUR) return t("{hours} h", { hours: Math.floor(whole / HOUR) });
  if (whole > TEN_MINUTES) return t("{minutes} min", { minutes: Math.ceil(whole / 60) });
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** When a slow clock stands at zero, as the reader's own clock and calendar say it, in the language of the page. */
export function until(end, now = new Date()) {
  const time = end.toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit", hour12: false });
  const days = Math.round((new Date(end).setHours(0, 0, 0, 0) - new Date(now).setHours(0, 0, 0, 0)) / 86400000);
  if (days <= 0) return time;
  if (days === 1) return t("{time} tomorrow", { time });
  return t("{time} on {day}", { time, day: end.toLocaleDateString(lang, { weekday: "long" }) });
}

export class Clocks {
  constructor(now = () => performance.now() / 1000) {
    this.now = now;
    this.ends = new Map();
    this.warned = null;
    this.told = null;
  }

  /** A table has come: what its chips say counts from now. */
  take() {
    const at = this.now();
    const before = this.ends;
    this.ends = new Map();
    for (const chip of $$("[data-clock].runs")) this.ends.set(chip.dataset.clock, at + Number(chip.dataset.left) + Number(chip.dataset.wait ?? 0));
    const mine = $("[data-clock].yours.runs");
    // The same turn goes on: its last ten seconds were said already.
    if (!mine || Math.abs((before.get(mine.dataset.clock) ?? 0) - this.ends.get(mine.dataset.clock)) > 2) this.warned = null;
    this.tick();
    this.announce();
    clearTimeout(this.timer);
    if (this.ends.size) this.timer = setTimeout(() => this.beat(), 200);
  }

  beat() {
    this.tick();
    this.timer = setTimeout(() => this.beat(), 200);
  }

  /** How many seconds a seat has left now; undefined: its clock rests. */
  left(seat) {
    const end = this.ends.get(seat);
    return end === undefined ? undefined : Math.max(0, end - this.now());
  }

  /** Your own running clock in figures, or nothing. */
  get mine() {
    const chip = $("[data-clock].yours.runs");
    const left = chip && this.left(chip.dataset.clock);
    return left === undefined || left === null ? "" : figures(left);
  }

  tick() {
    for (const chip of $$("[data-clock].runs")) {
      // While the cards still travel it stands.
      const left = Math.min(this.left(chip.dataset.clock), Number(chip.dataset.left));
      const of = Number(chip.dataset.of) || 1;
      const words = figures(left);
      const shown = chip.querySelector("b");
      const last = left <= LAST && !chip.classList.contains("slow");
      // Once a second, and never between: a chip that stands still draws no eye.
      if (shown.textContent !== words || chip.dataset.drawn !== words) {
        shown.textContent = words;
        chip.dataset.drawn = words;
        chip.querySelector(".rest").style.width = `${Math.min(100, (100 * Math.ceil(left)) / of)}%`;
        chip.classList.toggle("last", last);
        if (last && chip.classList.contains("yours")) this.warn(chip, left);
      }
    }
    if (!$("[data-clock].yours.runs.last")) $("#clock-band")?.classList.remove("runs");
  }

  /** Your last ten seconds. */
  warn(chip, left) {
    const band = $("#clock-band");
    if (band) {
      band.classList.add("runs");
      band.style.transform = `scaleX(${Math.min(1, Math.ceil(left) / LAST)})`;
    }
    const help = $("#prompt-help");
    if (help && help.textContent !== chip.dataset.zero) {
      // One line in place of two: what can be touched stays where it is.
      help.style.minHeight = `${help.getBoundingClientRect().height}px`;
      help.textContent = chip.dataset.zero;
    }
    if (this.warned === chip.dataset.clock) return;
    this.warned = chip.dataset.clock;
    const seconds = Math.ceil(left);
    const time = seconds === LAST ? t("Ten seconds.") : tn("{count} second.", "{count} seconds.", seconds);
    alarm(`${time} ${chip.dataset.zero.replace(t("At zero"), t("Then"))}`);
    play("knock");
  }

  /** At a slow table the page says once until when somebody has time. */
  announce() {
    const chip = $(".seat [data-clock].slow.runs");
    if (!chip) return;
    const seat = chip.closest("[data-seat]");
    const end = new Date(Date.now() + 1000 * this.left(chip.dataset.clock));
    const yours = chip.classList.contains("yours");
    const name = seat.querySelector(".name")?.textContent ?? "";
    const words = yours ? t("You have until {time}.", { time: until(end) }) : t("{name} has until {time}.", { name, time: until(end) });
    const help = $("#prompt-help");
    if (help && !help.textContent.trim()) help.textContent = words;
    if (this.told === words) return;
    this.told = words;
    say(words);
  }
}
