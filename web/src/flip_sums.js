// Totals that grow while cards are flipped in steps. Each player has a box with a total; each scored card flies there
// and adds its value. The steps say which cards are scored and their values, so the code is the same for all games.

import { glideParts, measureParts } from "./layout_transitions.js";
import { animate, isMotionOff } from "./animation_speed.js";
import { $, $$, faceSvg, make, placeElement } from "./dom.js";
import { say } from "./announcer.js";
import { t } from "./translations.js";

/** Milliseconds that a scored card flies to a total. */
export const CARD_TRAVEL_TIME = 260;

/**
 * Return the element of a scored card in a player's box. The element's id contains the player's index (`whose`),
 * because a card may be scored for two players.
 */
function makeCountedCard({ place, face, to }, whose) {
  const made = make("span", "counted-card", faceSvg(face), make("b", "", to));
  made.id = `counted-${whose}-${place}`;
  made.dataset.of = place;
  return made;
}

const addedCards = (before, sum) => sum.cards.filter((c) => !before?.cards.some((b) => b.place === c.place));

/**
 * Return the largest number of cards added to any player's total. They fly one after another, so this number sets how
 * long the animation lasts.
 */
export const mostAddedCards = (before, after) => Math.max(0, ...after.map((sum, i) => addedCards(before[i], sum).length));

/** Return a copy of the token (sign with an initial) at a player's seat, or a new one with the player's initial. */
function makePlayerToken(name) {
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

/**
 * Return the line of text below the totals. It contains the texts of all steps, so that it is as high as the tallest;
 * only `now` is visible.
 */
function makeSumLine(lines, now) {
  const made = make("p", "tally-line", ...[...new Set(lines)].map((text) => make("span", text === now ? "now" : "", text)));
  made.id = "tally-line";
  return made;
}

function makeSumCard(sum, i) {
  const name = make("div", "name", sum.name);
  name.dir = "auto";
  const header = make("header", "", makePlayerToken(sum.name), name, make("b", "points", sum.sum), make("div", "line", sum.line));
  return make("section", "card tally-card", header, make("div", "counted-cards", ...sum.cards.map((counted) => makeCountedCard(counted, i))));
}

/** Show the totals, and below them the text `now`, one of `lines`. Do nothing if there are no totals. */
export function showSums(sums, lines, now) {
  if (!sums.length) return;
  const box = make("div", "tallies", ...sums.map(makeSumCard), makeSumLine(lines, now));
  box.id = "tallies";
  $("#board")?.append(box);
  $("#board")?.classList.add("tallied");
}

/**
 * Animate the change from the totals `before` to `after`. The new cards fly one by one, and a total grows when a card
 * lands. Then the step's text appears and is announced.
 *
 * * `wait` is the delay before the first flight, in ms.
 * * `later(what, when)` calls the function `what` after `when` ms.
 */
export function animateSums(before, after, step, wait, later) {
  const places = measureParts();
  $$("#tallies > .tally-card").forEach((box, i) => box.replaceWith(makeSumCard(after[i], i)));
  // Cards that were scored earlier glide aside to make room.
  glideParts(places);
  later(() => announceFlipStep(step), wait + mostAddedCards(before, after) * CARD_TRAVEL_TIME);
  $$("#tallies > .tally-card").forEach((box, i) => {
    const places = addedCards(before[i], after[i]).map((c) => c.place);
    const coming = $$(".counted-card", box).filter((c) => places.includes(c.dataset.of));
    if (!coming.length) return;
    const points = $(".points", box);
    points.textContent = String(after[i].cards.length - coming.length);
    coming.forEach((counted, order) => {
      counted.classList.add("coming");
      later(() => {
        counted.classList.remove("coming");
        const from = placeElement(counted.dataset.of)?.getBoundingClientRect();
        const to = counted.getBoundingClientRect();
        if (isMotionOff() || !from?.width || !to.width) return;
        const [x, y] = [from.left + from.width / 2 - to.left - to.width / 2, from.top + from.height / 2 - to.top - to.height / 2];
        animate(counted, [{ transform: `translate(${x}px, ${y}px) scale(${from.width / to.width})` }, { transform: "none" }], { duration: CARD_TRAVEL_TIME, easing: "cubic-bezier(.2,.8,.2,1)" });
      }, wait + order * CARD_TRAVEL_TIME);
      const number = order + 1 < coming.length ? String(after[i].cards.length - coming.length + order + 1) : after[i].sum;
      later(() => (points.textContent = number), wait + (order + 1) * CARD_TRAVEL_TIME);
    });
  });
}

let told = null;

/** Show and announce the text of a step once: when its cards have landed or when the next step begins. */
export function announceFlipStep(step) {
  if (!step || step.said === told) return;
  told = step.said;
  if (step.line) for (const line of $$("#tally-line > span")) line.classList.toggle("now", line.textContent === step.line);
  if (step.said) say(step.said);
}

export function removeSums() {
  $("#tallies")?.remove();
  $("#board")?.classList.remove("tallied");
}
