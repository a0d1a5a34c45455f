// The line to the server: hello with the version shown, moves, silence that is noticed, reconnecting by itself.

import { spoken, t } from "./translations.js";

/** Pauses before each new line, in ms: the first, the second …, then always the last. */
const PAUSES = [2000, 4000, 8000, 15000];
/** A request without an answer is late. */
const LATE = 2000;
/** After so long a silence the server is asked whether it is there: while it is this person's turn, and otherwise. */
const SILENCE = { true: 5000, false: 20000 };
/** A ping is answered within this time, the first message on a line takes longer; each failed line adds as much again. */
const ANSWER = 4000;
const OPENING = 8000;
export const DOWN = t("The line is down. Nothing was sent.");

/** The pause after a number of failed lines in a row, in ms. Pages that lost their lines together come back over several seconds. */
export const pause = (tries, chance = Math.random()) => PAUSES[Math.min(tries, PAUSES.length - 1)] * (0.25 + 1.5 * chance);

export class Line {
  /**
   * `on(message)` gets every message; `line(up, seconds)` tells when the line is up or down and when it is tried again,
   * `late()` that a request has no answer yet. `yours`: is it this person's turn?
   */
  constructor(path, { version, yours, on, line, late }) {
    Object.assign(this, { version, yours, on, line, late });
    this.url = spoken(path, location.href.replace(/^http/, "ws"));
    this.tries = 0;
    this.closed = false;
    this.waiting = [];
    /** The move that was sent and is not answered: it is sent again on a new line, and counts once. */
    this.pending = null;
    this.connect();
    addEventListener("online", () => this.now());
    addEventListener("offline", () => this.socket && this.drop());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.now());
  }

  connect() {
    clearTimeout(this.timer);
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.pinged = false;
    this.dropIn(OPENING);
    socket.addEventListener("open", () => {
      if (socket !== this.socket) return;
      this.line(true, 0);
      this.hello();
      if (this.pending) this.request(this.pending);
      for (const message of this.waiting.splice(0)) this.send(message);
      this.dropIn(OPENING);
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.socket) return;
      let message;
      try {
        message = JSON.parse(event.data);
      } catch {
        return;
      }
      this.hear(message);
    });
    socket.addEventListener("close", () => socket === this.socket && this.drop());
  }

  hear(message) {
    this.pinged = false;
    if (message.type === "error" || (message.type === "table" && message.version > this.pending?.version)) this.pending = null;
    if (!this.pending) {
      clearTimeout(this.lateness);
      if (message.type !== "error") this.tries = 0;
    }
    if (message.code === "closed") this.closed = true;
    this.yours = message.yours ?? this.yours;
    clearTimeout(this.timer);
    // The server, too, takes a line for lost that says nothing.
    this.timer = setTimeout(() => this.ask(), Math.min(SILENCE[this.yours], this.said + SILENCE.false - performance.now()));
    this.on(Object.assign(message, { unanswered: Boolean(this.pending) }));
  }

  dropIn(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.drop(), wait * (1 + Math.min(this.tries, 3)));
  }

  ask() {
    if (this.pinged || !this.send({ type: "ping" })) return;
    this.pinged = true;
    this.dropIn(ANSWER);
  }

  /** The line is lost: what still comes on it does not count, and a new one is opened after a pause. */
  drop() {
    const { socket } = this;
    this.socket = null;
    socket.close();
    clearTimeout(this.timer);
    clearTimeout(this.lateness);
    if (this.closed) return;
    const wait = pause(this.tries++);
    this.line(false, wait / 1000);
    if (this.waiting.splice(0).length) this.on({ type: "error", reason: DOWN });
    this.timer = setTimeout(() => this.connect(), wait);
  }

  /** Says which version the page shows; the server answers with all sections of the page, and then with those that change. */
  hello() {
    this.send({ type: "hello", version: this.version(), sections: true });
  }

  /** Try again at once, if the line is down; see whether it is, if it seems to be up. */
  now() {
    if (this.up) this.ask();
    else if (!this.closed && !this.socket) this.connect();
  }

  get up() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Is the page's first line still being opened? Nobody has been told that it is down. */
  get opening() {
    return !this.tries && this.socket?.readyState === WebSocket.CONNECTING;
  }

  /** Sends what somebody has pressed for: on a page that has just come it waits for the line. False when that is down. */
  request(message) {
    if (!this.opening && !this.send(message)) return false;
    if (this.opening) this.waiting.push(message);
    this.expect();
    return true;
  }

  /** Sends a message; false when the line is down (touches are not queued). */
  send(message) {
    if (!this.up) return false;
    this.socket.send(JSON.stringify(message));
    this.said = performance.now();
    if (message.type === "move") this.pending = message;
    return true;
  }

  /** Expect an answer: if it is late, call `late` and ping the server. */
  expect() {
    clearTimeout(this.lateness);
    this.lateness = setTimeout(() => {
      this.late();
      this.ask();
    }, LATE);
  }
}
