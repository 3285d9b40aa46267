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
const TRIAL_MS = 30_000; // for a device to start with the files of a ZIP
const TRIAL_TURNS = 200;
const TRIAL_STARTS = 3; // a device may restart while it repairs its files
const ID_BYTES = 8;
// The limits of files that are loaded; a device has one folder with short names and 1 MB for them
const NAME_MAX = 64, DEPTH_MAX = 4, FILES_MAX = 4096, BYTES_MAX = 2 << 20;
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
  if (storage === "memory") return new MemoryFlash();
  if (!(await locked(name))) return null;
  if (storage !== "indexeddb") {
    try { return await OpfsFlash.open(name); } catch { /* not allowed here, or not known */ }
  }
  try { return await IdbFlash.open(name, () => tell({ storage: "full" })); } catch { /* not even that */ }
  return new MemoryFlash();
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

async function newDevice() {
  return Device.start({
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
}

async function start() {
  stop();
  device = await newDevice();
  began = performance.now() - device.elapsed;
  shown = -1;
  if (plugged) device.plug();
  turn();
}

// Ends the device without a message; its files stay.
function stop() {
  clearTimeout(timer);
  device = null;
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

// --- a file with another flash ---

// Returns True if a path may be on the flash of a device: below its data folder, and by no way out of it.
function isOurs(path, data) {
  if (path === ID) return data?.length === ID_BYTES;
  const [first, ...rest] = path.split("/");
  const isName = (name) => name.length <= NAME_MAX && /^[\w-][\w.-]*$/.test(name);
  return first === "data" && (rest.length > 0 || data === null) && rest.length <= DEPTH_MAX && rest.every(isName);
}

// Returns True if some file is where another one needs a folder.
function hasFileAsFolder(files) {
  return [...files.keys()].some((path) => {
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) if (files.get(path.slice(0, at))) return true;
    return false;
  });
}

// Returns the files of a saved flash; null for any other file.
function savedFiles(bytes) {
  const files = unzipped(bytes);
  for (const name of [MARK, BOARD]) files?.delete(name);
  if (!files?.size || files.size > FILES_MAX || hasFileAsFolder(files)) return null;
  let total = 0;
  for (const [path, data] of files) if (!isOurs(path, data) || (total += data?.length ?? 0) > BYTES_MAX) return null;
  return files;
}

// Resolves to true if a device starts with these files. It is tried in a worker of its own, beside the running one.
function starts(files) {
  return new Promise((resolve) => {
    const trial = new Worker(new URL("./device_worker.mjs", import.meta.url), { type: "module" });
    const end = (good) => {
      clearTimeout(late);
      trial.terminate();
      resolve(good);
    };
    const late = setTimeout(() => end(false), TRIAL_MS);
    trial.onerror = () => end(false);
    trial.onmessage = ({ data }) => (data.tried || data.ended) && end(data.tried === "good");
    trial.postMessage({ to: "try", board, language, files });
  });
}

// --- what the page asks for ---

const requests = {
  async start(wanted) {
    ({ board, language } = wanted);
    flash = await openFlash(`kiebitz-${board}`, wanted.storage);
    tell({ storage: flash ? flash.kind : "busy" });
    if (flash) await start();
  },
  async try(wanted) {
    ({ board, language } = wanted);
    flash = new MemoryFlash(wanted.files);
    let ended = "reset";
    for (let n = 0; ended === "reset" && n < TRIAL_STARTS; n++) {
      const tried = await newDevice();
      ended = tried.trouble;
      for (let k = 1; !ended && k <= TRIAL_TURNS; k++) ended = tried.turn(tried.elapsed + k * TURN_MS);
    }
    tell({ tried: ended ? "bad" : "good" });
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
  // The old files stay until a device has started with the new ones.
  async import({ bytes }) {
    const files = savedFiles(bytes);
    if (!files || !(await starts(files))) return tell({ imported: "unknown" });
    stop();
    const before = new Map(flash.files());
    let done = (await flash.replace(files)) ? "done" : "full";
    await start();
    if (done === "done" && device.trouble) {
      done = "unknown";
      await flash.replace(before);
      await start();
    }
    tell({ imported: done });
  },
  async erase() {
    stop();
    if (!(await flash.replace(new Map()))) tell({ storage: "full" });
    await start();
  },
  plug() {
    plugged = true;
    device?.plug();
    if (device) turn();
  },
  unplug() {
    plugged = false;
    device?.unplug();
  },
  send({ bytes }) {
    device?.send(bytes);
    if (device) turn();
  },
};

const NEED_FLASH = ["restart", "export", "import", "erase"];

onmessage = async ({ data }) => {
  if (NEED_FLASH.includes(data.to) && !flash) return tell({ storage: "busy" });
  try {
    await requests[data.to](data);
  } catch (error) {
    tell({ ended: String(error.stack ?? error) });
  }
};
