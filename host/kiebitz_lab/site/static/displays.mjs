// Models of the two displays behind their buses: they take the bytes of the drivers and hold the picture a viewer sees.

const DARK = [10, 12, 16], LIT = [232, 240, 248];
// Number of bytes after a command of an SSD1306
const ARGUMENTS = { 0x81: 1, 0xa8: 1, 0xd3: 1, 0xd5: 1, 0xd9: 1, 0xda: 1, 0xdb: 1, 0x20: 1, 0x21: 2, 0x22: 2, 0x8d: 1 };

// An SSD1306 with 128 x 64 pixels, in the page mode that the driver uses.
export class Oled {
  width = 128;
  height = 64;
  changes = 0;
  #ram = new Uint8Array(1024).map((_, i) => (i * 89 + (i >> 3)) & 0xff);
  #on = false;
  #pump = false;
  #contrast = 0x7f;
  #remap = false;
  #reverse = false;
  #column = 0;
  #page = 0;
  #control = -1;
  #command = [];

  begin() { this.#control = -1; }

  status() { return (this.#on ? 0 : 0x40) | 3; }

  bus(bytes) {
    for (const byte of bytes) {
      if (this.#control < 0) {
        this.#control = byte;
        continue;
      }
      if (this.#control & 0x40) this.#store(byte);
      else this.#take(byte);
      if (this.#control & 0x80) this.#control = -1;
    }
    this.changes++;
  }

  #store(byte) {
    const column = this.#remap ? 127 - this.#column : this.#column;
    this.#ram[this.#page * 128 + column] = byte;
    this.#column = (this.#column + 1) % 128;
  }

  #take(byte) {
    this.#command.push(byte);
    const [op, argument] = this.#command;
    if (this.#command.length <= (ARGUMENTS[op] ?? 0)) return;
    this.#command = [];
    if (op <= 0x0f) this.#column = (this.#column & 0xf0) | op;
    else if (op <= 0x1f) this.#column = (this.#column & 0x0f) | ((op & 0x07) << 4);
    else if (op >= 0xb0 && op <= 0xb7) this.#page = op & 7;
    else if (op === 0x81) this.#contrast = argument;
    else if (op === 0x8d) this.#pump = Boolean(argument & 4);
    else if (op === 0xa0 || op === 0xa1) this.#remap = op === 0xa1;
    else if (op === 0xae || op === 0xaf) this.#on = op === 0xaf;
    else if (op >= 0xc0 && op <= 0xcf) this.#reverse = op >= 0xc8;
  }

  get lit() { return this.#on && this.#pump; }

  // How bright the glass is, from 0 to 1; a dimmed OLED can still be read.
  get light() { return this.lit ? 0.5 + 0.5 * Math.min(1, this.#contrast / 180) : 0; }

  // A byte of 0 or 1 for each pixel, row by row.
  pixels() {
    const rows = new Uint8Array(128 * 64);
    if (!this.lit) return rows;
    for (let y = 0; y < 64; y++) {
      const row = this.#reverse ? y : 63 - y;
      for (let x = 0; x < 128; x++) rows[y * 128 + x] = (this.#ram[(row >> 3) * 128 + 127 - x] >> (row & 7)) & 1;
    }
    return rows;
  }

  picture() {
    const rgba = new Uint8ClampedArray(128 * 64 * 4);
    this.pixels().forEach((on, i) => rgba.set([...(on ? LIT : DARK), 255], 4 * i));
    return rgba;
  }
}

const COLUMNS = 240, ROWS = 320;

// An ST7789 behind a square glass of 240 x 240 pixels, mounted as on the Pico-LCD-1.3.
export class Lcd {
  width = 240;
  height = 240;
  changes = 0;
  #ram = new Uint16Array(COLUMNS * ROWS).map((_, i) => [0, 0xf81f, 0x07e0][(Math.floor(i / ROWS) + (i % ROWS)) % 3]);
  #selected = false;
  #data = false;
  #light = 0;
  #asleep = true;
  #on = false;
  #inverted = false;
  #direction = 0;
  #window = [0, COLUMNS - 1, 0, ROWS - 1];
  #command = 0;
  #arguments = [];
  #x = 0;
  #y = 0;
  #upper = -1; // the first byte of a pixel, until the second one has come

  select(low) { this.#selected = Boolean(low); }
  data(high) { this.#data = Boolean(high); }

  shine(duty) {
    this.#light = duty;
    this.changes++;
  }

  reset() {
    this.#asleep = true;
    this.#on = this.#inverted = false;
    this.#direction = 0;
    this.#window = [0, COLUMNS - 1, 0, ROWS - 1];
    this.changes++;
  }

  bus(bytes) {
    if (!this.#selected) return;
    this.changes++;
    for (const byte of bytes) {
      if (!this.#data) this.#begin(byte);
      else if (this.#command === 0x2c) this.#store(byte);
      else this.#argument(byte);
    }
  }

  #begin(op) {
    this.#command = op;
    this.#arguments = [];
    this.#upper = -1;
    if (op === 0x10 || op === 0x11) this.#asleep = op === 0x10;
    else if (op === 0x20 || op === 0x21) this.#inverted = op === 0x21;
    else if (op === 0x28 || op === 0x29) this.#on = op === 0x29;
    else if (op === 0x2c) [this.#x, , this.#y] = this.#window;
  }

  #argument(byte) {
    this.#arguments.push(byte);
    const [a, b, c, d] = this.#arguments;
    if (this.#command === 0x36) this.#direction = a;
    else if (d === undefined) return;
    else if (this.#command === 0x2a) this.#window.splice(0, 2, (a << 8) | b, (c << 8) | d);
    else if (this.#command === 0x2b) this.#window.splice(2, 2, (a << 8) | b, (c << 8) | d);
  }

  #store(byte) {
    if (this.#upper < 0) {
      this.#upper = byte;
      return;
    }
    const exchanged = this.#direction & 0x20;
    let column = exchanged ? this.#y : this.#x, row = exchanged ? this.#x : this.#y;
    if (this.#direction & 0x40) column = COLUMNS - 1 - column;
    if (this.#direction & 0x80) row = ROWS - 1 - row;
    this.#ram[column * ROWS + row] = (this.#upper << 8) | byte;
    this.#upper = -1;
    const [left, right, top, bottom] = this.#window;
    if (++this.#x > right) {
      this.#x = left;
      this.#y = this.#y === bottom ? top : this.#y + 1;
    }
  }

  get lit() { return this.#on && !this.#asleep && this.#light > 0; }
  get light() { return this.lit ? 0.5 + 0.5 * Math.min(1, Math.sqrt(this.#light / 65535) * 1.4) : 0; }

  // 16 bits for each pixel (5 of red, 6 of green, 5 of blue), row by row: a column of the memory is a row of the glass.
  pixels() {
    const rows = new Uint16Array(240 * 240);
    if (!this.lit) return rows;
    const flip = this.#inverted ? 0 : 0xffff;
    for (let y = 0; y < 240; y++) {
      const column = (COLUMNS - 1 - y) * ROWS;
      for (let x = 0; x < 240; x++) rows[y * 240 + x] = this.#ram[column + x] ^ flip;
    }
    return rows;
  }

  picture() {
    const rgba = new Uint8ClampedArray(240 * 240 * 4);
    const words = new Uint32Array(rgba.buffer);
    this.pixels().forEach((pixel, i) => {
      const red = ((pixel >> 11) * 255) / 31 | 0, green = (((pixel >> 5) & 63) * 255) / 63 | 0, blue = ((pixel & 31) * 255) / 31 | 0;
      words[i] = 0xff000000 | (blue << 16) | (green << 8) | red;
    });
    return rgba;
  }
}

export const DISPLAYS = { pico_oled: Oled, pico_lcd_13: Lcd };
