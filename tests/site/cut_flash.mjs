// Cuts the power of the flash in a browser at every byte, in Node: its files are in memory, and writes can stop anywhere.
// Prints a line for each promise that holds, and fails at the first that does not.

import assert from "node:assert/strict";
import { argv, stdout } from "node:process";
import { pathToFileURL } from "node:url";

const [, , site] = argv;
const { APPEND, MAKE, REMOVE, RENAME, WRITE, readLog, record } = await import(pathToFileURL(`${site}/flash_log.mjs`));
const { OpfsFlash } = await import(pathToFileURL(`${site}/flash_opfs.mjs`));
const { unzipped, zipped } = await import(pathToFileURL(`${site}/zip.mjs`));

const text = (bytes) => Buffer.from(bytes).toString();
const bytes = (words) => new Uint8Array(Buffer.from(words));

// A disk whose power goes off after `left` more bytes
class Disk {
  files = new Map();
  left = Infinity;

  handle(name) {
    const disk = this;
    if (!this.files.has(name)) this.files.set(name, new Uint8Array());
    return {
      getSize: () => disk.files.get(name).length,
      read(into, { at }) { into.set(disk.files.get(name).subarray(at, at + into.length)); },
      write(data, { at }) {
        const taken = Math.min(data.length, disk.left);
        const old = disk.files.get(name);
        const grown = new Uint8Array(Math.max(old.length, at + taken));
        grown.set(old);
        grown.set(data.subarray(0, taken), at);
        disk.files.set(name, grown);
        disk.left -= taken;
        if (taken < data.length) throw new Error("the power is off");
        return taken;
      },
      truncate(size) { if (disk.left > 0) disk.files.set(name, disk.files.get(name).slice(0, size)); },
      flush() {},
      close() {},
    };
  }

  copy() {
    const other = new Disk();
    for (const [name, data] of this.files) other.files.set(name, data.slice());
    return other;
  }

  async open() {
    const folder = { getFileHandle: async (name) => ({ createSyncAccessHandle: async () => this.handle(name) }) };
    Object.defineProperty(globalThis, "navigator", { value: { storage: { getDirectory: async () => folder } }, configurable: true });
    return OpfsFlash.open("test");
  }
}

const content = (flash) => Object.fromEntries([...flash.files()].map(([path, data]) => [path, data && text(data)]));

const disk = new Disk();
let flash = await disk.open();
for (const [kind, path, data] of [
  [MAKE, "data", ""], [WRITE, "data/a", "one"], [APPEND, "data/a", " two"], [WRITE, "data/b", "x"], [RENAME, "data/b", "data/c"], [WRITE, "data/d", ""], [REMOVE, "data/d", ""],
]) assert.ok(flash.keep(kind, path, bytes(data)));
const kept = { data: null, "data/a": "one two", "data/c": "x" };
assert.deepEqual(content(await disk.copy().open()), kept);
stdout.write("every change is there after a restart\n");

const size = record(APPEND, "data/a", bytes(" three")).length;
for (let left = 0; left <= size; left++) {
  const cut = disk.copy();
  const device = await cut.open();
  cut.left = left;
  const done = device.keep(APPEND, "data/a", bytes(" three"));
  cut.left = Infinity;
  const again = await cut.open();
  assert.equal(content(again)["data/a"], left === size ? "one two three" : "one two");
  assert.equal(done, left === size);
  assert.ok(again.keep(APPEND, "data/a", bytes("!")));
  assert.equal(content(await cut.open())["data/a"].at(-1), "!");
}
stdout.write("a record that was cut at any byte does not count, and the next one does\n");

const long = new Disk();
flash = await long.open();
let largest = 0;
for (let k = 0; k < 4000; k++) {
  assert.ok(flash.keep(WRITE, "data/a", bytes(`${k} `.repeat(100))));
  largest = Math.max(largest, ...[...long.files.values()].map((data) => data.length));
}
assert.ok(largest < 1_200_000, String(largest));
assert.equal(content(await long.open())["data/a"].split(" ")[0], "3999");
stdout.write("the log is written anew before it grows large\n");

const whole = (await disk.copy().open()).files();
let copies = 0;
for (let left = 0; ; left++) {
  const cut = disk.copy();
  const device = await cut.open();
  cut.left = left;
  const done = device.replace(new Map([["data", null], ["data/new", bytes("new")]]));
  cut.left = Infinity;
  const found = content(await cut.open());
  assert.deepEqual(found, done ? { data: null, "data/new": "new" } : kept);
  copies++;
  if (done) break;
}
assert.ok(copies > 50 && whole.size === 3);
stdout.write("a copy that was cut at any byte is never taken for the flash\n");

assert.equal(readLog(new Uint8Array([9, 9, 9])).end, 0);
const zip = zipped(whole);
assert.deepEqual([...unzipped(zip)].map(([path, data]) => [path, data && text(data)]), Object.entries(kept));
const inside = Buffer.from(zip).indexOf("one two");
const damaged = zip.map((byte, k) => (k === inside ? byte ^ 1 : byte));
for (const wrong of [zip.slice(1), zip.slice(0, -1), new Uint8Array(5), damaged]) assert.equal(unzipped(wrong), null);
stdout.write("a damaged file is not taken for a saved one\n");
