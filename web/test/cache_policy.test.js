import assert from "node:assert/strict";
import { test } from "node:test";
import { cacheKind, isCacheable, outdatedCaches } from "../src/cache_policy.js";

const at = (path, method = "GET", base = "https://cards.example/") => cacheKind({ method, url: new URL(path, base).href }, base);

test("the service worker caches guides, the offline page and versioned files", () => {
  assert.equal(at("guide/whist"), "page");
  assert.equal(at("offline"), "page");
  assert.equal(at("static/dist/facedown.js?0123456789"), "file");
  assert.equal(at("static/dist/serif-600-NWK5BQT5.woff2"), "file");
  const below = "https://cards.example/games/";
  assert.equal(at("guide/whist", "GET", below), "page", "also below a path");
  assert.equal(cacheKind({ method: "GET", url: "https://cards.example/guide/whist" }, below), "", "not what lies beside it");
});

test("the service worker never caches personal pages, tables or API answers", () => {
  for (const path of ["", "t/K7QM", "t/K7QM/live", "m/K7QM", "m/K7QM/moment?ply=1&eyes=0", "m/K7QM.facedown", "api/v1/tables/K7QM/view", "new/whist", "join?code=K7QM", "score/whist", "guide/whist?lang=de", "guide/../t/K7QM", "guide/a/b", "static/dist/facedown.js", "static/x?token=abc", "health", "openapi.json"]) assert.equal(at(path), "", path);
  assert.equal(at("guide/whist", "POST"), "");
  assert.equal(cacheKind({ method: "GET", url: "https://elsewhere.example/guide/whist" }, "https://cards.example/"), "");
});

test("only complete same-origin responses are cacheable, and older caches are outdated", () => {
  assert.ok(isCacheable({ status: 200, type: "basic", redirected: false }));
  for (const wrong of [{ status: 404 }, { status: 206 }, { type: "opaque" }, { redirected: true }]) assert.ok(!isCacheable({ status: 200, type: "basic", redirected: false, ...wrong }));
  assert.deepEqual(outdatedCaches(["facedown-1", "facedown-2", "other"], "facedown-2"), ["facedown-1"]);
});
