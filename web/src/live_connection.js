// WebSocket connection of a table's page. After opening, it sends the version of the table (a counter of its changes)
// that the page shows, later the player's moves and requests. If the server is silent or the connection is lost, it
// reconnects by itself.

import { localizedUrl, t } from "./translations.js";

/** Milliseconds before each reconnection attempt: first, second, …; the last value is used for all later ones. */
const PAUSES = [2000, 4000, 8000, 15000];
/** Milliseconds after which a request counts as late. */
const LATE = 2000;
/**
 * Milliseconds without a message after which the server is pinged: during this player's turn (key true) and otherwise
 * (key false).
 */
const SILENCE = { true: 5000, false: 20000 };
/**
 * Milliseconds allowed for the reply to a ping (`ANSWER`) and for opening a connection (`OPENING`). Both grow with the
 * number of failed attempts: they are doubled after one, tripled after two, and at most four times as long.
 */
const ANSWER = 4000;
const OPENING = 8000;
export const NOT_SENT_TEXT = t("No connection. Nothing was sent.");

/**
 * Return the delay in ms before the next attempt after `tries` failed ones. It is random, so that pages which lost
 * their connections together reconnect spread over several seconds.
 */
export const reconnectDelay = (tries, chance = Math.random()) => PAUSES[Math.min(tries, PAUSES.length - 1)] * (0.25 + 1.5 * chance);

export class LiveConnection {
  /**
   * Open a connection to `path`. The caller supplies these functions:
   *
   * * `on(message)` receives every message.
   * * `line(up, seconds)` is called when the connection opens (`up` is true) or is lost, with the seconds until the
   *   next attempt.
   * * `late()` is called when a request is not answered in time.
   * * `version()` returns the version of the table (a counter of its changes) that the page shows.
   *
   * `yours` is whether it is this player's turn.
   */
  constructor(path, { version, yours, on, line, late }) {
    Object.assign(this, { version, yours, on, line, late });
    this.url = localizedUrl(path, location.href.replace(/^http/, "ws"));
    this.tries = 0;
    this.closed = false;
    this.waiting = [];
    /** The move sent but not yet answered. It is sent again on a new connection; the server applies it once. */
    this.pending = null;
    this.connect();
    addEventListener("online", () => this.checkOrReconnect());
    addEventListener("offline", () => this.socket && this.drop());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.checkOrReconnect());
  }

  connect() {
    clearTimeout(this.timer);
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.pinged = false;
    this.scheduleDrop(OPENING);
    socket.addEventListener("open", () => {
      if (socket !== this.socket) return;
      this.line(true, 0);
      this.sendHello();
      if (this.pending) this.request(this.pending);
      for (const message of this.waiting.splice(0)) this.send(message);
      this.scheduleDrop(OPENING);
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.socket) return;
      let message;
      try {
        message = JSON.parse(event.data);
      } catch {
        return;
      }
      this.handleMessage(message);
    });
    socket.addEventListener("close", () => socket === this.socket && this.drop());
  }

  handleMessage(message) {
    this.pinged = false;
    if (message.type === "error" || (message.type === "table" && message.version > this.pending?.version)) this.pending = null;
    if (!this.pending) {
      clearTimeout(this.lateness);
      if (message.type !== "error") this.tries = 0;
    }
    if (message.code === "closed") this.closed = true;
    this.yours = message.yours ?? this.yours;
    clearTimeout(this.timer);
    // Send a ping if the server sends nothing for 5 s (on the player's turn) or 20 s (otherwise). Also send a ping if
    // this page has sent nothing for 20 s, because the server closes a connection on which it receives nothing.
    this.timer = setTimeout(() => this.sendPing(), Math.min(SILENCE[this.yours], this.said + SILENCE.false - performance.now()));
    this.on(Object.assign(message, { unanswered: Boolean(this.pending) }));
  }

  scheduleDrop(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.drop(), wait * (1 + Math.min(this.tries, 3)));
  }

  sendPing() {
    if (this.pinged || !this.send({ type: "ping" })) return;
    this.pinged = true;
    this.scheduleDrop(ANSWER);
  }

  /** Close the connection, ignore what still arrives on it, and open a new one after a delay. */
  drop() {
    const { socket } = this;
    this.socket = null;
    socket.close();
    clearTimeout(this.timer);
    clearTimeout(this.lateness);
    if (this.closed) return;
    const wait = reconnectDelay(this.tries++);
    this.line(false, wait / 1000);
    if (this.waiting.splice(0).length) this.on({ type: "error", reason: NOT_SENT_TEXT });
    this.timer = setTimeout(() => this.connect(), wait);
  }

  /**
   * Send the version of the table (a counter of its changes) that the page shows. The server replies with all sections
   * of the page and later sends only changes.
   */
  sendHello() {
    this.send({ type: "hello", version: this.version(), sections: true });
  }

  /** Ping the server if the connection seems to be up; otherwise reconnect at once. */
  checkOrReconnect() {
    if (this.isUp) this.sendPing();
    else if (!this.closed && !this.socket) this.connect();
  }

  get isUp() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Return whether the page's first connection is still being opened. Then no lost connection has been reported. */
  get isOpening() {
    return !this.tries && this.socket?.readyState === WebSocket.CONNECTING;
  }

  /**
   * Send a request by the player and return whether that was possible. While the page's first connection is being
   * opened, the request waits for it.
   */
  request(message) {
    if (!this.isOpening && !this.send(message)) return false;
    if (this.isOpening) this.waiting.push(message);
    this.expectAnswer();
    return true;
  }

  /** Send a message; return false if the connection is down, in which case the message is lost. */
  send(message) {
    if (!this.isUp) return false;
    this.socket.send(JSON.stringify(message));
    this.said = performance.now();
    if (message.type === "move") this.pending = message;
    return true;
  }

  /** Start waiting for the answer to a request. If it is late, call `late` and ping the server. */
  expectAnswer() {
    clearTimeout(this.lateness);
    this.lateness = setTimeout(() => {
      this.late();
      this.sendPing();
    }, LATE);
  }
}
