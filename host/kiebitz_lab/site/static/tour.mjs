// A first game in five steps: each says what to press, points at the keys, and ends when the device is there.

import { hasText, text } from "./texts.mjs";

const NAMES = ["up", "down", "left", "right", "ok", "undo"];
const [UP, DOWN, , RIGHT, OK, UNDO] = NAMES.keys();
// The keys a step points at, and when it is done
const STEPS = [
  { keys: () => [OK], done: ({ screen, playing }) => screen !== "Start" || playing },
  { keys: () => [UP, DOWN, OK], done: ({ screen, playing }) => playing || !["Start", "Menu", "Titles"].includes(screen) },
  { keys: () => [OK, RIGHT], done: ({ playing }) => playing },
  { keys: firstKeys, done: ({ entries }) => entries > 0 },
  { keys: () => [UNDO], done: ({ entries }, before) => entries < before },
];

// The keys of the first entry of a game, which may depend on its mode.
function firstKeys({ playing, mode }) {
  const kind = [`${playing}.${mode}`, playing].find((kind) => hasText(`tour.keys.${kind}`));
  return kind ? text(`tour.keys.${kind}`).split(" ").map((name) => NAMES.indexOf(name)) : [OK];
}

// The sentence of a step for what the device shows: of the game that is played, of its mode, or of every game.
export function sentence(step, { screen, playing, mode }) {
  const kinds = step === 4 ? [`.${playing}.${mode}`, `.${playing}`] : screen === "Titles" ? [".titles"] : [];
  return text(`tour.${step}${kinds.find((kind) => hasText(`tour.${step}${kind}`)) ?? ""}`);
}

export class Tour {
  #step = -1; // -1: not begun
  #entries = 0; // when the last step began
  #last = { screen: "", playing: "", mode: "", entries: 0 }; // what the device shows
  #parts;
  #device;

  constructor(device) {
    this.#device = device;
    this.#parts = Object.fromEntries(["start", "skip", "step", "text"].map((name) => [name, document.getElementById(`tour-${name}`)]));
    this.#parts.start.addEventListener("click", () => this.#go(0));
    this.#parts.skip.addEventListener("click", () => this.#go(-1));
  }

  // Takes what the device shows now.
  see(state) {
    this.#last = state;
    let step = this.#step;
    while (step >= 0 && step < STEPS.length && STEPS[step].done(state, this.#entries)) {
      step++;
      this.#entries = state.entries;
    }
    if (step !== this.#step) this.#go(step);
    else this.#show(); // another screen of the same step
  }

  // Begins anew with another device.
  end() { this.#go(-1); }

  // Says the step again, in the language of now.
  say() { this.#show(); }

  #go(step) {
    this.#step = step;
    this.#show();
    if (step === 0 && this.#last.screen) this.see(this.#last);
  }

  #show() {
    const { start, skip, step, text: words } = this.#parts;
    const on = this.#step >= 0, over = this.#step >= STEPS.length;
    start.hidden = on;
    skip.hidden = step.hidden = words.hidden = !on;
    if (on) {
      step.hidden = over;
      step.textContent = text("tour.step", { n: this.#step + 1 });
      const told = over ? text("tour.done") : sentence(this.#step + 1, this.#last);
      if (words.textContent !== told) words.textContent = told; // a screen reader reads it once
      skip.textContent = text(over ? "tour.close" : "tour.skip");
    }
    const keys = on && !over ? STEPS[this.#step].keys(this.#last) : [];
    for (const button of this.#device.querySelectorAll("[data-key]")) button.classList.toggle("pointed", keys.includes(Number(button.dataset.key)));
  }
}
