// A page comes in parts: after the first time only those that are new, and which of the others stay.

/** The parts of a page: `news` are new ones, and [first, count] of those `before`. Null if some of these were missed. */
export function assembled(before, news) {
  const parts = [];
  for (const part of news) {
    if (typeof part === "string") {
      parts.push(part);
      continue;
    }
    const [first, count] = part;
    if (first + count > before.length) return null;
    parts.push(...before.slice(first, first + count));
  }
  return parts;
}
