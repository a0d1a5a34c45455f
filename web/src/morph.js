// The page brought to new HTML, node by node.

import { Idiomorph } from "idiomorph";
import { abridged, SAME } from "./parts.js";

/** Where somebody writes: what stands there is theirs. */
const written = (element) => Boolean(element?.matches?.("input, textarea"));

/** What somebody has opened stays open whatever happens at the table; what was chosen in this browser, and what is on its way, is shown by it alone. */
const stays = (name, element) => !(name === "data-unseen" || (name === "open" && element.matches("dialog, details")) || (name === "aria-pressed" && element.matches("[data-toggle], [data-pace-set], .pages [data-page]")));

/**
 * What the server knows nothing of stays: the card of a hint, and the buttons for what was touched already, of which the
 * table takes away what is not wanted any more.
 */
const keeps = (node) => node.id !== "hint" && node.id !== "heard" && !node.matches?.('#actions > [id^="button-"]');

/** HTML as nodes that lie nowhere yet. */
function parsed(html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  return fresh.content;
}

/** What an element was brought to last, and its parts as they came. */
const last = { element: null, parts: new Map() };

const known = (element) => (last.element === element ? last.parts : new Map());
const within = (element) => (id) => element.contains(document.getElementById(id));

/**
 * New HTML for an element, read, without the parts that it leaves as they are: `same` names these. `aside`: without those beside
 * the table as well, which come later, by `beside`.
 */
export function shortened(element, html, { aside = false } = {}) {
  const { short, parts, same } = abridged(html, known(element), within(element));
  const fresh = parsed(short);
  const later = aside ? [...fresh.querySelectorAll(`[data-aside]:not([${SAME}])`)].filter((part) => part.id && within(element)(part.id)) : [];
  for (const part of later) {
    const stub = part.cloneNode(false);
    stub.setAttribute(SAME, "");
    part.replaceWith(stub);
  }
  return { fresh, parts, same, later };
}

/** Parts of a table of which nothing differs are left alone: most of it stays as it is from move to move. */
const differs = (old, fresh) => !(old.nodeType === 1 && fresh.hasAttribute(SAME)) && !(old.nodeType === 1 && old.matches(".zone, .seat, .piece, .person, .panel, .lane, svg, li") && old.isEqualNode(fresh));

const rules = () => ({ ignoreActiveValue: written(document.activeElement), callbacks: { beforeNodeMorphed: differs, beforeAttributeUpdated: stays, beforeNodeRemoved: keeps } });

/**
 * Brings what an element holds to new HTML. What somebody is writing stays. All else becomes what the HTML says, above all
 * the thing that has the focus: it is the card just touched, and idiomorph would leave its picture as it was.
 * Whoever has asked for `shortened` already gives it.
 */
export function morph(element, html, news = shortened(element, html)) {
  const { fresh, parts } = news;
  Object.assign(last, { element, parts });
  Idiomorph.morph(element, fresh.childNodes, { morphStyle: "innerHTML", ...rules() });
}

/** Brings the parts beside the table to new HTML, after all else. */
export function beside({ later }) {
  for (const part of later.splice(0)) {
    const old = document.getElementById(part.id);
    if (old) Idiomorph.morph(old, part, { morphStyle: "outerHTML", ...rules() });
  }
}
