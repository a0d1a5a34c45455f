import assert from "node:assert/strict";
import test from "node:test";
import { abridged, assembled } from "../src/parts.js";

test("a page is put together from what is new and what stays", () => {
  const first = assembled([], ["<a>", "<b>", "<c>"]);
  assert.deepEqual(first, ["<a>", "<b>", "<c>"]);
  assert.deepEqual(assembled(first, [[1, 2], "<d>", [0, 1]]), ["<b>", "<c>", "<d>", "<a>"]);
  assert.deepEqual(assembled(first, [[0, 3]]), first);
});

test("a page that missed some says so", () => {
  assert.equal(assembled([], [[0, 1]]), null);
  assert.equal(assembled(["<a>"], ["<b>", [0, 2]]), null);
});

const seat = (id, card) => `<section class="seat" id="seat-${id}"><span id="at-${id}">${card}</span></section>`;

test("a part that came just so before is only named", () => {
  const first = abridged(`<p>1</p>${seat(1, "7")}${seat(2, "9")}`, new Map());
  assert.equal(first.short, `<p>1</p>${seat(1, "7")}${seat(2, "9")}`);
  const { short, same } = abridged(`<p>2</p>${seat(1, "8")}${seat(2, "9")}`, first.parts);
  assert.equal(short, `<p>2</p>${seat(1, "8")}<section id="seat-2" data-same></section>`);
  assert.deepEqual([...same], ["seat-2"]);
});

test("a part that does not stand on the page any more comes whole", () => {
  const { parts } = abridged(seat(1, "7"), new Map());
  assert.equal(abridged(seat(1, "7"), parts, () => false).short, seat(1, "7"));
});

test("of parts in parts the inner ones are named", () => {
  const html = `<section class="seat" id="seat-1"><section class="panel" id="panel-1">4</section></section>`;
  const { parts } = abridged(html, new Map());
  assert.equal(abridged(html, parts).short, `<section class="seat" id="seat-1"><section id="panel-1" data-same></section></section>`);
});
