import assert from "node:assert/strict";
import test, { afterEach } from "node:test";

let number = 0;

/** Import the module as on a page in this language. */
async function page(lang, texts) {
  globalThis.document = {
    documentElement: { lang },
  };
  globalThis.facedownTexts = texts;
  return import(`../src/translations.js?page=${number++}`);
}

afterEach(() => {
  delete globalThis.document;
  delete globalThis.facedownTexts;
});

test("English texts need no catalogue", async () => {
  const { t, tn } = await page("en");
  assert.equal(t("The line is down."), "The line is down.");
  assert.equal(t("Seat {number} of {many}", { number: 2 }), "Seat 2 of {many}");
  assert.equal(tn("{count} card", "{count} cards", 1), "1 card");
  assert.equal(tn("{count} card of {who}", "{count} cards of {who}", 3, { who: "Noor" }), "3 cards of Noor");
});

test("texts are translated by the page's catalogue and missing ones stay in English", async () => {
  const texts = { "Seat {number}": "Platz {number}", "{count} card": { one: "{count} Karte", other: "{count} Karten" } };
  const { t, tn } = await page("de", texts);
  assert.equal(t("Seat {number}", { number: "{number}" }), "Platz {number}");
  assert.equal(tn("{count} card", "{count} cards", 1), "1 Karte");
  assert.equal(tn("{count} card", "{count} cards", 0), "0 Karten");
  assert.equal(t("More"), "More");
});

test("without a page, texts are in English", async () => {
  const { t } = await import(`../src/translations.js?page=${number++}`);
  assert.equal(t("More"), "More");
});
