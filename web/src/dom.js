// Small helpers to read and build the page (DOM).

import { appUrl } from "./translations.js";

export const $ = (selector, from = document) => from.querySelector(selector);
export const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
/**
 * Return the part of the page that the server updates. The hidden symbols of all card faces, which would double the
 * number of elements to search, are outside it.
 */
export const appElement = () => $("#app") ?? document;
export const placeElement = (place) => document.getElementById(`at-${place}`);
export const zoneElement = (id) => document.getElementById(`zone-${id}`);
/** Show a text in which **bold** parts are marked. An element that already shows it is not touched. */
export function setRichText(element, text) {
  const nodes = [];
  String(text ?? "").split(/\*\*(.+?)\*\*/).forEach((part, i) => {
    if (part) nodes.push(i % 2 ? make("b", "", part) : document.createTextNode(part));
  });
  const old = element.childNodes;
  if (old.length !== nodes.length || nodes.some((node, i) => !node.isEqualNode(old[i]))) element.replaceChildren(...nodes);
}

/** Set an attribute unless it has the value already: every write makes the browser recompute styles. */
export const setAttributeIfChanged = (element, name, value) => element.getAttribute(name) !== value && element.setAttribute(name, value);

const PATHS = {
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 9a3 3 0 1 0 .01 0Z",
  swap: "M4 8h15l-4-4M20 16H5l4 4",
  turn: "M8 4v15l-4-4M16 20V5l4 4",
  undo: "M8.5 5 4.5 9l4 4M5 9h9a5.5 5.5 0 0 1 0 11H9",
  check: "M5 12.5 10 17.5 19.5 7",
  down: "M12 5v14M6 13.5 12 19.5l6-6",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  offline: "M3 3l18 18M8.5 15.5a5 5 0 0 1 7 0M5 12a10 10 0 0 1 4-2.4M19 12a10 10 0 0 0-6-2.8M2 8.5a15 15 0 0 1 4-2.6M22 8.5a15 15 0 0 0-11-4M12 19h.01",
};

/** Return a line icon as an SVG element. */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [key, value] of Object.entries({ class: "icon", viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": "1.9", "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" })) svg.setAttribute(key, value);
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

/** Return a card face of the page's game, or its back ("back"), as an SVG element that uses the page's symbols. */
export function faceSvg(name) {
  const space = "http://www.w3.org/2000/svg";
  const id = `${document.body.dataset.game}-${name}`;
  const svg = document.createElementNS(space, "svg");
  const box = document.getElementById(id)?.getAttribute("viewBox") ?? "0 0 100 140";
  for (const [key, value] of Object.entries({ class: "art", viewBox: box, "aria-hidden": "true" })) svg.setAttribute(key, value);
  const use = document.createElementNS(space, "use");
  use.setAttribute("href", `#${id}`);
  svg.append(use);
  return svg;
}

/** Return a new element with class names and children (elements or strings). */
export function make(tag, className = "", ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

export function setCookie(name, value) {
  document.cookie = `facedown-${name}=${encodeURIComponent(value)}; path=${appUrl("/")}; max-age=31536000; samesite=lax`;
}
export function getCookie(name) {
  return decodeURIComponent(document.cookie.match(new RegExp(`(?:^|; )facedown-${name}=([^;]*)`))?.[1] ?? "");
}

/**
 * Return the elements that the arrow keys can reach within `from`: pieces and options. A gap between cards is included
 * only if a card can be put into it or was put into it.
 */
export const focusablePieces = (from) => $$(".piece[data-place], .option[data-place]", from).filter((p) => p.dataset.kind !== "gap" || p.matches(".lit, .holds"));
