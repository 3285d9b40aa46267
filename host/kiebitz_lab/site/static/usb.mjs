// The page of a Kiebitz on USB: connects, shows its display and its games, and saves them as files.

import { saveFile } from "./files.mjs";
import { KEYS } from "./device_keys.mjs";
import { setUpInstall } from "./install_view.mjs";
import { Kiebitz } from "./kiebitz_on_usb.mjs";
import { LinkTrouble, word } from "./link.mjs";
import { PagePort } from "./page_port.mjs";
import { Screen } from "./screen.mjs";
import { element, sheetView } from "./sheet_view.mjs";
import { speak, text, wantedLanguage } from "./texts.mjs";
import { zipped } from "./zip.mjs";

const LOOK_MS = 500; // between two looks at the display
const HOLD_MS = 600;
const PYTHON_MS = 30_000; // for a sheet; a hostile journal may take for ever
const at = (id) => document.getElementById(id);

let kiebitz, games = [], shown = null, language = wantedLanguage(), choose = () => {};
const screen = new Screen(at("screen"));
const journals = new Map();

// --- Python, in its worker ---

let worker, asked = 0;
const waiting = new Map();

function python(method, ...values) {
  if (!worker) {
    worker = new Worker(new URL("./laptop_worker.mjs", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => {
      const { resolve, reject } = waiting.get(data.number);
      waiting.delete(data.number);
      if (data.trouble) reject(new Error(data.trouble));
      else resolve(data.result);
    };
  }
  return new Promise((resolve, reject) => {
    const number = ++asked;
    const late = setTimeout(giveUp, PYTHON_MS);
    const settle = (action) => (result) => {
      clearTimeout(late);
      action(result);
    };
    waiting.set(number, { resolve: settle(resolve), reject: settle(reject) });
    worker.postMessage({ number, method, values });
  });
}

// Ends Python in the middle of its work; the next request starts it again, without the journals it had.
function giveUp() {
  worker.terminate();
  worker = null;
  journals.clear();
  for (const { reject } of waiting.values()) reject(new LinkTrouble("usb.invalid"));
  waiting.clear();
}

// --- what a device says: it may be broken, or not be a Kiebitz at all ---

// A moment, given in seconds, as the reader writes it; empty for none, and for one that no calendar has.
function dateOf(seconds, style) {
  const date = new Date(Number(word(seconds)) * 1000);
  return Number(word(seconds)) && !Number.isNaN(date.getTime()) ? date.toLocaleString(language, style) : "";
}

// Names beside each other; the direction of writing of one ends where it ends.
function inLine(names) {
  return Array.isArray(names) ? names.map((name) => `\u2068${word(name)}\u2069`).join(", ") : "";
}

// --- saying things ---

function say(sentence, isTrouble = false) {
  at("status").textContent = sentence;
  at("status").classList.toggle("warn", isTrouble);
}

function tell(trouble) {
  if (!trouble.key) console.warn(trouble); // a device has sent what no Kiebitz sends
  say(text(trouble.key ?? "usb.invalid", trouble.places), true);
}

// Runs an action on the device; trouble becomes a sentence.
async function attempt(action) {
  try {
    await action();
  } catch (trouble) {
    if (trouble.name === "NotFoundError") return; // the reader has closed the list of ports
    tell(trouble);
  }
}

// --- the connection ---

async function connect(port) {
  say(text("usb.busy"));
  await kiebitz?.close();
  kiebitz = null;
  try {
    kiebitz = await Kiebitz.connect(port, () => {
      kiebitz = null;
      tell({ key: "usb.lost" });
      at("connected").dataset.lost = "";
      for (const button of at("connected").querySelectorAll("button[data-live]")) button.disabled = true;
    });
  } catch (trouble) {
    throw trouble.key ? trouble : Object.assign(trouble, { key: "usb.stranger" });
  }
  journals.clear();
  delete at("connected").dataset.lost;
  for (const button of at("connected").querySelectorAll("button[data-live]")) button.disabled = false;
  at("connected").hidden = false;
  at("leave").hidden = false;
  at("sheet").replaceChildren();
  choose(word(kiebitz.device.board));
  await refresh();
  look();
}

async function refresh() {
  tellWho();
  tellClock();
  at("names").value = (await kiebitz.roster()).join("\n");
  games = await kiebitz.games();
  await list();
}

function tellWho() {
  if (!kiebitz) return; // it was lost meanwhile
  const { version, device } = kiebitz.device;
  say(text("usb.who", { version: word(version), device: word(device) }));
}

async function leave() {
  await kiebitz?.close();
  kiebitz = null;
  at("connected").hidden = at("leave").hidden = true;
  say("");
}

// --- display and keys ---

async function look() {
  while (kiebitz) {
    const seen = kiebitz;
    try {
      if (!document.hidden) await draw();
    } catch (trouble) {
      if (seen === kiebitz) tell(trouble);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

let colours; // of a colour display, asked for once
const colourTable = () => colours ??= python("colours");

async function draw() {
  const picture = await kiebitz.screen(colourTable);
  if (shown?.width !== picture.width) screen.fit(picture.width, picture.height, Math.min(at("glass").parentElement.clientWidth - 16, 512), 300);
  shown = picture;
  screen.draw(picture);
  at("screen").dataset.shown = Number(at("screen").dataset.shown ?? 0) + 1;
}

for (const button of document.querySelectorAll("[data-press]")) {
  let down;
  const press = (hold) => attempt(async () => {
    await kiebitz.press(KEYS[Number(button.dataset.press)], hold);
    await draw();
  });
  button.addEventListener("pointerdown", () => { down = performance.now(); });
  button.addEventListener("click", () => kiebitz && press(down !== undefined && performance.now() - down >= HOLD_MS));
}

// --- clock and names ---

function tellClock() {
  const time = dateOf(kiebitz.device.now, { dateStyle: "medium", timeStyle: "short" });
  at("clock").textContent = time ? text("usb.clock.shows", { time }) : text("usb.clock.unset");
}

at("set-clock").addEventListener("click", () => attempt(async () => {
  await kiebitz.setClock(Math.floor(Date.now() / 1000));
  tellClock();
}));

at("send-names").addEventListener("click", () => attempt(async () => {
  const names = at("names").value.split("\n").map((name) => name.trim()).filter(Boolean);
  await kiebitz.sendNames(names);
  at("names").value = (await kiebitz.roster()).join("\n");
  say(text("usb.names.sent"));
}));

// --- games ---

async function list() {
  const kinds = await python("names", language);
  at("no-games").hidden = games.length > 0;
  at("all").hidden = at("all-bgstats").hidden = !games.length;
  at("games-table").hidden = !games.length;
  at("games").replaceChildren(...games.map((game) => {
    const day = dateOf(game.at, { dateStyle: "medium" });
    const state = text(game.damaged && !game.game ? "usb.games.damaged" : game.finished ? "usb.finished" : "usb.unfinished");
    const open = element("button", titleOf(game, kinds), { type: "button", className: "link" });
    open.addEventListener("click", () => attempt(() => show(game)));
    const cells = [element("th", [open], { scope: "row" }), day, inLine(game.players), state];
    return element("tr", cells.map((content) => (content instanceof Element ? content : element("td", content))));
  }));
}

function titleOf(game, kinds) {
  return word(game.title) || (Object.hasOwn(kinds, word(game.game)) ? kinds[word(game.game)] : game.id);
}

// The journal of a game, read once; a game in play is read anew.
async function journal(game) {
  if (!journals.has(game.id) || !game.finished) {
    if (!kiebitz) throw new LinkTrouble("usb.lost");
    journals.set(game.id, await kiebitz.journal(game.id));
    await python("take", game.id, journals.get(game.id));
  }
  return journals.get(game.id);
}

async function show(game) {
  say(text("usb.busy"));
  const bytes = await journal(game);
  const sheet = await python("sheet", game.id, language);
  const kinds = await python("names", language);
  const title = titleOf(game, kinds);
  const save = (key, name, make) => {
    const button = element("button", text(key), { type: "button" });
    button.addEventListener("click", () => attempt(async () => saveFile(await make(), `${game.id}.${name}`, "application/octet-stream")));
    return button;
  };
  const buttons = [
    save("usb.journal", "kbz", async () => bytes),
    save("usb.json", "json", () => python("json", game.id, language)),
    game.finished ? save("usb.bgstats", "bgsplay", () => bgstats([game])) : element("span", text("usb.bgstats.later"), { className: "quiet" }),
  ];
  const parts = sheet.parts ? sheetView(sheet, title, text("usb.entries")) : [];
  if (sheet.flaw) parts.unshift(element("p", `${text("usb.games.damaged")} (${sheet.flaw})`, { className: "warn" }));
  at("sheet").replaceChildren(element("h2", `${text("usb.sheet")}: ${title}`), element("p", buttons, { className: "actions" }), ...parts);
  at("sheet").scrollIntoView({ block: "nearest" });
  tellWho();
}

async function bgstats(chosen) {
  for (const game of chosen) await journal(game);
  return python("bgstats", chosen.map((game) => game.id), Math.floor(Date.now() / 1000), language);
}

at("all").addEventListener("click", () => attempt(async () => {
  say(text("usb.busy"));
  const files = new Map();
  for (const game of games) {
    files.set(`${game.id}.kbz`, await journal(game));
    files.set(`${game.id}.json`, new TextEncoder().encode(await python("json", game.id, language)));
  }
  saveFile(zipped(files), `kiebitz-${word(kiebitz.device.device).replace(/[^0-9a-f]/g, "")}.zip`, "application/zip");
  tellWho();
}));

at("all-bgstats").addEventListener("click", () => attempt(async () => {
  const content = await bgstats(games.filter((game) => game.finished));
  if (content) saveFile(content, "kiebitz.bgsplay", "application/json");
  else say(text("usb.bgstats.later"));
}));

// --- the reader ---

const serial = navigator.serial;
at("connect").hidden = !serial;
at("without").hidden = Boolean(serial);
at("connect").addEventListener("click", () => attempt(async () => connect(await serial.requestPort())));
at("here").addEventListener("click", () => attempt(async () => {
  const port = new PagePort(localStorage.getItem("kiebitz-board") ?? "pico_oled", language);
  at("here").port = port; // so that it can be pulled
  await connect(port);
}));
at("leave").addEventListener("click", () => attempt(leave));
at("language").addEventListener("change", async ({ target }) => {
  language = target.value;
  await speak(language);
  at("sheet").replaceChildren();
  if (kiebitz) await attempt(refresh);
});
await speak(language);
choose = await setUpInstall({ serial, running: () => kiebitz, leave, connect });
