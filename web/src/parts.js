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

/** A part of which nothing has changed comes as its name alone. */
export const SAME = "data-same";
const PARTS = /<section\b[^>]*? id="([\w-]+)"[^>]*>(?:(?!<section\b)[^])*?<\/section>/g;

/**
 * HTML in which each part that came just so the last time, and still stands there, is only named: most of a table stays as it
 * is from move to move, and need neither be read nor compared. With it come all parts, and the names of those that stay.
 */
export function abridged(html, before, stands = () => true) {
  const parts = new Map();
  const same = new Set();
  const short = html.replace(PARTS, (part, id) => {
    parts.set(id, part);
    if (before.get(id) !== part || !stands(id)) return part;
    same.add(id);
    return `<section id="${id}" ${SAME}></section>`;
  });
  return { short, parts, same };
}
