// The line to the server: hello with the version shown, moves, reconnecting by itself.

import { assembled } from "./parts.js";
import { spoken, t } from "./texts.js";

const WAITS = [500, 1000, 2000, 4000, 8000, 15000];
const PING = 20000;
const SILENCE = 45000;
export const DOWN = t("The line is down. Nothing was sent.");

export class Line {
  /** `on(message)` gets every message; `line(up, seconds)` tells when the line is up or down and when it is tried again. */
  constructor(path, { version, on, line }) {
    this.url = spoken(path, location.href.replace(/^http/, "ws"));
    this.version = version;
    this.on = on;
    this.line = line;
    this.tries = 0;
    this.closed = false;
    this.waiting = [];
    this.connect();
    addEventListener("online", () => this.now());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.now());
  }

  connect() {
    clearTimeout(this.retry);
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.heard = Date.now();
    socket.addEventListener("open", () => {
      if (socket !== this.socket) return;
      this.line(true, 0);
      this.hello();
      for (const message of this.waiting.splice(0)) this.send(message);
      clearInterval(this.beat);
      this.beat = setInterval(() => {
        if (Date.now() - this.heard > SILENCE) socket.close();
        else this.send({ type: "ping" });
      }, PING);
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.socket) return;
      this.heard = Date.now();
      let message;
      try {
        message = JSON.parse(event.data);
      } catch {
        return;
      }
      if (message.type !== "error") this.tries = 0;
      else if (message.code === "closed") this.closed = true;
      if (message.parts && !this.whole(message)) return this.hello();
      this.on(message);
    });
    socket.addEventListener("close", () => {
      if (socket !== this.socket) return;
      clearInterval(this.beat);
      if (this.closed) return;
      const wait = WAITS[Math.min(this.tries++, WAITS.length - 1)] * (0.8 + 0.4 * Math.random());
      this.line(false, wait / 1000);
      if (this.waiting.splice(0).length) this.on({ type: "error", reason: DOWN });
      this.retry = setTimeout(() => this.connect(), wait);
    });
  }

  /** Says which version the page shows; the server answers with the whole of the page, and then with what changes of it. */
  hello() {
    this.parts = [];
    this.send({ type: "hello", version: this.version(), patches: true });
  }

  /** Puts a page together from its new parts and those that stay; false if some of these were missed. */
  whole(message) {
    this.parts = assembled(this.parts, message.parts);
    if (!this.parts) return false;
    message.html = this.parts.join("");
    return true;
  }

  /** Try again at once, if the line is down. */
  now() {
    if (this.closed || this.up || this.socket.readyState === WebSocket.CONNECTING) return;
    this.connect();
  }

  get up() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Is the page's first line still being opened? Nobody has been told that it is down. */
  get opening() {
    return !this.tries && this.socket.readyState === WebSocket.CONNECTING;
  }

  /** Sends what somebody has pressed for: on a page that has just come it waits for the line. False when that is down. */
  request(message) {
    if (!this.opening) return this.send(message);
    this.waiting.push(message);
    return true;
  }

  /** Sends a message; false when the line is down (touches are not queued). */
  send(message) {
    if (!this.up) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
