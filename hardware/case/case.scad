// The case of Kiebitz: base, lid and six key caps, each as it lies on the bed of the printer.
// All measures are in parameters.scad. A part is made with  openscad -D 'part="lid"' -o lid.stl case.scad

include <parameters.scad>

part = "";  // base, lid or keys

$fn = fineness;
tiny = 0.01;  // how much solids overlap so that they become one

inside = [board[0] + 2 * board_play, board[1] + 2 * board_play];
outside = [inside[0] + 2 * wall, inside[1] + 2 * wall];
board_bottom = floor_height + under_board;
board_top = board_bottom + board[2];
cap_bottom = board_top + switch_height - cap_socket_depth;
lid_bottom = cap_bottom + cap_flange_height + cap_travel;
lid_top = lid_bottom + lid_height;
cap_height = lid_top + cap_above_lid - cap_bottom;

oled = display == "1.3" ? display_130 : display_096;

function hole(at) = [(at[0] - (board_grid[0] - 1) / 2) * pitch, ((board_grid[1] - 1) / 2 - at[1]) * pitch];
function module_middle() = hole(display_header) + [0, oled[2] - oled[1] / 2];
function window_middle() = module_middle() + [0, oled[5]];

module rounded(size, radius) {
    offset(radius) square([size[0] - 2 * radius, size[1] - 2 * radius], center = true);
}

module at_corners(distances) {
    for (x = [-1, 1], y = [-1, 1]) translate([x * distances[0] / 2, y * distances[1] / 2]) children();
}

// A plate whose lower edge is cut off all round
module chamfered(size, radius, height, cut) {
    hull() {
        linear_extrude(tiny) rounded([size[0] - 2 * cut, size[1] - 2 * cut], radius - cut);
        translate([0, 0, cut]) linear_extrude(height - cut) rounded(size, radius);
    }
}

// --- base ---

module base() {
    difference() {
        union() {
            shell();
            translate([0, 0, floor_height - tiny]) {
                linear_extrude(under_board + tiny) intersection() {
                    at_corners(board_holes) circle(d = pillar);
                    rounded([inside[0] + tiny, inside[1] + tiny], corner - wall);
                }
                linear_extrude(rib[1] + tiny) ribs();
                linear_extrude(charger_rib + tiny) charger_ribs();
                translate(pico_at) pico_feet();
            }
            ledges();
        }
        at_corners(board_holes) screw_channel();
        usb_opening();
        sound_slots();
        translate([-outside[0] / 2, knob_at[0], knob_at[1]])
            cube([4 * wall, knob_opening[0], knob_opening[1]], center = true);
    }
}

module shell() {
    chamfered(outside, corner, floor_height, chamfer);
    translate([0, 0, floor_height - tiny]) linear_extrude(lid_bottom - floor_height + tiny) difference() {
        rounded(outside, corner);
        rounded(inside, corner - wall);
    }
}

module screw_channel() {
    translate([0, 0, -1]) cylinder(d = screw_hole, h = board_top);
    translate([0, 0, -1]) cylinder(d = screw_head, h = screw_head_depth + 1);
    // A cone above the head, so that no layer has to hang in the air
    translate([0, 0, screw_head_depth - tiny]) cylinder(d1 = screw_head, d2 = screw_hole, h = (screw_head - screw_hole) / 2);
}

module frame(size) {
    difference() {
        square([size[0] + 2 * rib[0], size[1] + 2 * rib[0]], center = true);
        square([size[0], size[1]], center = true);
    }
}

module ribs() {
    intersection() {
        union() {
            translate(battery_at) difference() {
                frame(battery);
                square([2 * battery[0], battery[1] - 20], center = true);  // open in the middle, for fingers
                square([battery[0] - 16, 2 * battery[1]], center = true);
            }
            translate(buzzer_at) difference() {
                circle(d = buzzer[0] + 0.6 + 2 * rib[0]);
                circle(d = buzzer[0] + 0.6);
                square([4, 2 * buzzer[0]], center = true);  // for its wires, and to bend a little
            }
        }
        square([inside[0] + tiny, inside[1] + tiny], center = true);
    }
}

module charger_ribs() {
    intersection() {
        translate(charger_at) difference() {
            frame(charger);
            square([charger[0] - 8, 2 * charger[1]], center = true);
            square([2 * charger[0], charger[1] - 16], center = true);
        }
        square([inside[0] + tiny, inside[1] + tiny], center = true);
    }
}

module pico_feet() {
    at_corners(pico_holes) {
        cylinder(d = 4, h = pico_foot + tiny);
        cylinder(d = pico_peg, h = pico_foot + pico[2] + 0.5);
    }
}

// Small brackets under the edges of the perfboard, so that it does not bend under a thumb
module ledges() {
    for (side = [0, 180]) rotate(side) translate([inside[0] / 2, 0, board_bottom]) rotate([90, 0, 0])
        linear_extrude(12, center = true) polygon([[tiny, 0], [-2, 0], [tiny, -2.5]]);
    translate([0, -inside[1] / 2, board_bottom]) rotate([90, 0, -90])
        linear_extrude(12, center = true) polygon([[tiny, 0], [-2, 0], [tiny, -2.5]]);
}

module usb_opening() {
    z = floor_height + pico_foot + pico[2] + usb_middle;
    translate([pico_at[0], inside[1] / 2 + wall / 2, z]) {
        cube([usb_socket[0], 4 * wall, usb_socket[1]], center = true);
        translate([0, usb_skin - wall / 2 + wall, 0]) cube([usb_plug[0], 2 * wall, usb_plug[1]], center = true);
    }
}

module sound_slots() {
    for (i = [-2 : 2]) translate([buzzer_at[0] + 3 * i, inside[1] / 2 + wall / 2, floor_height + 5])
        cube([1.4, 4 * wall, 7], center = true);
}

// --- lid, lying on its outer face ---

module lid() {
    mirror([1, 0, 0]) {
        difference() {
            chamfered(outside, corner, lid_height, chamfer);
            translate(concat(window_middle(), [0])) window();
            for (i = [0 : len(key_holes) - 1]) translate(hole(key_holes[i])) translate([0, 0, -1])
                linear_extrude(lid_height + 2) cap_outline(i, cap_play);
        }
        translate([0, 0, lid_height - tiny]) {
            linear_extrude(lip[1] + tiny) difference() {
                rounded([inside[0] - 2 * lip[2], inside[1] - 2 * lip[2]], corner - wall);
                rounded([inside[0] - 2 * lip[2] - 2 * lip[0], inside[1] - 2 * lip[2] - 2 * lip[0]], 0.5);
            }
            linear_extrude(lid_bottom - board_top + tiny) at_corners(board_holes) difference() {
                circle(d = post);
                circle(d = screw_pilot);
            }
        }
    }
}

// The opening: its edges slope outwards, most of all towards the player, so that they hide nothing
module window() {
    translate([0, 0, -tiny]) hull() {
        linear_extrude(tiny) window_outline(window_slope[0], window_slope[1], 2);
        translate([0, 0, lid_height - 0.3]) linear_extrude(tiny) window_outline(0, 0, 0.6);
    }
    translate([0, 0, -1]) linear_extrude(lid_height + 2) window_outline(0, 0, 0.6);
}

module window_outline(more, more_below, radius) {
    left = oled[3] / 2 + window_margin + more;
    above = oled[4] / 2 + window_margin + more;
    below = oled[4] / 2 + window_below + more_below;
    translate([0, (above - below) / 2]) rounded([2 * left, above + below], radius);
}

// --- key caps, standing on their flanges ---

module cap_outline(key, more) {
    size = cap_size[key] + 2 * more;
    rounded([size, size], 2 + more);
}

module cap(key) {
    difference() {
        union() {
            linear_extrude(cap_flange_height) cap_outline(key, cap_flange);
            hull() {
                linear_extrude(cap_height - chamfer) cap_outline(key, 0);
                linear_extrude(cap_height) cap_outline(key, -chamfer);
            }
        }
        translate([0, 0, -1]) cylinder(d = switch_knob + 0.4, h = cap_socket_depth + 1);
        translate([0, 0, cap_height - 0.6]) linear_extrude(1) sign(key);
    }
}

// What the finger feels: an arrow, a ring for OK, an arrow that turns back for UNDO
module sign(key) {
    if (key < 4) rotate([0, 180, 90, -90][key]) polygon([[-1.9, -1.2], [1.9, -1.2], [0, 1.8]]);
    if (key == 4) difference() {
        circle(2.6);
        circle(1.5);
    }
    if (key == 5) {
        difference() {
            circle(2.2);
            circle(1.2);
            translate([-5, -10]) square([5, 10]);
        }
        polygon([[-0.4, -3.2], [-0.4, -0.2], [-2.4, -1.7]]);
    }
}

module keys() {
    for (i = [0 : len(key_holes) - 1]) translate([(i % 3 - 1) * 15, (floor(i / 3) - 0.5) * -15]) cap(i);
}

if (part == "base") base();
if (part == "lid") lid();
if (part == "keys") keys();
