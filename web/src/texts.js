// The script's texts in the language of the page: English is written where it is used, other languages come with the page.

/** The dictionary of the page's language: a text, or the forms of a counted one by the language's plural categories. */
export const dictionary = read(globalThis.document?.getElementById("texts")?.textContent);
const rules = new Intl.PluralRules(globalThis.document?.documentElement.lang || "en");

function read(json) {
  return json ? JSON.parse(json) : {};
}

/** Fills in `{names}`; what has no value stays as it is. */
function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (found, name) => (name in values ? String(values[name]) : found));
}

/** A text: `t("{seconds} s left", { seconds })`. The message is a literal, one whole sentence. */
export function t(message, values = {}) {
  return filled(dictionary[message] ?? message, values);
}

/** A text for so many: `tn("{count} card", "{count} cards", n)`; `{count}` is filled in, too. */
export function tn(one, many, count, values = {}) {
  const forms = dictionary[one];
  const said = forms ? (forms[rules.select(count)] ?? forms.other) : count === 1 ? one : many;
  return filled(said, { count, ...values });
}
