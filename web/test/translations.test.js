import assert from "node:assert/strict";
import test, { afterEach } from "node:test";

let number = 0;

/** Load the module as a page in this language does. */
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

test("English stands where it is used", async () => {
  const { t, tn } = await page("en");
  assert.equal(t("The line is down."), "The line is down.");
  assert.equal(t("Seat {number} of {many}", { number: 2 }), "Seat 2 of {many}");
  assert.equal(tn("{count} card", "{count} cards", 1), "1 card");
  assert.equal(tn("{count} card of {who}", "{count} cards of {who}", 3, { who: "Noor" }), "3 cards of Noor");
});

test("another language comes with the page, and what it lacks is said in English", async () => {
  const texts = { "Seat {number}": "Platz {number}", "{count} card": { one: "{count} Karte", other: "{count} Karten" } };
  const { t, tn } = await page("de", texts);
  assert.equal(t("Seat {number}", { number: "{number}" }), "Platz {number}");
  assert.equal(tn("{count} card", "{count} cards", 1), "1 Karte");
  assert.equal(tn("{count} card", "{count} cards", 0), "0 Karten");
  assert.equal(t("More"), "More");
});

test("without a page it is English", async () => {
  const { t } = await import(`../src/translations.js?page=${number++}`);
  assert.equal(t("More"), "More");
});
