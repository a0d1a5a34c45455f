// The sums that grow while cards are turned in steps: a card for everybody, each counted card travels to it and adds to it.
// What counts how comes with the steps, so this knows no game.

import { glide, standing } from "./layout_transitions.js";
import { animate, calm } from "./animation_speed.js";
import { $, $$, at, drawing, make } from "./dom.js";
import { say } from "./announcer.js";
import { t } from "./translations.js";

/** How long a counted card travels, in milliseconds. */
export const EACH = 260;

/** A counted card in somebody's sum: it is told apart by whose sum it counts in, for two may count the same one. */
function card({ place, face, to }, whose) {
  const made = make("span", "counted-card", drawing(face), make("b", "", to));
  made.id = `counted-${whose}-${place}`;
  made.dataset.of = place;
  return made;
}

const news = (before, sum) => sum.cards.filter((c) => !before?.cards.some((b) => b.place === c.place));

/** How many cards the sum that gains most gains: so many flights follow each other. */
export const gains = (before, after) => Math.max(0, ...after.map((sum, i) => news(before[i], sum).length));

/** The token of somebody, as it stands at their seat. */
function tokenOf(name) {
  const seat = $$("#board .seat").find((s) => s.getAttribute("aria-label") === name);
  const token = $(".token", seat ?? document)?.cloneNode(true);
  if (seat && token) {
    token.classList.remove("acting");
    return token;
  }
  const made = make("span", `token${name === t("You") ? " you" : ""}`, name.slice(0, 1).toUpperCase());
  made.setAttribute("aria-hidden", "true");
  return made;
}

/** The lines that will stand with the sums share one place, which is as high as the highest; one of them is shown. */
function lineOf(lines, now) {
  const made = make("p", "tally-line", ...[...new Set(lines)].map((text) => make("span", text === now ? "now" : "", text)));
  made.id = "tally-line";
  return made;
}

function cardOf(sum, i) {
  const name = make("div", "name", sum.name);
  name.dir = "auto";
  const header = make("header", "", tokenOf(sum.name), name, make("b", "points", sum.sum), make("div", "line", sum.line));
  return make("section", "card tally-card", header, make("div", "counted-cards", ...sum.cards.map((counted) => card(counted, i))));
}

/** Shows sums as they stand, with one of the lines that will stand there; where there are no sums, nothing. */
export function lay(sums, lines, now) {
  if (!sums.length) return;
  const box = make("div", "tallies", ...sums.map(cardOf), lineOf(lines, now));
  box.id = "tallies";
  $("#board")?.append(box);
  $("#board")?.classList.add("tallied");
}

/**
 * From some sums to others: the new cards travel one by one, and the number grows as each lands; then the step's line
 * stands below them, and what it says is read aloud. `later(what, when)` waits.
 */
export function grow(before, after, step, wait, later) {
  const places = standing();
  $$("#tallies > .tally-card").forEach((box, i) => box.replaceWith(cardOf(after[i], i)));
  // Those that lie there already are seen to make room.
  glide(places);
  later(() => tell(step), wait + gains(before, after) * EACH);
  $$("#tallies > .tally-card").forEach((box, i) => {
    const places = news(before[i], after[i]).map((c) => c.place);
    const coming = $$(".counted-card", box).filter((c) => places.includes(c.dataset.of));
    if (!coming.length) return;
    const points = $(".points", box);
    points.textContent = String(after[i].cards.length - coming.length);
    coming.forEach((counted, order) => {
      counted.classList.add("coming");
      later(() => {
        counted.classList.remove("coming");
        const from = at(counted.dataset.of)?.getBoundingClientRect();
        const to = counted.getBoundingClientRect();
        if (calm() || !from?.width || !to.width) return;
        const [x, y] = [from.left + from.width / 2 - to.left - to.width / 2, from.top + from.height / 2 - to.top - to.height / 2];
        animate(counted, [{ transform: `translate(${x}px, ${y}px) scale(${from.width / to.width})` }, { transform: "none" }], { duration: EACH, easing: "cubic-bezier(.2,.8,.2,1)" });
      }, wait + order * EACH);
      const number = order + 1 < coming.length ? String(after[i].cards.length - coming.length + order + 1) : after[i].sum;
      later(() => (points.textContent = number), wait + (order + 1) * EACH);
    });
  });
}

let told = null;

/** What a step has brought, in words: once, when its cards have landed or the next step begins. */
export function tell(step) {
  if (!step || step.said === told) return;
  told = step.said;
  if (step.line) for (const line of $$("#tally-line > span")) line.classList.toggle("now", line.textContent === step.line);
  if (step.said) say(step.said);
}

export function away() {
  $("#tallies")?.remove();
  $("#board")?.classList.remove("tallied");
}
