import assert from "node:assert/strict";
import { test } from "node:test";
import { dealMoves, detectCardMoves } from "../src/card_move_detection.js";

const piecesAt = (entries) => new Map(Object.entries(entries).map(([place, [kind, face = "", more = {}]]) => [place, { kind, face, zone: place, count: null, pile: false, rect: {}, ...more }]));
const pile = (count) => ({ pile: true, count });

test("keeping a drawn card moves it to the grid and the old card to the discard pile", () => {
  const before = piecesAt({ deck: ["back", "", pile(80)], held: ["face", "1"], a1: ["back"], discard: ["face", "8", pile(22)] });
  const after = piecesAt({ deck: ["back", "", pile(80)], held: ["slot"], a1: ["face", "1"], discard: ["face", "5", pile(23)] });
  const found = Object.fromEntries(detectCardMoves(before, after).map((j) => [j.place, [j.from?.place, j.turned]]));
  assert.deepEqual(found, { a1: ["held", false], discard: ["a1", true] });
});

test("a drawn card moves from the pile that shrank and is flipped", () => {
  const before = piecesAt({ deck: ["back", "", pile(80)], a1: ["back"] });
  const after = piecesAt({ deck: ["back", "", pile(79)], a1: ["back"], held: ["face", "1"] });
  assert.deepEqual(detectCardMoves(before, after).map((j) => [j.place, j.from.place, j.turned]), [["held", "deck", true]]);
});

test("a card flipped in place does not move", () => {
  const before = piecesAt({ a1: ["back"], a2: ["back"] });
  const after = piecesAt({ a1: ["back"], a2: ["face", "4"] });
  assert.deepEqual(detectCardMoves(before, after).map((j) => [j.place, j.from, j.turned]), [["a2", null, true]]);
});

test("an unchanged table has no card moves, and the server's origin of a card takes precedence", () => {
  const same = piecesAt({ a1: ["back"], h: ["face", "4"] });
  assert.deepEqual(detectCardMoves(same, same), []);
  const after = piecesAt({ a1: ["back"], h: ["slot"], t: ["face", "9"] });
  assert.equal(detectCardMoves(same, after, (p) => (p === "t" ? "a1" : ""))[0].from.place, "a1");
});

test("dealt cards move from the draw pile, not from cards of the previous round", () => {
  const after = piecesAt({ deck: ["back", "", { ...pile(80), spot: {} }], h1: ["face", "9"], s1: ["back"], e1: ["slot"] });
  assert.deepEqual(dealMoves(after).map((j) => [j.place, j.from.place, j.turned]), [["h1", "deck", true], ["s1", "deck", false]]);
  after.delete("deck");
  assert.deepEqual(dealMoves(after).map((j) => [j.place, j.from, j.turned]), [["h1", null, false], ["s1", null, false]]);
});

const movesByPlace = (before, after) => Object.fromEntries(detectCardMoves(before, after).map((j) => [j.place, [j.from?.place, j.turned, Boolean(j.crosses)]]));

test("two swapped cards cross, and are flipped if one was face down", () => {
  const before = piecesAt({ a: ["face", "1"], b: ["back"], c: ["face", "3"] });
  const after = piecesAt({ a: ["face", "4"], b: ["face", "1"], c: ["face", "3"] });
  assert.deepEqual(movesByPlace(before, after), { a: ["b", true, true], b: ["a", true, true] });
  const open = piecesAt({ a: ["face", "1"], b: ["face", "4"] });
  assert.deepEqual(movesByPlace(open, piecesAt({ a: ["face", "4"], b: ["face", "1"] })), { a: ["b", false, true], b: ["a", false, true] });
});

test("a swap of equal cards is detected from the places marked as changed", () => {
  for (const card of [["face", "2"], ["back", ""]]) {
    const before = piecesAt({ a: [...card], b: [...card], c: [...card, { changed: true }] });
    const after = piecesAt({ a: [...card, { changed: true }], b: [...card, { changed: true }], c: [...card] });
    assert.deepEqual(movesByPlace(before, after), { a: ["b", false, true], b: ["a", false, true] });
  }
});

test("a card that takes a place moves before the card that it replaces", () => {
  const before = piecesAt({ a1: ["face", "12"], discard: ["face", "8", pile(22)] });
  const after = piecesAt({ a1: ["face", "8"], discard: ["face", "12", pile(22)] });
  assert.deepEqual(detectCardMoves(before, after).map((j) => [j.place, j.from.place, Boolean(j.crosses)]), [["a1", "discard", false], ["discard", "a1", false]]);
  const drawn = piecesAt({ held: ["face", "1"], discard: ["face", "8", pile(22)], a1: ["back"] });
  const kept = piecesAt({ held: ["slot"], discard: ["face", "9", pile(23)], a1: ["face", "1"] });
  assert.deepEqual(detectCardMoves(drawn, kept).map((j) => j.place), ["a1", "discard"]);
});

test("cards shifted in a row are distinguished from inserted cards", () => {
  const row = { zone: "hand" };
  const before = piecesAt({ "hand-0": ["face", "2/3", row], "hand-1": ["face", "8/4", row], "set-0": ["face", "5/2", { zone: "set" }] });
  const after = piecesAt({ "hand-0": ["face", "2/3", row], "hand-1": ["face", "5/2", row], "hand-2": ["face", "8/4", row] });
  assert.deepEqual(Object.fromEntries(detectCardMoves(before, after).map((j) => [j.place, [j.from.place, Boolean(j.shift)]])), { "hand-1": ["set-0", false], "hand-2": ["hand-1", true] });
});

const trick = { zone: "trick", trick: true };
const trickWith = (led, reply = {}) => ({ lead: led ? ["face", led, trick] : ["slot", "", trick], reply: ["slot", "", { ...trick, ...reply }] });
const own = (face) => ["face", face, { zone: "hand", hand: true }];
const burnt = (made) => made.filter((j) => j.gone).map((j) => [j.place, j.from.place, j.turned, j.via]);

test("the cards of a finished trick move to the pile that grew", () => {
  const before = piecesAt({ ...trickWith("64", { spot: { x: 1 } }), "hand-0": own("54"), burnt: ["back", "", pile(4)], prize: ["face", "66"] });
  const after = piecesAt({ ...trickWith(""), "hand-0": own("66"), burnt: ["back", "", pile(6)], prize: ["back"] });
  const made = detectCardMoves(before, after);
  assert.deepEqual(burnt(made), [["burnt", "lead", true, null], ["burnt", "hand-0", true, { x: 1 }]]);
  assert.deepEqual(made.filter((j) => j.place === "hand-0").map((j) => j.from.place), ["prize"]);
});

test("the last card of a trick comes from the viewer's own hand, although the opponent took the card to win", () => {
  const before = piecesAt({ prize: ["face", "40"], ...trickWith("65", { spot: { x: 1 } }), burnt: ["back", "", pile(2)], "hand-0": own("43"), "hand-1": own("20") });
  const after = piecesAt({ prize: ["face", "10"], ...trickWith(""), burnt: ["back", "", pile(4)], "hand-0": own("20"), "hand-1": own("00") });
  assert.deepEqual(burnt(detectCardMoves(before, after)), [["burnt", "lead", true, null], ["burnt", "hand-0", true, { x: 1 }]]);
});

test("no card of the table is taken for the opponent's last card of a trick", () => {
  const before = piecesAt({ prize: ["face", "40"], ...trickWith("65", { spot: { x: 1 } }), burnt: ["back", "", pile(2)], "hand-0": own("43") });
  const after = piecesAt({ prize: ["face", "10"], ...trickWith(""), burnt: ["back", "", pile(4)], "hand-0": own("43") });
  assert.deepEqual(burnt(detectCardMoves(before, after)), [["burnt", "lead", true, null]]);
});

test("the cards of the first trick move to the pile that they begin", () => {
  const yard = { zone: "yard", count: 3 };
  const before = piecesAt({ "yard-0": ["back", "", yard], "yard-1": ["back", "", yard], ...trickWith("60", { spot: { x: 1 } }), "hand-0": own("61"), "their-0": ["back"] });
  const after = piecesAt({ "yard-0": ["back", "", yard], ...trickWith(""), burnt: ["back", "", pile(2)], "hand-0": own("11"), "their-0": ["back"] });
  const made = detectCardMoves(before, after);
  assert.deepEqual(burnt(made), [["burnt", "lead", true, null], ["burnt", "hand-0", true, { x: 1 }]]);
  assert.equal(made.some((j) => !j.gone && j.place === "burnt"), false);
});

test("a replaced card comes from the pile that shrank, and the old card goes to the pile that grew", () => {
  const before = piecesAt({ draw: ["back", "", pile(85)], discard: ["back", "", pile(2)], "hand-2": ["face", "white", { zone: "hand" }] });
  const after = piecesAt({ draw: ["back", "", pile(84)], discard: ["back", "", pile(3)], "hand-2": ["face", "black", { zone: "hand" }] });
  assert.deepEqual(movesByPlace(before, after), { "hand-2": ["draw", true, false], discard: ["hand-2", true, false] });
});
