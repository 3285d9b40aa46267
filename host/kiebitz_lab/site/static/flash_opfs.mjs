// The flash of a device in the browser's private file system: every change is on disk before the firmware goes on.
//
// Two files take turns. The newer one with a whole beginning counts: a copy that was cut off is never taken for the flash.

import { FileTree, WHOLE, joined, readLog, record } from "./flash_log.mjs";

const SLACK = 256 * 1024; // bytes of changes that are kept before the log is written anew

export class OpfsFlash {
  kind = "opfs";
  #tree = new FileTree();
  #handles;
  #now = 0; // which of the two files counts
  #generation = 0;
  #end = 0;
  #limit = SLACK;

  // Throws if this browser or this page is not allowed to write at once.
  static async open(name) {
    const folder = await navigator.storage.getDirectory();
    const handles = [];
    try {
      for (const n of [0, 1]) {
        const file = await folder.getFileHandle(`${name}-${n}.log`, { create: true });
        handles.push(await file.createSyncAccessHandle());
      }
    } catch (error) {
      handles.forEach((handle) => handle.close());
      throw error;
    }
    const flash = new OpfsFlash();
    flash.#handles = handles;
    flash.#load();
    return flash;
  }

  #load() {
    this.#handles.forEach((handle, n) => {
      const bytes = new Uint8Array(handle.getSize());
      handle.read(bytes, { at: 0 });
      const { records, end } = readLog(bytes);
      const generation = Number(records[0]?.path);
      if (records[0]?.kind !== WHOLE || generation <= this.#generation) return;
      const snapshot = Number(new TextDecoder().decode(records[0].data)); // so many records belong to the copy
      if (records.length <= snapshot) return;
      this.#tree = new FileTree();
      records.slice(1).forEach((change) => this.#tree.apply(change));
      Object.assign(this, { torn: bytes.length - end });
      this.#generation = generation;
      this.#now = n;
      this.#end = end;
    });
    if (!this.#generation) this.#copy();
    else this.#handles[this.#now].truncate(this.#end);
    this.#tidy();
  }

  files() { return this.#tree.files; }

  keep(kind, path, data) {
    const bytes = record(kind, path, data);
    const handle = this.#handles[this.#now];
    try {
      // A private window of Chromium returns a huge number where others throw
      if (handle.write(bytes, { at: this.#end }) !== bytes.length) throw new Error("no room");
      handle.flush();
    } catch {
      try { handle.truncate(this.#end); } catch { /* a torn record at the end does not count */ }
      return false;
    }
    this.#end += bytes.length;
    this.#tree.apply({ kind, path, data });
    if (this.#end > this.#limit) this.#tidy();
    return true;
  }

  // Replaces everything, in one step. Returns false if there is no room.
  replace(files) {
    const before = this.#tree;
    this.#tree = new FileTree();
    for (const [path, data] of files) this.#tree.files.set(path, data);
    if (this.#copy()) return true;
    this.#tree = before;
    return false;
  }

  #tidy() {
    const live = this.#tree.records().reduce((n, bytes) => n + bytes.length, 0);
    if (this.#end > 2 * live + SLACK) this.#copy();
    this.#limit = Math.max(2 * this.#end, SLACK) + SLACK;
  }

  // Writes the files as they are now to the other file, which counts as soon as all of it is there.
  #copy() {
    const records = this.#tree.records();
    const head = record(WHOLE, String(this.#generation + 1), new TextEncoder().encode(String(records.length)));
    const bytes = joined(head, ...records);
    const [old, handle] = [this.#handles[this.#now], this.#handles[1 - this.#now]];
    try {
      handle.truncate(0);
      if (handle.write(bytes, { at: 0 }) !== bytes.length) throw new Error("no room");
      handle.flush();
    } catch {
      handle.truncate(0);
      return false;
    }
    this.#generation++;
    this.#now = 1 - this.#now;
    this.#end = bytes.length;
    old.truncate(0);
    old.flush();
    return true;
  }
}
