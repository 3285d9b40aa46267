// Made by `make hardware` from host/kiebitz_lab/hardware/board/places.py: change that, not this.
// Millimetres from the middle of the board, seen from the front
pcb = [75.0, 87.0, 1.6];
pcb_holes = [67.0, 79.0];
pcb_keys = [[-12.1, -15.5], [-12.1, -35.0], [-27.7, -25.25], [3.5, -25.25], [27.2, -17.5], [19.4, -33.0]];
pcb_row_242 = [0.0, 34.4];
pcb_row_130 = [0.0, 30.7];
pcb_glass = 5.8;
pcb_usb = 17.5;
pcb_knob = 27.0;
pcb_knob_on = 1;
pcb_sound = 20.8;
pcb_i2c = -21.5;
holder = [58.0, 48.0, 16.0];
holder_at = [0.0, -17.5];
