// What is read aloud: one polite and one assertive region, both outside what is morphed.

import { $, make } from "./dom.js";

const KEEP = 30;

/** Says lines politely, one after the other. */
export function say(lines) {
  const region = $("#polite");
  if (!region) return;
  for (const line of [].concat(lines)) if (line) region.append(make("p", "", line));
  while (region.children.length > KEEP) region.firstChild.remove();
}

/** Says one thing at once: your turn, a lost line. */
export function alarm(text) {
  const region = $("#assertive");
  if (region) region.replaceChildren(make("p", "", text));
}
