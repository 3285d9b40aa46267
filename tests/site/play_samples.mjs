// Plays games on the device of the page, in Node, and prints for each a checksum of every picture, and its files.
// The scenarios come as JSON on the standard input: [{board, setup, keys}], with keys like "up" and "hold:undo".

import { readFileSync } from "node:fs";
import { argv, stdin, stdout } from "node:process";
import { pathToFileURL } from "node:url";

const [, , micropython, image, site] = argv;
const { loadMicroPython } = await import(pathToFileURL(`${micropython}/micropython.mjs`));
const { Device, KEYS } = await import(pathToFileURL(`${site}/device.mjs`));
const { MemoryFlash, crc32 } = await import(pathToFileURL(`${site}/flash_log.mjs`));

const STEP_MS = 5, TAP_MS = 40, HOLD_MS = 700;
const romfs = new Uint8Array(readFileSync(image));
const given = [];
for await (const piece of stdin) given.push(piece); // readFileSync() fails with EAGAIN if the pipe is empty for a moment
const scenarios = JSON.parse(Buffer.concat(given));

async function play({ board, setup, keys }) {
  const flash = new MemoryFlash();
  const device = await Device.start({
    loadMicroPython, romfs, board, flash, unix: 0, uniqueId: Array(8).fill(0xff), language: "en", random: () => 0x2a,
  });
  const wait = (ms) => {
    for (let n = 0; n < ms; n += STEP_MS) {
      const trouble = device.turn(device.elapsed + STEP_MS);
      if (trouble) throw new Error(trouble);
    }
  };
  if (device.trouble) throw new Error(device.trouble);
  const pictures = [];
  const look = () => {
    const pixels = device.display.pixels();
    pictures.push(crc32(new Uint8Array(pixels.buffer)));
  };
  wait(STEP_MS); // the start has made the first turn
  if (setup) {
    device.sitDown(setup);
    wait(2 * STEP_MS);
  }
  look();
  for (const word of keys) {
    const [kind, rest] = word.split(":");
    if (kind === "wait") {
      wait(Number(rest));
      continue;
    }
    const key = KEYS.indexOf((rest ?? kind).toUpperCase());
    device.press(key);
    wait(kind === "hold" ? HOLD_MS : TAP_MS);
    device.release(key);
    wait(TAP_MS);
    look();
  }
  const files = {};
  for (const [path, data] of flash.files()) if (data) files[path] = Buffer.from(data).toString("hex");
  return { pictures, files, text: device.lines() };
}

const results = [];
for (const scenario of scenarios) results.push(await play(scenario));
stdout.write(JSON.stringify(results));
