// Detection of card moves: pure functions that compare what is at each place before and after an update, for any game.
// The result does not depend on hidden faces: face-down cards are distinguished by their places alone.

export const isCard = (p) => p && (p.kind === "face" || p.kind === "back");
const isSameFace = (a, b) => a && b && a.kind === b.kind && a.face === b.face;
const hasPileGrown = (old, now) => old?.pile && now.count !== null && now.count > old.count;
const hasPileShrunk = (old, now) => now?.count !== null && now?.count !== undefined && old.count !== null && now.count < old.count;

/** Places from which a card may have moved away. A pile that has become smaller may have given any number of cards. */
class CardSources {
  constructor(before, after) {
    this.all = [];
    for (const [place, old] of before) {
      if (!isCard(old)) continue;
      const now = after.get(place);
      if (!isSameFace(old, now)) this.all.push({ place, ...old, used: false });
      else if (old.pile && hasPileShrunk(old, now)) this.all.push({ place, ...old, used: false, many: true });
    }
  }

  /** Return the first unused source that passes `test`, or null, and mark it as used unless it is a pile. */
  takeFirst(test) {
    const found = this.all.find((l) => !l.used && test(l));
    if (found && !found.many) found.used = true;
    return found ?? null;
  }
}

/**
 * Return for each place with a new card where the card came from: [{place, from, turned}].
 *
 * * `before` and `after` map each place to what is there (`measurePieces`).
 * * `came(place)` returns the place from which the card at `place` came according to the server, or "".
 * * `turned` in a result: the card was flipped.
 * * `shift` in a result: the card only made room in its row.
 * * `gone` in a result: the card moved onto a pile at the end of a trick, where it is no longer visible.
 */
export function detectCardMoves(before, after, came = () => "") {
  const leavers = new CardSources(before, after);
  const arrivals = [...after].filter(([place, now]) => isCard(now) && (!isSameFace(before.get(place), now) || hasPileGrown(before.get(place), now)));
  const made = [];
  let rest = [];
  const add = (place, from) => made.push({ place, from, turned: Boolean(from) && from.kind !== after.get(place).kind, ...(isShiftWithinRow(from, after.get(place)) && { shift: true }) });
  for (const [place, now] of arrivals) {
    const told = came(place);
    const known = told && before.has(told) ? { place: told, ...before.get(told) } : null;
    const from = known ?? (now.kind === "face" ? leavers.takeFirst((l) => l.place !== place && l.kind === "face" && l.face === now.face) : null);
    if (from) add(place, from);
    else rest.push([place, now]);
  }
  const gathered = collectTrickMoves(before, after, leavers, arrivals);
  rest = rest.filter(([place]) => !addSwapPartner(made, leavers, add, place));
  made.push(...gathered);
  const filled = ([place, now]) => !isCard(before.get(place)) || hasPileGrown(before.get(place), now) || before.get(place).pile;
  const piles = rest.filter(([place, now]) => before.get(place)?.pile || now.pile);
  for (const [place, now] of [...rest.filter((one) => !piles.includes(one)), ...piles]) {
    const old = before.get(place);
    if (old?.kind === "back" && now.kind === "face" && !hasPileGrown(old, now)) {
      made.push({ place, from: null, turned: true });
      leavers.takeFirst((l) => l.place === place);
    } else if (filled([place, now])) {
      if (gathered.some((journey) => journey.place === place)) continue;
      const arrived = new Set(made.filter((m) => m.from).map((m) => m.place));
      add(
        place,
        leavers.takeFirst((l) => l.place !== place && arrived.has(l.place)) ??
          leavers.takeFirst((l) => l.place !== place && l.kind === now.kind && l.zone !== now.zone && l.kind === "back") ??
          leavers.takeFirst((l) => l.place !== place && l.kind === "back"),
      );
    } else {
      // One face was replaced by another: the new card came from a pile that has become smaller.
      const from = leavers.takeFirst((l) => l.kind === "back" && l.zone !== now.zone && (l.many || !after.has(l.place)));
      if (from) add(place, from);
    }
  }
  return orderMoves(made.length ? made : detectMarkedSwap(before, after));
}

/** Return whether a card stayed in its row and only made room for another card. */
const isShiftWithinRow = (from, now) => Boolean(from) && from.zone === now.zone && from.kind === "face" && now.kind === "face" && !now.pile && !from.grid;

/**
 * Add the second half of a swap and return whether there was one. If another card came from `place`, then the card now
 * at `place` came from where that other card is now.
 */
function addSwapPartner(made, leavers, add, place) {
  const other = made.find((m) => m.from?.place === place);
  const back = other && leavers.takeFirst((l) => l.place === other.place && !l.pile);
  if (back) add(place, back);
  return Boolean(back);
}

/**
 * Return the moves of a finished trick's cards onto the pile of won cards, which has grown or has just been begun. The
 * trick's last card is included if it came from the viewer's own hand, although the page never showed it in the trick.
 */
function collectTrickMoves(before, after, leavers, arrivals) {
  const pile = arrivals.find(([place, now]) => now.kind === "back" && (hasPileGrown(before.get(place), now) || (now.pile && !before.has(place))));
  const lies = [...before].find(([, p]) => p.trick);
  if (!pile || !lies) return [];
  const open = [...before].find(([, p]) => p.trick && p.kind === "slot");
  const [place, now] = pile;
  const gone = (from, via = null) => ({ place, from, turned: from.kind !== now.kind, gone: true, via });
  const found = [];
  for (let from; (from = leavers.takeFirst((l) => l.trick)); ) found.push(gone(from));
  const laid = found.length && open && leavers.takeFirst((l) => l.kind === "face" && l.hand && ![...after].some(([, p]) => p.face === l.face && p.zone === l.zone));
  if (laid) found.push(gone(laid, open[1].spot));
  return found;
}

/** Return the two moves of a swap of equal cards: two places newly marked as changed whose faces stayed the same. */
function detectMarkedSwap(before, after) {
  const news = [...after].filter(([place, now]) => now.changed && isCard(now) && !before.get(place)?.changed && isSameFace(before.get(place), now));
  if (news.length !== 2) return [];
  const [a, b] = news.map(([place]) => place);
  if (!isSameFace(after.get(a), after.get(b))) return [];
  return [[a, b], [b, a]].map(([place, from]) => ({ place, from: { place: from, ...before.get(from) }, turned: false }));
}

/**
 * Mark the pairs of cards that swap places, and order the moves so that a card moves before the card that it drives
 * out.
 */
function orderMoves(made) {
  const pairs = made.filter((m) => m.from && !m.gone && !m.from.pile && !m.shift);
  for (const one of pairs) one.crosses = pairs.some((other) => other.place === one.from.place && other.from.place === one.place);
  const turnover = pairs.some((m) => m.crosses && m.turned);
  for (const one of pairs) if (one.crosses) one.turned = turnover;
  // In the result, the move of a card drawn from a pile is before the move of the card that is put back onto that pile.
  const driven = (m) => (made.some((other) => other !== m && other.place === m.from?.place && !(other.from?.place === m.place && m.from.pile)) ? 1 : 0);
  return made.map((m) => [driven(m), m]).sort(([a], [b]) => a - b).map(([, m]) => m);
}

/**
 * Return the moves of a new deal: each card comes from the pile if there is one, never from a card of the previous
 * round.
 */
export function dealMoves(after) {
  const pile = [...after].find(([, p]) => p.pile && p.kind === "back" && p.spot);
  const from = pile ? { place: pile[0], ...pile[1] } : null;
  return [...after].filter(([, p]) => isCard(p) && !p.pile).map(([place, p]) => ({ place, from, turned: Boolean(from) && p.kind === "face" }));
}
