// Home page: keyboard shortcuts for games, lesson and table code. Quick play offers the lesson to a player who has
// never played the game.

import { $, $$ } from "./dom.js";
import { root } from "./translations.js";

/** Milliseconds after the key "g" within which a number opens a game. */
const CHORD = 1500;

export function enableHomePage() {
  if (!document.body.classList.contains("home")) return;
  let chord = 0;
  document.addEventListener("click", (event) => {
    // Without scripts this link opens another page. With scripts it opens a dialog on this page instead.
    if (event.target.closest("a[data-open]")) event.preventDefault();
  });
  document.addEventListener("submit", (event) => {
    const asks = document.getElementById(event.target.dataset.offers);
    if (!asks || asks.open) return;
    event.preventDefault();
    asks.showModal();
    $("a.primary", asks)?.focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]") || event.target.matches?.("input, select, textarea")) return;
    const key = event.key.toLowerCase();
    const at = Date.now() < chord ? Number(key) : 0;
    chord = key === "g" ? Date.now() + CHORD : 0;
    if (at) $$(".lids .lid")[at - 1]?.click();
    else if (key === "l") $(`#lesson-link, .home-foot a[href='${root}/learn']`)?.click();
    else if (key === "j") {
      event.preventDefault();
      if ($("#code")?.checkVisibility()) $("#code").focus();
      else $("[data-open=join]")?.click();
    }
  });
}
