// Announcements for screen readers: a polite and an assertive live region (an element whose changes are read aloud).
// Both are outside the part of the page that is replaced by updates from the server.

import { $, make } from "./dom.js";

const KEEP = 30;

/** Add lines (a string or an array) to the polite region, which a screen reader reads when it is idle. */
export function say(lines) {
  const region = $("#polite");
  if (!region) return;
  for (const line of [].concat(lines)) if (line) region.append(make("p", "", line));
  while (region.children.length > KEEP) region.firstChild.remove();
}

/** Put a text into the assertive region, which interrupts the screen reader: your turn, a lost connection. */
export function sayUrgently(text) {
  const region = $("#assertive");
  if (region) region.replaceChildren(make("p", "", text));
}
