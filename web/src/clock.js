// Clocks at the seats. Every clock counts down once a second; the last ten seconds of your own are announced and
// highlighted. Only the server decides when time is up.

import { $, $$ } from "./dom.js";
import { say, sayUrgently } from "./announcer.js";
import { playSound } from "./sound.js";
import { lang, t, tn } from "./translations.js";

const LAST = 10;
const HOUR = 3600;
const TEN_MINUTES = 600;

/** Return a number of seconds as the text of a clock: "9 h", "12 min", "0:42". */
export function formatTimeLeft(left) {
  const whole = Math.ceil(Math.max(0, left) - 1e-6);
  if (whole >= HOUR) return t("{hours} h", { hours: Math.floor(whole / HOUR) });
  if (whole > TEN_MINUTES) return t("{minutes} min", { minutes: Math.ceil(whole / 60) });
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/**
 * Return the time at which a correspondence clock (hours or days for a turn) runs out, as local time in the page's
 * language: "18:40", "18:40 tomorrow".
 */
export function formatDeadline(end, now = new Date()) {
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

  /** Read the clocks from an updated page. They start to run now, with the times left that the page contains. */
  readFromPage() {
    const at = this.now();
    const before = this.ends;
    this.ends = new Map();
    for (const chip of $$("[data-clock].runs")) this.ends.set(chip.dataset.clock, at + Number(chip.dataset.left) + Number(chip.dataset.wait ?? 0));
    const mine = $("[data-clock].yours.runs");
    // If your clock will run out at nearly the same time as before, it is still the same turn. Then the last ten
    // seconds are not announced a second time.
    if (!mine || Math.abs((before.get(mine.dataset.clock) ?? 0) - this.ends.get(mine.dataset.clock)) > 2) this.warned = null;
    this.tick();
    this.announceDeadline();
    clearTimeout(this.timer);
    if (this.ends.size) this.timer = setTimeout(() => this.startTicking(), 200);
  }

  startTicking() {
    this.tick();
    this.timer = setTimeout(() => this.startTicking(), 200);
  }

  /** Return the seconds that a seat has left; undefined if its clock is stopped. */
  secondsLeft(seat) {
    const end = this.ends.get(seat);
    return end === undefined ? undefined : Math.max(0, end - this.now());
  }

  /** Return the time left on the player's own clock, as text; "" if that clock isn't running. */
  get ownTimeLeft() {
    const chip = $("[data-clock].yours.runs");
    const left = chip && this.secondsLeft(chip.dataset.clock);
    return left === undefined || left === null ? "" : formatTimeLeft(left);
  }

  tick() {
    for (const chip of $$("[data-clock].runs")) {
      // While the cards of the last move are still moving, the clock shows its starting value.
      const left = Math.min(this.secondsLeft(chip.dataset.clock), Number(chip.dataset.left));
      const of = Number(chip.dataset.of) || 1;
      const words = formatTimeLeft(left);
      const shown = chip.querySelector("b");
      const last = left <= LAST && !chip.classList.contains("slow");
      // Change the page only once a second, because more frequent changes would distract the player.
      if (shown.textContent !== words || chip.dataset.drawn !== words) {
        shown.textContent = words;
        chip.dataset.drawn = words;
        chip.querySelector(".rest").style.width = `${Math.min(100, (100 * Math.ceil(left)) / of)}%`;
        chip.classList.toggle("last", last);
        if (last && chip.classList.contains("yours")) this.warnLastSeconds(chip, left);
      }
    }
    if (!$("[data-clock].yours.runs.last")) $("#clock-band")?.classList.remove("runs");
  }

  /** Announce and highlight the last ten seconds of your own clock. */
  warnLastSeconds(chip, left) {
    const band = $("#clock-band");
    if (band) {
      band.classList.add("runs");
      band.style.transform = `scaleX(${Math.min(1, Math.ceil(left) / LAST)})`;
    }
    const help = $("#prompt-help");
    if (help && help.textContent !== chip.dataset.zero) {
      // The warning may be shorter than the help that it replaces; keeping the height stops everything below from
      // moving.
      help.style.minHeight = `${help.getBoundingClientRect().height}px`;
      help.textContent = chip.dataset.zero;
    }
    if (this.warned === chip.dataset.clock) return;
    this.warned = chip.dataset.clock;
    const seconds = Math.ceil(left);
    const time = seconds === LAST ? t("Ten seconds left.") : tn("{count} second left.", "{count} seconds left.", seconds);
    sayUrgently(`${time} ${chip.dataset.zero.replace(t("When time runs out,"), t("Then"))}`);
    playSound("knock");
  }

  /** On a table with correspondence clocks, announce once until what time the player to act may move. */
  announceDeadline() {
    const chip = $(".seat [data-clock].slow.runs");
    if (!chip) return;
    const seat = chip.closest("[data-seat]");
    const end = new Date(Date.now() + 1000 * this.secondsLeft(chip.dataset.clock));
    const yours = chip.classList.contains("yours");
    const name = seat.querySelector(".name")?.textContent ?? "";
    const words = yours ? t("You have until {time}.", { time: formatDeadline(end) }) : t("{name} has until {time}.", { name, time: formatDeadline(end) });
    const help = $("#prompt-help");
    if (help && !help.textContent.trim()) help.textContent = words;
    if (this.told === words) return;
    this.told = words;
    say(words);
  }
}
