// Interactive lesson: the player's first game. The server sends each step with the moves that lead to it; the player
// touches the table as in any game. Only the index of the latest step is saved, in a cookie that the home page reads.

import { finishGlides, glideParts, measureParts } from "./layout_transitions.js";
import { morphHtml } from "./page_patch.js";
import { changedPlaces, clearPlaceHighlights, highlightPlaces, releaseSeatNumbers } from "./last_move_halo.js";
import { animateCardMoves, finishFlights, isCounting, measurePieces } from "./card_animation.js";
import { animate, cancelCssTransitions, isMotionOff } from "./animation_speed.js";
import { $, $$, getCookie, placeElement, setCookie, zoneElement } from "./dom.js";
import { say } from "./announcer.js";
import { playCardLanding, playSound } from "./sound.js";
import { appUrl, localizedUrl, root, t } from "./translations.js";

/** Milliseconds of pause after a move of the player and after a move of another seat. */
const OWN = 620;
const THEIRS = 1300;
/** Milliseconds that a longer series of moves takes in total. */
const MANY = 8000;
/** Number of wrong touches after which the element to touch is animated again. */
const WRONG = 3;
/**
 * URL fragment of the link to a lesson step whose cards are shown on the home page. Touching the card there counts as
 * the step's move, so the lesson makes this move as soon as the page is open.
 */
const TOUCHED = "#touched";
const FINISHED = "done";
const DIP = 260;

export class Lesson {
  constructor(app, table) {
    this.app = app;
    this.table = table;
    this.asked = 0;
    this.wrong = 0;
    this.kept = new Map();
    this.wanted = 0;
    table.send = () => this.goToStep(this.stepIndex + 1, true);
    const refuse = table.refuseTouch.bind(table);
    table.refuseTouch = (element, reason) => {
      refuse(element, reason || t("Not that one. {prompt}", { prompt: table.step.prompt }));
      this.wrong += 1;
      if (this.wrong % WRONG === 0) this.pulseTarget();
    };
    const touch = table.touch.bind(table);
    table.touch = (thing, element) => {
      touch(thing, element);
      if (!table.sent) this.focusTarget();
    };
    const show = table.drawMarks.bind(table);
    table.drawMarks = () => {
      show();
      this.markTarget();
    };
    document.body.classList.add("quiet");
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("click", (event) => this.click(event));
    addEventListener("popstate", () => this.goToStep(this.stepFromPath(location.pathname), false, true));
    const message = JSON.parse($("#message").textContent);
    history.replaceState(null, "", location.pathname + location.search);
    const touched = location.hash === TOUCHED || performance.getEntriesByType("navigation")[0]?.name.endsWith(TOUCHED);
    this.startStep(message);
    // Wait a moment, because a screen reader first reads the new page itself.
    setTimeout(() => say(message.say), 400);
    if (touched && message.step.choices) setTimeout(() => this.makeMove(), 500);
  }

  get stepIndex() {
    return this.message.at;
  }

  /** Return the index of the step that an address names, from 0. */
  stepFromPath(path) {
    const word = path.slice(root.length).split("/")[3] ?? "1";
    return word === "end" ? this.message.last : Number(word) - 1;
  }

  stepUrl(at) {
    return appUrl(`/learn/${this.message.game}/${at === this.message.last ? "end" : at + 1}`);
  }

  /** Start a step: set the decision that the table asks for, and highlight what to touch. */
  startStep(message) {
    this.message = message;
    this.wrong = 0;
    this.table.setStep(message.step);
    // If only one touch is possible, `setStep` has made it, as in a match. In a lesson the player makes every touch, so
    // start with an empty path.
    this.table.showPath([]);
    this.saveProgress();
    this.reserveDockRoom();
    this.focusTarget();
    if (this.stepIndex < message.last) this.fetchStep(this.stepIndex + 1).catch(() => {});
  }

  /** Keep the step's buttons clear of the progress dots and the exit link, whose width depends on the language. */
  reserveDockRoom() {
    const wide = $("#lesson-dock").offsetWidth;
    document.body.style.setProperty("--lesson-room", `${wide + 52}px`);
  }

  /** Remember the current step for the home page; a finished lesson stays finished. */
  saveProgress() {
    const name = `lesson-${this.message.game}`;
    if (this.stepIndex === this.message.last) setCookie(name, FINISHED);
    else if (this.stepIndex && getCookie(name) !== FINISHED) setCookie(name, this.stepIndex);
  }

  /** Return a promise of a step from the server; each step is fetched once. */
  fetchStep(at) {
    if (!this.kept.has(at)) {
      const answer = fetch(localizedUrl(`${this.stepUrl(at)}/table`)).then(async (reply) => {
        const told = await reply.json();
        if (!reply.ok) throw new Error(told.reason);
        return told;
      });
      this.kept.set(at, answer);
      answer.catch(() => this.kept.delete(at));
    }
    return this.kept.get(at);
  }

  /**
   * Go to the step with index `at`. `walking`: show the moves that lead to it. `quiet`: do not add the step to the
   * browser history.
   */
  async goToStep(at, walking, quiet = false) {
    const turn = ++this.wanted;
    let message;
    try {
      message = await this.fetchStep(at);
    } catch {
      this.table.rejectMove(t("No connection. Try again in a moment."));
      return;
    }
    if (turn !== this.wanted) return;
    if (!quiet) history.pushState(null, "", this.stepUrl(at) + location.search);
    document.title = `${message.title} – Facedown`;
    if (walking) {
      for (const [i, frame] of message.frames.entries()) {
        this.showTable(frame.html, true);
        const more = i + 1 < message.frames.length;
        if (more || i) say(frame.say);
        const theirs = Math.min(THEIRS, MANY / message.frames.length);
        await this.waitUntilTouch(i && frame.say.length ? theirs : Math.min(OWN, theirs));
        if (turn !== this.wanted) return;
      }
    }
    this.showTable(message.html, walking);
    this.startStep(message);
    say(message.say);
    if (at === message.last) playSound("over");
  }

  /** Show the table `html` instead of the current one and, if `moving`, animate the cards that moved. */
  showTable(html, moving) {
    releaseSeatNumbers();
    const before = measurePieces();
    const places = moving ? measureParts() : new Map();
    finishGlides();
    const counted = isCounting();
    this.table.clearTouchMarks();
    for (const old of $$('#actions > [id^="button-"]')) old.remove();
    morphHtml(this.app, html);
    cancelCssTransitions();
    const made = moving ? animateCardMoves(before, { isNewDeal: counted && isCounting() === false, watched: true, landed: playCardLanding }) : [];
    if (moving) highlightPlaces(changedPlaces(made));
    else clearPlaceHighlights();
    glideParts(places, new Set(made.filter((journey) => journey.flies).map((journey) => journey.place)));
  }

  /** Wait `time` ms, or less if the player touches the page or presses a key. */
  waitUntilTouch(time) {
    return new Promise((done) => {
      const on = () => {
        clearTimeout(timer);
        for (const type of ["pointerdown", "keydown"]) removeEventListener(type, on, true);
        done();
      };
      const timer = setTimeout(on, time);
      // The touch or key with which the player made the move may still cause events for some milliseconds. They must
      // not end the wait, so listen only after 60 ms.
      setTimeout(() => ["pointerdown", "keydown"].forEach((type) => addEventListener(type, on, true)), 60);
    });
  }

  /** Make the move that the step asks for. */
  makeMove() {
    if (this.table.sent || this.table.path.length) return;
    let step = this.table.root;
    const path = [];
    while (step) {
      const choice = step.choices.find((one) => !one.refuses);
      path.push(choice.touch);
      step = choice.then;
    }
    for (const thing of path) this.table.touch(thing, document.getElementById(`at-${thing}`));
  }

  /**
   * Return the choices of the current decision: the expected touch first, then touches that make the same move in
   * another order.
   */
  get openChoices() {
    return this.table.sent ? [] : (this.table.step.choices ?? []).filter((one) => !one.refuses);
  }

  /** Return the element to touch next, on the table or a button; null if there is none. */
  get targetElement() {
    const [choice] = this.openChoices;
    if (!choice) return null;
    if (choice.number !== undefined) return $("#button-number");
    return placeElement(choice.touch) ?? $(".piece.can", zoneElement(choice.touch) ?? document.createElement("i")) ?? $(`#actions [data-button="${CSS.escape(choice.touch)}"]`);
  }

  markTarget() {
    for (const old of $$(".asked")) old.classList.remove("asked");
    for (const other of this.openChoices.slice(1)) placeElement(other.touch)?.classList.remove("lit");
    this.targetElement?.classList.add("asked");
  }

  /** Move the focus to the element to touch. */
  focusTarget() {
    const lit = $("#play-on") ?? this.targetElement;
    if (!lit) return;
    if (lit.matches(".piece, .option")) lit.tabIndex = 0;
    lit.focus({ preventScroll: true });
  }

  pulseTarget() {
    const lit = this.targetElement;
    if (lit && !isMotionOff()) animate(lit, [{ scale: 1 }, { scale: 0.86 }, { scale: 1 }], { duration: DIP, easing: "ease-in-out" });
  }

  click(event) {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest?.("#app [data-step-url], #app [data-step]");
    if (!link) return;
    event.preventDefault();
    finishFlights();
    const at = this.stepFromPath(new URL(link.href).pathname);
    if (at !== this.stepIndex) this.goToStep(at, at === this.stepIndex + 1);
  }

  /** On the first Escape ask for confirmation; a second one within 4 s leaves the lesson. */
  key(event) {
    if (event.key !== "Shift") document.body.classList.remove("quiet");
    if (event.key !== "Escape" || event.defaultPrevented || $("dialog[open]") || this.stepIndex === this.message.last) return;
    if (Date.now() < this.asked) {
      location.href = appUrl("/");
      return;
    }
    this.asked = Date.now() + 4000;
    this.table.showReason(t("Skip the lesson? Press Escape once more."));
  }
}
