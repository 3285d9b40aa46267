// The flash of a device as a log of changes: each is a record with its checksum, and a torn one at the end does not count.

export const WRITE = 1, APPEND = 2, RENAME = 3, REMOVE = 4, MAKE = 5, WHOLE = 6;
const HEAD = 7; // bytes before the path: kind, length of the path, length of the data
const SUM = 4;
const EMPTY = new Uint8Array(0);

const TABLE = new Uint32Array(256).map((_, i) => {
  for (let k = 0; k < 8; k++) i = i & 1 ? 0xedb88320 ^ (i >>> 1) : i >>> 1;
  return i;
});

export function crc32(bytes, before = 0) {
  let sum = ~before;
  for (const byte of bytes) sum = TABLE[(sum ^ byte) & 0xff] ^ (sum >>> 8);
  return ~sum >>> 0;
}

export function record(kind, path, data = EMPTY) {
  const name = new TextEncoder().encode(path);
  const bytes = new Uint8Array(HEAD + name.length + data.length + SUM);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, kind);
  view.setUint16(1, name.length);
  view.setUint32(3, data.length);
  bytes.set(name, HEAD);
  bytes.set(data, HEAD + name.length);
  view.setUint32(bytes.length - SUM, crc32(bytes.subarray(0, -SUM)));
  return bytes;
}

// The records of a log, up to the first that is torn or damaged; `end` is the offset behind the last whole one.
export function readLog(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const records = [];
  let at = 0;
  while (at + HEAD + SUM <= bytes.length) {
    const path = view.getUint16(at + 1), size = view.getUint32(at + 3);
    const end = at + HEAD + path + size + SUM;
    if (end > bytes.length || view.getUint32(end - SUM) !== crc32(bytes.subarray(at, end - SUM))) break;
    const name = new TextDecoder().decode(bytes.subarray(at + HEAD, at + HEAD + path));
    records.push({ kind: view.getUint8(at), path: name, data: bytes.slice(at + HEAD + path, end - SUM) });
    at = end;
  }
  return { records, end: at };
}

// The files of a flash by their paths, as a log of changes makes them; folders have null for their content.
export class FileTree {
  files = new Map();

  apply({ kind, path, data }) {
    const files = this.files;
    if (kind === WRITE) files.set(path, data);
    else if (kind === APPEND) files.set(path, joined(files.get(path) ?? EMPTY, data));
    else if (kind === REMOVE) files.delete(path);
    else if (kind === MAKE) files.set(path, null);
    else if (kind === RENAME) {
      files.set(new TextDecoder().decode(data), files.get(path));
      files.delete(path);
    }
  }

  // The least records that make the same files: folders first.
  records() {
    const [folders, files] = [[], []];
    for (const [path, data] of this.files) (data ? files : folders).push(data ? record(WRITE, path, data) : record(MAKE, path));
    return [...folders, ...files];
  }

  // Puts files into the memory of the interpreter, with the folders they are in.
  static unpack(FS, files) {
    for (const [path, data] of files) {
      const parts = path.split("/");
      for (let n = 1; n < parts.length + (data ? 0 : 1); n++) {
        const folder = "/" + parts.slice(0, n).join("/");
        if (!FS.analyzePath(folder).exists) FS.mkdir(folder);
      }
      if (data) FS.writeFile("/" + path, data);
    }
  }
}

export function joined(...parts) {
  const all = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

// A flash that forgets everything: for tests, and where a browser keeps nothing.
export class MemoryFlash {
  kind = "memory";
  #tree = new FileTree();

  constructor(files = []) { this.replace(files); }
  files() { return this.#tree.files; }

  keep(kind, path, data) {
    this.#tree.apply({ kind, path, data });
    return true;
  }

  replace(files) {
    this.#tree.files = new Map(files);
    return true;
  }
}
