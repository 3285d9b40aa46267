// The keys of a device, in the order of the firmware.

export const KEYS = ["UP", "DOWN", "LEFT", "RIGHT", "OK", "UNDO"];
