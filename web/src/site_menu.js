// What is the same on every page: light or dark, sound, menus, codes, the new-table sheet.

import { shakes, shaking, turnShaking } from "./turn_notice.js";
import * as paces from "./animation_speed.js";
import { $, $$, make, recall, remember, set } from "./dom.js";
import { say } from "./announcer.js";
import * as sound from "./sound.js";
import { t } from "./translations.js";

export function settings() {
  for (const toggle of $$('[data-toggle="sound"]')) set(toggle, "aria-pressed", String(sound.isOn()));
  for (const toggle of $$('[data-toggle="vibration"]')) {
    set(toggle, "aria-pressed", String(shaking()));
    toggle.parentElement.hidden = !shakes();
  }
  for (const button of $$("[data-pace-set]")) set(button, "aria-pressed", String(button.dataset.paceSet === paces.pace()));
}

function theme(choice) {
  remember("theme", choice);
  if (choice === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  for (const button of $$("[data-theme-set]")) button.setAttribute("aria-pressed", String(button.dataset.themeSet === choice));
}

function toggle(name) {
  if (name === "sound") {
    sound.turn(!sound.isOn());
  } else turnShaking(!shaking());
  settings();
}

/** Something that a game lets a person turn on: its own styles do the rest. */
function flip(name) {
  const on = recall(name) !== "1";
  remember(name, on ? "1" : "0");
  if (on) document.documentElement.dataset[name] = "on";
  else delete document.documentElement.dataset[name];
  for (const button of $$(`[data-switch="${name}"]`)) button.setAttribute("aria-pressed", String(on));
}

function open(name) {
  if (name === "log") {
    document.body.classList.toggle("sheet-log");
    return;
  }
  for (const other of $$("dialog[open]")) other.close();
  $(`dialog#${name}`)?.showModal();
}

/** It is said for so long that a link was copied, in ms. */
const SAID = 1500;

/** Puts a text on the clipboard; also where pages that come without encryption may not, as in a house of one's own. */
async function clip(text) {
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

/** Copies a link, and says so on the button, or below a button that is only a sign. */
async function copy(button, link) {
  try {
    await clip(link);
  } catch {
    // The link stands there to be read, on the page or in the address line.
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

/** Hands a link to the system's own sheet; where there is none, copies it. Empty: the page as it stands. */
function share(button) {
  const url = new URL(button.dataset.share, location.href).href;
  if (navigator.share) navigator.share({ url, title: document.title }).catch(() => {});
  else copy(button, url);
}

/** Clicks on page controls; true when one was handled. */
export function click(event) {
  const control = event.target.closest("[data-theme-set], [data-pace-set], [data-toggle], [data-switch], [data-open], [data-copy], [data-share], [data-add-seat]");
  if (!control) {
    if (event.target.matches?.("dialog")) event.target.close();
    return false;
  }
  const data = control.dataset;
  if (data.themeSet) theme(data.themeSet);
  else if (data.paceSet) {
    paces.choose(data.paceSet);
    settings();
  } else if (data.toggle) toggle(data.toggle);
  else if (data.switch) flip(data.switch);
  else if (data.open) open(data.open);
  else if (data.copy) copy(control, data.copy);
  else if (data.share !== undefined) share(control);
  else if (data.addSeat !== undefined) addSeat(control);
  return true;
}

export function forms() {
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
      seatRow(row);
      usual();
    });
    seatRow(row);
  }
  for (const asked of $$("[data-bots-alone], [data-modes]")) asked.addEventListener("change", () => (asked.dataset.chosen = ""));
  adder();
}

/** Hints, and aids of some games, are on where one person plays against bots, off where friends come, and a mode goes with the seats, unless somebody has chosen. */
function usual() {
  for (const asked of $$("[data-bots-alone]:not([data-chosen])")) asked.checked = !$("[data-seat-row] option[value=open]:checked");
  const modes = $("[data-modes]:not([data-chosen])");
  const mode = modes && JSON.parse(modes.dataset.modes)[1 + $$("[data-seat-row]:not(.is-closed)").length];
  if (mode) $(`[value="${mode}"]`, modes).checked = true;
}

function seatRow(row) {
  const select = $("select", row);
  const chosen = select.value;
  row.classList.toggle("is-closed", chosen === "closed");
  const name = $("b", row);
  const line = $("small", row);
  name.textContent = chosen === "open" ? name.dataset.openName : name.dataset.botName;
  line.textContent = select.selectedOptions[0].dataset.says;
  adder();
}

function adder() {
  const button = $("[data-add-seat]");
  if (button) button.hidden = !$("[data-seat-row].is-closed");
}

function addSeat() {
  const row = $("[data-seat-row].is-closed");
  const select = row && $("select", row);
  if (!select) return;
  select.value = select.dataset.usual;
  seatRow(row);
  usual();
  select.focus();
}
