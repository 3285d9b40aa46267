// The flash of a device in IndexedDB, for browsers that do not let a page write at once: the last press may be lost.
//
// Changes have consecutive numbers. After one that the browser could not keep, later ones do not count.

import { FileTree, joined, readLog, record } from "./flash_log.mjs";

const LOG = "log";
const SLACK = 2000; // changes that are kept before the log is written anew

export class IdbFlash {
  kind = "indexeddb";
  #db;
  #tree = new FileTree();
  #next = 1;
  #isFull = false;
  #failed;

  static async open(name, failed) {
    const flash = new IdbFlash();
    flash.#failed = failed;
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(LOG);
    flash.#db = await done(opening);
    const log = flash.#db.transaction(LOG).objectStore(LOG);
    const [numbers, all] = await Promise.all([done(log.getAllKeys()), done(log.getAll())]);
    const pieces = all.filter((_, k) => numbers[k] === numbers[0] + k);
    readLog(joined(...pieces)).records.forEach((change) => flash.#tree.apply(change));
    flash.#next = numbers.length ? numbers[0] + pieces.length : 1;
    if (all.length > pieces.length || pieces.length > SLACK) await flash.replace(flash.#tree.files);
    return flash;
  }

  files() { return this.#tree.files; }

  // Returns true before it is stored; `failed` is called if the browser could not keep it, and nothing is kept then.
  keep(kind, path, data) {
    if (this.#isFull) return false;
    this.#tree.apply({ kind, path, data });
    const work = this.#work();
    work.onabort = () => {
      this.#isFull = true;
      this.#failed();
    };
    work.objectStore(LOG).add(record(kind, path, data), this.#next++);
    return true;
  }

  // Replaces everything, in one step. Resolves to false if there is no room.
  replace(files) {
    const tree = new FileTree();
    tree.files = new Map(files);
    const work = this.#work(), log = work.objectStore(LOG);
    log.clear();
    const records = tree.records(), first = this.#next;
    records.forEach((bytes, k) => log.add(bytes, first + k));
    return new Promise((resolve) => {
      work.onabort = () => resolve(false);
      work.oncomplete = () => {
        this.#tree = tree;
        this.#next = first + records.length;
        this.#isFull = false;
        resolve(true);
      };
    });
  }

  #work() { return this.#db.transaction(LOG, "readwrite", { durability: "strict" }); }
}

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
