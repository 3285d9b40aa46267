// Reads a chosen CSV file into the list of members, in the encodings that spreadsheets write, and asks for the preview.
"use strict";

const file = document.getElementById("file");
const MARKS = { "255,254": "utf-16le", "254,255": "utf-16be" };  // the first two bytes

function decoded(bytes) {
  const marked = MARKS[bytes.slice(0, 2).join()];
  if (marked) return new TextDecoder(marked).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

file.closest("p").hidden = false;
file.addEventListener("change", async () => {
  if (!file.files.length) return;
  const list = document.getElementById("list");
  list.value = decoded(new Uint8Array(await file.files[0].arrayBuffer()));
  list.form.requestSubmit();
});
