// Service worker: caches the guides, the offline page and the files that these pages need. A page is taken from the
// cache only if the network fails. The cache is filled without cookies and referrers, so it contains nothing personal.
// It also shows notices of your turn, which the server sends as push messages.
//
// The server puts a definition of `KEPT` before this script: {version, language, files, pages, offline}.

import { cacheKind, isCacheable, outdatedCaches } from "./cache_policy.js";
import { isSamePage, parsePushMessage, postSubscription } from "./push_messages.js";

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

const openWindows = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });

/** Show a push message as a notice, unless the player sees its page already. A newer notice replaces one of its tag. */
async function showNotice(text) {
  const { title, navigate, ...options } = parsePushMessage(text, BASE);
  const isSeen = (page) => page.visibilityState === "visible" && isSamePage(page.url, navigate);
  if ((await openWindows()).some(isSeen)) return;
  const icon = new URL("icons/192.png", BASE).href;
  // A server that was stopped may have sent the same notice before; then it makes no second sound.
  const shown = await self.registration.getNotifications({ tag: options.tag });
  const renotify = !shown.some((one) => one.title === title && one.body === options.body);
  await self.registration.showNotification(title, { ...options, renotify, icon, data: { navigate } });
}

/** Show the page of a notice: in a window that shows it already, else in any window of the app, else in a new one. */
async function openPage(url) {
  const windows = await openWindows();
  const page = windows.find((one) => isSamePage(one.url, url));
  if (page) return page.focus();
  for (const other of windows) {
    // A window that no service worker controls can't be navigated.
    const moved = await other.navigate(url).catch(() => null);
    if (moved) return moved.focus();
  }
  return self.clients.openWindow(url);
}

self.addEventListener("push", (event) => event.waitUntil(showNotice(event.data?.text() ?? "")));

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data?.navigate ?? BASE));
});

/** Replace a subscription that the browser has ended, with the same key of the server. */
async function renewSubscription({ oldSubscription: old, newSubscription }) {
  const key = old?.options.applicationServerKey;
  const subscription = newSubscription ?? (key && (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })));
  if (subscription) await postSubscription(new URL("push/subscription", BASE), subscription, old?.endpoint);
}

self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renewSubscription(event)));
