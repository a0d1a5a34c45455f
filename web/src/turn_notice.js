// Whose turn it is, told outside of the page: in the tab's title and icon, on the app's icon, in the hand.

import { $, recall, remember } from "./dom.js";
import { t } from "./translations.js";

/** How a phone shakes, in ms: on, off, on … */
const SHAKES = { "your-turn": [40, 60, 40], refused: [25] };

/** Is this a thing that is held, and can shake? Desktops say that they can, and do not. */
export const shakes = () => typeof navigator.vibrate === "function" && matchMedia("(pointer: coarse)").matches;
export const shaking = () => shakes() && recall("vibration") === "1";

export function shake(name) {
  if (shaking()) navigator.vibrate(SHAKES[name]);
}

export function turnShaking(on) {
  remember("vibration", on ? "1" : "0");
  shake("your-turn");
}

/** What the tab says. */
export const titleOf = (title, yours) => (yours ? t("● {title} – Facedown", { title }) : t("{title} – Facedown", { title }));

/** The tab and the app's icon say whether it is one's turn. */
export function tell(title, yours) {
  const words = titleOf(title, yours);
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
