// Cards travel: measured before and after a morph, matched by what changed at which place (`card_move_detection.js`). Time, path and order
// never depend on a hidden face: a swap of equal cards takes as long as any other.
// What travels is a picture above the table: the card itself lies at its new place at once, unseen until the picture is
// there, so that nothing on the table moves for it and nothing hides it on its way.

import { LONG as GLIDE } from "./layout_transitions.js";
import { dealt, journeys } from "./card_move_detection.js";
import { animate, calm, FADE, meanwhile } from "./animation_speed.js";
import { $, $$, at, drawn, make } from "./dom.js";

const ARRIVE = "cubic-bezier(.2,.8,.2,1)";
const TURN = 240;
/** Where a card lies that another one drives out, that one goes so much later. */
const BEHIND = 60;
const STAGGER = 45;
const WHOLE_DEAL = 900;
/** A move of somebody else's is pointed at before anything moves; then nothing takes longer than this. */
const POINTED = 160;
const WATCHED = 300;
/** A swap: both rise, both turn, both cross on two lines. */
const LIFT = 140;
const RISE = 14;
const CROSSING = 320;
const ASIDE = 12;
/** A trick that is over: the last card lies, it can be read, and the trick is turned down. */
const LAY = 280;
const READ = 400;
/** Nearer than this a card already lies where it goes. */
const NEAR = 2;

/** Own sizes come in whole pixels. */
const ROUNDED = 0.51;

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
  const [w, h] = [element.offsetWidth, element.offsetHeight];
  // What is slanted needs more room than its own size, but for the parts of a pixel: only then its style is asked.
  const upright = Math.abs(rect.width - w) < ROUNDED && Math.abs(rect.height - h) < ROUNDED;
  return { x: rect.left + rect.width / 2, y: rect.top + rect.height / 2, w, h, slant: upright ? 0 : slant(element) };
}

/**
 * What lies where, with measured places, but for what lies in parts that stay as they are. A card that was laid somewhere
 * before the move was sent is where it was laid. `copied`: with its picture as it is now, whatever becomes of the page.
 */
export function measure(same = new Set(), copied = true) {
  const found = new Map();
  const laid = new Map($$(".staged-card[data-of]", drawn()).map((stage) => [stage.dataset.of, stage]));
  for (const element of $$(".piece[data-place]", drawn())) {
    if (same.size && same.has(element.closest("section")?.id)) continue;
    const zone = element.closest("[data-zone]");
    const seen = laid.get(element.dataset.place) ?? element;
    const is = (kind) => zone?.classList.contains(kind) ?? false;
    found.set(element.dataset.place, {
      kind: element.dataset.kind,
      face: element.dataset.face ?? "",
      spot: spot(seen),
      zone: zone?.dataset.zone ?? "",
      count: zone?.dataset.count === undefined ? null : Number(zone.dataset.count),
      art: drawing(seen, copied),
      pile: is("pile"),
      grid: is("grid"),
      fan: is("fan"),
      trick: is("trick"),
      changed: element.classList.contains("m-changed"),
    });
  }
  return found;
}

/** The picture of a card, or a copy of it. */
function drawing(element, copied) {
  const art = $(".art", element);
  return copied && art ? art.cloneNode(true) : art;
}

/** Is a hand or a round being counted on the table? Null where there is no table. What comes after the count is dealt anew. */
export const counting = () => $("#board")?.matches(".has-slips, .counted") ?? null;

/** Flights on their way, and what lets each of them be there at once. */
const flights = new Set();

export const moving = () => flights.size > 0;

/** Everything that is on its way is there. */
export function hurry() {
  const some = moving();
  for (const land of [...flights]) land();
  return some;
}

/** The cards that cross the table, but for those that make room or are gathered. */
const travellers = (made) => made.filter((m) => !m.shift && !m.gone);
/** Do they go card by card, as in a deal? */
const many = (made, anew) => anew || travellers(made).length > 3;

/** When each journey begins, in ms: those that make room at once, a deal card by card, else the one driven out a little later. */
function timetable(made, { anew, lead, pointed }) {
  const trick = made.some((m) => m.gone) ? (made.some((m) => m.via) ? LAY + READ : READ) + TURN : 0;
  const real = travellers(made);
  const each = many(made, anew) ? Math.min(STAGGER, (WHOLE_DEAL - lead) / Math.max(1, real.length)) : BEHIND;
  const begins = trick || (pointed ? POINTED : lead);
  const when = new Map(made.filter((m) => m.shift).map((m) => [m, 0]));
  real.forEach((journey, order) => when.set(journey, journey.crosses ? 0 : begins + order * each));
  for (const journey of made) if (journey.gone) when.set(journey, made.some((m) => m.via) ? LAY + READ : READ);
  return when;
}

/**
 * Shows how the table got from `before` to what the page shows now, but for the places of `except`; `anew`: by a new deal;
 * `watched`: by somebody else's move; `same`: parts that stay as they are. `landed(journey)` is called as each card lies.
 * `later(begin)`: the pictures lie where cards lay, and go when `begin` is called. It returns the journeys.
 */
export function travel(before, { except = new Set(), anew = false, watched = false, landed = () => {}, same = new Set(), later = (begin) => begin() } = {}) {
  // All cards come off the pile in a new deal, also where others of the same kind lay.
  const after = measure(anew ? new Set() : same, false);
  const made = anew ? dealt(after) : journeys(before, after, (place) => at(place)?.dataset.came ?? "").filter((journey) => !except.has(journey.place));
  if (made.length) hurry();
  // A pile that glides to its place deals when it is there.
  const pile = anew ? made[0]?.from : null;
  const lead = pile && away(before.get(pile.place)?.spot ?? pile.spot, pile.spot) ? GLIDE : 0;
  const still = calm();
  const pointed = watched && !many(made, anew);
  const when = still ? new Map() : timetable(made, { anew, lead, pointed });
  const begins = [];
  const given = new Set(made.filter((m) => m.from?.pile && !m.gone).map((m) => m.from.place));
  for (const journey of made) {
    const element = at(journey.place);
    const there = after.get(journey.place);
    if (!element || !there.spot) continue;
    const here = journey.from?.spot;
    const delay = when.get(journey) ?? 0;
    const done = () => landed(journey);
    journey.flies = !still && Boolean(here) && !journey.gone && away(here, there.spot);
    if (journey.gone) {
      if (!still && here) leave(there, journey, here, delay, done);
    } else if (still || (!here && !journey.turned)) animate(element, [{ opacity: 0 }, { opacity: 1 }], { duration: FADE, delay }).finished.catch(() => {}).then(done);
    else if (journey.flies) begins.push(fly(element, there, journey, { delay, done, watched, pointed, under: anew ? undefined : before.get(journey.place), bare: given.has(journey.place) }));
    else if (journey.turned) turnOver(element, (journey.from ?? before.get(journey.place))?.art, delay, done);
  }
  later(() => begins.forEach((begin) => begin()));
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

/** How a picture at its place is drawn to be seen elsewhere, so many pixels aside. */
const placed = (here, to, aside = [0, 0]) => `translate(${here.x - to.x + aside[0]}px, ${here.y - to.y + aside[1]}px) rotate(${here.slant}deg) scale(${here.w / to.w}, ${here.h / to.h})`;

/** The pictures are there until they land, or somebody hurries them. It returns what lets them land. */
function airborne(shown, done) {
  const land = () => {
    if (!flights.delete(land)) return;
    for (const one of shown) one.remove();
    done();
  };
  flights.add(land);
  return land;
}

const ends = (path, land) => path.finished.catch(() => {}).then(land);

/** A picture of a card lies above the table where the card lay, and travels to where the card lies once what is returned is called. */
function fly(element, { spot: to, art }, { from, turned, crosses, shift }, { delay, done, watched, pointed, under, bare }) {
  const here = from.spot;
  const flight = picture(to, art, shift ? "flight shift" : "flight");
  flight.dataset.to = element.dataset.place;
  flight.style.transform = placed(here, to);
  // The card that lay on a pile is seen there until the next one covers it; if it has left, nobody knows what lay below it.
  const waits = under?.pile && under.spot ? [picture(to, bare ? null : under.art, bare ? "flight waits bare" : "flight waits")] : [];
  document.body.append(...waits, flight);
  // Until its picture is there a card is not seen, but can be touched.
  element.dataset.unseen = "";
  const land = airborne([...waits, flight], () => {
    delete element.dataset.unseen;
    done();
  });
  const turn = turned ? turning(flight, from.art) : null;
  // Until it is dealt a card is one with its pile, however late it sets out: the shadows of all that wait would darken it.
  const dealt = from.pile && delay > (pointed ? POINTED : 0);
  if (dealt) flight.style.visibility = "hidden";
  return () => {
    if (!flights.has(land)) return;
    if (dealt) {
      flight.style.visibility = "";
      meanwhile(flight, { visibility: "hidden" }, delay);
    }
    const long = shift ? LIFT : crosses ? CROSSING : Math.min(time(Math.hypot(here.x - to.x, here.y - to.y)), watched ? WATCHED : Infinity);
    const path = crosses
      ? cross(flight, here, to)
      : animate(flight, [{ transform: placed(here, to) }, { transform: `rotate(${to.slant}deg)` }], { duration: long, delay, easing: ARRIVE, fill: "both" });
    if (watched && delay && !crosses && !dealt) point(flight, delay);
    turn?.(crosses ? LIFT : delay);
    ends(path, land);
  };
}

/** Before somebody else's card moves, the eye is led to it. */
function point(flight, until) {
  const halo = make("i", "led");
  flight.append(halo);
  meanwhile(halo, { opacity: 1 }, until);
}

/** One of two cards that change places: it rises, both turn, and they pass each other on two lines. */
function cross(flight, here, to) {
  const far = Math.hypot(here.x - to.x, here.y - to.y) || 1;
  const aside = [(ASIDE * (to.y - here.y)) / far, (-ASIDE * (to.x - here.x)) / far];
  const middle = { x: (here.x + to.x) / 2, y: (here.y + to.y) / 2, w: (here.w + to.w) / 2, h: (here.h + to.h) / 2, slant: (here.slant + to.slant) / 2 };
  const risen = placed({ ...here, y: here.y - RISE }, to);
  const whole = LIFT + TURN + CROSSING;
  const turned = (LIFT + TURN) / whole;
  const frames = [
    { transform: placed(here, to), easing: ARRIVE },
    { transform: risen, offset: LIFT / whole },
    { transform: risen, offset: turned, easing: "cubic-bezier(.4,0,1,1)" },
    { transform: placed(middle, to, aside), offset: (1 + turned) / 2, easing: "cubic-bezier(0,0,.2,1)" },
    { transform: `rotate(${to.slant}deg)` },
  ];
  return animate(flight, frames, { duration: whole, fill: "both" });
}

/** A card of a trick that is over goes onto the pile, turning down; the last one lies in the trick first, to be read. */
function leave(pile, { from, turned, via }, here, delay, done) {
  const place = via ?? here;
  const lying = picture(place, from.art, "flight gone");
  document.body.append(lying);
  if (via && away(here, via)) animate(lying, [{ transform: placed(here, via) }, { transform: `rotate(${via.slant}deg)` }], { duration: LAY, easing: ARRIVE, fill: "both" });
  else lying.style.rotate = `${place.slant}deg`;
  const down = picture(pile.spot, pile.art, "flight gone");
  document.body.append(down);
  meanwhile(down, { visibility: "hidden" }, delay);
  animate(lying, [{ visibility: "visible" }, { visibility: "hidden" }], { duration: 1, delay, fill: "both", id: "waits" });
  const path = animate(down, [{ transform: placed(place, pile.spot) }, { transform: `rotate(${pile.spot.slant}deg)` }], { duration: TURN, delay, fill: "both" });
  if (turned) turnOver(down, from.art, delay);
  ends(path, airborne([lying, down], done));
}

/** A back becomes a face: edge-on at 45 % of the way. */
export function turnOver(element, oldArt, delay, done) {
  turning(element, oldArt)?.(delay, done);
}

/** What lay there covers what lies there now; what is returned turns it over. Null where there is nothing to turn. */
function turning(element, oldArt) {
  const art = element.querySelector(".art");
  if (!art) return null;
  const first = TURN * 0.45;
  const ghost = oldArt?.cloneNode(true);
  ghost?.classList.add("turning");
  if (ghost) element.append(ghost);
  return (delay, done = () => {}) => {
    if (ghost) animate(ghost, [{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], { duration: first, delay, fill: "both" }).finished.catch(() => {}).then(() => ghost.remove());
    animate(art, [{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], { duration: TURN - first, delay: delay + first }).finished.catch(() => {}).then(done);
  };
}
