// The web worker of a device: starts it on its flash, gives it time and keys, and tells the page what there is to see.

import { Device } from "./device.mjs";
import { IdbFlash } from "./flash_idb.mjs";
import { MemoryFlash, WRITE } from "./flash_log.mjs";
import { OpfsFlash } from "./flash_opfs.mjs";
import { loadMicroPython } from "./micropython.mjs";
import { unzipped, zipped } from "./zip.mjs";

const TURN_MS = 5; // while somebody plays
const REST_MS = 25;
const QUIET_MS = 1000; // after this time without a key the turns become slower
const LOCK_MS = 2000; // a page that is being reloaded holds its flash a moment longer
const ID_BYTES = 8;
const ID = ".kiebitz-id", BOARD = ".kiebitz-board", MARK = ".kiebitz-flash";

const tell = (message, moved = []) => postMessage(message, moved);

let device, flash, board, language, began, shown, lastKey = 0, timer, plugged = false;

// --- the flash ---

// Takes the lock of this device, which another tab may have. Resolves to true, or false after a while.
function locked(name) {
  return new Promise((resolve) => {
    const wait = new AbortController();
    const late = setTimeout(() => wait.abort(), LOCK_MS);
    navigator.locks.request(name, { signal: wait.signal }, () => {
      clearTimeout(late);
      resolve(true);
      return new Promise(() => {}); // held as long as this worker lives
    }).catch(() => resolve(false));
  });
}

async function openFlash(name, storage) {
  if (storage === "memory") return Object.assign(new MemoryFlash(), { kind: "memory", replace: () => false });
  if (!(await locked(name))) return null;
  if (storage !== "indexeddb") {
    try { return await OpfsFlash.open(name); } catch { /* not allowed here, or not known */ }
  }
  try { return await IdbFlash.open(name, () => tell({ storage: "full" })); } catch { /* not even that */ }
  return Object.assign(new MemoryFlash(), { kind: "memory", replace: () => false });
}

function uniqueId() {
  let id = flash.files().get(ID);
  if (!id) {
    id = crypto.getRandomValues(new Uint8Array(ID_BYTES));
    flash.keep(WRITE, ID, id);
  }
  return [...id];
}

// Keeps a change; a browser without room is told to the reader, and to the firmware, which takes the entry back.
function keep(kind, path, data) {
  const kept = flash.keep(kind, path, data);
  if (!kept) tell({ storage: "full" });
  return kept;
}

// --- the life of the device ---

const romfs = fetch(new URL("./device.romfs", import.meta.url)).then((answer) => answer.arrayBuffer());

async function start() {
  clearTimeout(timer);
  device = await Device.start({
    loadMicroPython,
    romfs: new Uint8Array(await romfs),
    url: new URL("./micropython.wasm", import.meta.url).href,
    board,
    flash: { files: () => flash.files(), keep },
    language,
    unix: Math.floor(Date.now() / 1000),
    uniqueId: uniqueId(),
    sound: (hz) => tell({ sound: hz }),
  });
  began = performance.now() - device.elapsed;
  shown = -1;
  if (plugged) device.plug();
  turn();
}

function turn() {
  clearTimeout(timer);
  const ended = device.trouble || device.turn(performance.now() - began);
  show();
  if (plugged) carry();
  if (ended) return end(ended);
  const quick = device.busy || performance.now() - lastKey < QUIET_MS || plugged;
  timer = setTimeout(turn, quick ? TURN_MS : REST_MS);
}

function end(how) {
  if (how === "reset") return start();
  tell({ ended: how });
}

function show() {
  const display = device.display;
  if (display.changes === shown) return;
  shown = display.changes;
  const picture = display.picture();
  const { width, height, light } = display;
  tell({ picture, width, height, light, text: device.lines(), state: device.state() }, [picture.buffer]);
}

function carry() {
  const bytes = device.receive();
  if (bytes.length) tell({ received: bytes }, [bytes.buffer]);
}

// Tells whether a file may be on the flash of a device: below its data folder, and by no way out of it.
function isOurs(path, data) {
  if (path === ID) return data?.length === ID_BYTES;
  const [first, ...rest] = path.split("/");
  return first === "data" && (rest.length > 0 || data === null) && rest.every((name) => /^[\w-][\w.-]*$/.test(name));
}

// --- what the page asks for ---

const requests = {
  async start(wanted) {
    ({ board, language } = wanted);
    flash = await openFlash(`kiebitz-${board}`, wanted.storage);
    tell({ storage: flash ? flash.kind : "busy" });
    if (flash) await start();
  },
  key({ key, down }) {
    if (!device || device.trouble) return;
    lastKey = performance.now();
    device[down ? "press" : "release"](key);
    turn();
  },
  language(wanted) {
    language = wanted.language;
    if (!device || device.trouble) return;
    device.speak(language);
    turn();
  },
  restart: start,
  export() {
    const files = new Map(flash.files()).set(MARK, new Uint8Array()).set(BOARD, new TextEncoder().encode(board));
    tell({ exported: zipped(files) });
  },
  async import({ bytes }) {
    const files = unzipped(bytes);
    for (const name of [MARK, BOARD]) files?.delete(name);
    const ours = files?.size && [...files].every(([path, data]) => isOurs(path, data));
    const done = ours && flash.replace(files);
    tell({ imported: done ? "done" : ours ? "full" : "unknown" });
    if (done) await start();
  },
  async erase() {
    flash.replace(new Map());
    await start();
  },
  plug() {
    plugged = true;
    device.plug();
    turn();
  },
  unplug() {
    plugged = false;
    device.unplug();
  },
  send({ bytes }) {
    device.send(bytes);
    turn();
  },
};

onmessage = async ({ data }) => {
  try {
    await requests[data.to](data);
  } catch (error) {
    tell({ ended: String(error.stack ?? error) });
  }
};
