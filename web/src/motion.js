// Cards travel: measured before and after a morph, matched by what changed at which place. Nothing here depends on a hidden
// face: backs are told apart by their places alone, and a swap of equal cards takes as long as any other.

import { $$, at, calm } from "./page.js";

const ARRIVE = "cubic-bezier(.2,.8,.2,1)";
const TURN = 240;
const STAGGER = 45;
const WHOLE_DEAL = 900;

const time = (distance) => Math.min(420, 260 + (60 * distance) / 400);

/** What lies where, with measured places. */
export function measure() {
  const found = new Map();
  for (const element of $$(".piece[data-place]")) {
    const zone = element.closest("[data-zone]");
    found.set(element.dataset.place, {
      kind: element.dataset.kind,
      face: element.dataset.face ?? "",
      rect: element.getBoundingClientRect(),
      zone: zone?.dataset.zone ?? "",
      count: zone?.dataset.count === undefined ? null : Number(zone.dataset.count),
      art: element.querySelector(".art"),
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

/** Shows how the table got from `before` to what the page shows now, but for the places of `except`. */
export function travel(before, except = new Set()) {
  const after = measure();
  const made = journeys(before, after, (place) => at(place)?.dataset.came ?? "").filter((journey) => !except.has(journey.place));
  const step = Math.min(STAGGER, WHOLE_DEAL / Math.max(1, made.length));
  let order = 0;
  for (const journey of made) {
    const element = at(journey.place);
    if (!element) continue;
    if (calm()) {
      element.animate([{ opacity: 0.2 }, { opacity: 1 }], { duration: 120 });
      continue;
    }
    const delay = made.length > 3 ? order++ * step : 0;
    if (journey.from) {
      const now = after.get(journey.place).rect;
      const then = journey.from.rect;
      const dx = then.left + then.width / 2 - now.left - now.width / 2;
      const dy = then.top + then.height / 2 - now.top - now.height / 2;
      const scale = now.width ? then.width / now.width : 1;
      element.classList.add("flying");
      const flight = element.animate(
        [{ transform: `translate(${dx}px, ${dy}px) scale(${scale})`, zIndex: 60 }, { transform: "none", zIndex: 60 }],
        { duration: time(Math.hypot(dx, dy)), delay, easing: ARRIVE, fill: "backwards", composite: "replace" },
      );
      flight.finished.catch(() => {}).then(() => element.classList.remove("flying"));
    } else if (!journey.turned) {
      element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 160, delay, fill: "backwards" });
    }
    if (journey.turned) turnOver(element, (journey.from ?? before.get(journey.place))?.art, delay);
  }
  return made;
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
    ghost.animate([{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], { duration: first, delay, easing: "cubic-bezier(.4,0,1,1)", fill: "both" }).finished.catch(() => {}).then(() => ghost.remove());
  }
  art.animate([{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], { duration: TURN - first, delay: delay + first, easing: ARRIVE, fill: "backwards" });
}
