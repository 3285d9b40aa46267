// The case of the board to order: base for three AA cells, lids, key caps. Models and measures of case.scad, with the
// places of the board instead of those of the perfboard. A part is made with  openscad -D 'part="base"' board_case.scad

include <board_places.scad>
include <case.scad>

// --- what differs from parameters.scad ---
display = "2.42";
board = pcb;
board_holes = pcb_holes;
key_holes = pcb_keys;
wide = false;             // the board itself is as wide as this case
inside = [board[0] + 2 * board_play, board[1] + 2 * board_play];
oled = display == "1.3" ? display_130 : [72, 43, 1.9, 55.0, 27.5, 0, pcb_glass];
display_header = display == "1.3" ? pcb_row_130 : pcb_row_242;
function hole(at) = at;   // places of the board are millimetres already

under_board = 19;         // for the holder of the cells and what hangs under the board
switch_height = 7.3;
switch_knob = 5.4;        // across the corners of its square knob
cap_socket_depth = 2.3;
cap_size = [10, 10, 10, 10, 12, 10];

screw_hole = 2.9;         // four screws M2.5 x 16 from below
screw_pilot = 2.1;
screw_head = 5;
screw_head_depth = 12;    // deep, so that short screws reach the lid
pillar = 8;
post = 5.5;

pico_thick = 1;           // the Pico lies at the back of the board, its USB socket downwards
knob_under_board = 1.75;
knob_room = [5.6, 3.2];   // for both positions of the knob
knob_dish = [13, 9];      // hollow outside, for a finger
i2c_room = [8, 4.5];
holder_rib = [1.2, 6];

module board_base() {
    difference() {
        union() {
            shell();
            translate([0, 0, floor_height - tiny]) {
                linear_extrude(under_board + tiny) intersection() {
                    at_corners(board_holes) circle(d = pillar);
                    inner_outline(tiny);
                }
                linear_extrude(holder_rib[1] + tiny) holder_ribs();
            }
            board_ledges();
        }
        at_screws() screw_channel();
        board_usb();
        board_knob();
        translate([pcb_i2c, upper_wall + wall / 2, board_bottom - 1.5])
            cube([i2c_room[0], 4 * wall, i2c_room[1]], center = true);
        for (i = [-2 : 2]) translate([pcb_sound + 3 * i, upper_wall + wall / 2, board_bottom - 6])
            cube([1.4, 4 * wall, 9], center = true);
    }
}

// Four corners around the holder; it is open between them, for fingers
module holder_ribs() {
    intersection() {
        translate(holder_at) difference() {
            square([holder[0] + 2 * holder_rib[0] + 0.6, holder[1] + 2 * holder_rib[0] + 0.6], center = true);
            square([holder[0] + 0.6, holder[1] + 0.6], center = true);
            square([2 * holder[0], holder[1] - 20], center = true);
            square([holder[0] - 20, 2 * holder[1]], center = true);
        }
        square([inside[0] + tiny, inside[1] + tiny], center = true);
    }
}

// Brackets under the edges of the board where thumbs press and no part is in the way
module board_ledges() {
    for (side = [0, 180]) rotate(side) translate([inside[0] / 2, side == 0 ? -22 : 22, board_bottom]) rotate([90, 0, 0])
        linear_extrude(12, center = true) polygon([[tiny, 0], [-2.2, 0], [tiny, -2.7]]);
    for (x = [-26, 2]) translate([x, -inside[1] / 2, board_bottom]) rotate([90, 0, -90])
        linear_extrude(8, center = true) polygon([[tiny, 0], [-1.4, 0], [tiny, -1.9]]);
}

module board_usb() {
    translate([-inside[0] / 2 - wall / 2, pcb_usb, board_bottom - pico_thick - usb_middle]) {
        cube([4 * wall, usb_socket[0], usb_socket[1]], center = true);
        translate([-usb_skin - wall / 2, 0, 0]) cube([2 * wall, usb_plug[0], usb_plug[1]], center = true);
    }
}

module board_knob() {
    translate([inside[0] / 2, pcb_knob, board_bottom - knob_under_board]) rotate([0, 90, 0]) {
        linear_extrude(4 * wall, center = true) square([knob_room[1], knob_room[0]], center = true);
        hull() {
            translate([0, 0, 0.8]) linear_extrude(tiny) square([knob_room[1], knob_room[0]], center = true);
            translate([0, 0, wall + tiny]) linear_extrude(tiny) square([knob_dish[1], knob_dish[0]], center = true);
        }
    }
    // A dot at the side to which the knob is pushed to switch on
    translate([outside[0] / 2 - 0.5, pcb_knob + pcb_knob_on * (knob_dish[0] / 2 + 2.5), board_bottom - knob_under_board])
        rotate([0, 90, 0]) cylinder(d = 2, h = 2);
}

if (part == "board_base") board_base();
