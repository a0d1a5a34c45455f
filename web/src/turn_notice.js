// Tells the player that it is their turn: in the title and icon of the browser tab, on the app's badge and by vibration.

import { $, getCookie, setCookie } from "./dom.js";
import { t } from "./translations.js";

/** Vibration patterns in ms: on, off, on, … */
const SHAKES = { "your-turn": [40, 60, 40], refused: [25] };

/**
 * Return whether the device can vibrate and has a touch screen. Desktop browsers have `navigator.vibrate`, too, but
 * don't vibrate.
 */
export const canVibrate = () => typeof navigator.vibrate === "function" && matchMedia("(pointer: coarse)").matches;
export const isVibrationOn = () => canVibrate() && getCookie("vibration") === "1";

export function playVibration(name) {
  if (isVibrationOn()) navigator.vibrate(SHAKES[name]);
}

export function setVibrationOn(on) {
  setCookie("vibration", on ? "1" : "0");
  playVibration("your-turn");
}

/** Return the title of the browser tab; it begins with a dot if it is this player's turn (`yours`). */
export const tabTitle = (title, yours) => (yours ? t("● {title} – Facedown", { title }) : t("{title} – Facedown", { title }));

/** Show in the tab and on the app's badge whether it is this player's turn. */
export function showTurnInTab(title, yours) {
  const words = tabTitle(title, yours);
  if (document.title !== words) document.title = words;
  const link = $("link[rel=icon]");
  if (link?.dataset.turn) {
    link.dataset.rest ??= link.getAttribute("href");
    const href = yours ? link.dataset.turn : link.dataset.rest;
    if (link.getAttribute("href") !== href) link.setAttribute("href", href);
  }
  const badge = yours ? navigator.setAppBadge?.(1) : navigator.clearAppBadge?.();
  badge?.catch?.(() => {});
}
