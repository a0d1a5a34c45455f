// Entry point of the client: creates the parts of the page, distributes clicks and received messages to them, and shows
// the state of the connection. It is the same for all games.

import { Clocks } from "./clock.js";
import { enableRematchForm } from "./rematch.js";
import { isAsked, PageUpdate, scrollLogToEnd, scrollToActingSeat } from "./apply_update.js";
import { enableCardDrag } from "./card_drag.js";
import { Hint } from "./hint.js";
import { enablePwa } from "./pwa_install.js";
import { closeDialogs, enableForms, handleMenuClick, refreshSettings } from "./menu_dialogs_forms.js";
import { enableRuleLinks, Guide } from "./guide.js";
import { applyPlaceHighlights } from "./last_move_halo.js";
import { enableHomePage } from "./home_keyboard.js";
import { enableKeyboard } from "./keyboard.js";
import { enableOpenTables } from "./open_tables.js";
import { enableSeatSearch } from "./seat_search.js";
import { Lesson } from "./lesson.js";
import { LiveConnection, NOT_SENT_TEXT } from "./live_connection.js";
import { morphHtml, parseUpdate, patchAsideSections, patchTable } from "./page_patch.js";
import { finishFlights } from "./card_animation.js";
import { applyPaceToStyles } from "./animation_speed.js";
import { $, $$, icon, make } from "./dom.js";
import { enablePushNotices, updateNotices } from "./push_notices.js";
import { Replay } from "./replay.js";
import { say, sayUrgently } from "./announcer.js";
import { FrameQueue } from "./page_update_stages.js";
import { FlipSteps } from "./stepwise_flips.js";
import { Chat } from "./chat.js";
import { TableInput } from "./table_input.js";
import { appUrl, lang, t, tn } from "./translations.js";

const app = $("#app");
const state = { version: 0, yours: false, over: false, seconds: 0 };
let line = null;

const table = new TableInput((action) => {
  if (!line?.request({ type: "move", action, version: state.version })) table.rejectMove(NOT_SENT_TEXT);
});

// The last message of a finished match, kept back while its last cards are still being flipped.
let ending = null;
const steps = new FlipSteps(() => (ending ? showResult() : table.drawMarks()));

const clocks = new Clocks();
const hint = new Hint((more) => line?.request({ type: "hint", ...more }) ?? false);
table.onDrawn = () => hint.highlightMove();


const talk = new Chat((message) => line?.request(message) ?? false);
/** The objects that each update of the page has to update as well. */
const desk = { app, table, steps, hint, talk, clocks };

// Before any input is handled, run the pending stages of an update, so that the input applies to the complete page.
const stages = new FrameQueue();
for (const touched of ["pointerdown", "keydown", "click", "visibilitychange", "focusin"]) document.addEventListener(touched, () => stages.finish(), true);

applyPaceToStyles();
enablePwa();
refreshSettings();
enablePushNotices(refreshSettings);
enableForms();
enableHomePage();
enableOpenTables();
enableSeatSearch();
for (const time of $$("time[datetime]")) time.textContent = new Date(time.dateTime).toLocaleDateString(lang, { dateStyle: "medium" });
enableKeyboard(table, hint);
enableCardDrag(table);
enableRuleLinks(table);
enableRematchForm((message) => line?.request(message) ?? false);

// While cards are flipped in steps, a click or a key ends the current step and starts the next; it does nothing else.
const skipFlipStep = (event) => {
  if (!steps.running || event.target.closest?.("a, input, dialog") || (event.key && !["Enter", " ", "Escape"].includes(event.key))) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.target.closest?.("[data-all]")) steps.showAll();
  else steps.showNextStep();
};
document.addEventListener("click", skipFlipStep, true);
document.addEventListener("keydown", skipFlipStep, true);

// Any touch, Space or Enter ends the flights of cards at once, so that the player never waits for an animation.
document.addEventListener("pointerdown", finishFlights, true);
document.addEventListener("keydown", (event) => [" ", "Enter"].includes(event.key) && finishFlights(), true);

document.addEventListener("click", (event) => {
  if (handleMenuClick(event)) return;
  const button = event.target.closest("[data-button], [data-back], [data-again], [name=request], [data-standin], [data-retry], [data-hint], [data-hint-close], [data-hint-more]");
  if (button) {
    const data = button.dataset;
    // The second click of a double click must not answer a question that the first one has opened.
    if (event.detail > 1 && table.isConfirming) return;
    if (data.back !== undefined) table.takeBack();
    else if (data.again !== undefined) steps.start();
    else if (data.hint !== undefined) hint.request();
    else if (data.hintMore !== undefined) hint.showNextPart();
    else if (data.hintClose !== undefined) hint.close();
    else if (data.button) table.touch(data.button, button);
    else if (button.name === "request") {
      // The form works without scripts; with scripts, its request is sent over the connection.
      event.preventDefault();
      button.closest("[popover]")?.hidePopover();
      closeDialogs();
      if (!line?.request(JSON.parse(button.value))) table.showReason(NOT_SENT_TEXT);
    }
    else if (data.standin) line?.request({ type: "standin", seat: Number(data.standin) });
    else line?.checkOrReconnect();
    return;
  }
  const piece = event.target.closest("#app [data-place]");
  const zone = event.target.closest("#app .zone.lit, #app .zone.z-option");
  if (piece?.dataset.kind !== "gap" && event.detail && table.slideGap(event.target.closest("#app .hand-area [data-zone]"), { x: event.clientX, y: event.clientY })) return;
  if (piece && !(zone && zone.dataset.zone && isZoneTouchable(zone))) table.touch(piece.dataset.place, piece);
  else if (zone) table.touch(zone.dataset.zone, zone);
  else if (table.reasonAgainst("", event.target)) table.refuseTouch(event.target.closest("[data-zone]"), table.reasonAgainst("", event.target));
});

const isZoneTouchable = (zone) => (table.step.choices ?? []).some((c) => c.touch === zone.dataset.zone && !c.refuses) || zone.classList.contains("z-option");

function receive(message) {
  stages.finish();
  if (message.type === "table" || message.type === "lobby") showTableMessage(message);
  else if (message.type === "error") table.rejectMove(message.reason);
  else if (message.type === "chat") talk.receiveMessage(message);
  else if (message.type === "hint") hint.receiveHint(message);
  else if (message.type === "thinking") hint.showProgress(message);
  else if (message.type === "review") showReview(message);
  else if (message.type === "go") location.href = appUrl(message.url);
}

/** Show a new part of the coach's review of the finished match. It waits until the last cards have been flipped. */
function showReview(message) {
  if (ending) ending.review = message;
  const part = $("#coach");
  if (part) morphHtml(part, message.html);
  if (message.say?.length && !ending) say(message.say);
}

/** Update the page to a message of type "table" or "lobby". */
function showTableMessage(message) {
  // Further messages about the finished match, for example players arriving or leaving, are kept until its last cards
  // have been flipped.
  if (ending && message.over) {
    Object.assign(ending.sections, message.sections);
    Object.assign(ending, { log: message.sections.log ? [] : [...ending.log, ...message.log], step: message.step, review: null });
    Object.assign(state, { version: message.version });
    return;
  }
  const turns = message.last && $("#board") && !state.over;
  const isMoveAnswered = table.sent && !message.unanswered;
  ending = turns ? message : null;
  const change = new PageUpdate(message, turns ? message.last : message, desk, { ...state, asked: isAsked() });
  Object.assign(state, { version: message.version, yours: Boolean(message.yours), over: Boolean(message.over) });
  stages.begin(...change.stages, () => updateNotices(message, isMoveAnswered));
  if (change.isImmediate) stages.finish();
}

/** Show the result of the match, after its last cards have been flipped. */
function showResult() {
  const { step, review: newer } = ending;
  const news = parseUpdate(app, ending);
  ending = null;
  table.clearTouchMarks();
  patchTable(app, news);
  patchAsideSections(news);
  applyPlaceHighlights();
  say($("#prompt-words")?.textContent);
  if (newer) showReview(newer);
  table.setStep(step);
  talk.refreshMarks();
  refreshSettings();
  scrollToActingSeat();
  scrollLogToEnd();
}

function showConnectionState(up, seconds) {
  document.body.classList.toggle("is-offline", !up);
  table.setConnectionLost(!up);
  // The server forgets a request for a hint when the connection is lost.
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
    if (state.told) say(t("The connection is back."));
    state.told = false;
    return;
  }
  updateOfflineBar();
  if (!state.told) sayUrgently(hasSeat() ? t("Connection lost. You keep your seat.") : t("Connection lost."));
  state.told = true;
}

/** Return whether the viewer of this page has a seat. */
const hasSeat = () => Boolean($("#app .token.you"));

/**
 * Return the text of the offline bar. `clock` is the time left on the player's clock as text, "" without a running
 * clock; `seconds` is the time until the next attempt to connect.
 */
function offlineText(clock, seconds) {
  if (!hasSeat()) return seconds ? tn("Connection lost. Trying again in {count} second.", "Connection lost. Trying again in {count} seconds.", seconds) : t("Connection lost. Trying again now.");
  if (!seconds) return clock ? t("Connection lost with {clock} left on your clock. You keep your seat. Trying again now.", { clock }) : t("Connection lost. You keep your seat. Trying again now.");
  if (clock) return tn("Connection lost with {clock} left on your clock. You keep your seat. Trying again in {count} second.", "Connection lost with {clock} left on your clock. You keep your seat. Trying again in {count} seconds.", seconds, { clock });
  return tn("Connection lost. You keep your seat. Trying again in {count} second.", "Connection lost. You keep your seat. Trying again in {count} seconds.", seconds);
}

function updateOfflineBar() {
  const words = $("#offline .words");
  if (words) words.textContent = offlineText(clocks.ownTimeLeft, state.seconds) + (table.sent ? ` ${t("Your move will be sent once you’re online.")}` : "");
  // The offline bar covers the prompt, so that the hand stays visible.
  const prompt = $("#prompt")?.getBoundingClientRect();
  const bar = $("#offline");
  if (prompt && bar) {
    const lowest = innerHeight - bar.offsetHeight - 16;
    const left = Math.max(prompt.left + 12, 16);
    const hand = $("#app .hand-area")?.getBoundingClientRect();
    // The hand may be next to the prompt, so that the offline bar would cover the hand. Then place the bar above both.
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
    updateOfflineBar();
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
  table.setStep(message.step);
  hint.closeIfStepChanged(message.step);
  steps.readSteps(false);
  clocks.readFromPage();
  scrollToActingSeat();
  scrollLogToEnd();
  updateNotices(message, false);
  if (app.dataset.live) line = new LiveConnection(app.dataset.live, { version: () => state.version, yours: state.yours, on: receive, line: showConnectionState, late: () => table.showSending() });
}
