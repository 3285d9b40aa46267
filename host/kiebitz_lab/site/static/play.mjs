// The page with the device: carries keys, pictures and sound between the reader and the worker, and keeps the files.

import { saveFile } from "./files.mjs";
import { listen } from "./keys.mjs";
import { Screen } from "./screen.mjs";
import { Buzzer } from "./sound.mjs";
import { speak, text, wantedLanguage } from "./texts.mjs";
import { Tour } from "./tour.mjs";

const SIZES = { pico_oled: [128, 64], pico_lcd_13: [240, 240] };
const BELOW = 16, BAR = 76; // CSS pixels below the device, and of the keys below a large display
const at = (id) => document.getElementById(id);
const page = document.querySelector(".play");
const wishes = new URLSearchParams(location.search);

let language = wantedLanguage();
let board = wishes.get("board") ?? localStorage.getItem("kiebitz-board") ?? "pico_oled";
if (!SIZES[board]) board = "pico_oled";
let worker, storage, last;

const screen = new Screen(at("screen"));
const buzzer = new Buzzer();
const tour = new Tour(at("device"));

// --- the device ---

function start() {
  worker?.terminate();
  hush();
  tour.end();
  last = null;
  lay();
  worker = new Worker(new URL("./device_worker.mjs", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => hear(data);
  worker.onerror = (event) => say(text("ended.error"), event.message, "ended.restart", start);
  worker.postMessage({ to: "start", board, language, storage: wishes.get("storage") });
}

function hear(data) {
  if (data.picture) {
    if (!last) performance.mark("kiebitz-first-picture");
    last = data;
    screen.draw(data);
    at("screen").dataset.shown = Number(at("screen").dataset.shown ?? 0) + 1;
    at("says").textContent = data.text.replace(/[\ue000-\uf8ff]/g, "");
    tour.see(data.state);
  }
  if ("sound" in data) buzzer.sound(data.sound);
  if (data.storage) tellStorage(data.storage);
  if (data.ended) tellEnd(data.ended);
  if (data.exported) saveFile(data.exported, `kiebitz-${board}-${new Date().toISOString().slice(0, 10)}.zip`, "application/zip");
  if (data.imported) say(text(`files.${data.imported}`), "", "tour.close", hush);
}

function tellStorage(kind) {
  if (kind === "busy") return say(text("storage.busy"), "", "storage.again", start);
  if (kind === "full") return say(text("storage.full"), "", "tour.close", hush);
  storage = kind;
  at("storage").textContent = text(`storage.${kind}`);
  at("storage").dataset.kind = kind;
  navigator.storage?.persist?.(); // some browsers ask the reader, others decide by themselves
}

function tellEnd(how) {
  buzzer.quiet();
  const off = how === "off";
  say(text(off ? "ended.off" : "ended.error"), off ? "" : how, "ended.restart", () => {
    hush();
    worker.postMessage({ to: "restart" });
  });
}

// --- what the page says ---

function say(sentence, details, button, action) {
  const box = at("message");
  const parts = [Object.assign(document.createElement("p"), { textContent: sentence })];
  if (details) parts.push(Object.assign(document.createElement("pre"), { textContent: details, tabIndex: 0 }));
  const press = Object.assign(document.createElement("button"), { type: "button", textContent: text(button) });
  press.addEventListener("click", action);
  box.replaceChildren(...parts, press);
  box.hidden = false;
}

function hush() { at("message").hidden = true; }

// --- size ---

// Gives the display the largest whole number of pixels for each of its own, and the case the size that goes with it.
function lay() {
  page.dataset.board = board;
  for (const id of Object.keys(SIZES)) at(id).hidden = id !== board;
  const [width, height] = SIZES[board];
  const box = at(board), glass = box.querySelector(".glass");
  const isLarge = page.classList.contains("large");
  const roomWidth = isLarge ? innerWidth : at("device").parentElement.clientWidth;
  const roomHeight = innerHeight - (isLarge ? 0 : at("device").getBoundingClientRect().top + scrollY + BELOW);
  if (board === "pico_oled" && isLarge) {
    screen.fit(width, height, roomWidth, roomHeight - BAR);
    box.style.width = "";
  } else if (board === "pico_oled") {
    const { ratio, lit } = Object.fromEntries(["ratio", "lit"].map((name) => [name, Number(box.style.getPropertyValue(`--${name}`))]));
    const size = screen.fit(width, height, Math.min(roomWidth, Math.max(roomHeight, 380) * ratio) * lit, Infinity);
    box.style.width = `${size.width / lit}px`;
  } else {
    const isWide = roomWidth >= 520;
    const size = screen.fit(width, height, isWide ? roomWidth - 290 : roomWidth - 48, Math.max(roomHeight - 36, 240));
    box.classList.toggle("narrow", !isWide);
    glass.style.width = `${size.width}px`;
    glass.style.height = `${size.height}px`;
  }
  glass.append(at("screen"));
}

// Shows only the display, as large as the window, with its keys in a row; or the whole page again.
function enlarge(isLarge) {
  page.classList.toggle("large", isLarge);
  at("large").setAttribute("aria-pressed", isLarge);
  at("large").dataset.text = isLarge ? "play.small" : "play.large";
  at("large").textContent = text(at("large").dataset.text);
  lay();
}

// --- what the reader does ---

listen(at("device"), (key, down) => worker?.postMessage({ to: "key", key, down }));
addEventListener("resize", lay);
at("large").addEventListener("click", () => enlarge(!page.classList.contains("large")));
addEventListener("keydown", (event) => event.key === "Escape" && enlarge(false));

at("sound").addEventListener("change", ({ target }) => buzzer.allow(target.checked));
at("board").value = board;
at("board").addEventListener("change", ({ target }) => {
  board = target.value;
  localStorage.setItem("kiebitz-board", board);
  start();
});
at("language").addEventListener("change", async ({ target }) => {
  language = target.value;
  await speak(language);
  if (storage) at("storage").textContent = text(`storage.${storage}`);
  tour.say();
  worker.postMessage({ to: "language", language });
});
at("export").addEventListener("click", () => worker.postMessage({ to: "export" }));
at("import").addEventListener("click", () => at("file").click());
at("file").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  target.value = "";
  if (!file || !confirm(text("files.import.sure"))) return;
  worker.postMessage({ to: "import", bytes: new Uint8Array(await file.arrayBuffer()) });
});
at("erase").addEventListener("click", () => confirm(text("files.erase.sure")) && worker.postMessage({ to: "erase" }));

start();
speak(language).then(() => {
  if (storage) at("storage").textContent = text(`storage.${storage}`);
  tour.say();
});
