// One file with all files of a flash: a ZIP without compression, which every computer can open.

import { crc32, joined } from "./flash_log.mjs";

const LOCAL = 0x04034b50, CENTRAL = 0x02014b50, END = 0x06054b50;
const UTF8 = 0x0800;

function fields(...values) {
  const bytes = new Uint8Array(values.reduce((n, [size]) => n + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [size, value] of values) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return bytes;
}

// The files by their paths; folders, whose content is null, end with a slash in the ZIP.
export function zipped(files) {
  const parts = [], list = [];
  let at = 0;
  for (const [path, content] of files) {
    const name = new TextEncoder().encode(content ? path : path + "/");
    const data = content ?? new Uint8Array();
    const same = [[2, UTF8], [2, 0], [4, 0x00210000], [4, crc32(data)], [4, data.length], [4, data.length], [2, name.length]];
    const local = joined(fields([4, LOCAL], [2, 20], ...same, [2, 0]), name, data);
    list.push(joined(fields([4, CENTRAL], [2, 20], [2, 20], ...same, [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, at]), name));
    parts.push(local);
    at += local.length;
  }
  const central = joined(...list);
  const end = fields([4, END], [2, 0], [2, 0], [2, list.length], [2, list.length], [4, central.length], [4, at], [2, 0]);
  return joined(...parts, central, end);
}

// The files of such a ZIP; null for any other file, or one that is damaged.
export function unzipped(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const files = new Map();
  let at = bytes.length - 22;
  if (at < 0 || view.getUint32(at, true) !== END) return null;
  let left = view.getUint16(at + 10, true), total = 0;
  at = view.getUint32(at + 16, true);
  try {
    for (; left; left--) {
      const [method, sum, size] = [view.getUint16(at + 10, true), view.getUint32(at + 16, true), view.getUint32(at + 20, true)];
      const [name, extra, remark] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
      const local = view.getUint32(at + 42, true);
      const path = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + name));
      const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      if ((total += size) > bytes.length) return null; // two files share their bytes: a trap
      const data = bytes.slice(start, start + size);
      if (method !== 0 || view.getUint32(at, true) !== CENTRAL || crc32(data) !== sum) return null;
      const isFolder = path.endsWith("/"), clean = isFolder ? path.slice(0, -1) : path;
      if (files.has(clean)) return null; // two files of one name, or a file and a folder
      files.set(clean, isFolder ? null : data);
      at += 46 + name + extra + remark;
    }
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
  return files;
}
