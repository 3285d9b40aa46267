// The part of a page that installs: which board, a drive, the file on it, and what runs afterwards.

import { chipOf, comesBack, downloaded, offered, partFor, save } from "./install.mjs";
import { LinkTrouble, word } from "./link.mjs";
import { text } from "./texts.mjs";

const at = (id) => document.getElementById(id);
let isBusy = false;

function say(key, places = {}) {
  at("install-status").textContent = key ? text(key, places) : "";
  at("install-status").classList.toggle("warn", places.isTrouble === true);
}

// Runs a step; trouble becomes a sentence. `closed` is the one for a reader who closes the browser's own list.
async function step(closed, action) {
  if (isBusy) return;
  isBusy = true;
  try {
    await action();
  } catch (trouble) {
    const isClosed = ["AbortError", "NotFoundError"].includes(trouble.name);
    if (!isClosed && !trouble.key) console.warn(trouble);
    const key = isClosed ? closed : (trouble.key ?? "install.denied");
    say(key, { ...trouble.places, isTrouble: true });
  } finally {
    isBusy = false;
    at("install-progress").hidden = true;
  }
}

function family() {
  return document.querySelector("input[name='family']:checked").value;
}

// `page` has the connection: running() returns the Kiebitz that is connected, connect(port) replaces it.
export async function setUpInstall(page) {
  const canWrite = "showDirectoryPicker" in window;
  at("install-pick").hidden = at("install-pick-how").hidden = !canWrite;
  at("install-hand").hidden = canWrite;
  at("install-ask").hidden = !page.serial;
  const { version: newest, images } = await offered().catch(() => ({ images: {} }));
  const hasImages = Object.keys(images).length > 0;
  at("install-none").hidden = hasImages;
  at("install-steps").hidden = !hasImages;
  if (!hasImages) return () => {};

  const link = () => {
    const { name, sha256 } = images[family()];
    Object.assign(at("install-file"), { href: name, download: name, textContent: name });
    at("install-sum").textContent = sha256;
  };
  let isChosen = false; // by the reader
  for (const input of document.querySelectorAll("input[name='family']")) {
    input.addEventListener("change", () => {
      isChosen = true;
      link();
    });
  }
  link();

  at("install-ask").addEventListener("click", () => step("install.noport", async () => {
    say("usb.busy");
    if (!page.running()) await page.connect(await page.serial.requestPort());
    await page.running().startBootLoader();
    await page.leave();
    say("install.asked");
  }));

  at("install-pick").addEventListener("click", () => step("install.nodrive", async () => {
    const folder = await window.showDirectoryPicker({ id: "kiebitz", mode: "readwrite" });
    const image = images[family()];
    const chip = await chipOf(folder, image.chips);
    say("install.loading", image);
    const part = partFor(await downloaded(image), chip);
    const bar = at("install-progress");
    bar.hidden = false;
    await page.leave();
    await save(folder, image.name, part, (share) => {
      bar.value = share;
      say("install.writing", { name: image.name, percent: Math.floor(100 * share) });
    });
    bar.hidden = true;
    const { serial } = page;
    at("install-connect").hidden = !serial;
    if (!(await serial?.getPorts())?.length) return say("install.connect"); // only a click may ask for a port
    say("install.restarting");
    await comesBack(serial, page.connect).catch(async (trouble) => {
      await page.leave();
      throw trouble;
    });
    tell();
  }));

  at("install-connect").addEventListener("click", () => step("install.noport", async () => {
    await page.connect(await page.serial.requestPort());
    tell();
  }));

  function tell() {
    at("install-connect").hidden = true;
    const version = word(page.running().device.version);
    if (version !== newest) throw new LinkTrouble("install.other", { version, wanted: newest });
    say("install.done", { version });
  }

  // Chooses the family of the board that is connected, unless the reader has chosen one.
  return (board) => {
    const found = Object.keys(images).find((name) => images[name].boards.includes(board));
    if (found !== undefined && !isChosen) document.querySelector(`input[name='family'][value='${found}']`).checked = true;
    link();
  };
}
