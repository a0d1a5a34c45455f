// Rules for what the service worker may cache for use without a connection: an allow-list, as pure functions. Tables,
// replays, the API, forms and everything personal are not on the list, so they are never cached.

/** Path of a static file whose address contains a hash of its contents: such a file never changes. */
const MARKED = /^static\/[\w./-]+$/;
/** Paths of the game guides and of the page shown without a connection. */
const PAGE = /^(guide\/[a-z0-9_-]+|offline)$/;

/** Return {path, search} of an address, relative to the application's base address; null for an address elsewhere. */
export function pathBelowBase(url, base) {
  const { origin, pathname, search } = new URL(url, base);
  const home = new URL("./", base);
  return origin === home.origin && pathname.startsWith(home.pathname) ? { path: pathname.slice(home.pathname.length), search } : null;
}

/** Return how a request may be answered from the cache: "file", "page" or "" (not at all). */
export function cacheKind({ method, url }, base) {
  const found = method === "GET" && pathBelowBase(url, base);
  if (!found) return "";
  if (MARKED.test(found.path) && (/^\?[0-9a-f]{10}$/.test(found.search) || /-[A-Z0-9]{8}\.\w+$/.test(found.path))) return "file";
  return PAGE.test(found.path) && !found.search ? "page" : "";
}

/** Return whether a response may be cached: it must be complete, from this server and not the result of a redirect. */
export const isCacheable = (response) => response.status === 200 && response.type === "basic" && !response.redirected;

/** Return the names of this application's caches other than `mine`, which belong to other versions. */
export const outdatedCaches = (names, mine, prefix = "facedown-") => names.filter((name) => name.startsWith(prefix) && name !== mine);
