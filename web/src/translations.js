// Translated texts of the client. The English texts are in the code that uses them; the page loads the translations.

/** Language of the page. */
export const lang = globalThis.document?.documentElement.lang || "en";
/** Path under which all pages of this server are, such as "/cards"; "" if they are at the root of the host. */
export const root = globalThis.document?.documentElement.dataset?.root ?? "";
/** Return the address of a path on this server, with the base path before it: appUrl("/learn"). */
export const appUrl = (path) => root + path;

/**
 * Return an absolute address with the page's language as a parameter. The language cookie is not enough: another page
 * may have changed it.
 */
export function localizedUrl(path, base = location.href) {
  const url = new URL(path, base);
  url.searchParams.set("lang", lang);
  return url.href;
}

/**
 * Translations by English text: a string or, for a text with a count, an object of strings by plural category. The
 * page's translation script sets them.
 */
const dictionary = globalThis.facedownTexts ?? {};
const rules = new Intl.PluralRules(lang);

/** Replace each `{name}` in a text by its value; keep a `{name}` that has no value. */
function fillPlaceholders(text, values) {
  return text.replace(/\{(\w+)\}/g, (found, name) => (name in values ? isolateBidi(String(values[name])) : found));
}

/**
 * Return a name for use within a sentence, between Unicode isolates if it is written right to left, like
 * `core.translation.isolate_right_to_left`.
 */
export const isolateBidi = (text) => (/[\u0590-\u08ff\ufb1d-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(text) && !text.includes("\u2068") ? `\u2068${text}\u2069` : text);

/**
 * Return a translated text: `t("{seconds} s left", { seconds })`. The message must be a literal and a whole sentence.
 */
export function t(message, values = {}) {
  return fillPlaceholders(dictionary[message] ?? message, values);
}

/** Return a translated text for a count: `tn("{count} card", "{count} cards", n)`; `{count}` is replaced, too. */
export function tn(one, many, count, values = {}) {
  const forms = dictionary[one];
  const said = forms ? (forms[rules.select(count)] ?? forms.other) : count === 1 ? one : many;
  return fillPlaceholders(said, { count, ...values });
}
