// Draw the gerbers of a folder with a reader that is not KiCad's, and print what it recognised, as JSON.
import { createReadStream, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [modules, folder] = process.argv.slice(2);
const pcbStackup = createRequire(resolve(modules, "x"))("pcb-stackup");
const names = readdirSync(folder).filter((name) => !/\.(gbrjob|ipc)$/.test(name));
const layers = names.map((name) => ({ filename: name, gerber: createReadStream(join(folder, name)) }));
const found = await pcbStackup(layers, { id: "kiebitz" });
console.log(JSON.stringify({
  layers: found.layers.map(({ filename, type, side }) => ({ filename, type, side })),
  width: found.top.width, height: found.top.height, units: found.top.units,
  top: found.top.svg.length, bottom: found.bottom.svg.length,
  warnings: found.layers.flatMap((layer) => layer.converter.warnings ?? []).map(String),
}));
