// A guide: where one is in it, and its figures, which can be played on in their places by the touches of any table. Whoever
// plays makes the moves of everybody; the moves so far go to the server each time, which keeps nothing.

import { morph } from "./page_patch.js";
import { arrive } from "./layout_transitions.js";
import { measure, travel } from "./card_animation.js";
import { $, $$, make } from "./dom.js";
import { say } from "./announcer.js";
import { landing } from "./sound.js";
import { here, root, spoken, t } from "./translations.js";

/** A section is read from when its heading is so near to the window's top, in px. */
const READ = 120;

/** The way to the rules from a table leads to what is asked there now. */
export function toTheRule(table) {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.(`a[href^='${root}/guide/']`);
    if (link && !link.hash && table.step.rule) link.hash = table.step.rule;
  }, true);
}

/** Marks in the contents which section is being read. */
function marked() {
  const contents = $("#contents");
  const links = contents ? $$("a", contents) : [];
  const heads = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  let waiting = false;
  const mark = () => {
    waiting = false;
    const end = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    let at = heads.reduce((found, head, i) => (head && head.getBoundingClientRect().top < READ ? i : found), 0);
    if (end && scrollY) at = heads.length - 1;
    links.forEach((link, i) => {
      if (i !== at) link.removeAttribute("aria-current");
      else if (!link.hasAttribute("aria-current")) {
        link.setAttribute("aria-current", "true");
        contents.scrollTo?.({ left: link.offsetLeft - contents.offsetLeft - 16 });
      }
    });
  };
  addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(mark);
  }, { passive: true });
  if (links.length) mark();
}

export class Guide {
  constructor(table) {
    this.table = table;
    this.figure = null;
    this.moves = [];
    this.busy = false;
    table.send = (action) => this.go([...this.moves, action]);
    document.addEventListener("click", (event) => this.click(event));
    marked();
  }

  click(event) {
    const target = event.target;
    const still = target.closest("[data-play-on], [data-figure]:not(.plays) .figure-table");
    if (still) this.open(still.closest("[data-figure]"));
    else if (target.closest("[data-figure-undo]")) this.go(this.moves.slice(0, -1));
    else if (target.closest("[data-figure-reset]")) this.go([]);
    else if (target.closest("[data-figure-shut]")) this.shut(true);
  }

  /** Plays a figure from its position on; one at a time. */
  async open(figure) {
    this.shut(false);
    this.figure = figure;
    $(".why-not", figure)?.remove();
    this.still = figure.innerHTML;
    await this.go([], true);
    if (this.figure === figure) this.focus();
  }

  /** The figure is what it was. */
  shut(focus) {
    if (!this.figure) return;
    const figure = this.figure;
    this.figure = null;
    this.moves = [];
    this.table.take({ prompt: "", choices: [] });
    figure.classList.remove("plays");
    figure.innerHTML = this.still;
    if (focus) $("[data-play-on]", figure)?.focus();
  }

  /** Shows the figure after these moves. */
  async go(moves, first = false) {
    if (!this.figure || this.busy) return;
    const figure = this.figure;
    const held = figure.contains(document.activeElement);
    this.busy = true;
    try {
      const reply = await fetch(spoken(here(`${figure.dataset.figure}?moves=${moves.join(".")}`)));
      const told = await reply.json();
      if (!reply.ok) throw new Error(told.reason);
      if (figure !== this.figure) return;
      this.show(told, moves, first);
      if (held) this.focus();
    } catch (error) {
      const why = error instanceof TypeError ? t("The line is down. Touch it again in a moment.") : error.message;
      if (first) this.refuse(figure, why);
      else this.table.undo(why);
    } finally {
      this.busy = false;
    }
  }

  /** It cannot be played on from here now: the figure stays what it was, and says why. */
  refuse(figure, why) {
    this.shut(true);
    $(".figure-ways", figure)?.append(make("small", "why-not", why));
    say(why);
  }

  show(told, moves, first) {
    const { figure, table } = this;
    const stays = !first && told.viewer === this.viewer;
    const before = measure();
    arrive();
    table.clear();
    const caption = $("figcaption", figure);
    for (const old of $$('#actions > [id^="button-"]')) old.remove();
    if (first) {
      figure.innerHTML = told.html;
      figure.append(caption);
    } else morph(figure, told.html + caption.outerHTML);
    figure.classList.add("plays");
    table.take(told.step);
    if (stays) travel(before, { landed: landing });
    this.moves = moves;
    this.viewer = told.viewer;
    for (const way of ["undo", "reset"]) $(`[data-figure-${way}]`, figure).disabled = !moves.length;
    const eyes = stays ? "" : t("You look from the seat of {name}.", { name: told.eyes });
    say([...told.say, eyes, `${told.step.prompt} ${told.step.help ?? ""}`.trim()]);
  }

  focus() {
    const lit = $$(".plays .piece.lit, .plays .piece.can, .plays #actions .button:not(.grey)").find((thing) => thing.checkVisibility({ visibilityProperty: true }));
    if (lit?.matches(".piece")) lit.tabIndex = 0;
    (lit ?? $("[data-figure-undo]"))?.focus({ preventScroll: true });
  }
}
