// A serial port with a hostile device behind it, for the page of a Kiebitz on USB: window.hostile(seed) plugs it in.

(() => {
  const NASTY = [
    null, true, -1, 0.5, 1e308, 2 ** 53, "", "x".repeat(2000), "\u202eevil", "\u0000", "<img src=x onerror=alert(1)>", "../../x", {}, { toString: 1, valueOf: 1 },
    { then: 1 }, { length: 1e9 }, [], [[[[]]]], [null], ["", {}, 7], JSON.parse('{"__proto__": {"x": 1}, "constructor": 1}'),
  ];
  const ID = "5b3c0f-0001-c67e81";

  function generator(seed) {
    let state = seed >>> 0;
    return (n) => {
      state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
      return (state ^ (state >>> 13)) % n;
    };
  }

  // The answer of an honest device: pairs of a word and a value, or a sealed line with its salt.
  function honest(verb) {
    const entry = { game: "top_spot", players: ["Anna", "Ben", "Cleo"], at: 1767700000, size: 40, finished: true };
    const answers = {
      who: [["ok", { product: "kiebitz", protocol: 1, version: "0.2.0", device: "e661a4d1275b3c0f", now: 0 }]],
      games: [["index", `${ID} ${JSON.stringify(entry)}`], ["+", { files: { [`${ID}.kbz`]: 40 } }], ["ok", { index: 0 }]],
      game: [["ok", entry]],
      read: [[ID, '{"game":"top_spot","players":["Anna","Ben","Cleo"]} 0'], ["ok", { ends: [62] }]],
      screen: [["+", { page: 0, columns: "ff".repeat(128) }], ["ok", { width: 128, height: 64 }]],
      roster: [["+", { names: ["Anna"] }], ["ok", {}]],
    };
    return answers[verb] ?? [["ok", {}]];
  }

  // Changes one value somewhere in an answer, or the whole of it.
  function mutated(value, chance) {
    if (value === null || typeof value !== "object" || chance(4) === 0) return NASTY[chance(NASTY.length)];
    const keys = Object.keys(value);
    if (!keys.length) return NASTY[chance(NASTY.length)];
    const key = keys[chance(keys.length)];
    const copy = Array.isArray(value) ? [...value] : { ...value };
    if (chance(6) === 0) delete copy[key];
    else copy[key] = mutated(value[key], chance);
    return copy;
  }

  class Port {
    constructor(seed) { this.chance = generator(seed); }

    async open() {
      const { escape, unescape } = await import("./link.mjs");
      const { crc32, joined } = await import("./flash_log.mjs");
      const encode = (text) => new TextEncoder().encode(text);
      const sum = (bytes, salt) => crc32(bytes, crc32(encode(salt))).toString(16).padStart(8, "0");
      const sealed = (text, salt) => joined(encode(`${text} `), encode(`${sum(encode(`${text} `), salt)}\n`));
      let rest = "", control;
      const send = (bytes) => control.enqueue(bytes);
      this.readable = new ReadableStream({ start: (given) => { control = given; } });
      this.writable = new WritableStream({ write: (bytes) => {
        const lines = (rest + new TextDecoder().decode(unescape(bytes))).split("\n");
        rest = lines.pop();
        for (const line of lines) {
          const [, number, verb] = line.match(/^K\? (\d+) (\w+) /) ?? [];
          if (!verb) continue;
          const answer = honest(verb);
          // The greeting is honest most of the time, because nothing follows a bad one
          const changed = verb === "who" && this.chance(8) ? -1 : this.chance(answer.length + 1);
          answer.forEach(([word, value], k) => {
            const told = k === changed ? mutated(value, this.chance) : value;
            if (this.chance(40) === 0) send(encode("K! 1 ok {} 00000000\n"));
            if (this.chance(40) === 0) send(new Uint8Array(100_000).fill(0x2e));
            if (this.chance(300) === 0) return control.error(new Error("the cable was pulled"));
            if (["ok", "+"].includes(word)) {
              const name = word === "ok" && this.chance(15) === 0 ? "no" : word;
              const times = word === "+" && this.chance(30) === 0 ? 2000 : 1;
              const bytes = escape(sealed(`K! ${number} ${name} ${JSON.stringify(told)}`, "link"));
              for (let n = 0; n < times; n++) send(bytes);
            } else send(escape(sealed(typeof told === "string" ? told : JSON.stringify(told), word)));
          });
        }
      } });
    }

    async close() {}
  }

  let port;
  Object.defineProperty(navigator, "serial", { value: { requestPort: async () => port } });
  window.hostile = (seed) => { port = new Port(seed); };
})();
