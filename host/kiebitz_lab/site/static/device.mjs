// A whole device: the firmware under MicroPython, its display and its flash. Runs in a web worker and in Node alike.

import { DISPLAYS } from "./displays.mjs";
import { FileTree } from "./flash_log.mjs";

export { KEYS } from "./device_keys.mjs";

export class Device {
  #python;
  #bytes;

  // `flash` has files() and keep(kind, path, data), which returns false if there is no room; `sound` gets a pitch in Hz.
  static async start({ loadMicroPython, romfs, url, board, flash, unix, uniqueId, language = "", random, sound = () => {} }) {
    const device = new Device();
    const display = device.display = new DISPLAYS[board]();
    const mp = await loadMicroPython({ romfs, url, heapsize: 4 << 20, linebuffer: true });
    const memory = () => mp._module.HEAPU8;
    const view = (address, length) => memory().subarray(address, address + length);
    mp.registerJsModule("kiebitz_page", {
      keep: (kind, path, address, length) => flash.keep(kind, path, view(address, length).slice()),
      bus: (address, length) => display.bus(view(address, length)),
      begin: () => display.begin(),
      status: () => display.status(),
      select: (low) => display.select(low),
      data: (high) => display.data(high),
      reset: () => display.reset(),
      shine: (duty) => display.shine(duty),
      random: random ?? (() => crypto.getRandomValues(new Uint8Array(1))[0]),
      sound,
    });
    FileTree.unpack(mp.FS, flash.files());
    device.#bytes = mp.PyProxy.toJs;
    device.#python = mp.pyimport("page_device");
    device.trouble = device.#python.start(board, unix, uniqueId, language);
    return device;
  }

  // One turn of the app; returns "" or what ended it: "reset", "off", or the trace of an error.
  turn(ms) {
    if (!this.trouble) this.trouble = this.#python.turn(Math.floor(ms));
    return this.trouble;
  }

  get elapsed() { return this.#python.elapsed(); }
  get busy() { return !this.trouble && this.#python.is_busy(); }

  // Keys are numbers, as in KEYS.
  press(key) { this.#python.press(key); }
  release(key) { this.#python.release(key); }
  lines() { return this.#python.lines(); }

  // What the guided game looks at: the screen, the game in play and its mode ("" without one), and its entries.
  state() {
    const [screen, playing, mode, entries] = this.#python.state().split(" ");
    return { screen, playing, mode, entries: Number(entries) };
  }

  speak(language) { this.trouble ||= this.#python.set_language(language); }
  sitDown(setup) { this.#python.sit_down(JSON.stringify(setup)); }

  // --- the cable ---

  plug() { this.#python.plug(); }
  unplug() { this.#python.unplug(); }
  send(bytes) { this.#python.to_device(bytes); }
  receive() { return this.#bytes(this.#python.from_device()); }
}
