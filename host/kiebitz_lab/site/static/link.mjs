// The link to a Kiebitz, as docs/link.md describes it: asks, waits, asks again, and passes over everything else.
//
// It reads and sets; it never confirms: what is confirmed the device may forget, and a browser's storage can be cleared.

import { crc32, joined } from "./flash_log.mjs";

const VERBS = ["who", "games", "game", "read", "clock", "roster", "names", "screen", "key", "update"];
const SETTLE_MS = 100; // nothing is sent for so long after the port was opened
const HELLO_MS = 1000;
const ANSWER_MS = 5000;
const ATTEMPTS = 3;
const REQUEST_MAX = 1024; // bytes
const LINE_MAX = 4096;
const ANSWER_MAX = 8 << 20; // bytes; a flash has two megabytes
const LF = 10, TILDE = 0x7e;

const encode = (text) => new TextEncoder().encode(text);
const decode = (bytes) => new TextDecoder().decode(bytes);

export class LinkTrouble extends Error {
  // `key` names the sentence: storage.busy, usb.closed, usb.lost, usb.silent, usb.stranger, usb.refused, usb.invalid
  constructor(key, places = {}) {
    super(key);
    Object.assign(this, { key, places });
  }
}

function checksum(bytes, salt) {
  return crc32(bytes, crc32(encode(salt))).toString(16).padStart(8, "0");
}

// The text of a sealed line, given without its line end; null if its checksum is wrong.
export function unseal(line, salt) {
  const data = line.subarray(0, -8);
  return data.at(-1) === 0x20 && decode(line.subarray(-8)) === checksum(data, salt) ? decode(data.subarray(0, -1)) : null;
}

export function escape(bytes) {
  const out = [];
  for (const byte of bytes) {
    if (byte === LF || (byte >= 0x20 && byte < TILDE)) out.push(byte);
    else out.push(TILDE, ...encode(byte.toString(16).padStart(2, "0")));
  }
  return new Uint8Array(out);
}

export function unescape(bytes) {
  if (!bytes.includes(TILDE)) return bytes;
  const out = [];
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== TILDE) out.push(bytes[at]);
    else {
      out.push(parseInt(decode(bytes.subarray(at + 1, at + 3)), 16));
      at += 2;
    }
  }
  return new Uint8Array(out);
}

export function framed(number, verb, value) {
  const data = encode(`K? ${number} ${verb} ${JSON.stringify(value)} `);
  return escape(joined(data, encode(checksum(data, "link") + "\n")));
}

// Returns text that a device has sent; empty for a value of another type.
export function word(value) {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// {number, word, value} of an answer, wherever in the line its mark is; null for any other line.
function answerIn(line) {
  for (let at = 0; (at = indexOf(line, "K! ", at)) >= 0; at++) {
    const text = unseal(unescape(line.subarray(at)), "link");
    const match = text?.match(/^K! (\d{1,9}) (\S+) (.*)$/s);
    try {
      if (match) return { number: Number(match[1]), word: match[2], value: JSON.parse(match[3]) };
    } catch { /* no JSON: no answer */ }
  }
  return null;
}

function indexOf(line, text, from) {
  const wanted = encode(text);
  for (let at = from; at + wanted.length <= line.length; at++) if (wanted.every((byte, k) => line[at + k] === byte)) return at;
  return -1;
}

export class Link {
  #port;
  #writer;
  #rest = new Uint8Array();
  #number = Math.floor(Math.random() * 0x1000000);
  #hear = () => {}; // takes the next line
  #fail = null; // ends the request that is waiting
  #turn = Promise.resolve(); // one request at a time
  #lost = false;

  // `port` is a SerialPort, or anything that opens and has the same two streams.
  static async connect(port) {
    const link = new Link();
    link.#port = port;
    await port.open({ baudRate: 115200 }).catch((trouble) => {
      throw trouble.key ? trouble : new LinkTrouble("usb.closed"); // another program uses it, or this user must not
    });
    link.#writer = port.writable.getWriter();
    link.#read();
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    await link.#writer.write(encode("\n"));
    try {
      link.device = (await link.ask("who", {}, { ms: HELLO_MS })).end;
    } catch (trouble) {
      await link.close();
      throw trouble.key === "usb.lost" ? trouble : new LinkTrouble("usb.stranger");
    }
    if (link.device.product !== "kiebitz" || link.device.protocol !== 1) {
      await link.close();
      throw new LinkTrouble("usb.stranger");
    }
    return link;
  }

  async #read() {
    const reader = this.#reader = this.#port.readable.getReader();
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        this.#take(value);
      }
    } catch { /* the cable was pulled */ }
    this.#lost = true;
    this.#fail?.(new LinkTrouble("usb.lost"));
    this.onlost?.();
  }

  #reader;

  #take(bytes) {
    let all = joined(this.#rest, bytes), at;
    while ((at = all.indexOf(LF)) >= 0) {
      if (at && at <= LINE_MAX) this.#hear(all.subarray(0, at));
      all = all.subarray(at + 1);
    }
    this.#rest = all.length > LINE_MAX ? new Uint8Array() : all.slice();
  }

  // Resolves to {pieces, lines, end} of the answer; `lines` are those with a checksum that fits the option `salt`.
  ask(verb, value = {}, options = {}) {
    const next = this.#turn.then(() => this.#ask(verb, value, options));
    this.#turn = next.catch(() => {});
    return next;
  }

  async #ask(verb, value, { ms = ANSWER_MS, salt = "" } = {}) {
    if (!VERBS.includes(verb)) throw new Error(`this page does not send ${verb}`);
    const number = (this.#number = (this.#number + 1) % 1_000_000_000);
    const request = framed(number, verb, value);
    if (request.length > REQUEST_MAX) throw new Error("the request is too long");
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const answer = await this.#once(number, request, ms, salt);
      if (answer) return answer;
    }
    throw new LinkTrouble("usb.silent");
  }

  #once(number, request, ms, salt) {
    return new Promise((resolve, reject) => {
      if (this.#lost) return reject(new LinkTrouble("usb.lost"));
      const pieces = [], lines = [];
      let late, size = 0;
      const end = (action, result) => {
        clearTimeout(late);
        this.#hear = () => {};
        this.#fail = null;
        action(result);
      };
      const wait = () => {
        clearTimeout(late);
        late = setTimeout(() => end(resolve, null), ms);
      };
      this.#fail = (trouble) => end(reject, trouble);
      this.#hear = (line) => {
        const answer = answerIn(line);
        const isJournal = !answer && salt && unseal(unescape(line), salt) !== null;
        if (!isJournal && answer?.number !== number) return; // noise does not make the wait longer
        if ((size += line.length) > ANSWER_MAX) return end(reject, new LinkTrouble("usb.invalid"));
        if (isJournal) lines.push(unescape(line.slice()));
        else if (!isObject(answer.value)) return end(reject, new LinkTrouble("usb.invalid"));
        else if (answer.word === "+") pieces.push(answer.value);
        else if (answer.word === "ok") return end(resolve, { pieces, lines, end: answer.value });
        else if (answer.word === "no") return end(reject, new LinkTrouble("usb.refused", { code: word(answer.value.code) || "?" }));
        wait();
      };
      wait();
      this.#writer.write(request).catch(() => end(reject, new LinkTrouble("usb.lost")));
    });
  }

  async close() {
    this.onlost = null;
    this.#lost = true;
    try {
      await this.#reader?.cancel();
      this.#reader?.releaseLock();
      this.#writer?.releaseLock();
      await this.#port.close();
    } catch { /* it is gone already */ }
  }
}
