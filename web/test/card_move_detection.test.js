import assert from "node:assert/strict";
import { test } from "node:test";
import { dealMoves, detectCardMoves } from "../src/card_move_detection.js";

const lies = (entries) => new Map(Object.entries(entries).map(([place, [kind, face = "", more = {}]]) => [place, { kind, face, zone: place, count: null, pile: false, rect: {}, ...more }]));
const pile = (count) => ({ pile: true, count });

test("a kept card travels to the grid and the old one to the discard pile", () => {
  const before = lies({ deck: ["back", "", pile(80)], held: ["face", "1"], a1: ["back"], discard: ["face", "8", pile(22)] });
  const after = lies({ deck: ["back", "", pile(80)], held: ["slot"], a1: ["face", "1"], discard: ["face", "5", pile(23)] });
  const found = Object.fromEntries(detectCardMoves(before, after).map((j) => [j.place, [j.from?.place, j.turned]]));
  assert.deepEqual(found, { a1: ["held", false], discard: ["a1", true] });
});

test("a drawn card comes from the pile that got smaller, turned", () => {
  const before = lies({ deck: ["back", "", pile(80)], a1: ["back"] });
  const after = lies({ deck: ["back", "", pile(79)], a1: ["back"], held: ["face", "1"] });
  assert.deepEqual(detectCardMoves(before, after).map((j) => [j.place, j.from.place, j.turned]), [["held", "deck", true]]);
});

test("a card turned where it lies does not travel", () => {
  const before = lies({ a1: ["back"], a2: ["back"] });
  const after = lies({ a1: ["back"], a2: ["face", "4"] });
  assert.deepEqual(detectCardMoves(before, after).map((j) => [j.place, j.from, j.turned]), [["a2", null, true]]);
});

test("nothing moves when nothing changed, and the server's word for where a card came from counts", () => {
  const same = lies({ a1: ["back"], h: ["face", "4"] });
  assert.deepEqual(detectCardMoves(same, same), []);
  const after = lies({ a1: ["back"], h: ["slot"], t: ["face", "9"] });
  assert.equal(detectCardMoves(same, after, (p) => (p === "t" ? "a1" : ""))[0].from.place, "a1");
});

test("a new deal comes off the pile, not from cards that were counted before it", () => {
  const after = lies({ deck: ["back", "", { ...pile(80), spot: {} }], h1: ["face", "9"], s1: ["back"], e1: ["slot"] });
  assert.deepEqual(dealMoves(after).map((j) => [j.place, j.from.place, j.turned]), [["h1", "deck", true], ["s1", "deck", false]]);
  after.delete("deck");
  assert.deepEqual(dealMoves(after).map((j) => [j.place, j.from, j.turned]), [["h1", null, false], ["s1", null, false]]);
});

const ways = (before, after) => Object.fromEntries(detectCardMoves(before, after).map((j) => [j.place, [j.from?.place, j.turned, Boolean(j.crosses)]]));

test("two cards that change places cross, and both turn, whoever knew them", () => {
  const before = lies({ a: ["face", "1"], b: ["back"], c: ["face", "3"] });
  const after = lies({ a: ["face", "4"], b: ["face", "1"], c: ["face", "3"] });
  assert.deepEqual(ways(before, after), { a: ["b", true, true], b: ["a", true, true] });
  const open = lies({ a: ["face", "1"], b: ["face", "4"] });
  assert.deepEqual(ways(open, lies({ a: ["face", "4"], b: ["face", "1"] })), { a: ["b", false, true], b: ["a", false, true] });
});

test("equal cards cross like any others: the two places that were marked tell of it, faces do not", () => {
  for (const card of [["face", "2"], ["back", ""]]) {
    const before = lies({ a: [...card], b: [...card], c: [...card, { changed: true }] });
    const after = lies({ a: [...card, { changed: true }], b: [...card, { changed: true }], c: [...card] });
    assert.deepEqual(ways(before, after), { a: ["b", false, true], b: ["a", false, true] });
  }
});

test("what takes a place goes before what it drives out, and a pile's card goes first", () => {
  const before = lies({ a1: ["face", "12"], discard: ["face", "8", pile(22)] });
  const after = lies({ a1: ["face", "8"], discard: ["face", "12", pile(22)] });
  assert.deepEqual(detectCardMoves(before, after).map((j) => [j.place, j.from.place, Boolean(j.crosses)]), [["a1", "discard", false], ["discard", "a1", false]]);
  const drawn = lies({ held: ["face", "1"], discard: ["face", "8", pile(22)], a1: ["back"] });
  const kept = lies({ held: ["slot"], discard: ["face", "9", pile(23)], a1: ["face", "1"] });
  assert.deepEqual(detectCardMoves(drawn, kept).map((j) => j.place), ["a1", "discard"]);
});

test("cards that make room in a row are told from those that come", () => {
  const row = { zone: "hand" };
  const before = lies({ "hand-0": ["face", "2/3", row], "hand-1": ["face", "8/4", row], "set-0": ["face", "5/2", { zone: "set" }] });
  const after = lies({ "hand-0": ["face", "2/3", row], "hand-1": ["face", "5/2", row], "hand-2": ["face", "8/4", row] });
  assert.deepEqual(Object.fromEntries(detectCardMoves(before, after).map((j) => [j.place, [j.from.place, Boolean(j.shift)]])), { "hand-1": ["set-0", false], "hand-2": ["hand-1", true] });
});

test("a trick that is over is gathered onto the pile that grew, with the card that was laid to it", () => {
  const trick = { zone: "trick", trick: true };
  const hand = { zone: "hand" };
  const before = lies({ lead: ["face", "64", trick], reply: ["slot", "", { ...trick, spot: { x: 1 } }], "hand-0": ["face", "54", hand], burnt: ["back", "", pile(4)], prize: ["face", "66"] });
  const after = lies({ lead: ["slot", "", trick], "hand-0": ["face", "66", hand], burnt: ["back", "", pile(6)], prize: ["back"] });
  const made = detectCardMoves(before, after);
  assert.deepEqual(made.filter((j) => j.gone).map((j) => [j.place, j.from.place, j.turned, j.via]), [["burnt", "lead", true, null], ["burnt", "hand-0", true, { x: 1 }]]);
  assert.deepEqual(made.filter((j) => j.place === "hand-0").map((j) => j.from.place), ["prize"]);
});

test("one face in place of another came from the pile that has fewer, and the old one went to the pile that has more", () => {
  const before = lies({ draw: ["back", "", pile(85)], discard: ["back", "", pile(2)], "hand-2": ["face", "white", { zone: "hand" }] });
  const after = lies({ draw: ["back", "", pile(84)], discard: ["back", "", pile(3)], "hand-2": ["face", "black", { zone: "hand" }] });
  assert.deepEqual(ways(before, after), { "hand-2": ["draw", true, false], discard: ["hand-2", true, false] });
});
