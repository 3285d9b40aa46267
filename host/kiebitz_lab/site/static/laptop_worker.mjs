// The worker that makes sheets and files: Python takes a moment, and the page stays awake meanwhile.

import { Laptop } from "./laptop.mjs";
import { loadMicroPython } from "./micropython.mjs";

const started = (async () => {
  const answer = await fetch(new URL("./laptop.romfs", import.meta.url));
  const url = new URL("./micropython.wasm", import.meta.url).href;
  return Laptop.start({ loadMicroPython, url, romfs: new Uint8Array(await answer.arrayBuffer()) });
})();

onmessage = async ({ data: { number, method, values } }) => {
  try {
    const laptop = await started;
    postMessage({ number, result: laptop[method](...values) });
  } catch (error) {
    postMessage({ number, trouble: String(error.message ?? error) });
  }
};
