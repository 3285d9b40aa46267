// The part of a page that installs: which board, a drive, the file on it, and what runs afterwards.

import { chipOf, comesBack, downloaded, offered, partFor, save } from "./install.mjs";
import { LinkTrouble, word } from "./link.mjs";
import { text } from "./texts.mjs";

const at = (id) => document.getElementById(id);
let isBusy = false;
let wanted = 0; // the number of the wait for a device; a step ends it
let waiting; // its promise

function say(key, places = {}) {
  at("install-status").textContent = text(key, places);
  at("install-status").classList.toggle("warn", places.isTrouble === true);
  at("install-told").scrollIntoView({ block: "nearest" });
}

// Shows trouble as a sentence; `closed` is the one for a reader who closes the browser's own list.
function complain(trouble, closed) {
  const isClosed = ["AbortError", "NotFoundError"].includes(trouble.name);
  if (!isClosed && !trouble.key) console.warn(trouble);
  const key = isClosed ? closed : (trouble.key ?? "install.denied");
  say(key, { ...trouble.places, isTrouble: true });
}

// Runs a step, unless another one runs. Returns whether it succeeded.
async function step(closed, action) {
  if (isBusy) return false;
  isBusy = true;
  wanted++;
  try {
    await action();
    return true;
  } catch (trouble) {
    complain(trouble, closed);
    return false;
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
  let isKnown = false; // to the browser, as a port that comes back by itself
  for (const input of document.querySelectorAll("input[name='family']")) {
    input.addEventListener("change", () => {
      isChosen = true;
      link();
    });
  }
  link();

  at("install-ask").addEventListener("click", () => step("install.noport", async () => {
    say("usb.busy");
    if (!page.running()) await connect();
    await page.running().startBootLoader();
    isKnown = true;
    await page.leave();
    say("install.asked");
  }));

  at("install-pick").addEventListener("click", async () => {
    const isWritten = await step("install.nodrive", async () => {
      const folder = await window.showDirectoryPicker({ id: "kiebitz", mode: "readwrite" });
      const image = images[family()];
      const chip = await chipOf(folder, image.chips);
      say("install.loading", image);
      const part = partFor(await downloaded(image), chip);
      const bar = at("install-progress");
      bar.hidden = false;
      await waiting;
      await page.leave();
      await save(folder, image.name, part, (share) => {
        bar.value = share;
        say("install.writing", { name: image.name, percent: Math.floor(100 * share) });
      });
    });
    if (isWritten) waiting = wait();
  });

  at("install-connect").addEventListener("click", () => step("install.noport", async () => {
    await connect();
    tell();
  }));

  async function connect() {
    const port = await page.serial.requestPort();
    await waiting;
    await page.connect(port);
  }

  // Waits until the device is back. Only a click may ask for a port that the browser does not know.
  async function wait() {
    const mine = wanted;
    const { serial } = page;
    at("install-connect").hidden = !serial;
    isKnown ||= (await serial?.getPorts())?.length > 0;
    say(isKnown ? "install.restarting" : "install.connect");
    try {
      const again = async (port) => page.running() || page.connect(port);
      if (serial && await comesBack(serial, again, () => mine === wanted)) tell();
    } catch (trouble) {
      if (trouble.key === "install.away") await page.leave();
      if (isKnown) complain(trouble);
    }
  }

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
