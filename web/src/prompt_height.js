// Room for the prompt: one height for everything that this turn may ask, so that nothing below it moves between two touches.

import { counting } from "./card_animation.js";
import { $, write } from "./dom.js";

const LINE = 38;
const HELP = 50;
const MEASURED = 3;

/** All that a tree of touches may say: [prompt, help] of each step, and each reason why not, which stands there alone. */
export function sayings(root) {
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

/** Those that may need the most room. */
export function longest(all) {
  const lines = ([words, help]) => Math.ceil(words.length / LINE) * 1.4 + Math.ceil(help.length / HELP) + (words.length + help.length) / 1000;
  return [...all].sort((a, b) => lines(b) - lines(a)).slice(0, MEASURED);
}

/** Needs a saying surely no more room than one that was measured? Letters differ in width: both its parts are clearly shorter. */
export const within = ([words, help], known) => known.some(([more, further]) => words.length * 1.25 <= more.length && help.length * 1.25 <= further.length);

/**
 * Keeps the room that a game's prompt has needed so far; for a window of another size, or other letters, it starts anew. So it does
 * when a round is counted, and when the next one is dealt: words about points are longer than those of a turn.
 */
export class Room {
  constructor() {
    this.most = 0;
    this.known = new Map();
    this.told = null;
    this.counted = null;
  }

  /** Letters have come, or the window has another size: everything is measured anew. */
  anew() {
    this.most = 0;
    this.known.clear();
  }

  measure(prompt, words, help, news) {
    const stood = [[...words.childNodes], [...help.childNodes]];
    prompt.style.minHeight = "0";
    for (const [asked, more] of news) {
      write(words, asked);
      write(help, more);
      // Not as it is seen: a wide window shows it enlarged.
      this.most = Math.max(this.most, Math.ceil(parseFloat(getComputedStyle(prompt).height)));
      this.known.set(`${asked}\n${more}`, [asked, more]);
    }
    words.replaceChildren(...stood[0]);
    help.replaceChildren(...stood[1]);
    prompt.style.minHeight = "";
  }

  /** Makes room for what this tree may say. The words that stand there stay. */
  make(root) {
    const prompt = $("#prompt");
    const words = $("#prompt-words");
    const help = $("#prompt-help");
    if (!prompt || !words || !help) return;
    if (counting() !== this.counted) this.anew();
    this.counted = counting();
    // What was measured once need not be measured again: each costs a layout.
    const news = longest(sayings(root)).filter((said) => !this.known.has(said.join("\n")) && !within(said, [...this.known.values()]));
    if (news.length) this.measure(prompt, words, help, news);
    if (this.told === this.most) return;
    this.told = this.most;
    document.body.style.setProperty("--prompt-room", `${this.most}px`);
  }
}
