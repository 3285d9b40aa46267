// What the laptop makes of journals, in Python: sheets, JSON and files for Board Game Stats. Runs in a worker and in Node.

export class Laptop {
  #python;
  #files;

  static async start({ loadMicroPython, romfs, url }) {
    const laptop = new Laptop();
    const mp = await loadMicroPython({ romfs, url, heapsize: 16 << 20 });
    mp.registerJsModule("kiebitz_page", {
      folded: (text) => text.toUpperCase().toLowerCase(), // upper case first: ß and SS are the same
      normalized: (text) => text.normalize("NFC"),
    });
    laptop.#files = mp.FS;
    mp.FS.mkdir("/games");
    laptop.#python = mp.pyimport("page_sheets");
    return laptop;
  }

  // Takes the journal of a game, as bytes.
  take(id, journal) { this.#files.writeFile(`/games/${id}`, journal); }

  names(language) { return JSON.parse(this.#python.names_of_games(language)); }
  colours() { return JSON.parse(this.#python.colours()); }
  sheet(id, language) { return JSON.parse(this.#python.sheet_of(id, language)); }
  json(id, language) { return this.#python.as_json(id, language); }
  bgstats(ids, now, language) { return this.#python.for_bgstats(ids.join(" "), now, language); }
}
