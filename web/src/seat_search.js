// Search for a seat: while the visitor looks for one, every page asks the server whether it has found one, and then
// shows it in a dialog for as long as the seat is kept.

import { $, getCookie, make } from "./dom.js";
import { say } from "./announcer.js";
import { isSoundOn, playSound } from "./sound.js";
import { isMotionOff } from "./animation_speed.js";
import { appUrl, localizedUrl, t } from "./translations.js";
import { tabTitle } from "./turn_notice.js";

/** Milliseconds between two requests. */
const INTERVAL = 5000;

/** Code of the table whose seat was shown last; "" after the server had none to offer. */
let shown = "";

async function askForSeat() {
  if (getCookie("seeking") !== "1" || (document.hidden && !isSoundOn()) || $("#offer")) return;
  const answer = await fetch(localizedUrl(appUrl("/open/offer"))).catch(() => null);
  if (answer?.status === 204) shown = "";
  if (answer?.status !== 200) return;
  const fresh = document.createElement("template");
  fresh.innerHTML = await answer.text();
  const dialog = $("dialog", fresh.content);
  if (!dialog || dialog.dataset.code === shown || $("#offer")) return;
  shown = dialog.dataset.code;
  showOffer(dialog);
}

/** Show an offered seat. The dialog closes when the seat is no longer kept. */
function showOffer(dialog) {
  const title = document.title;
  const left = Number(dialog.dataset.left) * 1000;
  const until = Date.now() + left;
  document.body.append(dialog);
  dialog.showModal();
  playSound("knock");
  document.title = tabTitle(t("A seat is free"), true);
  const steps = isMotionOff();
  const easing = steps ? `steps(${Math.max(1, Math.round(left / INTERVAL))})` : "linear";
  $("#offer-rest")?.animate({ transform: ["scaleX(1)", "scaleX(0)"] }, { duration: left, easing, fill: "forwards" });
  const count = setInterval(() => {
    const seconds = Math.max(0, Math.ceil((until - Date.now()) / 1000));
    const line = $("#offer-left");
    if (line) line.textContent = t("Your seat is kept for {time}.", { time: `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}` });
    if (seconds) return;
    if (line) say(t("Time’s up: the seat goes to the next player."));
    dialog.close();
  }, 1000);
  dialog.addEventListener("close", () => {
    clearInterval(count);
    dialog.remove();
    document.title = title;
  });
}

export function enableSeatSearch() {
  if (!$("#polite")) {
    const region = make("div", "sr");
    for (const [name, value] of Object.entries({ id: "polite", role: "log", "aria-live": "polite" })) region.setAttribute(name, value);
    document.body.append(region);
  }
  askForSeat();
  setInterval(askForSeat, INTERVAL);
}
