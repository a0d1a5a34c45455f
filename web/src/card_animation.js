// Animation of cards that move. Cards are measured before and after a page update; `card_move_detection.js` finds out
// which card moved where. Duration, path and order of the animations never depend on hidden faces: a swap of two equal
// cards looks like any other swap.
//
// The moving card is a picture above the table. The card itself is at its new place at once, invisible until the
// picture arrives, so that no other part of the table shifts and nothing covers the moving card.

import { GLIDE_TIME } from "./layout_transitions.js";
import { dealMoves, detectCardMoves } from "./card_move_detection.js";
import { animate, FADE_TIME, holdStyle, isMotionOff } from "./animation_speed.js";
import { $, $$, appElement, make, placeElement } from "./dom.js";

const ARRIVE = "cubic-bezier(.2,.8,.2,1)";
const TURN = 240;
/** Delay in ms before a card moves away from a place to which another card moves. */
const BEHIND = 60;
const STAGGER = 45;
const WHOLE_DEAL = 900;
/**
 * Move of another player: milliseconds for which the card is highlighted before it moves (`POINTED`), and the longest
 * duration of its flight (`WATCHED`).
 */
const POINTED = 160;
const WATCHED = 300;
/**
 * Phases of a swap of two cards: both rise (`LIFT` ms, by `RISE` px) and flip, then they pass each other (`CROSSING`
 * ms), each `ASIDE` px to the side of the straight line.
 */
const LIFT = 140;
const RISE = 14;
const CROSSING = 320;
const ASIDE = 12;
/**
 * End of a trick: the last card is played (`LAY` ms), all cards stay readable (`READ` ms), then they move onto the
 * pile.
 */
const LAY = 280;
const READ = 400;
/** Distance in px below which a card counts as not moved. */
const NEAR = 2;

/** Largest rounding error in px between an element's offset size, a whole number, and its real size. */
const ROUNDED = 0.51;

const flightTime = (distance) => Math.min(420, 260 + (60 * distance) / 400);

/** Return the rotation of an element in degrees. */
function slantDegrees(element) {
  const { rotate, transform } = getComputedStyle(element);
  const own = rotate === "none" ? 0 : parseFloat(rotate);
  const [a, b] = transform.match(/matrix\((.+)\)/)?.[1].split(",").map(Number) ?? [1, 0];
  return own + (Math.atan2(b, a) * 180) / Math.PI;
}

/**
 * Return the position of an element (x and y of its centre, width, height, rotation), or null if it isn't displayed.
 */
function measureElement(element) {
  const rect = element.getBoundingClientRect();
  if (!rect.width || !rect.height) return null;
  const [w, h] = [element.offsetWidth, element.offsetHeight];
  // If the bounding box is as large as the element itself, the element is not rotated. Otherwise read its rotation from
  // the computed style, which is slow.
  const upright = Math.abs(rect.width - w) < ROUNDED && Math.abs(rect.height - h) < ROUNDED;
  return { x: rect.left + rect.width / 2, y: rect.top + rect.height / 2, w, h, slant: upright ? 0 : slantDegrees(element) };
}

/**
 * Return a map from place (the id of a position on the table) to what is shown there: face, position, zone, size of the
 * pile and more. A card that the player has already put into a gap or slot is measured there.
 *
 * * `same`: sections that the update does not touch. Their pieces are skipped.
 * * `copied`: clone the picture, so that it survives the page update.
 */
export function measurePieces(same = new Set(), copied = true) {
  const found = new Map();
  const laid = new Map($$(".staged-card[data-of]", appElement()).map((stage) => [stage.dataset.of, stage]));
  for (const element of $$(".piece[data-place]", appElement())) {
    if (same.size && same.has(element.closest("section")?.id)) continue;
    const zone = element.closest("[data-zone]");
    const seen = laid.get(element.dataset.place) ?? element;
    const is = (kind) => zone?.classList.contains(kind) ?? false;
    found.set(element.dataset.place, {
      kind: element.dataset.kind,
      face: element.dataset.face ?? "",
      spot: measureElement(seen),
      zone: zone?.dataset.zone ?? "",
      count: zone?.dataset.count === undefined ? null : Number(zone.dataset.count),
      art: pieceArt(seen, copied),
      pile: is("pile"),
      grid: is("grid"),
      fan: is("fan"),
      hand: zone?.dataset.area === "hand",
      trick: is("trick"),
      changed: element.classList.contains("m-changed"),
    });
  }
  return found;
}

/** Return the picture inside a card's element, or a clone of it if `copied`; null if it has none. */
function pieceArt(element, copied) {
  const art = $(".art", element);
  return copied && art ? art.cloneNode(true) : art;
}

/**
 * Return whether the table shows the scoring of a hand or a round, after which the next deal follows; null if the page
 * has no table.
 */
export const isCounting = () => $("#board")?.matches(".has-slips, .counted") ?? null;

/** All flights in progress, each as the function that ends it at once. */
const flights = new Set();

export const isMoving = () => flights.size > 0;

/** End all flights at once and return whether there were any. */
export function finishFlights() {
  const some = isMoving();
  for (const land of [...flights]) land();
  return some;
}

/**
 * Return the movements of cards across the table. Left out are cards that only make room in their row, and cards of a
 * finished trick that move onto a pile.
 */
const crossingMoves = (made) => made.filter((m) => !m.shift && !m.gone);
/** Return whether the cards start one after another, as in a deal. */
const isStaggered = (made, isNewDeal) => isNewDeal || crossingMoves(made).length > 3;

/**
 * Return the start time of each move in ms. Cards that make room start at once. The cards of a deal start one after
 * another. A card whose place another card takes starts a little after that card.
 */
function startTimes(made, { isNewDeal, lead, pointed }) {
  const trick = made.some((m) => m.gone) ? (made.some((m) => m.via) ? LAY + READ : READ) + TURN : 0;
  const real = crossingMoves(made);
  const each = isStaggered(made, isNewDeal) ? Math.min(STAGGER, (WHOLE_DEAL - lead) / Math.max(1, real.length)) : BEHIND;
  const begins = trick || (pointed ? POINTED : lead);
  const when = new Map(made.filter((m) => m.shift).map((m) => [m, 0]));
  real.forEach((journey, order) => when.set(journey, journey.crosses ? 0 : begins + order * each));
  for (const journey of made) if (journey.gone) when.set(journey, made.some((m) => m.via) ? LAY + READ : READ);
  return when;
}

/**
 * Animate the change from `before` (by `measurePieces`) to the current page, and return the movements of the cards.
 *
 * * `except`: places to leave out.
 * * `isNewDeal`: whether this is a new deal.
 * * `watched`: whether another player moved.
 * * `same`: ids of sections that were not updated.
 * * `landed(movement)` is called when a card arrives.
 * * `later(begin)` gets a function that starts the flights; until it is called, the pictures stay at their old
 *   positions.
 */
export function animateCardMoves(before, { except = new Set(), isNewDeal = false, watched = false, landed = () => {}, same = new Set(), later = (begin) => begin() } = {}) {
  // In a new deal all cards come from the pile, even at places where an equal card was shown before.
  const after = measurePieces(isNewDeal ? new Set() : same, false);
  const made = isNewDeal ? dealMoves(after) : detectCardMoves(before, after, (place) => placeElement(place)?.dataset.came ?? "").filter((journey) => !except.has(journey.place));
  if (made.length) finishFlights();
  // If the pile itself glides to a new place, the deal waits until it has arrived.
  const pile = isNewDeal ? made[0]?.from : null;
  const lead = pile && isFarApart(before.get(pile.place)?.spot ?? pile.spot, pile.spot) ? GLIDE_TIME : 0;
  const still = isMotionOff();
  const pointed = watched && !isStaggered(made, isNewDeal);
  const when = still ? new Map() : startTimes(made, { isNewDeal, lead, pointed });
  const begins = [];
  const given = new Set(made.filter((m) => m.from?.pile && !m.gone).map((m) => m.from.place));
  for (const journey of made) {
    const element = placeElement(journey.place);
    const there = after.get(journey.place);
    if (!element || !there.spot) continue;
    const here = journey.from?.spot;
    const delay = when.get(journey) ?? 0;
    const done = () => landed(journey);
    journey.flies = !still && Boolean(here) && !journey.gone && isFarApart(here, there.spot);
    if (journey.gone) {
      if (still || !here) continue;
      // A pile that the first trick begins is invisible until the cards arrive.
      const hidden = before.has(journey.place) ? null : holdStyle(element.parentElement, { visibility: "hidden" }, delay + TURN);
      animateOntoPile(there, journey, here, delay, () => {
        hidden?.cancel();
        done();
      });
    } else if (still || (!here && !journey.turned)) animate(element, [{ opacity: 0 }, { opacity: 1 }], { duration: FADE_TIME, delay }).finished.catch(() => {}).then(done);
    else if (journey.flies) begins.push(prepareFlight(element, there, journey, { delay, done, watched, pointed, under: isNewDeal ? undefined : before.get(journey.place), bare: given.has(journey.place) }));
    else if (journey.turned) turnOver(element, (journey.from ?? before.get(journey.place))?.art, delay, done);
  }
  later(() => begins.forEach((begin) => begin()));
  return made;
}

const isFarApart = (a, b) => Math.hypot(a.x - b.x, a.y - b.y) >= NEAR;

/** Return a picture element with the given position and size, for the layer above the table. */
function makePicture({ x, y, w, h }, art, kind) {
  const made = make("span", kind, art?.cloneNode(true) ?? "");
  made.setAttribute("aria-hidden", "true");
  Object.assign(made.style, { left: `${x - w / 2}px`, top: `${y - h / 2}px`, width: `${w}px`, height: `${h}px` });
  made.style.setProperty("--w", `${Math.min(w, h)}px`);
  return made;
}

/** Return the degrees by which a picture made for `to` is rotated at `here`: 0 unless one is upright and the other lying. */
const quarterTurn = (here, to) => (here.w > here.h === to.w > to.h ? 0 : to.w > to.h ? 90 : -90);

/** Return the position `here` for a picture with the orientation of `to`, upright or lying. */
function orientLike(here, to) {
  const quarter = quarterTurn(here, to);
  return quarter ? { ...here, w: here.h, h: here.w, slant: here.slant + quarter } : here;
}

/** Return the CSS transform that shows a picture placed at `to` as if it were at `place`, shifted by `aside` px. */
function transformFrom(place, to, aside = [0, 0]) {
  const here = orientLike(place, to);
  return `translate(${here.x - to.x + aside[0]}px, ${here.y - to.y + aside[1]}px) rotate(${here.slant}deg) scale(${here.w / to.w}, ${here.h / to.h})`;
}

/** Register a flight, and return a function that ends it: it removes the pictures `shown` and calls `done`. */
function trackFlight(shown, done) {
  const land = () => {
    if (!flights.delete(land)) return;
    for (const one of shown) one.remove();
    done();
  };
  flights.add(land);
  return land;
}

const landWhenFinished = (path, land) => path.finished.catch(() => {}).then(land);

/** Put a picture of a card at its old position, and return a function that starts the flight to the new position. */
function prepareFlight(element, { spot: to, art }, { from, turned, crosses, shift }, { delay, done, watched, pointed, under, bare }) {
  const here = from.spot;
  const flight = makePicture(to, art, shift ? "flight shift" : "flight");
  flight.dataset.to = element.dataset.place;
  flight.style.transform = transformFrom(here, to);
  // The previous top card of a pile stays visible until the new one covers it. If a player took that top card in the
  // same update, the card below it is unknown, so an empty outline is shown instead.
  const waits = under?.pile && under.spot ? [makePicture(to, bare ? null : under.art, bare ? "flight waits bare" : "flight waits")] : [];
  document.body.append(...waits, flight);
  // While its picture is flying, the card is invisible but can already be touched.
  element.dataset.unseen = "";
  const land = trackFlight([...waits, flight], () => {
    delete element.dataset.unseen;
    done();
  });
  const turn = turned ? prepareTurn(flight, from.art, quarterTurn(here, to)) : null;
  // A card waiting to be dealt is hidden: the shadows of all waiting cards would add up and darken the pile.
  const dealt = from.pile && delay > (pointed ? POINTED : 0);
  if (dealt) flight.style.visibility = "hidden";
  return () => {
    if (!flights.has(land)) return;
    if (dealt) {
      flight.style.visibility = "";
      holdStyle(flight, { visibility: "hidden" }, delay);
    }
    const long = shift ? LIFT : crosses ? CROSSING : Math.min(flightTime(Math.hypot(here.x - to.x, here.y - to.y)), watched ? WATCHED : Infinity);
    const path = crosses
      ? animateCrossing(flight, here, to)
      : animate(flight, [{ transform: transformFrom(here, to) }, { transform: `rotate(${to.slant}deg)` }], { duration: long, delay, easing: ARRIVE, fill: "both" });
    if (watched && delay && !crosses && !dealt) showPointer(flight, delay);
    turn?.(crosses ? LIFT : delay);
    landWhenFinished(path, land);
  };
}

/** Highlight another player's card before it moves, so that the viewer sees where the move starts. */
function showPointer(flight, until) {
  const halo = make("i", "led");
  flight.append(halo);
  holdStyle(halo, { opacity: 1 }, until);
}

/** Animate one of two cards that swap places: it rises, both flip, and they pass each other on separate paths. */
function animateCrossing(flight, here, to) {
  const far = Math.hypot(here.x - to.x, here.y - to.y) || 1;
  const aside = [(ASIDE * (to.y - here.y)) / far, (-ASIDE * (to.x - here.x)) / far];
  const middle = { x: (here.x + to.x) / 2, y: (here.y + to.y) / 2, w: (here.w + to.w) / 2, h: (here.h + to.h) / 2, slant: (here.slant + to.slant) / 2 };
  const risen = transformFrom({ ...here, y: here.y - RISE }, to);
  const whole = LIFT + TURN + CROSSING;
  const turned = (LIFT + TURN) / whole;
  const frames = [
    { transform: transformFrom(here, to), easing: ARRIVE },
    { transform: risen, offset: LIFT / whole },
    { transform: risen, offset: turned, easing: "cubic-bezier(.4,0,1,1)" },
    { transform: transformFrom(middle, to, aside), offset: (1 + turned) / 2, easing: "cubic-bezier(0,0,.2,1)" },
    { transform: `rotate(${to.slant}deg)` },
  ];
  return animate(flight, frames, { duration: whole, fill: "both" });
}

/**
 * Animate a card of a finished trick: it moves onto the pile and flips face down. The trick's last card is first moved
 * to its place in the trick (`via`).
 */
function animateOntoPile(pile, { from, turned, via }, here, delay, done) {
  const place = orientLike(via ?? here, here);
  const lying = makePicture(place, from.art, "flight gone");
  document.body.append(lying);
  if (via && isFarApart(here, via)) animate(lying, [{ transform: transformFrom(here, place) }, { transform: `rotate(${place.slant}deg)` }], { duration: LAY, easing: ARRIVE, fill: "both" });
  else lying.style.rotate = `${place.slant}deg`;
  const down = makePicture(pile.spot, pile.art, "flight gone");
  document.body.append(down);
  holdStyle(down, { visibility: "hidden" }, delay);
  animate(lying, [{ visibility: "visible" }, { visibility: "hidden" }], { duration: 1, delay, fill: "both", id: "waits" });
  const path = animate(down, [{ transform: transformFrom(place, pile.spot) }, { transform: `rotate(${pile.spot.slant}deg)` }], { duration: TURN, delay, fill: "both" });
  if (turned) prepareTurn(down, from.art, quarterTurn(here, pile.spot))?.(delay);
  landWhenFinished(path, trackFlight([lying, down], done));
}

/** Flip a card from its old picture to its new one; it is seen edge-on after 45 % of the time. */
export function turnOver(element, oldArt, delay, done) {
  prepareTurn(element, oldArt)?.(delay, done);
}

/**
 * Cover a card's new picture with the old one, and return a function that starts the flip; null without a picture.
 *
 * `quarter`: degrees by which the new picture is rotated at first, because the old one had the other orientation.
 */
function prepareTurn(element, oldArt, quarter = 0) {
  const art = element.querySelector(".art");
  if (!art) return null;
  const first = TURN * 0.45;
  const ghost = oldArt?.cloneNode(true);
  ghost?.classList.add("turning");
  if (ghost && quarter) Object.assign(ghost.style, { inset: "50% auto auto 50%", width: element.style.height, height: element.style.width, translate: "-50% -50%", rotate: `${-quarter}deg` });
  const narrow = quarter ? "scaleY" : "scaleX";
  if (ghost) element.append(ghost);
  return (delay, done = () => {}) => {
    if (ghost) animate(ghost, [{ transform: `${narrow}(1)` }, { transform: `${narrow}(0)` }], { duration: first, delay, fill: "both" }).finished.catch(() => {}).then(() => ghost.remove());
    animate(art, [{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], { duration: TURN - first, delay: delay + first }).finished.catch(() => {}).then(done);
  };
}
