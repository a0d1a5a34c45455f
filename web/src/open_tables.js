// Page "Open tables": fetches the list again and again and updates it in place; keyboard shortcuts. Also asks a visitor
// without a name for one before a form that needs it is sent.

import { $, $$, icon, make } from "./dom.js";
import { morphHtml } from "./page_patch.js";
import { appUrl, localizedUrl, t } from "./translations.js";

/** Milliseconds between two requests for the list, and for which the row of a table that has gone stays. */
const INTERVAL = 5000;
const GONE = 4000;

const isHere = (row) => row.matches(matchMedia("(hover: hover)").matches ? ":hover, :focus-within" : ":focus-within");

/** Remove the row of a table that has gone, once neither the pointer nor the focus is on it. */
function removeRow(row) {
  if (!row.isConnected || !row.classList.contains("gone")) return;
  if (!isHere(row)) row.remove();
  else for (const type of ["pointerleave", "focusout"]) row.addEventListener(type, () => setTimeout(removeRow, 0, row), { once: true });
}

/**
 * Return HTML of the list in which the rows that have gone are still at their places, grey and without effect. The
 * choices in the search form are the visitor's, so the form is kept.
 */
function withGoneRows(html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  for (const row of $$("#open-rows li")) {
    if (fresh.content.getElementById(row.id)) continue;
    const kept = row.cloneNode(true);
    kept.classList.add("gone");
    $("button", kept).setAttribute("aria-disabled", "true");
    const before = row.previousElementSibling && fresh.content.getElementById(row.previousElementSibling.id);
    if (before) before.after(kept);
    else $$("#open-rows ul", fresh.content)[$$("#open-rows ul").indexOf(row.parentElement)].prepend(kept);
  }
  const seek = $("#seek", fresh.content);
  if (seek.dataset.state === "form" && $("#seek").dataset.state === "form") seek.setAttribute("data-same", "");
  return fresh.innerHTML;
}

async function updateList(list) {
  if (document.hidden || $("dialog[open]")) return;
  let html = null;
  try {
    const answer = await fetch(localizedUrl(appUrl(`/open/list${location.search}`)));
    html = answer.ok && (await answer.text());
  } catch { /* There is no connection. */ }
  document.body.classList.toggle("is-offline", html === null);
  if (html === null && !$("#no-list")) {
    const bar = make("p", "dark-bar", icon("offline"), t("You’re offline. The list may be out of date."));
    bar.id = "no-list";
    bar.setAttribute("role", "status");
    document.body.append(bar);
  } else if (html !== null) $("#no-list")?.remove();
  if (!html) return;
  const gone = new Set($$(".gone", list).map((row) => row.id));
  morphHtml(list, withGoneRows(html));
  for (const row of $$(".gone", list)) if (!gone.has(row.id)) setTimeout(removeRow, GONE, row);
}

/** Move the focus to the next or previous row of the list. */
function focusRow(by) {
  const buttons = $$("#open-rows li button");
  const at = buttons.indexOf(document.activeElement);
  buttons[at < 0 ? (by > 0 ? 0 : buttons.length - 1) : Math.min(Math.max(at + by, 0), buttons.length - 1)]?.focus();
}

function pressKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]") || event.target.matches?.("input:not([type=checkbox]), select, textarea")) return;
  const form = document.activeElement?.closest("#open-rows li:not(.gone) form");
  const key = event.key.toLowerCase();
  if (key === "arrowdown" || key === "arrowup") focusRow(key === "arrowdown" ? 1 : -1);
  else if (key === "f") $("[data-find], .seek .primary")?.focus();
  else if (key === "w" && form) {
    form.action = form.action.replace(/sit$/, "watch");
    form.submit();
  } else return;
  event.preventDefault();
}

/**
 * Before a form is sent that needs a name (`data-named`), ask a visitor without one in a dialog. The form then sends
 * the dialog's field together with its own.
 */
function askForName(event) {
  const { target: form, submitter } = event;
  const dialog = $("#name-first");
  if (!dialog || !form.matches("[data-named]") || submitter?.closest("#name-first")) return;
  event.preventDefault();
  for (const part of $$("[name=name], .primary", dialog)) part.setAttribute("form", form.id);
  const send = $(".primary", dialog);
  send.name = submitter?.name ?? "";
  send.value = submitter?.value ?? "";
  send.textContent = submitter?.textContent.trim() || send.textContent;
  // The Enter key would press the form's first button instead of this one.
  dialog.onkeydown = (event) => {
    if (event.key !== "Enter" || !event.target.matches("input")) return;
    event.preventDefault();
    send.click();
  };
  dialog.showModal();
}

export function enableOpenTables() {
  document.addEventListener("submit", (event) => {
    if (event.submitter?.getAttribute("aria-disabled") === "true" && event.submitter.closest(".gone")) event.preventDefault();
    else askForName(event);
  });
  const list = $("#open-list");
  if (!list) return;
  document.addEventListener("keydown", pressKey);
  document.addEventListener("visibilitychange", () => updateList(list));
  setInterval(() => updateList(list), INTERVAL);
}
