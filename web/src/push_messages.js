// Push messages and subscriptions, for pages and the service worker. Nothing here needs a page (DOM).

import { pathBelowBase } from "./cache_policy.js";

/** Value of "web_push" in a declarative push message (the number of the standard for push messages). */
const DECLARATIVE = 8030;

/**
 * Return a push message as {title, body, lang, tag, navigate}. A message of unknown content becomes one that names only
 * the app, because browsers demand that each message is shown. `navigate` is always an address below `base`.
 */
export function parsePushMessage(text, base) {
  const unknown = { title: "Facedown", body: "", lang: "", tag: "facedown", navigate: base };
  try {
    const { web_push: standard, notification } = JSON.parse(text);
    if (standard !== DECLARATIVE || typeof notification.title !== "string" || !pathBelowBase(notification.navigate, base)) return unknown;
    return { ...unknown, ...notification, tag: notification.tag || unknown.tag };
  } catch {
    return unknown;
  }
}

/** Return whether two addresses show the same page, whatever their parameters. */
export function isSamePage(url, other) {
  const [one, two] = [new URL(url), new URL(other)];
  return one.origin === two.origin && one.pathname === two.pathname;
}

/** Return an application server key (an ArrayBuffer) as base64url, the form in which pages contain it. */
export const encodeKey = (key) => btoa(String.fromCharCode(...new Uint8Array(key))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** Send a subscription to the server; `replaces` is the endpoint of the one before, or "". Throw an error if it fails. */
export async function postSubscription(url, subscription, replaces = "") {
  const { endpoint, keys } = subscription.toJSON();
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  await postJson(url, { endpoint, p256dh: keys.p256dh, auth: keys.auth, zone, replaces });
}

export async function postJson(url, value) {
  const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(value) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
}
