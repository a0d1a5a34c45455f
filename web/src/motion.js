// Cards travel: measured before and after a morph, matched by what changed at which place. Nothing here depends on a hidden
// face: backs are told apart by their places alone, and a swap of equal cards takes as long as any other.
// What travels is a picture above the table: the card itself lies at its new place at once, unseen until the picture is
// there, so that nothing on the table moves for it and nothing hides it on its way.

import { LONG as GLIDE } from "./glide.js";
import { $, $$, animate, at, calm, make } from "./page.js";

const ARRIVE = "cubic-bezier(.2,.8,.2,1)";
const APPEAR = 120;
const TURN = 240;
const STAGGER = 45;
const WHOLE_DEAL = 900;
/** Nearer than this a card already lies where it goes. */
const NEAR = 2;

const time = (distance) => Math.min(420, 260 + (60 * distance) / 400);

/** How far an element is turned from upright, in degrees. */
function slant(element) {
  const { rotate, transform } = getComputedStyle(element);
  const own = rotate === "none" ? 0 : parseFloat(rotate);
  const [a, b] = transform.match(/matrix\((.+)\)/)?.[1].split(",").map(Number) ?? [1, 0];
  return own + (Math.atan2(b, a) * 180) / Math.PI;
}

/** Where an element is seen: its middle, its own size, its slant; null when it is not on the page. */
function spot(element) {
  const rect = element.getBoundingClientRect();
  if (!rect.width || !rect.height) return null;
  return { x: rect.left + rect.width / 2, y: rect.top + rect.height / 2, w: element.offsetWidth, h: element.offsetHeight, slant: slant(element) };
}

/** What lies where, with measured places. A card that was laid somewhere before the move was sent is where it was laid. */
export function measure() {
  const found = new Map();
  const laid = new Map($$(".staged-card[data-of]").map((stage) => [stage.dataset.of, stage]));
  for (const element of $$(".piece[data-place]")) {
    const zone = element.closest("[data-zone]");
    const seen = laid.get(element.dataset.place) ?? element;
    found.set(element.dataset.place, {
      kind: element.dataset.kind,
      face: element.dataset.face ?? "",
      spot: spot(seen),
      zone: zone?.dataset.zone ?? "",
      count: zone?.dataset.count === undefined ? null : Number(zone.dataset.count),
      art: seen.querySelector(".art")?.cloneNode(true) ?? null,
      pile: zone?.classList.contains("pile") ?? false,
    });
  }
  return found;
}

const isCard = (p) => p && (p.kind === "face" || p.kind === "back");
const same = (a, b) => a && b && a.kind === b.kind && a.face === b.face;

/** Which piece came from where: [{place, from, turned}] for everything that arrived. */
export function journeys(before, after, came = () => "") {
  const leavers = [];
  for (const [place, old] of before) {
    if (!isCard(old)) continue;
    const now = after.get(place);
    if (!same(old, now)) leavers.push({ place, ...old, used: false });
    else if (old.pile && now.count !== null && now.count < old.count) leavers.push({ place, ...old, used: false, many: true });
  }
  const take = (test) => {
    const found = leavers.find((l) => !l.used && test(l));
    if (found && !found.many) found.used = true;
    return found;
  };
  const arrivals = [];
  for (const [place, now] of after) {
    if (!isCard(now)) continue;
    const old = before.get(place);
    const grew = old?.pile && now.count !== null && now.count > old.count;
    if (!same(old, now) || grew) arrivals.push({ place, now, old, grew });
  }
  const made = [];
  const rest = [];
  for (const a of arrivals) {
    const hint = came(a.place);
    const from = hint && before.has(hint) ? { place: hint, ...before.get(hint) } : a.now.kind === "face" ? take((l) => l.place !== a.place && l.kind === "face" && l.face === a.now.face) : null;
    if (from) made.push({ place: a.place, from, turned: from.kind !== a.now.kind });
    else rest.push(a);
  }
  for (const a of rest) {
    if (a.old?.kind === "back" && a.now.kind === "face" && !a.grew) {
      made.push({ place: a.place, from: null, turned: true });
      const self = leavers.find((l) => l.place === a.place);
      if (self) self.used = true;
      continue;
    }
    const filled = !isCard(a.old) || a.grew || a.old.pile;
    if (!filled) continue;
    const arrived = new Set(made.filter((m) => m.from).map((m) => m.place));
    const from =
      take((l) => l.place !== a.place && arrived.has(l.place)) ??
      take((l) => l.place !== a.place && l.kind === a.now.kind && l.zone !== a.now.zone && l.kind === "back") ??
      take((l) => l.place !== a.place && l.kind === "back");
    made.push({ place: a.place, from: from ?? null, turned: Boolean(from) && from.kind !== a.now.kind });
  }
  return made;
}

/** Is a hand or a round being counted on the table? Null where there is no table. What comes after the count is dealt anew. */
export const counting = () => $("#board")?.matches(".has-slips, .counted") ?? null;

/** A new deal: each card comes off the pile, where there is one; none comes from a card that was counted before it. */
export function dealt(after) {
  const pile = [...after].find(([, p]) => p.pile && p.kind === "back" && p.spot);
  const from = pile ? { place: pile[0], ...pile[1] } : null;
  return [...after].filter(([, p]) => isCard(p) && !p.pile).map(([place, p]) => ({ place, from, turned: Boolean(from) && p.kind === "face" }));
}

/** Flights on their way, and what lets each of them be there at once. */
const flights = new Set();

/** Everything that is on its way is there. */
export function hurry() {
  const some = flights.size > 0;
  for (const land of [...flights]) land();
  return some;
}

/** Shows how the table got from `before` to what the page shows now, but for the places of `except`; `anew`: by a new deal. */
export function travel(before, except = new Set(), anew = false) {
  const after = measure();
  const made = anew ? dealt(after) : journeys(before, after, (place) => at(place)?.dataset.came ?? "").filter((journey) => !except.has(journey.place));
  if (made.length) hurry();
  // A pile that glides to its place deals when it is there.
  const pile = anew ? made[0]?.from : null;
  const lead = pile && away(before.get(pile.place)?.spot ?? pile.spot, pile.spot) ? GLIDE : 0;
  const step = Math.min(STAGGER, (WHOLE_DEAL - lead) / Math.max(1, made.length));
  let order = 0;
  for (const journey of made) {
    const element = at(journey.place);
    const there = after.get(journey.place);
    if (!element || !there.spot) continue;
    const here = journey.from?.spot;
    journey.flies = !calm() && Boolean(here) && away(here, there.spot);
    const delay = made.length > 3 && !calm() ? lead + order++ * step : 0;
    if (calm() || (!here && !journey.turned)) animate(element, [{ opacity: 0 }, { opacity: 1 }], { duration: APPEAR, delay });
    else if (journey.flies) fly(element, there, journey, here, delay, anew ? undefined : before.get(journey.place));
    else if (journey.turned) turnOver(element, (journey.from ?? before.get(journey.place))?.art, delay);
  }
  return made;
}

const away = (a, b) => Math.hypot(a.x - b.x, a.y - b.y) >= NEAR;

/** A picture above the table, where a card lies. */
function picture({ x, y, w, h }, art, kind) {
  const made = make("span", kind, art?.cloneNode(true) ?? "");
  made.setAttribute("aria-hidden", "true");
  Object.assign(made.style, { left: `${x - w / 2}px`, top: `${y - h / 2}px`, width: `${w}px`, height: `${h}px` });
  made.style.setProperty("--w", `${Math.min(w, h)}px`);
  return made;
}

/** A picture of a card travels above the table to where the card lies. */
function fly(element, { spot: to, art }, { from, turned }, here, delay, under) {
  const flight = picture(to, art, "flight");
  flight.dataset.to = element.dataset.place;
  // The card that lay on a pile is seen there until the next one covers it.
  const waits = under?.pile && under.spot ? [picture(to, under.art, "flight waits")] : [];
  document.body.append(...waits, flight);
  const duration = time(Math.hypot(here.x - to.x, here.y - to.y));
  const start = `translate(${here.x - to.x}px, ${here.y - to.y}px) rotate(${here.slant}deg) scale(${here.w / to.w}, ${here.h / to.h})`;
  const path = animate(flight, [{ transform: start }, { transform: `rotate(${to.slant}deg)` }], { duration, delay, easing: ARRIVE, fill: "both" });
  // Until it is dealt a card is one with its pile: the shadows of all that wait would darken it.
  if (from.pile && delay) animate(flight, [{ visibility: "hidden" }, { visibility: "hidden" }], { duration: delay, id: "waits" });
  const whole = { duration: delay + duration + 1000 };
  const hidden = [[element, { opacity: 0 }], [$(".art", element), { visibility: "hidden" }]].filter(([thing]) => thing);
  const unseen = hidden.map(([thing, look]) => animate(thing, [look, look], whole));
  if (turned) turnOver(flight, from.art, delay);
  const land = () => {
    if (!flights.delete(land)) return;
    for (const nothing of unseen) nothing.cancel();
    for (const shown of [...waits, flight]) shown.remove();
  };
  flights.add(land);
  path.finished.catch(() => {}).then(land);
}

/** A back becomes a face: edge-on at 45 % of the way. */
export function turnOver(element, oldArt, delay) {
  const art = element.querySelector(".art");
  if (!art) return;
  const first = TURN * 0.45;
  if (oldArt) {
    const ghost = oldArt.cloneNode(true);
    ghost.classList.add("turning");
    element.append(ghost);
    animate(ghost, [{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], { duration: first, delay, easing: "cubic-bezier(.4,0,1,1)", fill: "both" }).finished.catch(() => {}).then(() => ghost.remove());
  }
  animate(art, [{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], { duration: TURN - first, delay: delay + first, easing: ARRIVE });
}
