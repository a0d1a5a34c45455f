// Puts light on the table: what may be touched, what has been, what would follow. Works on server-made HTML and the step tree.

import { away, keyed, numbered, row, usual } from "./number_picker.js";
import { focused, refocus, tabs } from "./focus_restore.js";
import { DOWN } from "./live_connection.js";
import { calm } from "./animation_speed.js";
import { $, $$, at, drawn, icon, make, set, write, zoneElement } from "./dom.js";
import { Room } from "./prompt_height.js";
import { shake } from "./turn_notice.js";
import { asks, asksAgain, choicesOf, opening, reachable, refusal, refusals, stepAt, touch } from "./touch_tree.js";
import { play } from "./sound.js";
import { say } from "./announcer.js";
import { t } from "./translations.js";

/** All that is put on things to show what may be touched, and what has been. */
const LIGHTS = ["lit", "can", "touched", "picked", "spanned", "ghost", "dimmed", "holds", "carried"];

const REASON_STAYS = 3000;
const NOTHING = { prompt: "", choices: [] };

/** The places of the gaps that the step after a path offers. */
const gaps = (root, path) => (stepAt(root, path)?.choices ?? []).map((c) => c.touch).filter((place) => at(place)?.dataset.kind === "gap");

/** The thing whose left edge is nearest to a point; another row is farther than any place in the same one. */
export function nearest(things, { x, y }, box = (thing) => thing.getBoundingClientRect()) {
  let best = null;
  let least = Infinity;
  for (const thing of things) {
    const r = box(thing);
    const rows = Math.max(0, r.top - y, y - r.bottom);
    const far = Math.abs(r.left - x) + rows * 40;
    if (far < least) [best, least] = [thing, far];
  }
  return best;
}

/**
 * Brings a row to new things. A button that stands there already stays the same one, in its place: somebody may be
 * pressing it just when another has moved.
 */
function fill(box, things) {
  const wanted = things.map((thing) => {
    const old = thing.id && [...box.children].find((e) => e.id === thing.id);
    if (!old || old === thing) return thing;
    for (const { name } of [...old.attributes]) if (name !== "style" && !thing.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of thing.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    if (old.innerHTML !== thing.innerHTML) old.replaceChildren(...thing.childNodes);
    return old;
  });
  for (const old of [...box.children]) if (!wanted.includes(old)) old.remove();
  wanted.forEach((thing, i) => {
    if (box.children[i] !== thing) box.insertBefore(thing, box.children[i] ?? null);
  });
}

/** Is a piece wider than it is high? */
const lies = (piece) => piece.offsetWidth > piece.offsetHeight;

export class TableTop {
  /** `send(action)` is called when a path of touches is complete. */
  constructor(send) {
    this.send = send;
    /** Called when the buttons of the moment stand. */
    this.drawn = () => {};
    this.root = NOTHING;
    this.path = [];
    this.number = 0;
    this.sent = false;
    /** A move was sent that has no answer yet, for longer than usual. */
    this.late = false;
    /** There is no line: nothing can be touched. */
    this.lost = false;
    this.timer = 0;
    this.asked = "";
    this.said = "";
    this.reasoned = null;
    this.room = new Room();
    const anew = () => {
      this.room.anew();
      this.room.make(this.root);
    };
    addEventListener("resize", anew);
    document.fonts.addEventListener("loadingdone", anew);
  }

  /**
   * A new table has come: keep the touches if what is asked is the same. `clear`: no light has been put on it. What cannot be
   * seen of it is there at once, or, `later`, when what is returned is called. `unanswered`: it is not the answer to a move.
   */
  take(step, { clear = false, later = false, unanswered = false } = {}) {
    const [asked, said] = [asks(step), JSON.stringify(step)];
    const news = said !== this.said;
    this.root = step ?? NOTHING;
    // A move that was sent has been made, even if the same is asked again.
    if (asked !== this.asked && step?.choices?.length) this.forget();
    const waits = unanswered && this.sent && asked === this.asked;
    if (asked !== this.asked || (news && this.sent && !waits)) {
      this.path = opening(this.root);
      this.number = usual(numbered(this.step));
    }
    Object.assign(this, { asked, said });
    this.waits(waits, this.late);
    // The row is what it will be before anything is measured: buttons of the last step may stand there still.
    if ($("#board") && !$(".layout-lobby")) this.buttons();
    if (news) this.room.make(this.root);
    return this.show({ clear, later });
  }

  /** Whether a move was sent that is not answered, and whether that takes long. */
  waits(sent, late) {
    this.sent = sent;
    this.late = sent && late;
    document.body.classList.toggle("is-sending", this.late);
  }

  /** No answer has come yet. */
  delay() {
    if (!this.sent || this.late) return;
    this.waits(true, true);
    this.words();
    say(t("Sending…"));
  }

  /** There is no line, or there is one again: what cannot be touched is not lit. */
  lose(lost) {
    if (lost === this.lost) return;
    this.lost = lost;
    this.show();
  }

  get step() {
    return stepAt(this.root, this.path) ?? this.root;
  }

  /** Is a costly move asked about once more? */
  get asking() {
    return asksAgain(this.step, this.path);
  }

  /** One touch of a place, zone or button. */
  touch(thing, element) {
    if (this.sent) return;
    if (this.lost) return this.refuse(element, DOWN);
    if (!this.root.choices?.length) {
      // Somebody else is choosing: what asks why not is answered, nothing else is.
      const why = this.why(thing, element);
      if (why) this.refuse(element, why);
      return;
    }
    let result = touch(this.root, this.path, thing);
    if (result.refused === "") result = { refused: this.why(thing, element) };
    if ("refused" in result) return this.refuse(element, result.refused);
    this.forget();
    if ("action" in result) {
      this.path = result.path;
      this.sent = true;
      this.show();
      this.send(result.action);
      return;
    }
    const replaced = this.path.filter((other) => !result.path.includes(other));
    this.path = result.path;
    this.show();
    say(this.chosen(thing, element, replaced));
    play("draw");
  }

  /** What a touch has done, in words: a thing was chosen, perhaps in place of another one, or taken back. */
  chosen(thing, element, replaced) {
    const name = element?.getAttribute("aria-label");
    const prompt = this.step.prompt;
    if (!name) return prompt;
    if (!this.path.includes(thing)) return t("{name}, taken back. {prompt}", { name, prompt });
    const other = replaced.length === 1 && at(replaced[0])?.getAttribute("aria-label");
    return other ? t("{name}, chosen in place of {other}. {prompt}", { name, other, prompt }) : t("{name}, chosen. {prompt}", { name, prompt });
  }

  /** Why a thing may not be touched: it says so itself, or the zone does that it lies in. */
  why(thing, element) {
    const zone = element?.closest?.("[data-zone]")?.dataset.zone;
    return refusal(this.root, this.path, thing) || (zone ? refusal(this.root, this.path, zone) : "");
  }

  /** Takes the last touch back; nothing has been sent. */
  back() {
    if (!this.path.length || this.sent || this.lost) return false;
    this.forget();
    this.path = this.step.picks || this.root.picks ? [] : this.path.slice(0, -1);
    this.show();
    say(t("Taken back. {prompt}", { prompt: this.step.prompt }));
    return true;
  }

  /** A move was refused by the server: the touch is undone. */
  undo(reason) {
    this.waits(false, false);
    this.path = opening(this.root);
    this.show();
    this.reason(reason);
  }

  refuse(element, reason) {
    play("refused");
    shake("refused");
    if (element && !calm()) {
      element.classList.remove("refusing");
      void element.offsetWidth;
      element.classList.add("refusing");
    }
    if (reason) this.reason(reason);
  }

  /** Says why not, in place of the prompt, for a while. */
  reason(text) {
    const words = $("#prompt-words");
    if (!words) return;
    $("#prompt").classList.add("refused");
    write(words, text);
    $("#prompt-help")?.replaceChildren();
    say(text);
    this.reasoned = { text, until: performance.now() + REASON_STAYS };
    this.later();
  }

  /** The prompt comes back when the reason has been read. */
  later() {
    clearTimeout(this.timer);
    if (!this.reasoned) return;
    this.timer = setTimeout(() => {
      this.forget();
      this.words();
    }, this.reasoned.until - performance.now());
  }

  /** The reason is read, or something else has been touched. */
  forget() {
    this.reasoned = null;
    clearTimeout(this.timer);
    $("#prompt")?.classList.remove("refused");
  }

  words() {
    const words = $("#prompt-words");
    if (!words || !$("#prompt")) return;
    if (this.reasoned && performance.now() < this.reasoned.until) {
      $("#prompt").classList.add("refused");
      write(words, this.reasoned.text);
      $("#prompt-help")?.replaceChildren();
      return this.later();
    }
    this.forget();
    const help = $("#prompt-help");
    if (this.late) {
      write(words, t("Sending…"));
      help?.replaceChildren();
      return;
    }
    write(words, this.step.prompt);
    const faces = numbered(this.step);
    write(help, (faces[0]?.face && faces[this.number]?.says) || (this.step.help ?? ""));
    const rule = $("#prompt-rule");
    if (rule && this.step.rule) rule.hash = this.step.rule;
  }

  /** Draws all light from nothing; `clear`: there is none. `later`: what is returned does what cannot be seen. */
  show({ clear = false, later = false } = {}) {
    const held = focused();
    if (!clear) this.clear();
    if (!$("#board") || $(".layout-lobby")) return null;
    if (this.root.prompt) this.words();
    if (this.root.choices?.length) {
      this.light();
      this.touched();
    }
    this.buttons();
    for (const piece of $$("#app .piece.can")) if (this.lift(piece.dataset.place)) piece.classList.add("carried");
    const rest = () => {
      if (!this.sent && !this.lost) this.refusing();
      tabs();
      refocus(held);
    };
    if (later) return rest;
    rest();
    return null;
  }

  /** The path after which a thing is in the hand and gaps are offered for it; null where it cannot be carried. */
  lift(place) {
    if (this.sent || this.lost || !this.root.choices?.length) return null;
    const i = this.path.indexOf(place);
    const gap = at(place)?.dataset.kind === "gap";
    const path = i < 0 ? touch(this.root, this.path, place).path : this.path.slice(0, gap ? i : i + 1);
    return path && gaps(this.root, path).length && !(gap && i < 0) ? path : null;
  }

  gaps(path) {
    return gaps(this.root, path);
  }

  /** Says where the touches, or a drag, have led. */
  told() {
    say(this.step.prompt);
    play("draw");
  }

  /** Shows a path that was dragged to. */
  lay(path) {
    if (path.join() === this.path.join()) return;
    this.forget();
    this.path = path;
    this.show();
  }

  /** The path with the carried card in another gap; later touches stay where they still can. */
  moved(lifted, gap) {
    const along = lifted.every((thing, i) => this.path[i] === thing) && this.path.length > lifted.length;
    if (along && this.path[lifted.length] === gap) return this.path;
    return (along && touch(this.root, this.path, gap).path) || [...lifted, gap];
  }

  /** Slides the gap that holds a card: to the one nearest to a touch, or by one with the arrow keys. True when it moved. */
  slide(zone, where) {
    const held = zone && $(".k-gap.holds", zone);
    const lifted = held && this.lift(held.dataset.place);
    if (!lifted) return false;
    const open = gaps(this.root, lifted).map(at).filter(Boolean);
    const now = open.indexOf(held);
    const next = where.by ? open[now + where.by] : nearest(open, where);
    if (!next) return false;
    if (next === held) return true;
    const had = document.activeElement === held;
    this.lay(this.moved(lifted, next.dataset.place));
    if (had) next.focus();
    this.told();
    return true;
  }

  clear() {
    away();
    const app = drawn();
    for (const mark of $$(".pick-tick, .says, .says-inside, .arrow, .gap-mark, .staged-card", app)) mark.remove();
    // One class at a time is found faster than any of them.
    for (const name of LIGHTS) for (const e of $$(`.${name}`, app)) if (!e.classList.contains("lamp")) e.classList.remove(name);
    for (const e of $$("button.piece", app)) {
      set(e, "aria-disabled", "true");
      e.removeAttribute("aria-pressed");
    }
    for (const e of $$("[data-refused]", app)) {
      delete e.dataset.refused;
      e.removeAttribute("aria-description");
      if (e.matches(".piece:not(button)")) {
        e.setAttribute("role", "img");
        e.removeAttribute("aria-disabled");
      } else if (e.matches(".option")) e.removeAttribute("aria-disabled");
    }
    for (const e of $$("button.option")) set(e, "aria-pressed", "false");
  }

  light() {
    const step = this.step;
    const rests = this.sent || this.lost;
    const offered = new Map((rests ? [] : step.choices ?? []).filter((c) => !c.refuses).map((c) => [c.touch, c]));
    const deep = (e) => !rests && reachable(this.root, this.path, e.dataset.place);
    for (const zone of $$("#app [data-zone]")) {
      const choice = offered.get(zone.dataset.zone);
      const other = zone.classList.contains("z-option") && !choice && !this.lost && reachable(this.root, this.path, zone.dataset.zone);
      if ((choice || other) && !at(zone.dataset.zone)?.classList.contains("piece")) {
        zone.classList.add("lit");
        if (!zone.classList.contains("z-option")) for (const piece of $$(".piece", zone)) this.can(piece);
        if (choice) this.consequence(zone, choice);
        continue;
      }
      const pieces = $$(".piece[data-place]", zone).filter((p) => p.dataset.kind !== "gone" && p.dataset.kind !== "gap");
      const hand = zone.dataset.area === "hand";
      const open = pieces.filter((p) => offered.has(p.dataset.place));
      const whole = pieces.length > 1 && !hand && pieces.every((p) => p.dataset.kind !== "slot" && (step.picks || this.root.picks === "set" ? deep(p) : offered.has(p.dataset.place)));
      if (whole) zone.classList.add("lit");
      for (const piece of $$(".piece[data-place]", zone)) {
        const choice = offered.get(piece.dataset.place);
        if (choice) {
          this.can(piece);
          if ((!whole && !hand) || piece.dataset.kind === "slot" || piece.dataset.kind === "gap" || choice.says) piece.classList.add("lit");
          if (hand && !choice.says && piece.dataset.kind !== "slot" && piece.dataset.kind !== "gap") piece.classList.remove("lit");
          this.consequence(piece, choice);
        } else if (deep(piece)) {
          this.can(piece);
          const card = piece.dataset.kind === "face" || piece.dataset.kind === "back";
          if (card && !hand && !whole && !this.path.includes(piece.dataset.place)) piece.classList.add("lit");
        }
      }
      const plays = hand && this.path.concat([...offered.keys()]).some((t) => zone.contains(at(t)));
      if (plays) for (const piece of pieces) if (!open.includes(piece) && !deep(piece) && !this.path.includes(piece.dataset.place)) piece.classList.add("dimmed");
    }
  }

  /** What would say why not can be walked to and asked, and says that it cannot be touched now. */
  refusing() {
    for (const [thing, why] of refusals(this.root, this.path)) {
      const zone = zoneElement(thing);
      for (const element of at(thing) ? [at(thing)] : zone ? $$(".piece[data-place]", zone) : []) {
        if (element.matches(".can")) continue;
        element.dataset.refused = "";
        if (element.matches(".piece:not(button)")) element.setAttribute("role", "button");
        element.setAttribute("aria-disabled", "true");
        element.setAttribute("aria-description", why.replaceAll("**", ""));
      }
    }
  }

  pressed(piece) {
    if (piece.matches("button")) set(piece, "aria-pressed", "true");
  }

  can(piece) {
    piece.classList.add("can");
    if (piece.matches("button")) set(piece, "aria-disabled", "false");
  }

  consequence(element, choice) {
    const kind = element.dataset.kind;
    if (kind === "slot") {
      if (choice.says) element.append(make("span", "says-inside", choice.says));
      else {
        const arrow = icon("down");
        arrow.classList.add("arrow");
        element.append(arrow);
      }
    } else if (kind === "gap") element.append(make("span", "gap-mark", icon("plus")));
    else if (choice.says) element.append(make("span", "says", choice.says));
  }

  touched() {
    const choices = choicesOf(this.root, this.path);
    const staged = new Set();
    let last = null;
    this.path.forEach((place, i) => {
      const element = at(place);
      if (!element?.classList.contains("piece")) {
        zoneElement(place)?.classList.add("picked");
        element?.setAttribute("aria-pressed", "true");
        if (last?.stage && choices[i]?.face) last.stage.classList.add("turned-round");
        return;
      }
      if (!this.sent && !this.lost) this.can(element);
      this.pressed(element);
      if (last && !staged.has(last.place) && ["face", "back"].includes(last.element.dataset.kind) && ["slot", "gap"].includes(element.dataset.kind)) {
        // What stands in the hand and will lie there waits for the table's answer: laid as it is drawn, it would be stretched.
        if (lies(element) !== lies(last.element)) return;
        for (const mark of $$(".arrow, .gap-mark", element)) mark.remove();
        element.classList.remove("lit");
        const art = last.element.querySelector(".art").cloneNode(true);
        const stage = make("span", "staged-card", art);
        stage.dataset.of = last.place;
        element.append(stage);
        element.classList.add("holds");
        last.element.classList.remove("touched", "lit");
        last.element.classList.add("ghost");
        staged.add(last.place);
        last = { place, element, stage };
        return;
      }
      if (this.root.picks === "set") {
        element.classList.add("picked");
        element.append(make("span", "pick-tick", icon("check")));
      } else if (this.root.picks === "slice") element.classList.add("spanned");
      else {
        element.classList.add("touched");
        element.classList.remove("lit");
      }
      const words = choices[i]?.says;
      if (words && !element.querySelector(".says")) {
        const slot = $("#app .trick .k-slot.lit");
        if (slot) {
          for (const arrow of $$(".arrow", slot)) arrow.remove();
          if (!slot.querySelector(".says-inside")) slot.append(make("span", "says-inside", words));
        }
      }
      last = { place, element };
    });
    if (this.root.picks === "slice" && this.path.length >= 2) {
      const first = at(this.path[0]);
      const second = at(this.path[1]);
      const zone = first?.closest("[data-zone]");
      if (zone && second && zone.contains(second)) {
        const pieces = $$(".piece:not(.k-gap)", zone);
        const [a, b] = [pieces.indexOf(first), pieces.indexOf(second)].sort((x, y) => x - y);
        for (const piece of pieces.slice(a, b + 1)) {
          piece.classList.add("spanned");
          this.pressed(piece);
        }
      }
    }
  }

  buttons() {
    const box = $("#actions");
    if (!box) return;
    if (!this.root.choices?.length && !this.path.length) {
      for (const old of $$('[id^="button-"]', box)) old.remove();
      return;
    }
    const step = this.step;
    const made = [];
    const numbers = numbered(step);
    const choose = (i) => {
      this.number = i;
      this.words();
      this.buttons();
      say(`${numbers[i].button}? ${numbers[i].says ?? ""}`);
    };
    if (numbers[0]?.face && !this.sent) row(numbers, this.number, choose);
    else if (numbers.length && !numbers[0].face) made.push(this.stepper(numbers));
    const slice = this.root.picks === "slice" && !$("#app .ghost");
    const asking = this.asking;
    const lost = this.path.length && !at(this.path.at(-1)) && !zoneElement(this.path.at(-1));
    if (!this.sent && ((slice && this.path.length) || lost || $("#app .k-slot > .staged-card"))) {
      const back = this.button(slice ? t("Clear") : asking ? t("Keep looking") : t("Take back"), slice ? "ghost" : asking ? "primary" : "");
      if (!slice && !asking) back.prepend(icon("undo"));
      back.dataset.back = "";
      back.id = "button-back";
      made.push(back);
    }
    if ($("[data-steps]") && !this.path.length && !this.sent) {
      const again = this.button(t("Turn again"), "");
      again.prepend(icon("undo"));
      again.dataset.again = "";
      again.id = "button-again";
      made.push(again);
    }
    const rest = (step.choices ?? []).filter((c) => c.button && c.number === undefined);
    for (const choice of rest.sort((a, b) => (a.primary ? 1 : 0) - (b.primary ? 1 : 0))) {
      const button = this.button(choice.button, choice.primary ? "primary" : "");
      button.dataset.button = choice.touch;
      button.id = `button-${choice.touch}`;
      if (choice.sign) button.prepend(icon(choice.sign));
      if (!choice.primary && at(choice.touch)) button.classList.add("doubled");
      if (choice.refuses) {
        button.classList.add("grey");
        button.setAttribute("aria-disabled", "true");
      }
      made.push(button);
    }
    if (numbers.length) {
      const chosen = numbers[Math.min(this.number, numbers.length - 1)];
      const button = this.button(chosen.button, "primary");
      button.dataset.button = chosen.touch;
      button.id = "button-number";
      made.push(button);
    }
    const standins = $$("[data-standin]", box);
    const had = box.contains(document.activeElement) ? document.activeElement.dataset.button : null;
    fill(box, [...made, ...standins]);
    if (had && !box.contains(document.activeElement)) box.querySelector(asking ? "[data-back]" : `[data-button="${CSS.escape(had)}"]`)?.focus();
    if (this.sent) for (const button of $$(".button", box)) button.setAttribute("disabled", "");
    this.drawn();
  }

  /** A key that names one of the faces to choose from. */
  named(key) {
    const numbers = this.sent || this.lost ? [] : numbered(this.step);
    const i = keyed(numbers, key);
    if (i < 0 || !$("#faces")) return false;
    $(`#faces > :nth-child(${i + 1})`).click();
    return true;
  }

  button(words, kind) {
    const button = make("button", `button ${kind}`.trim());
    button.type = "button";
    write(button, words);
    return button;
  }

  stepper(numbers) {
    this.number = Math.min(this.number, numbers.length - 1);
    const chosen = numbers[this.number];
    const output = make("output", "", String(chosen.number));
    const range = make("input");
    Object.assign(range, { type: "range", min: "0", max: String(numbers.length - 1), value: String(this.number) });
    range.setAttribute("aria-label", t("Number"));
    range.setAttribute("aria-valuetext", String(chosen.number));
    const go = (to, keep) => {
      this.number = Math.max(0, Math.min(numbers.length - 1, to));
      this.buttons();
      if (keep) $(keep, $("#actions"))?.focus();
    };
    range.addEventListener("input", () => {
      this.number = Number(range.value);
      output.textContent = String(numbers[this.number].number);
      range.setAttribute("aria-valuetext", output.textContent);
      const button = $("#actions > .primary:last-of-type");
      if (button) {
        write(button, numbers[this.number].button);
        button.dataset.button = numbers[this.number].touch;
      }
    });
    const step = (by, words, sign) => {
      const button = make("button", `step ${by < 0 ? "minus" : "plus"}`, sign);
      button.type = "button";
      button.setAttribute("aria-label", words);
      button.addEventListener("click", () => go(this.number + by, by < 0 ? ".minus" : ".plus"));
      return button;
    };
    const minus = step(-1, t("Less"), icon("minus"));
    const plus = step(1, t("More"), icon("plus"));
    const box = make("div", "stepper", minus, make("div", "value", output, range), plus);
    box.dataset.touches = numbers.map((c) => c.touch).join(" ");
    return box;
  }
}
