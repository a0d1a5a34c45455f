// Notices of your turn (Web Push) in this browser: the question after the first move at a slow table, the switch in the
// table's menu, and notices that are out of date. The service worker shows the notices.

import { $, $$ } from "./dom.js";
import { say } from "./announcer.js";
import { isMoving } from "./card_animation.js";
import { isGliding } from "./layout_transitions.js";
import { encodeKey, isSamePage, postJson, postSubscription } from "./push_messages.js";
import { appUrl, t } from "./translations.js";

/** Turns at slow tables after which the question is asked again. */
const TURNS = 5;
/** Milliseconds between the end of a turn and the question, and the longest time to wait for the service worker. */
const PAUSE = 600;
const PATIENCE = 10000;
/**
 * Key in `localStorage`: "on", "never" (do not ask), or the number of turns until the question is asked again. Without
 * a value, the player has not been asked.
 */
const STORED = "facedown-notices";
/** Key in `sessionStorage`: this browser session has sent its subscription to the server. */
const RENEWED = "facedown-notices-renewed";

/** Public key of the server; "" if it sends no notices, or doesn't know the visitor. */
const key = $("meta[name=push-key]")?.content ?? "";
const isSupported = "serviceWorker" in navigator && "PushManager" in self && "Notification" in self;

let subscribed = false;
let busy = false;
let onChange = () => {};
/** Whether a move of this player has been carried out in the turn in progress, and whether it is the player's turn. */
let moved = false;
let yours = false;

/** Return whether the viewer plays at a table with a time limit of an hour or more. */
const isAtSlowTable = () => Boolean($("[data-clock].slow.yours"));
export const areNoticesOn = () => subscribed;
/** Return whether the menu shows the switch for notices. */
export const areNoticesOffered = () => Boolean(key) && isSupported && (subscribed || isAtSlowTable());

/** Return the active service worker's registration, with which a browser subscribes. */
function registration() {
  const late = new Promise((_done, fail) => setTimeout(() => fail(new Error("no service worker")), PATIENCE));
  return Promise.race([navigator.serviceWorker.ready, late]);
}

/** Subscribe, unless this browser is subscribed with the server's present key, and send the subscription to the server. */
async function subscribe() {
  const { pushManager } = await registration();
  const old = await pushManager.getSubscription();
  const isCurrent = old && encodeKey(old.options.applicationServerKey) === key;
  if (old && !isCurrent) await old.unsubscribe();
  const subscription = isCurrent ? old : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  await postSubscription(appUrl("/push/subscription"), subscription, old && !isCurrent ? old.endpoint : "");
  localStorage.setItem(STORED, "on");
  sessionStorage.setItem(RENEWED, "1");
}

/** End this browser's subscription, if it has one, and return its endpoint. */
async function unsubscribe() {
  const subscription = await (await registration()).pushManager.getSubscription();
  await subscription?.unsubscribe();
  return subscription?.endpoint;
}

/** Ask the browser for permission and subscribe. Return a sentence about what failed, or "". */
async function turnOn() {
  const permission = await Notification.requestPermission();
  if (permission === "denied") return t("Your browser blocks notices from this site. You can allow them in its settings.");
  if (permission !== "granted") return t("Notices stay off, because your browser didn’t get your permission.");
  try {
    await subscribe();
    subscribed = true;
    return "";
  } catch {
    await unsubscribe().catch(() => {});
    return t("Notices couldn’t be turned on. Try again later.");
  }
}

async function turnOff() {
  // The question isn't asked again: the player knows where the switch is.
  localStorage.setItem(STORED, "never");
  subscribed = false;
  // If the server can't be reached now, it learns from the push service later that the subscription has ended.
  const forget = (endpoint) => endpoint && postJson(appUrl("/push/unsubscribe"), { endpoint });
  await unsubscribe().then(forget).catch(() => {});
  return "";
}

/** Turn notices on or off, and show what failed in the open dialog. */
export async function setNoticesOn(on) {
  if (busy) return;
  busy = true;
  const problem = await (on ? turnOn() : turnOff());
  busy = false;
  for (const line of $$("[data-notices-problem]")) line.textContent = problem;
  onChange();
  if (problem) return;
  $("dialog#notices[open]")?.close();
  say(on ? t("Notices of your turn are on in this browser.") : t("Notices of your turn are off in this browser."));
}

/** At the end of an update of the table: count the turn, ask about notices if it is time to, and close old notices. */
export function updateNotices(message, isMoveAnswered) {
  yours = Boolean(message.yours);
  moved ||= isMoveAnswered;
  if (yours) return;
  closeNotices(({ tag }) => tag === `turn-${location.pathname.split("/").pop()}`);
  const isTurnOver = moved && !message.over;
  moved = false;
  if (isTurnOver && areNoticesOffered() && !subscribed && Notification.permission !== "denied") countTurn();
}

function countTurn() {
  const stored = localStorage.getItem(STORED);
  const left = stored === null || stored === "on" ? 0 : Number(stored) - 1;
  if (left > 0) localStorage.setItem(STORED, left);
  else if (left <= 0) setTimeout(() => askWhenStill(stored), PAUSE);
}

/** Open the question once no card moves, unless the player does something else by then; then a later turn asks. */
function askWhenStill(stored) {
  const dialog = $("#notices");
  if (isMoving() || isGliding()) setTimeout(() => askWhenStill(stored), PAUSE);
  else if (dialog && !yours && !subscribed && !$("dialog[open], [popover]:popover-open, #answer-yes, .sheet-log")) {
    dialog.addEventListener("close", () => subscribed || localStorage.setItem(STORED, stored === null || stored === "on" ? TURNS : "never"), { once: true });
    dialog.showModal();
  }
}

/** Close shown notices that fulfil a condition. */
async function closeNotices(isOutdated) {
  if (!isSupported || Notification.permission !== "granted") return;
  const found = await navigator.serviceWorker.getRegistration(appUrl("/"));
  for (const notice of (await found?.getNotifications()) ?? []) if (isOutdated(notice)) notice.close();
}

/** On the home page, close notices of tables where it isn't the visitor's turn, and say so if the browser blocks them. */
function updateHome() {
  const turns = new Set($$(".table-row:has(.turn)").map((row) => `turn-${row.pathname.split("/").pop()}`));
  closeNotices(({ tag }) => tag.startsWith("turn-") && !turns.has(tag));
  const note = $("#notices-blocked");
  if (note && isSupported) note.hidden = Notification.permission !== "denied";
}

/**
 * Read whether this browser is subscribed. Once in a browser session, send the subscription to the server, which
 * renews its language and time zone; a subscription that has ended or has an old key is replaced.
 */
async function readSubscription() {
  const { pushManager } = await navigator.serviceWorker.ready;
  subscribed = Boolean(await pushManager.getSubscription());
  onChange();
  // After a new key, which shows on the page "Your data", the server has forgotten all subscriptions.
  const isRenewed = sessionStorage.getItem(RENEWED) && !$("[data-new-key]");
  if (Notification.permission !== "granted" || isRenewed) return;
  if (!subscribed && localStorage.getItem(STORED) !== "on") return;
  await subscribe();
  subscribed = true;
  onChange();
}

/** After a sign-out, end this browser's subscription: it was that of the person who was signed in. */
async function endAfterSignOut() {
  const found = await navigator.serviceWorker.getRegistration(appUrl("/"));
  await (await found?.pushManager.getSubscription())?.unsubscribe();
  for (const kept of [localStorage, sessionStorage]) for (const name of [STORED, RENEWED]) kept.removeItem(name);
}

/** Start; `changed` is called when `areNoticesOn` or `areNoticesOffered` may have changed. */
export function enablePushNotices(changed) {
  // A free seat or an invitation has been seen once its page is open; a turn has to be taken.
  closeNotices(({ tag, data }) => /^(seat|invite)-/.test(tag) && data && isSamePage(data.navigate, location));
  if (document.body.classList.contains("home")) updateHome();
  if (isSupported && $("[data-unknown-visitor]")) endAfterSignOut().catch(() => {});
  if (!key || !isSupported) return;
  onChange = changed;
  // Without a connection to the push service or the server, the next page tries again.
  readSubscription().catch(() => {});
  $("[data-notices-on]")?.addEventListener("click", () => setNoticesOn(true));
}
