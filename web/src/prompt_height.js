// Height of the prompt: one height that fits every text of the current turn, so that nothing below the prompt moves
// between two touches.

import { isCounting } from "./card_animation.js";
import { $, setRichText } from "./dom.js";

const LINE = 38;
const HELP = 50;
const MEASURED = 3;

/**
 * Return all texts that the prompt can show during a decision: [prompt, help] of `root` and all later steps, and
 * [reason, ""] of each touch that is refused.
 */
export function promptTexts(root) {
  const found = new Map();
  const walk = (step) => {
    for (const [words, help] of [[step.prompt ?? "", step.help ?? ""], ...(step.refusals ?? []).map(([, why]) => [why, ""])]) found.set(`${words}\n${help}`, [words, help]);
    for (const choice of step.choices ?? []) {
      if (choice.refuses) found.set(choice.refuses, [choice.refuses, ""]);
      if (choice.face && choice.number !== undefined) found.set(choice.touch, [step.prompt, choice.says ?? ""]);
      if (choice.then) walk(choice.then);
    }
  };
  walk(root);
  return [...found.values()];
}

/** Return the texts that may need the most height: the `MEASURED` longest ones. */
export function longestTexts(all) {
  const lines = ([words, help]) => Math.ceil(words.length / LINE) * 1.4 + Math.ceil(help.length / HELP) + (words.length + help.length) / 1000;
  return [...all].sort((a, b) => lines(b) - lines(a)).slice(0, MEASURED);
}

/**
 * Return whether a text certainly needs no more height than one of the measured texts `known`. Letters differ in width,
 * so both prompt and help must be clearly shorter than those of the measured text.
 */
export const isSurelyShorter = ([words, help], known) => known.some(([more, further]) => words.length * 1.25 <= more.length && help.length * 1.25 <= further.length);

/**
 * Largest height needed so far for the game's prompt. It is measured again for another window size or font, and when a
 * round's scoring begins or ends, because texts about points are longer than those of a turn.
 */
export class PromptHeight {
  constructor() {
    this.most = 0;
    this.known = new Map();
    this.told = null;
    this.counted = null;
  }

  /** Forget the measurements, because a font was loaded or the window has another size. */
  forgetMeasurements() {
    this.most = 0;
    this.known.clear();
  }

  measure(prompt, words, help, news) {
    const stood = [[...words.childNodes], [...help.childNodes]];
    prompt.style.minHeight = "0";
    for (const [asked, more] of news) {
      setRichText(words, asked);
      setRichText(help, more);
      // Read the computed style: a wide window enlarges the prompt by a transform, which other measurements would
      // include.
      this.most = Math.max(this.most, Math.ceil(parseFloat(getComputedStyle(prompt).height)));
      this.known.set(`${asked}\n${more}`, [asked, more]);
    }
    words.replaceChildren(...stood[0]);
    help.replaceChildren(...stood[1]);
    prompt.style.minHeight = "";
  }

  /** Reserve enough height for all texts that the prompt can show during a decision, without changing its text. */
  reserveHeight(root) {
    const prompt = $("#prompt");
    const words = $("#prompt-words");
    const help = $("#prompt-help");
    if (!prompt || !words || !help) return;
    if (isCounting() !== this.counted) this.forgetMeasurements();
    this.counted = isCounting();
    // Skip texts measured before, because each measurement makes the browser compute the layout of the page.
    const news = longestTexts(promptTexts(root)).filter((said) => !this.known.has(said.join("\n")) && !isSurelyShorter(said, [...this.known.values()]));
    if (news.length) this.measure(prompt, words, help, news);
    if (this.told === this.most) return;
    this.told = this.most;
    document.body.style.setProperty("--prompt-room", `${this.most}px`);
  }
}
