// The flash of a device in IndexedDB, for browsers that do not let a page write at once: the last press may be lost.

import { FileTree, joined, readLog, record } from "./flash_log.mjs";

const LOG = "log";
const SLACK = 2000; // changes that are kept before the log is written anew

export class IdbFlash {
  kind = "indexeddb";
  #db;
  #tree = new FileTree();
  #failed;

  static async open(name, failed) {
    const flash = new IdbFlash();
    flash.#failed = failed;
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(LOG, { autoIncrement: true });
    flash.#db = await done(opening);
    const pieces = await done(flash.#store("readonly").getAll());
    readLog(joined(...pieces)).records.forEach((change) => flash.#tree.apply(change));
    if (pieces.length > SLACK) flash.replace(flash.#tree.files);
    return flash;
  }

  files() { return this.#tree.files; }

  // Returns true at once; `failed` is called if the browser could not keep it.
  keep(kind, path, data) {
    this.#tree.apply({ kind, path, data });
    this.#store("readwrite").add(record(kind, path, data));
    return true;
  }

  replace(files) {
    this.#tree = new FileTree();
    for (const [path, data] of files) this.#tree.files.set(path, data);
    const store = this.#store("readwrite");
    store.clear();
    this.#tree.records().forEach((bytes) => store.add(bytes));
    return true;
  }

  #store(mode) {
    const work = this.#db.transaction(LOG, mode, { durability: "strict" });
    work.onabort = () => this.#failed();
    return work.objectStore(LOG);
  }
}

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
