// All measures of the case, in millimetres. The models, the drawing of the perfboard and the tests read this file,
// so it holds nothing but lines of the form  name = value;  with numbers, lists and words.
//
// Seen from the front: x to the right, y up, both from the centre of the case; z upwards from the table.

// --- the display: 0.96, 1.3 or 2.42 inch; measure yours, modules differ by a millimetre ---
display = "0.96";
// outline of the module, its header row from the upper edge, the lit area, how far the middle of the lit area lies
// above the middle of the module, and the height of the glass over the perfboard when the header is soldered in flat
display_096 = [27.4, 27.8, 1.5, 21.74, 10.86, 1.6, 5.6];
display_130 = [35.4, 33.5, 1.6, 29.42, 14.70, 1.8, 5.8];
// the same of the 2.42 inch module, which hangs in the lid and has wires instead of a header: the third number says how
// far its upper edge lies above the row of holes for these wires
display_242 = [72, 43, 6, 55.0, 27.5, 0, 5.8];
inside_242 = [76, 88];    // inner width and height of the wider case for it, which grows to both sides and upwards
screw_242 = [35, 44.2];    // its upper two screws stand beside the perfboard, above the module: x of both, and y
frame_242 = [1, 3, 0.4];  // ribs of the lid that keep the module in its place: thickness, height, play
window_margin = 1.2;      // between the lit area and the edge of the window
window_below = 2;         // the same on the side of the player, who looks at it from there
window_slope = [1.5, 3.2];  // how far the edge slopes outwards: all round, and on the side of the player

// --- the perfboard that carries display and keys: 60 x 80 mm with four holes in its corners ---
pitch = 2.54;
board = [60, 80, 1.6];
board_grid = [22, 28];    // columns and rows of holes, in the middle of the board
board_holes = [56, 76];   // distances of the four fixing holes
board_play = 0.5;         // between its edges and the walls
display_header = [10.5, 0];  // middle of the header: column and row from the upper left corner, counted from 0
// middle of each switch in the same way: UP, DOWN, LEFT, RIGHT, OK, UNDO
key_holes = [[5.5, 17], [5.5, 25], [1.5, 21], [9.5, 21], [18.5, 19], [14.5, 24]];

// --- switches and key caps ---
switch_legs = [3, 2];     // a 6 x 6 mm switch takes up so many holes across and down
switch_body = [6, 6, 3.5];
switch_height = 6;        // from the perfboard to the top of its knob
switch_knob = 3.5;        // diameter
cap_size = [8, 8, 8, 8, 10, 8];  // in the order of the keys
cap_flange = 0.9;         // what keeps a cap under the lid, on each side
cap_flange_height = 1.2;
cap_socket_depth = 1;     // how deep the knob sits in the cap
cap_above_lid = 2;
sign_pixel = 0.75;        // the signs are those of the screens, in pixels of this size
sign_depth = 0.6;
cap_play = 0.3;           // around the cap in the lid
cap_travel = 0.4;         // between the flange and the lid

// --- what lies in the base; places are the middles ---
pico = [21, 51, 1];
pico_holes = [11.4, 47];
pico_at = [-13.4, 14.5];
pico_foot = 3;            // it stands on feet of this height
pico_peg = 1.8;           // pegs that go into its holes
pico_clip = [15, 5.5, 2.4];  // the bar that is pressed onto the two pegs far from USB, and keeps the Pico down; its pads stay free
pico_clip_hole = 1.8;     // printed holes come out a little smaller, so the pegs hold; if they do not, a drop of glue
usb_overhang = 1.3;       // of the socket over the edge of the Pico
usb_middle = 1.35;        // of the socket over the Pico's upper face
usb_socket = [9, 4];      // opening for the socket
usb_plug = [14.5, 9];      // room for the body of the plug
usb_skin = 1;             // wall that is left around the socket
battery = [31, 51, 7];    // the largest cell with its protection: type 603050 or smaller
battery_at = [14.9, -8.6];
charger = [17.4, 28.4, 4.5];
charger_at = [-14.7, -26];
buzzer = [12.6, 7];       // diameter and height
buzzer_at = [12, 29];
knob_opening = [6, 3];    // for the knob of the slide switch, in the left wall
knob_at = [-22, 6];       // y and z

// --- shell ---
wall = 2;
floor_height = 2;
lid_height = 2.4;
corner = 3.5;
chamfer = 0.8;
under_board = 12;         // free height between floor and perfboard
rib = [1.2, 5];           // thickness and height of the ribs around battery and buzzer
charger_rib = 2.5;        // height of those around the charger, which must stay below the Pico
lip = [1.2, 2.5, 0.25];   // of the lid inside the walls: thickness, depth, play

// --- four screws M2 x 16 from below, through the pillars and the perfboard, into the posts of the lid ---
screw_hole = 2.4;
screw_pilot = 1.7;
screw_head = 4.4;
screw_head_depth = 4;
screw_length = 16;
pillar = 7;
post = 5;
post_play = 0.2;          // between a post and a pillar without perfboard between them

// --- a stand for the ready-made board with its Pico; measure yours ---
stand_device = [52, 26.5, 16];  // width, height, and thickness from the front of its board to the back of the Pico
stand_play = 0.6;         // more than the thickness
stand_tilt = 50;          // degrees between the table and the board
stand_width = 38;         // less than the board: both ends stay free for USB and thumbs
stand_back = 20;          // how far the back rest reaches up along the board
stand_lip = 1.2;          // in front of its lower edge: the picture begins 1.5 mm above
stand_wall = 2.8;

// --- the printer ---
bed = [120, 120, 120];    // every part fits
fineness = 32;            // sides of a circle
