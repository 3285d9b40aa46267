// Puts the firmware on a device: checks the file and the drive, writes the part for its chip, and waits for the restart.

import { LinkTrouble } from "./link.mjs";

const INFO = "INFO_UF2.TXT";
const INFO_BYTES = 4096;
// The chips by the board id of their boot loaders, with the family id of their blocks in the file
const CHIPS = {
  "RPI-RP2": { name: "RP2040", family: 0xe48bff56 },
  RP2350: { name: "RP2350", family: 0xe48bff59 },
};
const BLOCK = 512, FAMILY_AT = 28;
const PIECE = 128 * BLOCK; // written at once
const BACK_MS = 60_000;
const LOOK_MS = 500;
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// {version, images: {family: {name, sha256, chips, boards}}} of this site, which a browser does not keep for offline use.
export async function offered() {
  if (!navigator.onLine) throw new LinkTrouble("install.missing");
  const answer = await fetch(new URL("./images.json", import.meta.url), { cache: "no-cache" }).catch(() => null);
  if (!answer?.ok) throw new LinkTrouble("install.missing");
  return answer.json();
}

// The bytes of an image, compared with its SHA-256.
export async function downloaded({ name, sha256 }) {
  const answer = await fetch(new URL(`./${name}`, import.meta.url), { cache: "no-cache" }).catch(() => null);
  const bytes = answer?.ok && (await answer.arrayBuffer().catch(() => null));
  if (!bytes) throw new LinkTrouble("install.missing");
  if (hex(await crypto.subtle.digest("SHA-256", bytes)) !== sha256) throw new LinkTrouble("install.damaged", { name });
  return new Uint8Array(bytes);
}

// The chip whose boot loader has made this drive; a folder of another device or of another chip is refused.
export async function chipOf(folder, wanted) {
  let info;
  try {
    info = await (await (await folder.getFileHandle(INFO)).getFile()).slice(0, INFO_BYTES).text();
  } catch (trouble) {
    throw ["NotFoundError", "TypeMismatchError"].includes(trouble.name) ? new LinkTrouble("install.folder", { name: folder.name }) : troubleOf(trouble);
  }
  const board = info.match(/^Board-ID: *(\S{1,40})/m)?.[1] ?? "?";
  if (!Object.hasOwn(CHIPS, board)) throw new LinkTrouble("install.stranger", { board });
  const chip = CHIPS[board];
  if (!wanted.includes(chip.name)) throw new LinkTrouble("install.chip", { chip: chip.name });
  return chip;
}

// The blocks for a chip: a boot loader restarts once it has its part, and the rest would be an error.
export function partFor(bytes, chip) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts = [];
  for (let at = 0; at + BLOCK <= bytes.length; at += BLOCK) if (view.getUint32(at + FAMILY_AT, true) === chip.family) starts.push(at);
  const part = new Uint8Array(starts.length * BLOCK);
  starts.forEach((at, k) => part.set(bytes.subarray(at, at + BLOCK), k * BLOCK));
  return part;
}

// Writes a file onto the drive; progress(share) is called with the share that is written.
export async function save(folder, name, bytes, progress) {
  let file;
  try {
    file = await (await folder.getFileHandle(name, { create: true })).createWritable();
    for (let at = 0; at < bytes.length; at += PIECE) {
      await file.write(bytes.subarray(at, at + PIECE));
      progress(Math.min(at + PIECE, bytes.length) / bytes.length);
    }
  } catch (trouble) {
    await file?.abort().catch(() => {});
    throw troubleOf(trouble);
  }
  // The device restarts when it has the last block: then the drive has gone before the file is closed
  await file.close().catch(() => {});
}

function troubleOf({ name }) {
  if (["NotAllowedError", "SecurityError", "NoModificationAllowedError"].includes(name)) return new LinkTrouble("install.denied");
  return new LinkTrouble(name === "QuotaExceededError" ? "install.full" : "install.gone");
}

// Waits until connect(port) succeeds with a port that this page may use, as long as isWanted() is true. Returns whether
// it did. A device that restarts is away from the list of ports for a moment.
export async function comesBack(serial, connect, isWanted) {
  const end = performance.now() + BACK_MS;
  while (isWanted()) {
    for (const port of await serial.getPorts()) {
      try {
        await connect(port);
        return isWanted();
      } catch { /* it is not back yet, or is not a Kiebitz */ }
    }
    if (performance.now() > end) throw new LinkTrouble("install.away");
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return false;
}
