// The service worker: the guides, the page for a time without a connection, and what these load, are kept. Pages come from the
// network first. What is kept is fetched for nobody in particular: without cookies, without the page one came from.
// The server puts `KEPT` before this: {version, language, files, pages, offline}.

import { keeps, kindOf, old } from "./cache_policy.js";

const { version, language, files, pages, offline } = self.KEPT;
const NAME = `facedown-${version}`;
const BASE = self.registration.scope;
const refreshed = new Set();

const plain = (url) => new Request(url, { credentials: "omit", referrerPolicy: "no-referrer", headers: language ? { "accept-language": language } : {} });

/** Fetches something for the cache, as anybody would get it. */
async function keep(cache, url) {
  const response = await fetch(plain(new URL(url, BASE)));
  if (keeps(response)) await cache.put(new URL(url, BASE), response);
  return response.ok;
}

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(NAME).then(async (cache) => {
      await Promise.all([...files, offline].map((url) => keep(cache, url)));
      // A guide that does not come now is kept when it is read.
      await Promise.allSettled(pages.map((url) => keep(cache, url)));
      await self.skipWaiting();
    }),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names, NAME).map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

async function file(request) {
  const cache = await caches.open(NAME);
  return (await cache.match(request.url)) ?? fetch(request);
}

async function page(event, may) {
  const cache = await caches.open(NAME);
  const bare = event.request.url.split("#")[0];
  try {
    const response = await fetch(event.request);
    if (may && response.ok && !refreshed.has(bare)) {
      refreshed.add(bare);
      event.waitUntil(keep(cache, bare).catch(() => refreshed.delete(bare)));
    }
    return response;
  } catch (error) {
    const kept = (may && (await cache.match(bare))) || (await cache.match(new URL(offline, BASE)));
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const kind = kindOf(event.request, BASE);
  if (event.request.mode === "navigate" && event.request.method === "GET") event.respondWith(page(event, kind === "page"));
  else if (kind === "file") event.respondWith(file(event.request));
});
