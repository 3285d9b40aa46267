// The buzzer: a square wave while the device drives its pin, if the reader has asked for sound.

export class Buzzer {
  #context;
  #tone;

  // Browsers allow sound only after a click: call this in one.
  allow(on) {
    this.quiet();
    if (on) this.#context ??= new AudioContext();
    this.on = on;
  }

  sound(hz) {
    this.quiet();
    if (!this.on || !hz) return;
    const tone = new OscillatorNode(this.#context, { type: "square", frequency: hz });
    const volume = new GainNode(this.#context, { gain: 0.06 });
    tone.connect(volume).connect(this.#context.destination);
    tone.start();
    this.#tone = tone;
  }

  quiet() {
    this.#tone?.stop();
    this.#tone = null;
  }
}
