// The one client module: touches, motion, announcements, reconnecting. It knows no game.

import { Clocks } from "./clock.js";
import { consent } from "./rematch.js";
import { Change, logged, scrolled } from "./apply_update.js";
import { drag } from "./card_drag.js";
import { Hint } from "./hint.js";
import { app as installs } from "./pwa_install.js";
import { click, forms, settings } from "./site_menu.js";
import { Guide, toTheRule } from "./guide.js";
import { dress } from "./move_highlight.js";
import { home } from "./home.js";
import { keyboard } from "./keyboard.js";
import { Lesson } from "./lesson.js";
import { DOWN, Line } from "./live_connection.js";
import { morph, readPage, showBeside, showPage } from "./page_patch.js";
import { hurry } from "./card_animation.js";
import { dress as dressPace } from "./animation_speed.js";
import { $, $$, icon, make } from "./dom.js";
import { Replay } from "./replay.js";
import { alarm, say } from "./announcer.js";
import { Stages } from "./frame_queue.js";
import { Steps } from "./flip_steps.js";
import { Talk } from "./chat.js";
import { TableTop } from "./table_input.js";
import { here, t, tn } from "./translations.js";

const app = $("#app");
const state = { version: 0, yours: false, over: false, seconds: 0 };
let line = null;

const table = new TableTop((action) => {
  if (!line?.request({ type: "move", action, version: state.version })) table.undo(DOWN);
});

// The page of a finished match, while the last cards are still being turned.
let ending = null;
const steps = new Steps(() => (ending ? end() : table.show()));

const clocks = new Clocks();
const hint = new Hint((more) => line?.request({ type: "hint", ...more }) ?? false);
table.drawn = () => hint.light();


const talk = new Talk((message) => line?.request(message) ?? false);
/** All that follows what a table says. */
const desk = { app, table, steps, hint, talk, clocks };

// Whoever touches the table touches what has come.
const stages = new Stages();
for (const touched of ["pointerdown", "keydown", "click", "visibilitychange", "focusin"]) document.addEventListener(touched, () => stages.finish(), true);

dressPace();
installs();
settings();
forms();
home();
keyboard(table, hint);
drag(table);
toTheRule(table);
consent((message) => line?.request(message) ?? false);

// While cards are turned in steps, a touch or a key ends the step that runs and begins the next, and does nothing else.
const hasten = (event) => {
  if (!steps.running || event.target.closest?.("a, input, dialog") || (event.key && !["Enter", " ", "Escape"].includes(event.key))) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.target.closest?.("[data-all]")) steps.stop();
  else steps.next();
};
document.addEventListener("click", hasten, true);
document.addEventListener("keydown", hasten, true);

// Cards on their way are there as soon as somebody touches anything, or presses Space: nobody waits for them.
document.addEventListener("pointerdown", hurry, true);
document.addEventListener("keydown", (event) => [" ", "Enter"].includes(event.key) && hurry(), true);

document.addEventListener("click", (event) => {
  if (click(event)) return;
  const button = event.target.closest("[data-button], [data-back], [data-again], [name=request], [data-standin], [data-retry], [data-hint], [data-hint-close], [data-hint-more]");
  if (button) {
    const data = button.dataset;
    // The second half of a double click is no answer.
    if (event.detail > 1 && table.asking) return;
    if (data.back !== undefined) table.back();
    else if (data.again !== undefined) steps.start();
    else if (data.hint !== undefined) hint.request();
    else if (data.hintMore !== undefined) hint.more();
    else if (data.hintClose !== undefined) hint.close();
    else if (data.button) table.touch(data.button, button);
    else if (button.name === "request") {
      // The form is for browsers without scripts.
      event.preventDefault();
      button.closest("[popover]")?.hidePopover();
      line?.request(JSON.parse(button.value));
    }
    else if (data.standin) line?.request({ type: "standin", seat: Number(data.standin) });
    else line?.now();
    return;
  }
  const piece = event.target.closest("#app [data-place]");
  const zone = event.target.closest("#app .zone.lit, #app .zone.z-option");
  if (piece?.dataset.kind !== "gap" && event.detail && table.slide(event.target.closest("#app .hand-area [data-zone]"), { x: event.clientX, y: event.clientY })) return;
  if (piece && !(zone && zone.dataset.zone && isWhole(zone))) table.touch(piece.dataset.place, piece);
  else if (zone) table.touch(zone.dataset.zone, zone);
  else if (table.why("", event.target)) table.refuse(event.target.closest("[data-zone]"), table.why("", event.target));
});

const isWhole = (zone) => (table.step.choices ?? []).some((c) => c.touch === zone.dataset.zone && !c.refuses) || zone.classList.contains("z-option");

function receive(message) {
  stages.finish();
  if (message.type === "table" || message.type === "lobby") show(message);
  else if (message.type === "error") table.undo(message.reason);
  else if (message.type === "chat") talk.hear(message);
  else if (message.type === "hint") hint.show(message);
  else if (message.type === "thinking") hint.think(message);
  else if (message.type === "review") review(message);
  else if (message.type === "go") location.href = here(message.url);
}

/** The coach has come further with a finished match. While the last cards are still being turned, that waits. */
function review(message) {
  if (ending) ending.review = message;
  const part = $("#coach");
  if (part) morph(part, message.html);
  if (message.say?.length && !ending) say(message.say);
}

/** A table has come. */
function show(message) {
  // What else is news of a finished match (somebody comes, somebody goes) waits until the last cards are turned.
  if (ending && message.over) {
    Object.assign(ending.sections, message.sections);
    Object.assign(ending, { log: message.sections.log ? [] : [...ending.log, ...message.log], step: message.step, review: null });
    Object.assign(state, { version: message.version });
    return;
  }
  const turns = message.last && $("#board") && !state.over;
  ending = turns ? message : null;
  const change = new Change(message, turns ? message.last : message, desk, { ...state });
  Object.assign(state, { version: message.version, yours: Boolean(message.yours), over: Boolean(message.over) });
  stages.begin(...change.stages);
  if (change.atOnce) stages.finish();
}

/** The last cards are turned: now the result. */
function end() {
  const { step, review: newer } = ending;
  const news = readPage(app, ending);
  ending = null;
  table.clear();
  showPage(app, news);
  showBeside(news);
  dress();
  say($("#prompt-words")?.textContent);
  if (newer) review(newer);
  table.take(step);
  talk.mark();
  settings();
  scrolled();
  logged();
}

function lineIs(up, seconds) {
  document.body.classList.toggle("is-offline", !up);
  table.lose(!up);
  // What the coach was asked is forgotten with the line.
  if (!up && hint.asked) hint.close();
  state.seconds = Math.ceil(seconds);
  let bar = $("#offline");
  if (!bar) {
    const retry = make("button", "button", t("Try now"));
    retry.type = "button";
    retry.dataset.retry = "";
    bar = make("div", "offline-bar", icon("offline"), make("span", "words"), retry);
    bar.id = "offline";
    document.body.append(bar);
  }
  if (up) {
    if (state.told) say(t("The line is back."));
    state.told = false;
    return;
  }
  waits();
  if (!state.told) alarm(sits() ? t("The line dropped. Your seat is kept.") : t("The line dropped."));
  state.told = true;
}

/** Does the reader of this page have a seat? */
const sits = () => Boolean($("#app .token.you"));

/** That there is no line, whether a clock goes on, and when it is tried again. */
function dropped(clock, seconds) {
  if (!sits()) return seconds ? tn("The line dropped. We try again in {count} second.", "The line dropped. We try again in {count} seconds.", seconds) : t("The line dropped. We try again now.");
  if (!seconds) return clock ? t("The line dropped. {clock} is running. Your seat is kept; we try again now.", { clock }) : t("The line dropped. Your seat is kept; we try again now.");
  if (clock) return tn("The line dropped. {clock} is running. Your seat is kept; we try again in {count} second.", "The line dropped. {clock} is running. Your seat is kept; we try again in {count} seconds.", seconds, { clock });
  return tn("The line dropped. Your seat is kept; we try again in {count} second.", "The line dropped. Your seat is kept; we try again in {count} seconds.", seconds);
}

function waits() {
  const words = $("#offline .words");
  if (words) words.textContent = dropped(clocks.mine, state.seconds) + (table.sent ? ` ${t("Your move is sent then.")}` : "");
  // It lies where the prompt is, so that the hand stays in view.
  const prompt = $("#prompt")?.getBoundingClientRect();
  const bar = $("#offline");
  if (prompt && bar) {
    const lowest = innerHeight - bar.offsetHeight - 16;
    const left = Math.max(prompt.left + 12, 16);
    const hand = $("#app .hand-area")?.getBoundingClientRect();
    // Where the hand stands beside the prompt, above both.
    const meets = hand && left + bar.offsetWidth > hand.left && prompt.top + 6 + bar.offsetHeight > hand.top && prompt.top < hand.bottom;
    const top = meets ? Math.min(prompt.top, hand.top) - bar.offsetHeight - 10 : prompt.top + 6;
    bar.style.top = `${Math.max(8, Math.min(top, lowest))}px`;
    bar.style.left = `${left + bar.offsetWidth / 2}px`;
    bar.style.bottom = "auto";
  }
}

setInterval(() => {
  if (document.body.classList.contains("is-offline")) {
    state.seconds = Math.max(0, state.seconds - 1);
    waits();
  }
  for (const left of $$(".left[data-left]")) {
    const rest = Math.max(0, Number(left.dataset.left) - 1);
    left.dataset.left = rest;
    left.textContent = `${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, "0")}`;
    const ring = left.closest(".person")?.querySelector(".ring");
    if (ring) ring.querySelector(".rest").setAttribute("stroke-dasharray", `${(100 * rest) / Number(ring.dataset.grace || 60)} 100`);
  }
}, 1000);

const first = $("#message");
if (first && $("#replay")) new Replay(app);
else if (first && $("#lesson-dock")) new Lesson(app, table);
else if (document.body.classList.contains("guide")) new Guide(table);
else if (first && app) {
  const message = JSON.parse(first.textContent);
  Object.assign(state, { version: message.version, yours: Boolean(message.yours), over: Boolean(message.over) });
  table.take(message.step);
  hint.stands(message.step);
  steps.take(false);
  clocks.take();
  scrolled();
  logged();
  if (app.dataset.live) line = new Line(app.dataset.live, { version: () => state.version, yours: state.yours, on: receive, line: lineIs, late: () => table.delay() });
}
