// The sums that grow while cards are turned in steps: a card for everybody, each counted card travels to it and adds to it.
// What counts how comes with the steps, so this knows no game.

import { $, $$, animate, at, calm, make } from "./page.js";
import { say } from "./say.js";

const SPACE = "http://www.w3.org/2000/svg";
/** How long a counted card travels, in milliseconds. */
export const EACH = 260;

function picture(face) {
  const svg = document.createElementNS(SPACE, "svg");
  for (const [name, value] of Object.entries({ class: "art", viewBox: "0 0 100 140", "aria-hidden": "true" })) svg.setAttribute(name, value);
  const use = document.createElementNS(SPACE, "use");
  use.setAttribute("href", `#${document.body.dataset.game}-${face.replace("-", "m")}`);
  svg.append(use);
  return svg;
}

function card({ place, face, to }) {
  const made = make("span", "counted-card", picture(face), make("b", "", to));
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
  const made = make("span", `token${name === "You" ? " you" : ""}`, name.slice(0, 1).toUpperCase());
  made.setAttribute("aria-hidden", "true");
  return made;
}

/** The line that stands with the sums. All lines that will stand there share its place: it is as high as the highest. */
const shownLine = () => $("#tally-line > .now");

function stand(text) {
  const line = $$("#tally-line > span").find((each) => each.textContent === text);
  shownLine()?.classList.remove("now");
  line?.classList.add("now");
}

function lineOf(lines, now) {
  const made = make("p", "tally-line", ...[...new Set(lines)].map((text) => make("span", text === now ? "now" : "", text)));
  made.id = "tally-line";
  return made;
}

/** Shows sums as they stand, with one of these lines; where there are no sums, nothing. */
export function lay(sums, lines = null, now = lines?.[0]) {
  if (!sums.length) return;
  const boxes = sums.map((sum) => {
    const token = tokenOf(sum.name);
    const header = make("header", "", token, make("div", "name", sum.name), make("b", "points", sum.sum), make("div", "line", sum.line));
    return make("section", "card tally-card", header, make("div", "counted-cards", ...sum.cards.map(card)));
  });
  const box = $("#tallies") ?? make("div", "tallies");
  box.id = "tallies";
  box.replaceChildren(...boxes, lines || !$("#tally-line") ? lineOf(lines ?? [], now) : $("#tally-line"));
  if (!box.isConnected) $("#board")?.append(box);
}

/** Where the counted cards lie, by whose they are and where they come from. */
const standing = () =>
  new Map($$("#tallies > .tally-card").flatMap((box, i) => $$(".counted-card", box).map((card) => [`${i} ${card.dataset.of}`, { card, left: card.getBoundingClientRect().left }])));

/**
 * From some sums to others: the new cards travel one by one, and the number grows as each lands; then the step's line
 * stands below them, and what it says is read aloud. `later(what, when)` waits.
 */
export function grow(before, after, step, wait, later) {
  const stood = standing();
  lay(after);
  // Those that lie there already are seen to make room.
  for (const [key, { card, left }] of standing()) {
    const by = (stood.get(key)?.left ?? left) - left;
    if (Math.abs(by) > 1 && !calm()) animate(card, [{ transform: `translateX(${by}px)` }, { transform: "none" }], { duration: EACH, easing: "ease-out" });
  }
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
  if (step.line) stand(step.line);
  if (step.said) say(step.said);
}

export function away() {
  $("#tallies")?.remove();
}
