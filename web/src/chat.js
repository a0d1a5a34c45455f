// Chat of the live table: sending texts and ready-made phrases, showing messages, and muting. The list of muted players
// is kept in this browser only.

import { $, $$, make, setAttributeIfChanged } from "./dom.js";
import { say } from "./announcer.js";
import { isolateBidi, lang, t, tn } from "./translations.js";

const SEEN = 4000;
/** Milliseconds added to a timer, because timers may fire a few ms early. */
const LATER = 20;
const A_MINUTE = 5;
const MINUTE = 60000;
const narrow = matchMedia("(max-width: 1259.98px)");

export class Chat {
  /** `send(message)` returns whether the connection was up. */
  constructor(send) {
    this.send = send;
    this.unread = 0;
    this.mine = [];
    this.shown = new Set();
    this.speaking = new Map();
    document.addEventListener("click", (event) => this.click(event));
    document.addEventListener("change", (event) => event.target.matches?.("[data-mute]") && this.saveMuted(event.target));
    document.addEventListener("submit", (event) => {
      const form = event.target.closest("[data-say]");
      if (!form) return;
      event.preventDefault();
      const input = form.elements.text;
      if (input.value.trim() && this.sendText(input.value.trim())) input.value = "";
    });
    this.refreshMarks();
  }

  click(event) {
    const page = event.target.closest("[data-page]:not(body)");
    const phrase = event.target.closest("[data-phrase]");
    if (page) this.openSheetPage(page.dataset.page);
    else if (phrase) {
      if (phrase.getAttribute("aria-disabled") !== "true" && this.sendText(phrase.dataset.phrase)) document.body.classList.remove("sheet-log");
    } else if (event.target.closest("#hidden-lines button")) {
      for (const who of this.mutedNames()) this.shown.add(who);
      this.refreshMarks();
    } else if (event.target.closest("[data-open='log']")) this.refreshMarks();
    else if (narrow.matches && event.target.closest(".person .token.you")) {
      document.body.classList.add("sheet-log");
      this.openSheetPage("said");
    }
  }

  openSheetPage(name) {
    document.body.dataset.page = name;
    this.refreshMarks();
  }

  /** Send a text and return whether it was sent; at most five texts a minute are allowed. */
  sendText(text) {
    const now = Date.now();
    this.mine = this.mine.filter((at) => now - at < MINUTE);
    if (this.mine.length >= A_MINUTE) {
      this.updatePhraseButtons();
      return false;
    }
    const sent = this.send({ type: "chat", text });
    if (sent) this.mine.push(now);
    this.updatePhraseButtons();
    return sent;
  }

  /** Disable the phrase buttons while the limit of five texts a minute is reached. */
  updatePhraseButtons() {
    const now = Date.now();
    const lately = this.mine.filter((at) => now - at < MINUTE);
    const tired = lately.length >= A_MINUTE;
    for (const chip of $$("[data-phrase]:not([data-rests])")) {
      if (tired) chip.setAttribute("aria-disabled", "true");
      else chip.removeAttribute("aria-disabled");
    }
    const note = $("#a-moment");
    if (note) note.textContent = tired ? t("Just a moment, please.") : "";
    clearTimeout(this.timer);
    if (tired) this.timer = setTimeout(() => this.updatePhraseButtons(), MINUTE - (now - lately[0]) + 50);
  }

  // --- received messages ---

  /** Show a chat message. `seat` is null if a spectator wrote it; `at` is its Unix time in seconds. */
  receiveMessage({ name, text, seat, at }) {
    const who = seat === null ? "" : name;
    const list = $("#chat-lines");
    if (list) {
      const line = make("li", "", make("span", "", make("b", "", seat === null ? t("{name} (watching)", { name }) : isolateBidi(name)), ` ${isolateBidi(text)}`));
      line.dataset.who = who;
      if (at) {
        const time = make("time");
        time.dataset.at = at;
        line.append(time);
      }
      list.append(line);
      list.scrollTop = list.scrollHeight;
    }
    const own = Boolean($(`#seat-${seat} .token.you`));
    if (!own && !this.isMuted(who)) {
      if (!this.isVisible) this.unread += 1;
      this.speaking.set(String(seat), Date.now() + SEEN);
      this.showMessageBar(name, text, seat);
      // Don't read the message aloud while the player is typing or in the last ten seconds of their clock.
      const busy = document.activeElement?.matches("input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea") || $("#clock-band.runs");
      if (!busy) say(`${isolateBidi(name)}: ${isolateBidi(text)}`);
      setTimeout(() => this.refreshMarks(), SEEN + LATER);
    }
    this.refreshMarks();
  }

  showMessageBar(name, text, seat) {
    $("#heard")?.remove();
    const token = $(`#seat-${seat} .token`)?.cloneNode(true) ?? make("span", "token", name.slice(0, 1).toUpperCase());
    token.className = "token";
    const heard = make("div", "heard", token, make("span", "", make("b", "", isolateBidi(name)), ` ${isolateBidi(text)}`));
    heard.id = "heard";
    heard.setAttribute("aria-hidden", "true");
    $("#bar")?.append(heard);
    clearTimeout(this.heard);
    // The message and the ring around its author's seat disappear together.
    this.heard = setTimeout(() => {
      $("#heard")?.remove();
      this.refreshMarks();
    }, SEEN + LATER);
  }

  /** Return whether the chat messages are currently visible. */
  get isVisible() {
    return !narrow.matches || !$(".pages") || (document.body.classList.contains("sheet-log") && document.body.dataset.page === "said");
  }

  // --- muting ---

  mutedNames() {
    try {
      return JSON.parse(sessionStorage.getItem(`muted ${location.pathname}`) ?? "[]");
    } catch {
      return [];
    }
  }

  isMuted(who) {
    return this.mutedNames().includes(who);
  }

  saveMuted(box) {
    const rest = this.mutedNames().filter((who) => who !== box.dataset.mute);
    sessionStorage.setItem(`muted ${location.pathname}`, JSON.stringify(box.checked ? [...rest, box.dataset.mute] : rest));
    this.shown.delete(box.dataset.mute);
    this.refreshMarks();
  }

  // --- state of this browser, which every update of the page by the server would otherwise remove ---

  refreshMarks() {
    if (this.isVisible) this.unread = 0;
    const now = Date.now();
    for (const button of $$(".bar [data-open='log']")) {
      if (this.unread) button.dataset.unread = this.unread;
      else delete button.dataset.unread;
    }
    for (const tab of $$(".pages [data-page]")) setAttributeIfChanged(tab, "aria-pressed", String(tab.dataset.page === (document.body.dataset.page ?? "scores")));
    for (const time of $$("time[data-at]")) time.textContent = new Date(1000 * time.dataset.at).toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit", hour12: false });
    for (const token of $$(".token.speaking")) token.classList.remove("speaking");
    for (const [seat, until] of this.speaking) {
      if (until <= now) this.speaking.delete(seat);
      else $(`#seat-${seat} .token`)?.classList.add("speaking");
    }
    const muted = this.mutedNames();
    for (const box of $$("[data-mute]")) box.checked = muted.includes(box.dataset.mute);
    let hidden = 0;
    for (const line of $$("#chat-lines > li")) {
      line.hidden = muted.includes(line.dataset.who) && !this.shown.has(line.dataset.who);
      hidden += line.hidden;
    }
    const note = $("#hidden-lines");
    if (note) note.hidden = !hidden;
    if (note && hidden) {
      const names = $$("[data-mute]").filter((box) => box.checked && !this.shown.has(box.dataset.mute)).map((box) => box.dataset.name);
      const show = make("button", "", t("show"));
      show.type = "button";
      const said = names.length
        ? tn("{count} message from {names} is hidden", "{count} messages from {names} are hidden", hidden, { names: names.map(isolateBidi).join(", ") })
        : tn("{count} message is hidden", "{count} messages are hidden", hidden);
      note.replaceChildren(`${said} · `, show);
    }
    this.updatePhraseButtons();
  }
}
