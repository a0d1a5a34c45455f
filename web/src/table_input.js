// Input on the table: marks what can be touched and what has been touched, and finds out what a touch does. It needs
// only the server's HTML and tree of touches (see touch_tree.js), so it is the same for all games.

import { defaultNumberIndex, numberChoices, numberIndexForKey, removeFaceRow, showFaceRow } from "./number_picker.js";
import { captureFocus, restoreFocus, updateTabStops } from "./focus_restore.js";
import { NOT_SENT_TEXT } from "./live_connection.js";
import { isMotionOff } from "./animation_speed.js";
import { isConfirmationOn } from "./confirmation.js";
import { $, $$, appElement, icon, make, placeElement, setAttributeIfChanged, setRichText, zoneElement } from "./dom.js";
import { PromptHeight } from "./prompt_height.js";
import { playVibration } from "./turn_notice.js";
import { applyTouch, choicesOnPath, forcedTouches, isConfirmation, isTouchable, questionKey, refusalReason, refusalReasons, skipConfirmation, stepAt } from "./touch_tree.js";
import { playSound } from "./sound.js";
import { say } from "./announcer.js";
import { t } from "./translations.js";

/** CSS classes that mark what can be touched and what has been touched. */
const TOUCH_MARK_CLASSES = ["lit", "can", "touched", "picked", "spanned", "ghost", "dimmed", "holds", "carried"];

const REASON_STAYS = 3000;
const NOTHING = { prompt: "", choices: [] };

/** Return the places of the gaps between cards that can be touched after a path of touches. */
const gapPlaces = (root, path) => (stepAt(root, path)?.choices ?? []).map((c) => c.touch).filter((place) => placeElement(place)?.dataset.kind === "gap");

/**
 * Return the one of `things` whose left edge is nearest to a point; its vertical distance counts 40 times. `box(thing)`
 * returns the rectangle of a thing.
 */
export function nearestThing(things, { x, y }, box = (thing) => thing.getBoundingClientRect()) {
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
 * Replace the contents of a row of buttons. A button that exists already is updated in place, because the player may be
 * pressing it when another player's move arrives.
 */
function updateRow(box, things) {
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

/** Return whether a piece (card or tile) is wider than it is high. */
const isLandscape = (piece) => piece.offsetWidth > piece.offsetHeight;

export class TableInput {
  /** `send(action)` is called with the number of an action when the touches that choose it are complete. */
  constructor(send) {
    this.send = send;
    /** Called after the buttons have been updated. */
    this.onDrawn = () => {};
    this.root = NOTHING;
    this.path = [];
    this.number = 0;
    this.sent = false;
    /** Whether the answer to a sent move takes longer than usual. */
    this.late = false;
    /** Whether the connection is lost, so that nothing can be touched. */
    this.lost = false;
    this.timer = 0;
    this.asked = "";
    this.said = "";
    /** Decision that the table stopped asking before it was made, because of a proposal: its touches so far. */
    this.interrupted = null;
    this.reasoned = null;
    this.room = new PromptHeight();
    const measureAgain = () => {
      this.room.forgetMeasurements();
      this.room.reserveHeight(this.root);
    };
    addEventListener("resize", measureAgain);
    document.fonts.addEventListener("loadingdone", measureAgain);
  }

  /**
   * Set the decision of an updated table and mark what can be touched. The touches made so far are kept if the decision
   * is the same as before, or as before a proposal that interrupted it.
   *
   * * `clear`: the page has no old marks.
   * * `later`: return a function that updates the invisible attributes, instead of doing it now.
   * * `unanswered`: the update is not the answer to the move that was sent.
   */
  setStep(step, { clear = false, later = false, unanswered = false } = {}) {
    const [asked, said] = [questionKey(step), JSON.stringify(step)];
    const news = said !== this.said;
    this.root = step ?? NOTHING;
    // When a new decision begins, stop showing why the last touch was refused.
    if (asked !== this.asked && step?.choices?.length) this.clearReason();
    const waits = unanswered && this.sent && asked === this.asked;
    if (asked !== this.asked || (news && this.sent && !waits)) {
      const { interrupted: before } = this;
      this.interrupted = this.sent || step?.choices?.length ? null : { asked: this.asked, path: this.path, number: this.number };
      const resumed = before?.asked === asked;
      this.path = resumed ? before.path : forcedTouches(this.root);
      this.number = resumed ? before.number : defaultNumberIndex(numberChoices(this.step));
    }
    Object.assign(this, { asked, said });
    this.setSending(waits, this.late);
    // Update the buttons before the prompt is measured, because old buttons would change its height.
    if ($("#board") && !$(".layout-lobby")) this.updateButtons();
    if (news) this.room.reserveHeight(this.root);
    return this.drawMarks({ clear, later });
  }

  /** Set whether a move was sent and not yet answered (`sent`), and whether the answer is late. */
  setSending(sent, late) {
    this.sent = sent;
    this.late = sent && late;
    document.body.classList.toggle("is-sending", this.late);
  }

  /** Show "Sending…", because the move has not been answered yet. */
  showSending() {
    if (!this.sent || this.late) return;
    this.setSending(true, true);
    this.showPrompt();
    say(t("Sending…"));
  }

  /** Set whether the connection is lost and mark again what can be touched. */
  setConnectionLost(lost) {
    if (lost === this.lost) return;
    this.lost = lost;
    this.drawMarks();
  }

  get step() {
    return stepAt(this.root, this.path) ?? this.root;
  }

  /** Whether the table asks for confirmation of a costly move. */
  get isConfirming() {
    return isConfirmation(this.step, this.path);
  }

  /** Handle a touch of a place, zone or button. `thing` is its id. */
  touch(thing, element) {
    if (this.sent) return;
    if (this.lost) return this.refuseTouch(element, NOT_SENT_TEXT);
    if (!this.root.choices?.length) {
      // While another player is choosing, a touch can only ask why something isn't possible.
      const why = this.reasonAgainst(thing, element);
      if (why) this.refuseTouch(element, why);
      return;
    }
    let result = applyTouch(this.root, this.path, thing);
    if (result.path && !isConfirmationOn()) result = skipConfirmation(this.root, result);
    if (result.refused === "") result = { refused: this.reasonAgainst(thing, element) };
    if ("refused" in result) return this.refuseTouch(element, result.refused);
    this.clearReason();
    if ("action" in result) {
      this.path = result.path;
      this.sent = true;
      this.drawMarks();
      this.send(result.action);
      return;
    }
    const replaced = this.path.filter((other) => !result.path.includes(other));
    this.path = result.path;
    this.drawMarks();
    say(this.touchDescription(thing, element, replaced));
    playSound("draw");
  }

  /** Return the announcement for a touch: something was selected, possibly instead of something else, or taken back. */
  touchDescription(thing, element, replaced) {
    const name = element?.getAttribute("aria-label");
    const prompt = this.step.prompt;
    if (!name) return prompt;
    if (!this.path.includes(thing)) return t("{name}, taken back. {prompt}", { name, prompt });
    const other = replaced.length === 1 && placeElement(replaced[0])?.getAttribute("aria-label");
    return other ? t("{name}, chosen instead of {other}. {prompt}", { name, other, prompt }) : t("{name}, chosen. {prompt}", { name, prompt });
  }

  /** Return why a thing can't be touched: its own reason, else that of its zone; "" if neither has one. */
  reasonAgainst(thing, element) {
    const zone = element?.closest?.("[data-zone]")?.dataset.zone;
    return refusalReason(this.root, this.path, thing) || (zone ? refusalReason(this.root, this.path, zone) : "");
  }

  /** Take back the last touch, which has not been sent. Return whether there was one. */
  takeBack() {
    if (!this.path.length || this.sent || this.lost) return false;
    this.clearReason();
    this.path = !this.isConfirming && (this.step.picks || this.root.picks) ? [] : this.path.slice(0, -1);
    this.drawMarks();
    say(t("Taken back. {prompt}", { prompt: this.step.prompt }));
    return true;
  }

  /** Undo the touches of a move that the server refused, and show the reason. */
  rejectMove(reason) {
    this.setSending(false, false);
    this.path = forcedTouches(this.root);
    this.drawMarks();
    this.showReason(reason);
  }

  refuseTouch(element, reason) {
    playSound("refused");
    playVibration("refused");
    if (element && !isMotionOff()) {
      element.classList.remove("refusing");
      void element.offsetWidth;
      element.classList.add("refusing");
    }
    if (reason) this.showReason(reason);
  }

  /** Show a reason in place of the prompt for some seconds, and announce it. */
  showReason(text) {
    const words = $("#prompt-words");
    if (!words) return;
    $("#prompt").classList.add("refused");
    setRichText(words, text);
    $("#prompt-help")?.replaceChildren();
    say(text);
    this.reasoned = { text, until: performance.now() + REASON_STAYS };
    this.schedulePrompt();
  }

  /** Show the prompt again when the reason for a refused touch has been shown long enough. */
  schedulePrompt() {
    clearTimeout(this.timer);
    if (!this.reasoned) return;
    this.timer = setTimeout(() => {
      this.clearReason();
      this.showPrompt();
    }, this.reasoned.until - performance.now());
  }

  /** Stop showing the reason for a refused touch. */
  clearReason() {
    this.reasoned = null;
    clearTimeout(this.timer);
    $("#prompt")?.classList.remove("refused");
  }

  showPrompt() {
    const words = $("#prompt-words");
    if (!words || !$("#prompt")) return;
    if (this.reasoned && performance.now() < this.reasoned.until) {
      $("#prompt").classList.add("refused");
      setRichText(words, this.reasoned.text);
      $("#prompt-help")?.replaceChildren();
      return this.schedulePrompt();
    }
    this.clearReason();
    const help = $("#prompt-help");
    if (this.late) {
      setRichText(words, t("Sending…"));
      help?.replaceChildren();
      return;
    }
    setRichText(words, this.step.prompt);
    const faces = numberChoices(this.step);
    setRichText(help, (faces[0]?.face && faces[this.number]?.says) || (this.step.help ?? ""));
    const rule = $("#prompt-rule");
    if (rule && this.step.rule) rule.hash = this.step.rule;
  }

  /**
   * Mark what can be touched and what has been touched, and update prompt and buttons. `clear`: the page has no old
   * marks. `later`: return a function that updates the invisible attributes, instead of doing it now.
   */
  drawMarks({ clear = false, later = false } = {}) {
    const held = captureFocus();
    if (!clear) this.clearTouchMarks();
    if (!$("#board") || $(".layout-lobby")) return null;
    if (this.root.prompt) this.showPrompt();
    if (this.root.choices?.length) {
      this.markTouchable();
      this.markTouched();
    }
    this.updateButtons();
    for (const piece of $$("#app .piece.can")) if (this.pathToLift(piece.dataset.place)) piece.classList.add("carried");
    const rest = () => {
      if (!this.sent && !this.lost) this.markRefused();
      updateTabStops();
      restoreFocus(held);
    };
    if (later) return rest;
    rest();
    return null;
  }

  /** Return the path of touches that lifts the card at `place`, so that gaps are offered for it; null if impossible. */
  pathToLift(place) {
    if (this.sent || this.lost || !this.root.choices?.length) return null;
    const i = this.path.indexOf(place);
    const gap = placeElement(place)?.dataset.kind === "gap";
    const path = i < 0 ? applyTouch(this.root, this.path, place).path : this.path.slice(0, gap ? i : i + 1);
    return path && gapPlaces(this.root, path).length && !(gap && i < 0) ? path : null;
  }

  gapsAfter(path) {
    return gapPlaces(this.root, path);
  }

  /** Announce the prompt that is shown after the touches made so far or after a drag. */
  announcePath() {
    say(this.step.prompt);
    playSound("draw");
  }

  /** Replace the touch path, for example while a card is being dragged. */
  showPath(path) {
    if (path.join() === this.path.join()) return;
    this.clearReason();
    this.path = path;
    this.drawMarks();
  }

  /**
   * Return the path of touches after `lifted` (which lifts a card) and a touch of `gap`. If the card is in another gap
   * now, touches made after that are kept if they are still possible.
   */
  pathWithGap(lifted, gap) {
    const along = lifted.every((thing, i) => this.path[i] === thing) && this.path.length > lifted.length;
    if (along && this.path[lifted.length] === gap) return this.path;
    return (along && applyTouch(this.root, this.path, gap).path) || [...lifted, gap];
  }

  /**
   * Move the card that was put into a gap of a zone to another gap: the one nearest to the point `where` or, if
   * `where.by` is set, that number of gaps farther. Return false if there is no such card or gap.
   */
  slideGap(zone, where) {
    const held = zone && $(".k-gap.holds", zone);
    const lifted = held && this.pathToLift(held.dataset.place);
    if (!lifted) return false;
    const open = gapPlaces(this.root, lifted).map(placeElement).filter(Boolean);
    const now = open.indexOf(held);
    const next = where.by ? open[now + where.by] : nearestThing(open, where);
    if (!next) return false;
    if (next === held) return true;
    const had = document.activeElement === held;
    this.showPath(this.pathWithGap(lifted, next.dataset.place));
    if (had) next.focus();
    this.announcePath();
    return true;
  }

  clearTouchMarks() {
    removeFaceRow();
    const app = appElement();
    for (const mark of $$(".pick-tick, .says, .says-inside, .arrow, .gap-mark, .staged-card", app)) mark.remove();
    // Searching for one class at a time is faster than for any of several.
    for (const name of TOUCH_MARK_CLASSES) for (const e of $$(`.${name}`, app)) if (!e.classList.contains("lamp")) e.classList.remove(name);
    for (const e of $$("button.piece", app)) {
      setAttributeIfChanged(e, "aria-disabled", "true");
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
    for (const e of $$("button.option")) setAttributeIfChanged(e, "aria-pressed", "false");
  }

  markTouchable() {
    const step = this.step;
    const rests = this.sent || this.lost;
    const offered = new Map((rests ? [] : step.choices ?? []).filter((c) => !c.refuses).map((c) => [c.touch, c]));
    const deep = (e) => !rests && isTouchable(this.root, this.path, e.dataset.place);
    for (const zone of $$("#app [data-zone]")) {
      const choice = offered.get(zone.dataset.zone);
      const other = zone.classList.contains("z-option") && !choice && !this.lost && isTouchable(this.root, this.path, zone.dataset.zone);
      if ((choice || other) && !placeElement(zone.dataset.zone)?.classList.contains("piece")) {
        zone.classList.add("lit");
        if (!zone.classList.contains("z-option")) for (const piece of $$(".piece", zone)) this.setTouchable(piece);
        if (choice) this.addConsequence(zone, choice);
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
          this.setTouchable(piece);
          if ((!whole && !hand) || piece.dataset.kind === "slot" || piece.dataset.kind === "gap" || choice.says) piece.classList.add("lit");
          if (hand && !choice.says && piece.dataset.kind !== "slot" && piece.dataset.kind !== "gap") piece.classList.remove("lit");
          this.addConsequence(piece, choice);
        } else if (deep(piece)) {
          this.setTouchable(piece);
          const card = piece.dataset.kind === "face" || piece.dataset.kind === "back";
          if (card && !hand && !whole && !this.path.includes(piece.dataset.place)) piece.classList.add("lit");
        }
      }
      const plays = hand && this.path.concat([...offered.keys()]).some((t) => zone.contains(placeElement(t)));
      if (plays) for (const piece of pieces) if (!open.includes(piece) && !deep(piece) && !this.path.includes(piece.dataset.place)) piece.classList.add("dimmed");
    }
  }

  /** Add the reason why it can't be touched, if one is known, to each element as a description for screen readers. */
  markRefused() {
    for (const [thing, why] of refusalReasons(this.root, this.path)) {
      const zone = zoneElement(thing);
      for (const element of placeElement(thing) ? [placeElement(thing)] : zone ? $$(".piece[data-place]", zone) : []) {
        if (element.matches(".can")) continue;
        element.dataset.refused = "";
        if (element.matches(".piece:not(button)")) element.setAttribute("role", "button");
        element.setAttribute("aria-disabled", "true");
        element.setAttribute("aria-description", why.replaceAll("**", ""));
      }
    }
  }

  setPressed(piece) {
    if (piece.matches("button")) setAttributeIfChanged(piece, "aria-pressed", "true");
  }

  setTouchable(piece) {
    piece.classList.add("can");
    if (piece.matches("button")) setAttributeIfChanged(piece, "aria-disabled", "false");
  }

  addConsequence(element, choice) {
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

  markTouched() {
    const choices = choicesOnPath(this.root, this.path);
    const staged = new Set();
    let last = null;
    this.path.forEach((place, i) => {
      const element = placeElement(place);
      if (!element?.classList.contains("piece")) {
        zoneElement(place)?.classList.add("picked");
        element?.setAttribute("aria-pressed", "true");
        if (last?.stage && choices[i]?.face) last.stage.classList.add("turned-round");
        return;
      }
      if (!this.sent && !this.lost) this.setTouchable(element);
      this.setPressed(element);
      if (last && !staged.has(last.place) && ["face", "back"].includes(last.element.dataset.kind) && ["slot", "gap"].includes(element.dataset.kind)) {
        // The card is shown at the touched place before the move is complete. Leave that out if the place has another
        // orientation (upright or lying), because the card would be stretched.
        if (isLandscape(element) !== isLandscape(last.element)) return;
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
      const first = placeElement(this.path[0]);
      const second = placeElement(this.path[1]);
      const zone = first?.closest("[data-zone]");
      if (zone && second && zone.contains(second)) {
        const pieces = $$(".piece:not(.k-gap)", zone);
        const [a, b] = [pieces.indexOf(first), pieces.indexOf(second)].sort((x, y) => x - y);
        for (const piece of pieces.slice(a, b + 1)) {
          piece.classList.add("spanned");
          this.setPressed(piece);
        }
      }
    }
  }

  updateButtons() {
    const box = $("#actions");
    if (!box) return;
    if (!this.root.choices?.length && !this.path.length) {
      for (const old of $$('[id^="button-"]', box)) old.remove();
      return;
    }
    const step = this.step;
    const made = [];
    const numbers = numberChoices(step);
    const choose = (i) => {
      this.number = i;
      this.showPrompt();
      this.updateButtons();
      say(`${numbers[i].button}? ${numbers[i].says ?? ""}`);
    };
    if (numbers[0]?.face && !this.sent) showFaceRow(numbers, this.number, choose);
    else if (numbers.length && !numbers[0].face) made.push(this.makeStepper(numbers));
    const asking = this.isConfirming;
    const slice = !asking && this.root.picks === "slice" && !$("#app .piece.ghost");
    const lost = this.path.length && !placeElement(this.path.at(-1)) && !zoneElement(this.path.at(-1));
    if (!this.sent && (asking || (slice && this.path.length) || lost || $("#app .k-slot > .staged-card"))) {
      const back = this.makeButton(slice ? t("Clear") : asking ? t("Keep looking") : t("Take back"), slice ? "ghost" : "");
      if (!slice && !asking) back.prepend(icon("undo"));
      back.dataset.back = "";
      back.id = "button-back";
      made.push(back);
    }
    if ($("[data-steps]") && !this.path.length && !this.sent) {
      const again = this.makeButton(t("Show again"), "");
      again.prepend(icon("undo"));
      again.dataset.again = "";
      again.id = "button-again";
      made.push(again);
    }
    const rest = (step.choices ?? []).filter((c) => c.button && c.number === undefined);
    for (const choice of rest.sort((a, b) => (a.primary ? 1 : 0) - (b.primary ? 1 : 0))) {
      const button = this.makeButton(choice.button, choice.primary || asking ? "primary" : "");
      button.dataset.button = choice.touch;
      button.id = `button-${choice.touch}`;
      if (choice.sign) button.prepend(icon(choice.sign));
      if (!choice.primary && placeElement(choice.touch)) button.classList.add("doubled");
      if (choice.refuses) {
        button.classList.add("grey");
        button.setAttribute("aria-disabled", "true");
      }
      made.push(button);
    }
    if (numbers.length) {
      const chosen = numbers[Math.min(this.number, numbers.length - 1)];
      const button = this.makeButton(chosen.button, "primary");
      button.dataset.button = chosen.touch;
      button.id = "button-number";
      made.push(button);
    }
    const standins = $$("[data-standin]", box);
    const had = box.contains(document.activeElement) ? document.activeElement.dataset.button : null;
    updateRow(box, [...made, ...standins]);
    if (had && !box.contains(document.activeElement)) box.querySelector(asking ? "[data-back]" : `[data-button="${CSS.escape(had)}"]`)?.focus();
    if (this.sent) for (const button of $$(".button", box)) button.setAttribute("disabled", "");
    this.onDrawn();
  }

  /** Select the card face with the number or letter that a key has; return whether there is one. */
  chooseFaceByKey(key) {
    const numbers = this.sent || this.lost ? [] : numberChoices(this.step);
    const i = numberIndexForKey(numbers, key);
    if (i < 0 || !$("#faces")) return false;
    $(`#faces > :nth-child(${i + 1})`).click();
    return true;
  }

  makeButton(words, kind) {
    const button = make("button", `button ${kind}`.trim());
    button.type = "button";
    setRichText(button, words);
    return button;
  }

  makeStepper(numbers) {
    this.number = Math.min(this.number, numbers.length - 1);
    const chosen = numbers[this.number];
    const output = make("output", "", String(chosen.number));
    const range = make("input");
    Object.assign(range, { type: "range", min: "0", max: String(numbers.length - 1), value: String(this.number) });
    range.setAttribute("aria-label", t("Number"));
    range.setAttribute("aria-valuetext", String(chosen.number));
    const go = (to, keep) => {
      this.number = Math.max(0, Math.min(numbers.length - 1, to));
      this.updateButtons();
      if (keep) $(keep, $("#actions"))?.focus();
    };
    range.addEventListener("input", () => {
      this.number = Number(range.value);
      output.textContent = String(numbers[this.number].number);
      range.setAttribute("aria-valuetext", output.textContent);
      const button = $("#actions > .primary:last-of-type");
      if (button) {
        setRichText(button, numbers[this.number].button);
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
