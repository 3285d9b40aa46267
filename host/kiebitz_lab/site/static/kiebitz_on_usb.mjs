// What a page can ask a Kiebitz: its games and journals, its picture, its keys, its clock and its names.

import { joined } from "./flash_log.mjs";
import { Link, LinkTrouble, framed, unseal, word } from "./link.mjs";

const INDEX = "index"; // the salt of its lines
const READ_ATTEMPTS = 3;
const REQUEST_MAX = 1024;
const SIDE_MAX = 512; // pixels of a display
const GAMES_MAX = 2000; // twice as many as a flash can hold
const LIT = 0xfff8f0e8, DARK = 0xff100c0a; // of a display without colours
const LF = new Uint8Array([10]);
const fromHex = (digits) => (word(digits).match(/../g) ?? []).map((byte) => parseInt(byte, 16));

export class Kiebitz {
  #link;

  static async connect(port, lost) {
    const kiebitz = new Kiebitz();
    kiebitz.#link = await Link.connect(port);
    kiebitz.#link.onlost = lost;
    return kiebitz;
  }

  get device() { return this.#link.device; }
  close() { return this.#link.close(); }

  // The games, newest first: id, game, players, at, finished; a game that cannot be read has only its id and `damaged`.
  async games() {
    const { pieces, lines } = await this.#link.ask("games", {}, { salt: INDEX });
    const sizes = Object.assign({}, ...pieces.map((piece) => piece.files));
    const told = new Map();
    for (const line of lines) {
      const [, id, json] = unseal(line, INDEX)?.match(/^([0-9a-f-]+) ({.*)$/s) ?? [];
      if (id) told.set(id, parsed(json));
    }
    const ids = Object.keys(sizes).filter((name) => /^[0-9a-f-]+\.kbz$/.test(name)).map((name) => name.slice(0, -4));
    if (ids.length > GAMES_MAX) throw new LinkTrouble("usb.invalid");
    const games = [];
    for (const id of ids.sort(byCounter)) {
      const known = told.get(id);
      games.push({ ...(known?.size === sizes[`${id}.kbz`] ? known : (await this.#link.ask("game", { id })).end), id });
    }
    return games;
  }

  // The journal of a game as the device has it on flash. A line may arrive damaged: then all are asked for again.
  async journal(id) {
    let journal;
    for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
      const { lines, end } = await this.#link.ask("read", { games: [id, 0] }, { salt: id });
      const length = Array.isArray(end.ends) ? end.ends[0] : undefined;
      if (typeof length !== "number") throw new LinkTrouble("usb.refused", { code: word(length) || "?" });
      journal = joined(...lines.flatMap((line) => [line, LF]));
      if (journal.length === length) break;
    }
    return journal;
  }

  // {width, height, picture}: the picture as pixels in RGBA. `colours` resolves to those of a colour display.
  async screen(colours) {
    const { pieces, end } = await this.#link.ask("screen");
    const { width, height, tints = "" } = end;
    if (![width, height].every((size) => Number.isInteger(size) && size > 0 && size <= SIDE_MAX)) throw new LinkTrouble("usb.stranger");
    const lit = new Uint32Array(width * height).fill(LIT);
    const palette = tints ? (await colours()).map(([red, green, blue]) => (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0) : [];
    const rectangles = fromHex(tints);
    for (let k = 0; k < rectangles.length; k += 5) {
      const [left, top, right, bottom, number] = rectangles.slice(k, k + 5);
      for (let y = top; y < Math.min(bottom, height); y++) lit.fill(palette[number] ?? LIT, y * width + left, y * width + Math.min(right, width));
    }
    const picture = new Uint8ClampedArray(width * height * 4);
    const words = new Uint32Array(picture.buffer);
    for (const { page, columns } of pieces) {
      fromHex(columns).slice(0, width).forEach((bits, x) => {
        for (let k = 0; k < 8; k++) words[(8 * page + k) * width + x] = (bits >> k) & 1 ? lit[(8 * page + k) * width + x] : DARK;
      });
    }
    return { width, height, picture };
  }

  press(key, hold = false) { return this.#link.ask("key", { key, hold }); }

  // Restarts it as a drive. Its port goes away with the answer, or before it.
  async startBootLoader() {
    this.#link.onlost = null;
    await this.#link.ask("update").catch((trouble) => {
      if (trouble.key !== "usb.lost") throw trouble;
    });
    await this.close();
  }

  async setClock(now) {
    await this.#link.ask("clock", { now });
    this.#link.device.now = now;
  }

  async roster() {
    const { pieces } = await this.#link.ask("roster");
    return pieces.flatMap(({ names }) => (Array.isArray(names) ? names.map(word) : []));
  }

  // Sends the names in pieces that fit into a request; the last one puts all of them into force.
  async sendNames(names) {
    let at = 0;
    do {
      let piece = names.slice(at);
      while (framed(999_999_999, "names", { at, names: piece, more: true }).length > REQUEST_MAX) {
        if (piece.length === 1) throw new LinkTrouble("usb.names.long", { name: piece[0] });
        piece = piece.slice(0, -Math.max(1, piece.length >> 2));
      }
      const more = at + piece.length < names.length;
      await this.#link.ask("names", { at, names: piece, more });
      at += piece.length;
    } while (at < names.length);
  }
}

// The entry of a game in the index; null if it is not JSON.
function parsed(json) {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function byCounter(a, b) {
  const counter = (id) => parseInt(id.split("-")[1], 10) || 0;
  return counter(b) - counter(a) || (a < b ? 1 : -1);
}
