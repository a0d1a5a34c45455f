// A played first lesson: the server says what each step asks and how the table came there; touches are those of any table.
// Nothing is kept but how far one has come, in a cookie for home.

import { arrive, glide, standing } from "./layout_transitions.js";
import { morph } from "./page_patch.js";
import { bare, changed, settle, wear } from "./move_highlight.js";
import { counting, hurry, measure, travel } from "./card_animation.js";
import { animate, calm, still } from "./animation_speed.js";
import { $, $$, at, recall, remember, zoneElement } from "./dom.js";
import { say } from "./announcer.js";
import { landing, play } from "./sound.js";
import { here, root, spoken, t } from "./translations.js";

/** After one's own move, and after a move of somebody else, the next thing waits so long, in ms. */
const OWN = 620;
const THEIRS = 1300;
/** Many moves in a row go by faster: all of them take so long, in ms. */
const MANY = 8000;
/** So often somebody touches something else before the lit thing shows itself once more. */
const WRONG = 3;
/** Where a step was touched on the page before: the move is made at once. */
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
    table.send = () => this.go(this.at + 1, true);
    const refuse = table.refuse.bind(table);
    table.refuse = (element, reason) => {
      refuse(element, reason || t("Not that one. {prompt}", { prompt: table.step.prompt }));
      this.wrong += 1;
      if (this.wrong % WRONG === 0) this.dip();
    };
    const touch = table.touch.bind(table);
    table.touch = (thing, element) => {
      touch(thing, element);
      if (!table.sent) this.focus();
    };
    const show = table.show.bind(table);
    table.show = () => {
      show();
      this.mark();
    };
    document.body.classList.add("quiet");
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("click", (event) => this.click(event));
    addEventListener("popstate", () => this.go(this.named(location.pathname), false, true));
    const message = JSON.parse($("#message").textContent);
    history.replaceState(null, "", location.pathname + location.search);
    const touched = location.hash === TOUCHED || performance.getEntriesByType("navigation")[0]?.name.endsWith(TOUCHED);
    this.stand(message);
    // A reader is still busy with the page itself.
    setTimeout(() => say(message.say), 400);
    if (touched && message.step.choices) setTimeout(() => this.play(), 500);
  }

  get at() {
    return this.message.at;
  }

  /** The step that an address names, from 0. */
  named(path) {
    const word = path.slice(root.length).split("/")[3] ?? "1";
    return word === "end" ? this.message.last : Number(word) - 1;
  }

  url(at) {
    return here(`/learn/${this.message.game}/${at === this.message.last ? "end" : at + 1}`);
  }

  /** What a step asks stands on the page: put light on it. */
  stand(message) {
    this.message = message;
    this.wrong = 0;
    this.table.take(message.step);
    // Here nothing is touched by itself.
    this.table.lay([]);
    this.keep();
    this.room();
    this.focus();
    if (this.at < message.last) this.ask(this.at + 1).catch(() => {});
  }

  /** The buttons of a step leave room for the dots and the way out, however long its words are. */
  room() {
    const wide = $("#lesson-dock").offsetWidth;
    document.body.style.setProperty("--lesson-room", `${wide + 52}px`);
  }

  /** Keeps how far one has come, for home; what is finished stays so. */
  keep() {
    const name = `lesson-${this.message.game}`;
    if (this.at === this.message.last) remember(name, FINISHED);
    else if (this.at && recall(name) !== FINISHED) remember(name, this.at);
  }

  /** A step as the server tells it; asked once. */
  ask(at) {
    if (!this.kept.has(at)) {
      const answer = fetch(spoken(`${this.url(at)}/table`)).then(async (reply) => {
        const told = await reply.json();
        if (!reply.ok) throw new Error(told.reason);
        return told;
      });
      this.kept.set(at, answer);
      answer.catch(() => this.kept.delete(at));
    }
    return this.kept.get(at);
  }

  /** Goes to a step: walking, by the moves that lead there. */
  async go(at, walking, quiet = false) {
    const turn = ++this.wanted;
    let message;
    try {
      message = await this.ask(at);
    } catch {
      this.table.undo(t("The line is down. Touch it again in a moment."));
      return;
    }
    if (turn !== this.wanted) return;
    if (!quiet) history.pushState(null, "", this.url(at) + location.search);
    document.title = `${message.title} – Facedown`;
    if (walking) {
      for (const [i, frame] of message.frames.entries()) {
        this.show(frame.html, true);
        const more = i + 1 < message.frames.length;
        if (more || i) say(frame.say);
        const theirs = Math.min(THEIRS, MANY / message.frames.length);
        await this.wait(i && frame.say.length ? theirs : Math.min(OWN, theirs));
        if (turn !== this.wanted) return;
      }
    }
    this.show(message.html, walking);
    this.stand(message);
    say(message.say);
    if (at === message.last) play("over");
  }

  /** Brings the page to another table, its cards on their way. */
  show(html, moving) {
    settle();
    const before = measure();
    const places = moving ? standing() : new Map();
    arrive();
    const counted = counting();
    this.table.clear();
    for (const old of $$('#actions > [id^="button-"]')) old.remove();
    morph(this.app, html);
    still();
    const made = moving ? travel(before, { anew: counted && counting() === false, watched: true, landed: landing }) : [];
    if (moving) wear(changed(made));
    else bare();
    glide(places, new Set(made.filter((journey) => journey.flies).map((journey) => journey.place)));
  }

  /** Waits, until the next touch at the latest. */
  wait(time) {
    return new Promise((done) => {
      const on = () => {
        clearTimeout(timer);
        for (const type of ["pointerdown", "keydown"]) removeEventListener(type, on, true);
        done();
      };
      const timer = setTimeout(on, time);
      // What made the move is not over yet.
      setTimeout(() => ["pointerdown", "keydown"].forEach((type) => addEventListener(type, on, true)), 60);
    });
  }

  /** Makes the move that is asked for. */
  play() {
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

  /** What may be touched now: first what is asked for, then what makes the move in another order. */
  get open() {
    return this.table.sent ? [] : (this.table.step.choices ?? []).filter((one) => !one.refuses);
  }

  /** The one thing that is to be touched now: on the table, or a button. */
  get lit() {
    const [choice] = this.open;
    if (!choice) return null;
    if (choice.number !== undefined) return $("#button-number");
    return at(choice.touch) ?? $(".piece.can", zoneElement(choice.touch) ?? document.createElement("i")) ?? $(`#actions [data-button="${CSS.escape(choice.touch)}"]`);
  }

  mark() {
    for (const old of $$(".asked")) old.classList.remove("asked");
    for (const other of this.open.slice(1)) at(other.touch)?.classList.remove("lit");
    this.lit?.classList.add("asked");
  }

  /** The focus goes to what is lit. */
  focus() {
    const lit = $("#play-on") ?? this.lit;
    if (!lit) return;
    if (lit.matches(".piece, .option")) lit.tabIndex = 0;
    lit.focus({ preventScroll: true });
  }

  dip() {
    const lit = this.lit;
    if (lit && !calm()) animate(lit, [{ scale: 1 }, { scale: 0.86 }, { scale: 1 }], { duration: DIP, easing: "ease-in-out" });
  }

  click(event) {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest?.("#app [data-step-url], #app [data-step]");
    if (!link) return;
    event.preventDefault();
    hurry();
    const at = this.named(new URL(link.href).pathname);
    if (at !== this.at) this.go(at, at === this.at + 1);
  }

  /** Escape asks once; pressed once more it leaves the lesson. */
  key(event) {
    if (event.key !== "Shift") document.body.classList.remove("quiet");
    if (event.key !== "Escape" || event.defaultPrevented || $("dialog[open]") || this.at === this.message.last) return;
    if (Date.now() < this.asked) {
      location.href = here("/");
      return;
    }
    this.asked = Date.now() + 4000;
    this.table.reason(t("Skip the lesson? Press Escape once more."));
  }
}
