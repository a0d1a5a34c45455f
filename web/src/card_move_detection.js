// What moved on a table, worked out from what lay where before and after: pure functions over measured places, for any game.
// Nothing here depends on a hidden face: backs are told apart by their places alone.

export const isCard = (p) => p && (p.kind === "face" || p.kind === "back");
const same = (a, b) => a && b && a.kind === b.kind && a.face === b.face;
const grew = (old, now) => old?.pile && now.count !== null && now.count > old.count;
const shrank = (old, now) => now?.count !== null && now?.count !== undefined && old.count !== null && now.count < old.count;

/** A table of places, with those that may have given something. */
class Leavers {
  constructor(before, after) {
    this.all = [];
    for (const [place, old] of before) {
      if (!isCard(old)) continue;
      const now = after.get(place);
      if (!same(old, now)) this.all.push({ place, ...old, used: false });
      else if (old.pile && shrank(old, now)) this.all.push({ place, ...old, used: false, many: true });
    }
  }

  /** The first of which something is true; it has given its card then, but for a pile, which has more. */
  take(test) {
    const found = this.all.find((l) => !l.used && test(l));
    if (found && !found.many) found.used = true;
    return found ?? null;
  }
}

/**
 * Which piece came from where: [{place, from, turned}] for everything that arrived; `shift` for a card that only made room in
 * its row, `gone` for one that was gathered onto a pile and is seen no more.
 */
export function journeys(before, after, came = () => "") {
  const leavers = new Leavers(before, after);
  const arrivals = [...after].filter(([place, now]) => isCard(now) && (!same(before.get(place), now) || grew(before.get(place), now)));
  const made = [];
  let rest = [];
  const add = (place, from) => made.push({ place, from, turned: Boolean(from) && from.kind !== after.get(place).kind, ...(shifts(from, after.get(place)) && { shift: true }) });
  for (const [place, now] of arrivals) {
    const told = came(place);
    const known = told && before.has(told) ? { place: told, ...before.get(told) } : null;
    const from = known ?? (now.kind === "face" ? leavers.take((l) => l.place !== place && l.kind === "face" && l.face === now.face) : null);
    if (from) add(place, from);
    else rest.push([place, now]);
  }
  const gathered = gather(before, after, leavers, arrivals);
  rest = rest.filter(([place]) => !swapped(made, leavers, add, place));
  made.push(...gathered);
  const filled = ([place, now]) => !isCard(before.get(place)) || grew(before.get(place), now) || before.get(place).pile;
  const piles = rest.filter(([place, now]) => before.get(place)?.pile || now.pile);
  for (const [place, now] of [...rest.filter((one) => !piles.includes(one)), ...piles]) {
    const old = before.get(place);
    if (old?.kind === "back" && now.kind === "face" && !grew(old, now)) {
      made.push({ place, from: null, turned: true });
      leavers.take((l) => l.place === place);
    } else if (filled([place, now])) {
      if (gathered.some((journey) => journey.place === place)) continue;
      const arrived = new Set(made.filter((m) => m.from).map((m) => m.place));
      add(
        place,
        leavers.take((l) => l.place !== place && arrived.has(l.place)) ??
          leavers.take((l) => l.place !== place && l.kind === now.kind && l.zone !== now.zone && l.kind === "back") ??
          leavers.take((l) => l.place !== place && l.kind === "back"),
      );
    } else {
      // One face in place of another: from a pile that has fewer now.
      const from = leavers.take((l) => l.kind === "back" && l.zone !== now.zone && (l.many || !after.has(l.place)));
      if (from) add(place, from);
    }
  }
  return ordered(made.length ? made : exchanged(before, after));
}

/** Does a card only make room in the row that it stayed in? */
const shifts = (from, now) => Boolean(from) && from.zone === now.zone && from.kind === "face" && now.kind === "face" && !now.pile && !from.grid;

/** What lies where another came from, came from where that one lies: they have changed places. */
function swapped(made, leavers, add, place) {
  const other = made.find((m) => m.from?.place === place);
  const back = other && leavers.take((l) => l.place === other.place && !l.pile);
  if (back) add(place, back);
  return Boolean(back);
}

/** A trick that is over goes onto the pile that has grown, with what was about to be laid to it. */
function gather(before, after, leavers, arrivals) {
  const pile = arrivals.find(([place, now]) => now.kind === "back" && grew(before.get(place), now));
  const lies = [...before].find(([, p]) => p.trick);
  if (!pile || !lies) return [];
  const open = [...before].find(([, p]) => p.trick && p.kind === "slot");
  const [place, now] = pile;
  const gone = (from, via = null) => ({ place, from, turned: from.kind !== now.kind, gone: true, via });
  const found = [];
  for (let from; (from = leavers.take((l) => l.trick)); ) found.push(gone(from));
  const laid = found.length && open && leavers.take((l) => l.kind === "face" && !l.trick && !l.pile && ![...after].some(([, p]) => p.face === l.face && p.zone === l.zone));
  if (laid) found.push(gone(laid, open[1].spot));
  return found;
}

/** Two places that have just been marked as changed, and show what they did: equal cards have changed places. */
function exchanged(before, after) {
  const news = [...after].filter(([place, now]) => now.changed && isCard(now) && !before.get(place)?.changed && same(before.get(place), now));
  if (news.length !== 2) return [];
  const [a, b] = news.map(([place]) => place);
  if (!same(after.get(a), after.get(b))) return [];
  return [[a, b], [b, a]].map(([place, from]) => ({ place, from: { place: from, ...before.get(from) }, turned: false }));
}

/** Marks the pairs that cross each other, and lets what takes a place go before what it drives out. */
function ordered(made) {
  const pairs = made.filter((m) => m.from && !m.gone && !m.from.pile && !m.shift);
  for (const one of pairs) one.crosses = pairs.some((other) => other.place === one.from.place && other.from.place === one.place);
  const turnover = pairs.some((m) => m.crosses && m.turned);
  for (const one of pairs) if (one.crosses) one.turned = turnover;
  // What a pile gives for what comes back onto it goes first.
  const driven = (m) => (made.some((other) => other !== m && other.place === m.from?.place && !(other.from?.place === m.place && m.from.pile)) ? 1 : 0);
  return made.map((m) => [driven(m), m]).sort(([a], [b]) => a - b).map(([, m]) => m);
}

/** A new deal: each card comes off the pile, where there is one; none comes from a card that was counted before it. */
export function dealt(after) {
  const pile = [...after].find(([, p]) => p.pile && p.kind === "back" && p.spot);
  const from = pile ? { place: pile[0], ...pile[1] } : null;
  return [...after].filter(([, p]) => isCard(p) && !p.pile).map(([place, p]) => ({ place, from, turned: Boolean(from) && p.kind === "face" }));
}
