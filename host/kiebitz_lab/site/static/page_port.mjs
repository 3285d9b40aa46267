// A port to the device of this browser: the same two streams as a serial port, with the worker at their other end.

import { LinkTrouble } from "./link.mjs";

export class PagePort {
  #worker;
  #in;

  constructor(board, language) {
    this.board = board;
    this.language = language;
  }

  // Throws a LinkTrouble if another tab has the device.
  async open() {
    const worker = this.#worker = new Worker(new URL("./device_worker.mjs", import.meta.url), { type: "module" });
    await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => {
        if (data.storage === "busy") reject(new LinkTrouble("storage.busy"));
        if (data.picture) resolve();
        if (data.received) this.#in?.enqueue(data.received);
      };
      worker.postMessage({ to: "start", board: this.board, language: this.language });
    });
    this.readable = new ReadableStream({ start: (control) => { this.#in = control; } });
    this.writable = new WritableStream({ write: (bytes) => worker.postMessage({ to: "send", bytes }) });
    worker.postMessage({ to: "plug" });
  }

  // Pulls the cable.
  pull() {
    this.#worker.postMessage({ to: "unplug" });
    this.#in.error(new Error("the cable was pulled"));
  }

  async close() { this.#worker?.terminate(); }
}
