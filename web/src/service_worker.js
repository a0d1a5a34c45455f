// Service worker: caches the guides, the offline page and the files that these pages need. A page is taken from the
// cache only if the network fails. The cache is filled without cookies and referrers, so it contains nothing personal.
//
// The server puts a definition of `KEPT` before this script: {version, language, files, pages, offline}.

import { cacheKind, isCacheable, outdatedCaches } from "./cache_policy.js";

const { version, language, files, pages, offline } = self.KEPT;
const NAME = `facedown-${version}`;
const BASE = self.registration.scope;
const refreshed = new Set();

const anonymousRequest = (url) => new Request(url, { credentials: "omit", referrerPolicy: "no-referrer", headers: language ? { "accept-language": language } : {} });

/** Fetch an address without cookies and put the response into the cache; return whether the response was successful. */
async function cacheUrl(cache, url) {
  const response = await fetch(anonymousRequest(new URL(url, BASE)));
  if (isCacheable(response)) await cache.put(new URL(url, BASE), response);
  return response.ok;
}

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(NAME).then(async (cache) => {
      await Promise.all([...files, offline].map((url) => cacheUrl(cache, url)));
      // A guide that can't be fetched during the installation is cached when the player first opens it.
      await Promise.allSettled(pages.map((url) => cacheUrl(cache, url)));
      await self.skipWaiting();
    }),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(outdatedCaches(names, NAME).map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

async function respondWithFile(request) {
  const cache = await caches.open(NAME);
  return (await cache.match(request.url)) ?? fetch(request);
}

async function respondWithPage(event, may) {
  const cache = await caches.open(NAME);
  const bare = event.request.url.split("#")[0];
  try {
    const response = await fetch(event.request);
    if (may && response.ok && !refreshed.has(bare)) {
      refreshed.add(bare);
      event.waitUntil(cacheUrl(cache, bare).catch(() => refreshed.delete(bare)));
    }
    return response;
  } catch (error) {
    const kept = (may && (await cache.match(bare))) || (await cache.match(new URL(offline, BASE)));
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const kind = cacheKind(event.request, BASE);
  if (event.request.mode === "navigate" && event.request.method === "GET") event.respondWith(respondWithPage(event, kind === "page"));
  else if (kind === "file") event.respondWith(respondWithFile(event.request));
});
