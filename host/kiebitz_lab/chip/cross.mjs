// Plays a recorded scenario on rp2040js: node cross.mjs SCENARIO.json prints what went over the I2C bus and into the flash.
// The parts around the processor do what buses.py, flash.py and rig.py do, so that both emulators can be compared.
//
// Progress goes to standard error; standard output is one JSON object: {"bus": [...], "flash": [...], "ns": ...}.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const scenario = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const load = (path) => import(pathToFileURL(join(scenario.package, 'dist', 'esm', path)).href);
const { RP2040 } = await load('rp2040.js');
const { BasePeripheral } = await load('peripherals/peripheral.js');

const PROGRESS_NS = 500e6;

const bus = [];
const flashed = [];

// --- the clock tree, as in processor.py ---

const XOSC_HZ = 12e6;
const ROSC_HZ = 6.25e6;
const CS = 0x0;
const PWR = 0x4;
const FBDIV = 0x8;
const PRIM = 0xc;
const LOCK = 0x80000000;
const POWERED_DOWN = 0x21;
const REF_CTRL = 0x30;
const SYS_CTRL = 0x3c;

class Pll extends BasePeripheral {
  constructor(rp2040, name, clocks) {
    super(rp2040, name);
    this.registers = { [CS]: 1, [PWR]: 0x2d, [FBDIV]: 0, [PRIM]: 0x77000 };
    this.clocks = clocks;
  }

  get hz() {
    const { [CS]: cs, [PWR]: power, [FBDIV]: factor, [PRIM]: dividers } = this.registers;
    if (power & POWERED_DOWN || !factor) return 0;
    return ((XOSC_HZ / (cs & 0x3f)) * factor) / ((dividers >> 16) & 7) / ((dividers >> 12) & 7);
  }

  readUint32(offset) {
    const value = this.registers[offset] ?? 0;
    return offset === CS && !(this.registers[PWR] & POWERED_DOWN) ? (value | LOCK) >>> 0 : value;
  }

  writeUint32(offset, value) {
    if (offset in this.registers) this.registers[offset] = offset === CS ? value & ~LOCK : value;
    this.clocks.update();
  }
}

class Clocks {
  constructor(rp2040) {
    this.cycleNs = 1e9 / ROSC_HZ;
    this.ref = 0;
    this.sys = 0;
    this.pllSys = rp2040.peripherals[0x40028] = new Pll(rp2040, 'PLL_SYS', this);
    this.pllUsb = rp2040.peripherals[0x4002c] = new Pll(rp2040, 'PLL_USB', this);
    const registers = rp2040.peripherals[0x40008];
    const write = registers.writeUint32.bind(registers);
    registers.writeUint32 = (offset, value) => {
      write(offset, value);
      if (offset === REF_CTRL) this.ref = value;
      if (offset === SYS_CTRL) this.sys = value;
      this.update();
    };
  }

  update() {
    const usb = this.pllUsb.hz;
    const ref = [ROSC_HZ, usb, XOSC_HZ, 0][this.ref & 3];
    const hz = this.sys & 1 ? [this.pllSys.hz, usb, ROSC_HZ, XOSC_HZ][(this.sys >> 5) & 7] : ref;
    if (hz) this.cycleNs = 1e9 / hz;
  }
}

// --- the flash chip, behind the SSI block and the pin that selects it ---

const DR0 = 0x60;
const SR = 0x28;
const RXFLR = 0x24;
const SSIENR = 0x08;
const READY = 0x06; // SR: the transmit queue is empty and has room
const RECEIVED = 0x08;

const WRITE_ENABLE = 0x06;
const WRITE_DISABLE = 0x04;
const READ_STATUS = 0x05;
const READ_STATUS_2 = 0x35;
const WRITE_STATUS = 0x01;
const PROGRAM = 0x02;
const READ_DATA = 0x03;
const READ_ID = 0x9f;
const ERASE_SIZES = { 0x20: 4096, 0xd8: 65536 };
const SECTOR = 4096;
const PAGE = 256;
const ID = [0xef, 0x40, 0x15];

class NorFlash extends BasePeripheral {
  constructor(rp2040) {
    super(rp2040, 'SSI');
    this.registers = new Map();
    this.selected = true; // as the pin is before anybody drives it
    this.enabled = false; // to write
    this.command = [];
    this.received = [];
    this.busyUntil = 0;
  }

  readUint32(offset) {
    if (offset === DR0) return this.received.shift() ?? 0;
    if (offset === SR) return READY | (this.received.length ? RECEIVED : 0);
    if (offset === RXFLR) return this.received.length;
    if (offset === 0x58) return 0x51535049;
    if (offset === 0x5c) return 0x3430312a;
    return this.registers.get(offset) ?? 0;
  }

  writeUint32(offset, value) {
    if (offset !== DR0) {
      if (offset !== RXFLR) this.registers.set(offset, value);
    } else if (this.registers.get(SSIENR)) {
      this.received.push(this.selected ? this.shift(value & 0xff) : 0xff);
    }
  }

  select(selected) {
    if (selected && !this.selected) {
      this.command = [];
      this.received = [];
    } else if (!selected && this.selected) {
      this.complete();
    }
    this.selected = selected;
  }

  // One byte to the chip and one back. Asking a busy chip for its status moves time on to the end of what it does.
  shift(byte) {
    const { command, rp2040 } = this;
    const answer = this.answer(byte);
    if (command[0] === READ_STATUS && rp2040.clock.nanos < this.busyUntil) {
      rp2040.clock.tick(this.busyUntil - rp2040.clock.nanos);
    }
    return answer;
  }

  answer(byte) {
    const { command } = this;
    command.push(byte);
    const at = command.length - 1;
    if (at === 0) {
      if (byte === WRITE_ENABLE) this.enabled = true;
      if (byte === WRITE_DISABLE) this.enabled = false;
      return 0xff;
    }
    switch (command[0]) {
      case READ_STATUS:
        return this.enabled ? 0x02 : 0;
      case READ_STATUS_2:
        return 0x02;
      case WRITE_STATUS:
        return 0;
      case READ_ID:
        return ID[at - 1] ?? 0;
      case READ_DATA:
        return at >= 4 ? (this.rp2040.flash[this.address + at - 4] ?? 0xff) : 0xff;
    }
    return 0xff;
  }

  get address() {
    return (this.command[1] << 16) | (this.command[2] << 8) | this.command[3];
  }

  // The chip is deselected: what the command asks for is done.
  complete() {
    const { command, rp2040 } = this;
    const erased = ERASE_SIZES[command[0]];
    if (command.length >= 4 && erased) {
      if (this.enabled) {
        const start = this.address & -erased;
        rp2040.flash.fill(0xff, start, start + erased);
        this.done('erase', start, erased, (scenario.erase_ns * erased) / SECTOR);
      }
      this.enabled = false;
    } else if (command.length > 4 && command[0] === PROGRAM) {
      if (this.enabled) {
        const start = this.address;
        command.slice(4, 4 + PAGE).forEach((byte, i) => (rp2040.flash[start + i] &= byte));
        this.done('program', start, command.length - 4, scenario.program_ns);
      }
      this.enabled = false;
    } else if (command[0] === WRITE_STATUS) {
      this.enabled = false;
    }
    this.command = [];
  }

  done(kind, start, size, ns) {
    const { clock, flash } = this.rp2040;
    flashed.push([kind, start, Buffer.from(flash.slice(start, start + size)).toString('hex'), clock.nanos]);
    this.busyUntil = clock.nanos + ns;
  }
}

const SELECT_CTRL = 0x0c;

class QspiPins extends BasePeripheral {
  constructor(rp2040, flash) {
    super(rp2040, 'IO_QSPI');
    this.flash = flash;
    this.registers = new Map();
  }

  readUint32(offset) {
    return this.registers.get(offset) ?? (offset & 4 ? 0x1f : 0);
  }

  writeUint32(offset, value) {
    this.registers.set(offset, value);
    if (offset === SELECT_CTRL) this.flash.select([true, false, true, false][(value >> 8) & 3]);
  }
}

class XipControl extends BasePeripheral {
  constructor(rp2040) {
    super(rp2040, 'XIP_CTRL');
    this.control = 3;
  }

  readUint32(offset) {
    return { 0: this.control, 4: 1, 8: 6 }[offset] ?? 0;
  }

  writeUint32(offset, value) {
    if (offset === 0) this.control = value;
  }
}

// --- the I2C bus, with the time that every bit takes ---

const BYTE_BITS = 9;
const TX_EMPTY = 1 << 4;

function connectDisplay(rp2040, clocks) {
  const i2c = rp2040.i2c[scenario.bus];
  const { clock } = rp2040;
  const answers = [...scenario.answers]; // what the display has answered on the other emulator
  let next = null;
  let answered = false;
  const alarm = clock.createAlarm(() => {
    const action = next;
    next = null;
    action?.();
  });
  const token = (kind, value = 0) => bus.push([kind, value, clock.nanos]);
  const after = (bits, action) => {
    const low = i2c.sclLowPeriod;
    const cycles = low + 1 + i2c.sclHighPeriod + 7 + Math.max(1, Math.floor(low / 16));
    next = action;
    alarm.schedule(bits * cycles * clocks.cycleNs);
  };
  const acknowledge = (complete) => {
    complete(answered);
    if (!answered) i2c.setInterrupts(TX_EMPTY);
  };
  i2c.onStart = () => {
    token('start');
    after(1, () => i2c.completeStart());
  };
  i2c.onConnect = (address) => {
    token('address', address);
    answered = address === scenario.address;
    after(BYTE_BITS, () => acknowledge((yes) => i2c.completeConnect(yes)));
  };
  i2c.onWriteByte = (byte) =>
    after(BYTE_BITS, () => {
      token('write', byte);
      acknowledge((yes) => i2c.completeWrite(yes));
    });
  i2c.onReadByte = () =>
    after(BYTE_BITS, () => {
      const byte = answers.shift() ?? 0xff;
      token('read', byte);
      i2c.completeRead(byte);
    });
  i2c.onStop = () =>
    after(1, () => {
      token('stop');
      i2c.completeStop();
    });
}

// --- the run ---

const rp2040 = new RP2040();
const { clock, core } = rp2040;
const quiet = () => {};
rp2040.logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };
rp2040.loadBootrom(new Uint32Array(scenario.bootrom)); // erases the flash: must come before it is filled
rp2040.flash.set(readFileSync(scenario.flash));
const norFlash = new NorFlash(rp2040);
rp2040.peripherals[0x18000] = norFlash;
rp2040.peripherals[0x40018] = new QspiPins(rp2040, norFlash);
rp2040.peripherals[0x14000] = new XipControl(rp2040);
const clocks = new Clocks(rp2040);
connectDisplay(rp2040, clocks);
rp2040.adc.channelValues[scenario.vsys_channel] = scenario.vsys;
for (const gpio of scenario.gpios) rp2040.gpio[gpio].setInputValue(true); // the switches are open, and the pins pulled up
for (const [ns, gpio, closed] of scenario.contacts) {
  clock.createAlarm(() => rp2040.gpio[gpio].setInputValue(!closed)).schedule(ns);
}
core.PC = 0x10000000;

let told = 0;
while (clock.nanos < scenario.end_ns) {
  if (core.waiting) {
    clock.tick(clock.nanosToNextAlarm);
  } else {
    const { cycleNs } = clocks; // the instruction may change it
    clock.tick(core.executeInstruction() * cycleNs);
  }
  if (clock.nanos - told >= PROGRESS_NS) {
    told = clock.nanos;
    process.stderr.write(`${Math.round(told / 1e6)}\n`);
  }
}
process.stdout.write(JSON.stringify({ bus, flash: flashed, ns: clock.nanos }));
