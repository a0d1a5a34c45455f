// The page brought to new HTML, node by node.

import { Idiomorph } from "idiomorph";
import { abridged, SAME } from "./parts.js";

/** Where somebody writes: what stands there is theirs. */
const written = (element) => Boolean(element?.matches?.("input, textarea"));

/** What somebody has opened stays open whatever happens at the table; what was chosen in this browser is shown by it alone. */
const stays = (name, element) => !((name === "open" && element.matches("dialog, details")) || (name === "aria-pressed" && element.matches("[data-toggle], [data-pace-set], .pages [data-page]")));

/**
 * What the server knows nothing of stays: the card of a hint, and the buttons for what was touched already, of which the
 * table takes away what is not wanted any more.
 */
const keeps = (node) => node.id !== "hint" && node.id !== "heard" && !node.matches?.('#actions > [id^="button-"]');

/** What an element was brought to last, and its parts as they came. */
const last = { element: null, parts: new Map() };

const known = (element) => (last.element === element ? last.parts : new Map());
const within = (element) => (id) => element.contains(document.getElementById(id));

/** New HTML for an element, without the parts that it leaves as they are: `same` names these. */
export const shortened = (element, html) => abridged(html, known(element), within(element));

/** Parts of a table of which nothing differs are left alone: most of it stays as it is from move to move. */
const differs = (old, fresh) => !(old.nodeType === 1 && fresh.hasAttribute(SAME)) && !(old.nodeType === 1 && old.matches(".zone, .seat, .piece, .person, .panel, .lane, svg, li") && old.isEqualNode(fresh));

/**
 * Brings what an element holds to new HTML. What somebody is writing stays. All else becomes what the HTML says, above all
 * the thing that has the focus: it is the card just touched, and idiomorph would leave its picture as it was.
 * Whoever has asked for `shortened` already gives it.
 */
export function morph(element, html, news = shortened(element, html)) {
  const ignoreActiveValue = written(document.activeElement);
  const { short, parts } = news;
  Object.assign(last, { element, parts });
  const fresh = document.createElement("template");
  fresh.innerHTML = short;
  Idiomorph.morph(element, fresh.content.childNodes, { morphStyle: "innerHTML", ignoreActiveValue, callbacks: { beforeNodeMorphed: differs, beforeAttributeUpdated: stays, beforeNodeRemoved: keeps } });
}
