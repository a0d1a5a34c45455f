// Page updates by morphing: changes the page, node by node, to the HTML that the server sent, as a whole or by
// sections.

import { Idiomorph } from "idiomorph";
import { $, $$ } from "./dom.js";

/** Return whether an element is a field for text. An update never replaces the text that the player is typing. */
const isTextField = (element) => Boolean(element?.matches?.("input, textarea"));

/**
 * Return whether an update may change an attribute. Open dialogs must stay open. Attributes that show settings of this
 * browser or mark flying cards must stay, because the server does not know them.
 */
const mayUpdateAttribute = (name, element) => !(name === "data-unseen" || (name === "open" && element.matches("dialog, details")) || (name === "aria-pressed" && element.matches("[data-toggle], [data-pace-set], .pages [data-page]")));

/**
 * Return whether an update may remove a node. The hint's box, the latest chat message and the buttons for the current
 * touches must stay, because the client made them.
 */
const mayRemoveNode = (node) => node.id !== "hint" && node.id !== "heard" && !node.matches?.('#actions > [id^="button-"]');

/** Attribute that marks the stub of a section that stays unchanged. */
const SAME = "data-same";

/** Return whether a node must be morphed (changed in place). Parts that are equal before and after are skipped. */
const needsMorph = (old, fresh) => !(old.nodeType === 1 && fresh.hasAttribute(SAME)) && !(old.nodeType === 1 && old.matches(".zone, .seat, .piece, .person, .panel, .lane, svg, li") && old.isEqualNode(fresh));

const morphOptions = () => ({ ignoreActiveValue: isTextField(document.activeElement), callbacks: { beforeNodeMorphed: needsMorph, beforeAttributeUpdated: mayUpdateAttribute, beforeNodeRemoved: mayRemoveNode } });

/** Return a document fragment with the parsed HTML. */
function parseHtml(html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  return fresh.content;
}

/**
 * Change the contents of an element to new HTML. The text that the player is typing is kept. Otherwise the focused
 * element is updated like any other, because it is usually the card just touched and its picture must change.
 */
export function morphHtml(element, html) {
  Idiomorph.morph(element, parseHtml(html).childNodes, { morphStyle: "innerHTML", ...morphOptions() });
}

/**
 * Parse a message without showing it. Return an object with these fields:
 *
 * * `frame`: nodes of the whole page, or null.
 * * `sections`: new elements for sections of the table.
 * * `later`: new elements for sections next to the table, to be replaced last.
 * * `lines`: HTML of new log lines.
 * * `same`: ids of the sections that stay unchanged.
 */
export function parseUpdate(app, message) {
  if (message.html !== undefined) return { frame: parseHtml(message.html), sections: [], later: [], lines: [], same: new Set() };
  const fresh = new Map(Object.entries(message.sections));
  const replaced = [...fresh.keys()].map((name) => document.getElementById(name)).filter(Boolean);
  const same = $$("section[id]", app).filter((part) => !replaced.some((old) => part.contains(old)));
  const news = { frame: null, sections: [], later: [], lines: message.log ?? [], same: new Set(same.map((part) => part.id)) };
  const take = (name) => {
    const part = parseHtml(fresh.get(name));
    fresh.delete(name);
    for (const slot of part.querySelectorAll("[data-slot]")) fill(slot);
    return part;
  };
  // Replace the placeholder `slot` (an element with the id of a section) by the section in the message. Insert a stub
  // instead if the message does not contain the section, or if the section is next to the table (`data-aside`), because
  // such sections are updated last. A stub tells the morphing to leave the section on the page unchanged for now.
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
  // First parse the sections that contain placeholders. For each placeholder, `take` inserts the section with the same
  // id and removes that section from `fresh`, so that it is not parsed again on its own.
  const holds = ([, html]) => html.includes("data-slot");
  for (const [name] of [...fresh].sort((a, b) => holds(b) - holds(a))) {
    if (!fresh.has(name)) continue;
    const element = take(name).firstElementChild;
    (element.matches("[data-aside]") ? news.later : news.sections).push(element);
  }
  return news;
}

/** Replace sections on the page by these elements, which have the same ids. The array is emptied. */
function replaceSections(sections) {
  for (const section of sections.splice(0)) {
    const old = document.getElementById(section.id);
    if (old) Idiomorph.morph(old, section, { morphStyle: "outerHTML", ...morphOptions() });
  }
}

/** Show a parsed message on the table; `patchAsideSections` then updates the sections next to it. */
export function patchTable(app, news) {
  if (news.frame) Idiomorph.morph(app, news.frame.childNodes, { morphStyle: "innerHTML", ...morphOptions() });
  replaceSections(news.sections);
}

/** Update the sections next to the table and the log. */
export function patchAsideSections(news) {
  replaceSections(news.later);
  if (news.lines.length) $("#log-lines")?.append(parseHtml(news.lines.splice(0).join("")));
}
