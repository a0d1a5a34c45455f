// Sounds, made on the spot; off until asked for. Nothing loops, nothing cheers.

import { recall, remember } from "./dom.js";

let context = null;
export const isOn = () => recall("sound") === "1";
export function turn(on) {
  remember("sound", on ? "1" : "0");
  if (on) play("place");
}

function noise(at, length, cutoff, loud, type = "lowpass") {
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
function note(at, frequency, length, loud, type = "triangle") {
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
  place: (t) => noise(t, 0.09, 420, 0.5),
  draw: (t) => noise(t, 0.16, 2600, 0.14, "bandpass"),
  turn: (t) => noise(t, 0.05, 1800, 0.24, "bandpass"),
  "your-turn": (t) => note(t, 392, 0.5, 0.2),
  bone: (t) => [0, 0.07].forEach((later) => SOUNDS.knock(t + later)),
  knock: (t) => { noise(t, 0.05, 900, 0.3, "bandpass"); note(t, 150, 0.09, 0.3); },
  refused: (t) => noise(t, 0.05, 200, 0.35),
  won: (t) => { note(t, 392, 0.4, 0.16); note(t + 0.16, 523, 0.6, 0.16); },
  over: (t) => { note(t, 330, 0.4, 0.16); note(t + 0.18, 392, 0.4, 0.16); note(t + 0.36, 523, 0.9, 0.16); },
};
/** Cards that land so close to each other make one sound. */
const ONE = 60;
let landed = -Infinity;

/** A card lies: what is heard then is what the game's styles say of its pieces, or a card on cloth. */
export function landing({ flies, turned, from, drawn }, now = performance.now()) {
  if (!isOn() || now - landed < ONE) return;
  landed = now;
  if (turned && !flies) play("turn");
  else if (drawn && from?.pile) play("draw");
  else play(getComputedStyle(document.body).getPropertyValue("--landing").trim() || "place");
}

export function play(name) {
  if (!isOn() || !SOUNDS[name]) return;
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") context.resume();
    SOUNDS[name](context.currentTime + 0.01);
  } catch { /* no audio here: the table is complete without it */ }
}
