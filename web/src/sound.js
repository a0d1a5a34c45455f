// Sounds, synthesised in the browser; off by default. There is no music.

import { getCookie, setCookie } from "./dom.js";

let context = null;
export const isSoundOn = () => getCookie("sound") === "1";
export function setSoundOn(on) {
  setCookie("sound", on ? "1" : "0");
  if (on) playSound("place");
}

function playNoise(at, length, cutoff, loud, type = "lowpass") {
  const frames = Math.ceil(context.sampleRate * length);
  const buffer = context.createBuffer(1, frames, context.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < frames; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / frames) ** 2;
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type, frequency: cutoff, Q: 0.8 });
  const gain = new GainNode(context, { gain: loud });
  source.connect(filter).connect(gain).connect(context.destination);
  source.start(at);
}
function playNote(at, frequency, length, loud, type = "triangle") {
  const tone = new OscillatorNode(context, { type, frequency });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  tone.connect(gain).connect(context.destination);
  tone.start(at);
  tone.stop(at + length);
}
const SOUNDS = {
  place: (t) => playNoise(t, 0.09, 420, 0.5),
  draw: (t) => playNoise(t, 0.16, 2600, 0.14, "bandpass"),
  turn: (t) => playNoise(t, 0.05, 1800, 0.24, "bandpass"),
  "your-turn": (t) => playNote(t, 392, 0.5, 0.2),
  bone: (t) => [0, 0.07].forEach((later) => SOUNDS.knock(t + later)),
  knock: (t) => { playNoise(t, 0.05, 900, 0.3, "bandpass"); playNote(t, 150, 0.09, 0.3); },
  refused: (t) => playNoise(t, 0.05, 200, 0.35),
  won: (t) => { playNote(t, 392, 0.4, 0.16); playNote(t + 0.16, 523, 0.6, 0.16); },
  over: (t) => { playNote(t, 330, 0.4, 0.16); playNote(t + 0.18, 392, 0.4, 0.16); playNote(t + 0.36, 523, 0.9, 0.16); },
};
/** Milliseconds within which several landing cards make a single sound. */
const ONE = 60;
let landed = -Infinity;

/**
 * Play the sound of a card that lands. The game's stylesheet may choose it by `--landing`; the default is a card on
 * cloth.
 */
export function playCardLanding({ flies, turned, from, drawn }, now = performance.now()) {
  if (!isSoundOn() || now - landed < ONE) return;
  landed = now;
  if (turned && !flies) playSound("turn");
  else if (drawn && from?.pile) playSound("draw");
  else playSound(getComputedStyle(document.body).getPropertyValue("--landing").trim() || "place");
}

export function playSound(name) {
  if (!isSoundOn() || !SOUNDS[name]) return;
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") context.resume();
    SOUNDS[name](context.currentTime + 0.01);
  } catch { /* Sounds are optional: without audio the table works as usual. */ }
}
