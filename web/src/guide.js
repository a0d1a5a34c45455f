// Game guide: highlights the current section in the contents, and lets the reader play on from the positions in its
// figures. The reader moves for all players. Each request contains all moves so far; the server stores nothing.

import { morphHtml } from "./page_patch.js";
import { finishGlides } from "./layout_transitions.js";
import { animateCardMoves, measurePieces } from "./card_animation.js";
import { $, $$, make } from "./dom.js";
import { say } from "./announcer.js";
import { playCardLanding } from "./sound.js";
import { appUrl, localizedUrl, root, t } from "./translations.js";

/** Distance in px from the window's top at which a heading makes its section the current one. */
const READ = 120;

/** At a table, make links to the guide lead to the rule for the current decision. */
export function enableRuleLinks(table) {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.(`a[href^='${root}/guide/']`);
    if (link && !link.hash && table.step.rule) link.hash = table.step.rule;
  }, true);
}

/** Highlight in the contents the section that is being read. */
function trackSectionInView() {
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
    table.send = (action) => this.playMoves([...this.moves, action]);
    document.addEventListener("click", (event) => this.click(event));
    trackSectionInView();
  }

  click(event) {
    const target = event.target;
    const still = target.closest("[data-play-on], [data-figure]:not(.plays) .figure-table");
    if (still) this.openFigure(still.closest("[data-figure]"));
    else if (target.closest("[data-figure-undo]")) this.playMoves(this.moves.slice(0, -1));
    else if (target.closest("[data-figure-reset]")) this.playMoves([]);
    else if (target.closest("[data-figure-shut]")) this.closeFigure(true);
  }

  /** Close the figure that is being played, if any, and make this one playable from its position. */
  async openFigure(figure) {
    this.closeFigure(false);
    this.figure = figure;
    $(".why-not", figure)?.remove();
    this.still = figure.innerHTML;
    await this.playMoves([], true);
    if (this.figure === figure) this.focusTouchable();
  }

  /** Restore the figure as it was. */
  closeFigure(focus) {
    if (!this.figure) return;
    const figure = this.figure;
    this.figure = null;
    this.moves = [];
    this.table.setStep({ prompt: "", choices: [] });
    figure.classList.remove("plays");
    figure.innerHTML = this.still;
    if (focus) $("[data-play-on]", figure)?.focus();
  }

  /** Show the position of the figure after these moves, as returned by the server. */
  async playMoves(moves, first = false) {
    if (!this.figure || this.busy) return;
    const figure = this.figure;
    const held = figure.contains(document.activeElement);
    this.busy = true;
    try {
      const reply = await fetch(localizedUrl(appUrl(`${figure.dataset.figure}?moves=${moves.join(".")}`)));
      const told = await reply.json();
      if (!reply.ok) throw new Error(told.reason);
      if (figure !== this.figure) return;
      this.showFigure(told, moves, first);
      if (held) this.focusTouchable();
    } catch (error) {
      const why = error instanceof TypeError ? t("No connection. Try again in a moment.") : error.message;
      if (first) this.showFigureRefusal(figure, why);
      else this.table.rejectMove(why);
    } finally {
      this.busy = false;
    }
  }

  /** Restore the figure and show why it cannot be played now. */
  showFigureRefusal(figure, why) {
    this.closeFigure(true);
    $(".figure-ways", figure)?.append(make("small", "why-not", why));
    say(why);
  }

  showFigure(told, moves, first) {
    const { figure, table } = this;
    const stays = !first && told.viewer === this.viewer;
    const before = measurePieces();
    finishGlides();
    table.clearTouchMarks();
    const caption = $("figcaption", figure);
    for (const old of $$('#actions > [id^="button-"]')) old.remove();
    if (first) {
      figure.innerHTML = told.html;
      figure.append(caption);
    } else morphHtml(figure, told.html + caption.outerHTML);
    figure.classList.add("plays");
    table.setStep(told.step);
    if (stays) animateCardMoves(before, { landed: playCardLanding });
    this.moves = moves;
    this.viewer = told.viewer;
    for (const way of ["undo", "reset"]) $(`[data-figure-${way}]`, figure).disabled = !moves.length;
    const eyes = stays ? "" : t("You now see what {name} sees.", { name: told.eyes });
    say([...told.say, eyes, `${told.step.prompt} ${told.step.help ?? ""}`.trim()]);
  }

  focusTouchable() {
    const lit = $$(".plays .piece.lit, .plays .piece.can, .plays #actions .button:not(.grey)").find((thing) => thing.checkVisibility({ visibilityProperty: true }));
    if (lit?.matches(".piece")) lit.tabIndex = 0;
    (lit ?? $("[data-figure-undo]"))?.focus({ preventScroll: true });
  }
}
