// The script's texts in the language of the page: English is written where it is used, other languages come with the page.

/** The language of the page. */
export const lang = globalThis.document?.documentElement.lang || "en";
/** Where the table lives below its host's address: "", or "/cards". */
export const root = globalThis.document?.documentElement.dataset?.root ?? "";
/** The address of a path of ours: here("/learn"). */
export const here = (path) => root + path;

/** An address of ours, asked for in the language of the page, whatever was chosen elsewhere since. */
export function spoken(path, base = location.href) {
  const url = new URL(path, base);
  url.searchParams.set("lang", lang);
  return url.href;
}

/** A text, or the forms of a counted one by the language's plural categories; a script of the page lays them here. */
const dictionary = globalThis.facedownTexts ?? {};
const rules = new Intl.PluralRules(lang);

/** Fills in `{names}`; what has no value stays as it is. */
function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (found, name) => (name in values ? apart(String(values[name])) : found));
}

/** A name among other words, between isolates if it is written from right to left, as `core.language.isolated` has it. */
export const apart = (text) => (/[\u0590-\u08ff\ufb1d-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(text) && !text.includes("\u2068") ? `\u2068${text}\u2069` : text);

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
