// Makes sheets and files of journals with the Python of the laptop, in Node: prints them as JSON.
// The journals come as JSON on the standard input: [{id, journal in hex, language}].

import { readFileSync } from "node:fs";
import { argv, stdin, stdout } from "node:process";
import { pathToFileURL } from "node:url";

const [, , micropython, image, site, now] = argv;
const { loadMicroPython } = await import(pathToFileURL(`${micropython}/micropython.mjs`));
const { Laptop } = await import(pathToFileURL(`${site}/laptop.mjs`));

const laptop = await Laptop.start({ loadMicroPython, romfs: new Uint8Array(readFileSync(image)) });
const given = [];
for await (const piece of stdin) given.push(piece); // readFileSync() fails with EAGAIN if the pipe is empty for a moment
const results = JSON.parse(Buffer.concat(given)).map(({ id, journal, language }) => {
  laptop.take(id, Buffer.from(journal, "hex"));
  return {
    sheet: laptop.sheet(id, language),
    json: JSON.parse(laptop.json(id, language)),
    bgstats: laptop.bgstats([id], Number(now), language),
  };
});
stdout.write(JSON.stringify(results));
