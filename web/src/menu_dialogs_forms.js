// Controls of all pages: theme, sound, menus, dialogs, links to copy, and the form for a new table.

import { canVibrate, isVibrationOn, setVibrationOn } from "./turn_notice.js";
import { areNoticesOffered, areNoticesOn, setNoticesOn } from "./push_notices.js";
import * as paces from "./animation_speed.js";
import { isConfirmationOn, setConfirmationOn } from "./confirmation.js";
import { $, $$, getCookie, make, setAttributeIfChanged, setCookie } from "./dom.js";
import { say } from "./announcer.js";
import * as sound from "./sound.js";
import { t } from "./translations.js";

/** Settings that are on or off, by the name of their button: how to read and how to set each of them. */
const SETTINGS = {
  sound: [sound.isSoundOn, sound.setSoundOn],
  vibration: [isVibrationOn, setVibrationOn],
  confirmation: [isConfirmationOn, setConfirmationOn],
  notices: [areNoticesOn, setNoticesOn],
};

export function refreshSettings() {
  for (const toggle of $$("[data-toggle]")) setAttributeIfChanged(toggle, "aria-pressed", String(SETTINGS[toggle.dataset.toggle][0]()));
  for (const toggle of $$('[data-toggle="vibration"]')) toggle.parentElement.hidden = !canVibrate();
  for (const toggle of $$('[data-toggle="notices"]')) toggle.parentElement.hidden = !areNoticesOffered();
  for (const button of $$("[data-pace-set]")) setAttributeIfChanged(button, "aria-pressed", String(button.dataset.paceSet === paces.chosenPace()));
}

function chooseTheme(choice) {
  setCookie("theme", choice);
  if (choice === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  for (const button of $$("[data-theme-set]")) button.setAttribute("aria-pressed", String(button.dataset.themeSet === choice));
}

function toggleSetting(name) {
  const [isOn, setOn] = SETTINGS[name];
  setOn(!isOn());
  refreshSettings();
}

/** Turn a switch (display option that a game defines) on or off; the game's stylesheet contains its effect. */
function toggleGameSwitch(name) {
  const on = getCookie(name) !== "1";
  setCookie(name, on ? "1" : "0");
  if (on) document.documentElement.dataset[name] = "on";
  else delete document.documentElement.dataset[name];
  for (const button of $$(`[data-switch="${name}"]`)) button.setAttribute("aria-pressed", String(on));
}

function openDialog(name) {
  if (name === "log") {
    document.body.classList.toggle("sheet-log");
    return;
  }
  closeDialogs();
  $(`dialog#${name}`)?.showModal();
}

/** Close the open dialogs. The focus goes back to the button that opened them. */
export function closeDialogs() {
  for (const dialog of $$("dialog[open]")) dialog.close();
}

/** Return whether a click on a dialog is beside its box, on the backdrop. */
function isBeside(dialog, { clientX: x, clientY: y }) {
  const box = dialog.getBoundingClientRect();
  return x < box.left || x > box.right || y < box.top || y > box.bottom;
}

/** Milliseconds that "Copied" is shown. */
const SAID = 1500;

/**
 * Copy a text to the clipboard. Without HTTPS, for example on a local network, the clipboard API is missing and a
 * selected text field is copied instead.
 */
async function writeToClipboard(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const held = document.activeElement;
  const box = make("textarea", "sr", text);
  document.body.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  held?.focus();
  if (!done) throw new Error("the clipboard is closed");
}

/** Copy a link and confirm it on the button; an icon-only button shows the confirmation below it. */
async function copyLink(button, link) {
  try {
    await writeToClipboard(link);
  } catch {
    // If copying fails, the player can still copy the link from the page or the address bar.
    return;
  }
  if (button.dataset.copied) return;
  const copied = t("Copied");
  say(copied);
  button.dataset.copied = copied;
  const words = button.matches(".tool") ? null : ($("span", button) ?? button);
  const before = words?.textContent;
  if (words) words.textContent = copied;
  setTimeout(() => {
    delete button.dataset.copied;
    if (words) words.textContent = before;
  }, SAID);
}

/**
 * Open the system's share dialog for a link, or copy the link if there is none. An empty link means the current page.
 */
function shareLink(button) {
  const url = new URL(button.dataset.share, location.href).href;
  if (navigator.share) navigator.share({ url, title: document.title }).catch(() => {});
  else copyLink(button, url);
}

/** Handle a click on one of the controls of all pages; return whether the click was on such a control. */
export function handleMenuClick(event) {
  const control = event.target.closest("[data-theme-set], [data-pace-set], [data-toggle], [data-switch], [data-open], [data-copy], [data-share], [data-add-seat]");
  if (!control) {
    if (event.target.matches?.("dialog[open]") && isBeside(event.target, event)) event.target.close();
    return false;
  }
  const data = control.dataset;
  if (data.themeSet) chooseTheme(data.themeSet);
  else if (data.paceSet) {
    paces.choosePace(data.paceSet);
    refreshSettings();
  } else if (data.toggle) toggleSetting(data.toggle);
  else if (data.switch) toggleGameSwitch(data.switch);
  else if (data.open) openDialog(data.open);
  else if (data.copy) copyLink(control, data.copy);
  else if (data.share !== undefined) shareLink(control);
  else if (data.addSeat !== undefined) addSeat(control);
  return true;
}

export function enableForms() {
  if (navigator.share) for (const button of $$("[data-share]")) button.hidden = false;
  for (const box of $$(".codes")) {
    const input = $("input", box);
    const cells = $$("i", box);
    const show = () => {
      input.value = input.value.toUpperCase().replace(/[^A-Z0-9]/g, "").slice(0, 8);
      cells.forEach((cell, i) => {
        cell.textContent = input.value[i] ?? "";
        cell.classList.toggle("at", document.activeElement === input && i === Math.min(input.value.length, 7));
      });
    };
    input.addEventListener("input", () => {
      show();
      if (input.value.length === 8) input.form.requestSubmit();
    });
    for (const type of ["focus", "blur"]) input.addEventListener(type, show);
    show();
  }
  for (const row of $$("[data-seat-row]")) {
    row.addEventListener("change", () => {
      updateSeatRow(row);
      applyDefaultOptions();
    });
    updateSeatRow(row);
  }
  for (const asked of $$("[data-bots-alone], [data-modes]")) asked.addEventListener("change", () => (asked.dataset.chosen = ""));
  updateAddSeatButton();
}

/**
 * Set the options that depend on the seats, unless the player has chosen them: hints and some memory aids are on
 * against bots only, and the game mode follows the number of players.
 */
function applyDefaultOptions() {
  for (const asked of $$("[data-bots-alone]:not([data-chosen])")) asked.checked = !$("[data-seat-row] option[value=open]:checked");
  const modes = $("[data-modes]:not([data-chosen])");
  const mode = modes && JSON.parse(modes.dataset.modes)[1 + $$("[data-seat-row]:not(.is-closed)").length];
  if (mode) $(`[value="${mode}"]`, modes).checked = true;
}

function updateSeatRow(row) {
  const select = $("select", row);
  const chosen = select.value;
  row.classList.toggle("is-closed", chosen === "closed");
  const name = $("b", row);
  const line = $("small", row);
  name.textContent = chosen === "open" ? name.dataset.openName : name.dataset.botName;
  line.textContent = select.selectedOptions[0].dataset.says;
  updateAddSeatButton();
}

function updateAddSeatButton() {
  const button = $("[data-add-seat]");
  if (button) button.hidden = !$("[data-seat-row].is-closed");
}

function addSeat() {
  const row = $("[data-seat-row].is-closed");
  const select = row && $("select", row);
  if (!select) return;
  select.value = select.dataset.usual;
  updateSeatRow(row);
  applyDefaultOptions();
  select.focus();
}
