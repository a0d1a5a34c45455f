// The page brought to what the server sends, node by node: whole, or section by section.

import { Idiomorph } from "idiomorph";
import { $, $$ } from "./dom.js";

/** Where somebody writes: what stands there is theirs. */
const written = (element) => Boolean(element?.matches?.("input, textarea"));

/** What somebody has opened stays open whatever happens at the table; what was chosen in this browser, and what is on its way, is shown by it alone. */
const stays = (name, element) => !(name === "data-unseen" || (name === "open" && element.matches("dialog, details")) || (name === "aria-pressed" && element.matches("[data-toggle], [data-pace-set], .pages [data-page]")));

/**
 * What the server knows nothing of stays: the card of a hint, and the buttons for what was touched already, of which the
 * table takes away what is not wanted any more.
 */
const keeps = (node) => node.id !== "hint" && node.id !== "heard" && !node.matches?.('#actions > [id^="button-"]');

/** Marks a section that stays as it is. */
const SAME = "data-same";

/** Parts of a table of which nothing differs are left alone: most of it stays as it is from move to move. */
const differs = (old, fresh) => !(old.nodeType === 1 && fresh.hasAttribute(SAME)) && !(old.nodeType === 1 && old.matches(".zone, .seat, .piece, .person, .panel, .lane, svg, li") && old.isEqualNode(fresh));

const rules = () => ({ ignoreActiveValue: written(document.activeElement), callbacks: { beforeNodeMorphed: differs, beforeAttributeUpdated: stays, beforeNodeRemoved: keeps } });

/** HTML as nodes that lie nowhere yet. */
function parsed(html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  return fresh.content;
}

/**
 * Brings what an element holds to new HTML. What somebody is writing stays. All else becomes what the HTML says, above all
 * the thing that has the focus: it is the card just touched, and idiomorph would leave its picture as it was.
 */
export function morph(element, html) {
  Idiomorph.morph(element, parsed(html).childNodes, { morphStyle: "innerHTML", ...rules() });
}

/**
 * What a message brings, read but not shown: `frame`, nodes for all of the page, or null; `sections`, elements in the place of
 * those with their ids; `later`, those of them that stand beside the table; `lines` of the log; `same`, the ids of the parts
 * of the page that stay as they are.
 */
export function readPage(app, message) {
  if (message.html !== undefined) return { frame: parsed(message.html), sections: [], later: [], lines: [], same: new Set() };
  const fresh = new Map(Object.entries(message.sections));
  const replaced = [...fresh.keys()].map((name) => document.getElementById(name)).filter(Boolean);
  const same = $$("section[id]", app).filter((part) => !replaced.some((old) => part.contains(old)));
  const news = { frame: null, sections: [], later: [], lines: message.log ?? [], same: new Set(same.map((part) => part.id)) };
  const take = (name) => {
    const part = parsed(fresh.get(name));
    fresh.delete(name);
    for (const slot of part.querySelectorAll("[data-slot]")) fill(slot);
    return part;
  };
  // In the place of a section that does not come, or comes later, stands the one that is there.
  const fill = (slot) => {
    const old = document.getElementById(slot.id);
    const element = fresh.has(slot.id) ? take(slot.id).firstElementChild : null;
    const waits = element?.matches("[data-aside]") && old;
    if (waits) news.later.push(element);
    if (element && !waits) slot.replaceWith(element);
    else if (old) {
      const stub = old.cloneNode(false);
      stub.setAttribute(SAME, "");
      slot.replaceWith(stub);
    }
  };
  if (fresh.has("frame")) news.frame = take("frame");
  // A section that holds others takes them with it.
  const holds = ([, html]) => html.includes("data-slot");
  for (const [name] of [...fresh].sort((a, b) => holds(b) - holds(a))) {
    if (!fresh.has(name)) continue;
    const element = take(name).firstElementChild;
    (element.matches("[data-aside]") ? news.later : news.sections).push(element);
  }
  return news;
}

/** Puts sections in the place of those with their ids. */
function replace(sections) {
  for (const section of sections.splice(0)) {
    const old = document.getElementById(section.id);
    if (old) Idiomorph.morph(old, section, { morphStyle: "outerHTML", ...rules() });
  }
}

/** Brings the table to what was read; what stands beside it follows, by `showBeside`. */
export function showPage(app, news) {
  if (news.frame) Idiomorph.morph(app, news.frame.childNodes, { morphStyle: "innerHTML", ...rules() });
  replace(news.sections);
}

/** Brings the parts beside the table to what was read, after all else. */
export function showBeside(news) {
  replace(news.later);
  if (news.lines.length) $("#log-lines")?.append(parsed(news.lines.splice(0).join("")));
}
