// What may be kept for a time without a connection: an allow-list, and pure functions. Tables, replays, the API, forms and
// everything else that is somebody's own is not on it, so it is never kept.

/** A static file under its contents' mark: it never changes. */
const MARKED = /^static\/[\w./-]+$/;
/** The guides and the page that says that there is no connection. */
const PAGE = /^(guide\/[a-z0-9_-]+|offline)$/;

/** The path of an address below the app's own; null for one elsewhere. */
export function below(url, base) {
  const { origin, pathname, search } = new URL(url, base);
  const home = new URL("./", base);
  return origin === home.origin && pathname.startsWith(home.pathname) ? { path: pathname.slice(home.pathname.length), search } : null;
}

/** What a request may be answered with besides the network: "file", "page", or "" for nothing at all. */
export function kindOf({ method, url }, base) {
  const found = method === "GET" && below(url, base);
  if (!found) return "";
  if (MARKED.test(found.path) && (/^\?[0-9a-f]{10}$/.test(found.search) || /-[A-Z0-9]{8}\.\w+$/.test(found.path))) return "file";
  return PAGE.test(found.path) && !found.search ? "page" : "";
}

/** May this answer be kept? It must be whole, ours, and not the end of a way elsewhere. */
export const keeps = (response) => response.status === 200 && response.type === "basic" && !response.redirected;

/** The caches of other versions. */
export const old = (names, mine, prefix = "facedown-") => names.filter((name) => name.startsWith(prefix) && name !== mine);
