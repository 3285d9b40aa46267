// The case of Kiebitz: base, lid, six key caps, the clip of the Pico, and a stand; each as it lies on the bed.
// All measures are in parameters.scad. A part is made with  openscad -D 'part="lid"' -o lid.stl case.scad

include <parameters.scad>
include <signs.scad>

part = "";  // base, lid, keys, clip or stand

$fn = fineness;
tiny = 0.01;  // how much solids overlap so that they become one

wide = display == "2.42";
narrow = [board[0] + 2 * board_play, board[1] + 2 * board_play];
inside = wide ? inside_242 : narrow;
up = inside[1] - narrow[1];  // how far the upper wall has moved, and with it what belongs to it
middle = [0, up / 2];  // of the shell; the perfboard stays where it is
upper_wall = narrow[1] / 2 + up;
outside = [inside[0] + 2 * wall, inside[1] + 2 * wall];
board_bottom = floor_height + under_board;
board_top = board_bottom + board[2];
cap_bottom = board_top + switch_height - cap_socket_depth;
lid_bottom = cap_bottom + cap_flange_height + cap_travel;
lid_top = lid_bottom + lid_height;
cap_height = lid_top + cap_above_lid - cap_bottom;

oled = wide ? display_242 : display == "1.3" ? display_130 : display_096;

function hole(at) = [(at[0] - (board_grid[0] - 1) / 2) * pitch, ((board_grid[1] - 1) / 2 - at[1]) * pitch];
function module_middle() = hole(display_header) + [0, oled[2] - oled[1] / 2];
function window_middle() = module_middle() + [0, oled[5]];

module rounded(size, radius) {
    offset(radius) square([size[0] - 2 * radius, size[1] - 2 * radius], center = true);
}

module at_corners(distances) {
    for (x = [-1, 1], y = [-1, 1]) translate([x * distances[0] / 2, y * distances[1] / 2]) children();
}

// The screws: through the four holes of the perfboard; in the wide case the module lies over the upper two
module at_screws() {
    for (x = [-1, 1]) {
        translate([x * board_holes[0] / 2, -board_holes[1] / 2]) children();
        translate(wide ? [x * screw_242[0], screw_242[1]] : [x * board_holes[0] / 2, board_holes[1] / 2]) children();
    }
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
                    inner_outline(tiny);
                }
                // A little lower than the posts of the lid, which rests on the walls
                if (wide) linear_extrude(board_top - floor_height - post_play) intersection() {
                    for (x = [-1, 1]) translate([x * screw_242[0], screw_242[1]]) circle(d = pillar);
                    inner_outline(tiny);
                }
                linear_extrude(rib[1] + tiny) ribs();
                linear_extrude(charger_rib + tiny) charger_ribs();
                translate(pico_at + [0, up]) pico_feet();
            }
            ledges();
        }
        at_screws() screw_channel();
        // Short screws from above hold the upper edge of the perfboard, where no long ones go through
        if (wide) translate([0, 0, board_bottom - 6]) linear_extrude(7) at_corners(board_holes) circle(d = screw_pilot);
        usb_opening();
        sound_slots();
        translate([-outside[0] / 2, knob_at[0], knob_at[1]])
            cube([4 * wall, knob_opening[0], knob_opening[1]], center = true);
    }
}

module inner_outline(more) {
    translate(middle) rounded([inside[0] + more, inside[1] + more], corner - wall);
}

module shell() {
    translate(middle) chamfered(outside, corner, floor_height, chamfer);
    translate(concat(middle, [floor_height - tiny])) linear_extrude(lid_bottom - floor_height + tiny) difference() {
        rounded(outside, corner);
        rounded(inside, corner - wall);
    }
}

module screw_channel() {
    translate([0, 0, -1]) cylinder(d = screw_hole, h = board_top + 2);
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
            translate(buzzer_at + [0, up]) difference() {
                circle(d = buzzer[0] + 0.6 + 2 * rib[0]);
                circle(d = buzzer[0] + 0.6);
                square([4, 2 * buzzer[0]], center = true);  // for its wires, and to bend a little
            }
        }
        translate(middle) square([inside[0] + tiny, inside[1] + tiny], center = true);
    }
}

module charger_ribs() {
    intersection() {
        translate(charger_at) difference() {
            frame(charger);
            square([charger[0] - 8, 2 * charger[1]], center = true);
            square([2 * charger[0], charger[1] - 16], center = true);
        }
        translate(middle) square([inside[0] + tiny, inside[1] + tiny], center = true);
    }
}

module pico_feet() {
    at_corners(pico_holes) {
        cylinder(d = 4, h = pico_foot + tiny);
        cylinder(d = pico_peg, h = pico_foot + pico[2] + 0.5);
    }
    for (x = [-1, 1]) translate([x * pico_holes[0] / 2, -pico_holes[1] / 2])
        cylinder(d = pico_peg, h = pico_foot + pico[2] + pico_clip[2] + 0.4);
}

// Small brackets under the edges of the perfboard, so that it does not bend under a thumb
module ledges() {
    reach = (inside[0] - narrow[0]) / 2 + 2;
    for (side = [0, 180]) rotate(side) translate([inside[0] / 2, 0, board_bottom]) rotate([90, 0, 0])
        linear_extrude(12, center = true) polygon([[tiny, 0], [-reach, 0], [tiny, -reach - 0.5]]);
    translate([0, -narrow[1] / 2, board_bottom]) rotate([90, 0, -90])
        linear_extrude(12, center = true) polygon([[tiny, 0], [-2, 0], [tiny, -2.5]]);
}

module usb_opening() {
    z = floor_height + pico_foot + pico[2] + usb_middle;
    translate([pico_at[0], upper_wall + wall / 2, z]) {
        cube([usb_socket[0], 4 * wall, usb_socket[1]], center = true);
        translate([0, usb_skin - wall / 2 + wall, 0]) cube([usb_plug[0], 2 * wall, usb_plug[1]], center = true);
    }
}

module sound_slots() {
    for (i = [-2 : 2]) translate([buzzer_at[0] + 3 * i, upper_wall + wall / 2, floor_height + 5])
        cube([1.4, 4 * wall, 7], center = true);
}

// --- lid, lying on its outer face ---

module lid() {
    mirror([1, 0, 0]) {
        difference() {
            translate(middle) chamfered(outside, corner, lid_height, chamfer);
            translate(concat(window_middle(), [0])) window();
            for (i = [0 : len(key_holes) - 1]) translate(hole(key_holes[i])) translate([0, 0, -1])
                linear_extrude(lid_height + 2) cap_outline(i, cap_play);
        }
        translate([0, 0, lid_height - tiny]) {
            translate(middle) linear_extrude(lip[1] + tiny) difference() {
                rounded([inside[0] - 2 * lip[2], inside[1] - 2 * lip[2]], corner - wall);
                rounded([inside[0] - 2 * lip[2] - 2 * lip[0], inside[1] - 2 * lip[2] - 2 * lip[0]], 0.5);
            }
            linear_extrude(lid_bottom - board_top + tiny) intersection() {
                at_screws() difference() {
                    circle(d = post);
                    circle(d = screw_pilot);
                }
                inner_outline(-2 * lip[2]);  // the posts end before the walls
            }
            if (wide) linear_extrude(frame_242[1] + tiny) module_frame();
        }
    }
}

// Short ribs above and below the module, where nothing else is; the lip of the lid keeps it on the sides
module module_frame() {
    for (x = [-1, 1], y = [-1, 1]) translate(module_middle())
        translate([x * (y > 0 ? 20 : 29), y * (oled[1] / 2 + frame_242[2] + frame_242[0] / 2)])
            square([10, frame_242[0]], center = true);
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
        translate([0, 0, cap_height - sign_depth]) linear_extrude(1) sign(key);
    }
}

// The pixels of the screen; a hair larger than they are, so that those that meet at a corner are one
module sign(key) {
    rows = signs[key];
    for (y = [0 : len(rows) - 1], x = [0 : len(rows[y]) - 1]) if (rows[y][x] == "#")
        translate([x - (len(rows[y]) - 1) / 2, (len(rows) - 1) / 2 - y] * sign_pixel)
            square(sign_pixel + 2 * tiny, center = true);
}

module keys() {
    for (i = [0 : len(key_holes) - 1]) translate([(i % 3 - 1) * 15, (floor(i / 3) - 0.5) * -15]) cap(i);
}

// --- the bar that keeps the Pico on its pegs ---

module clip() {
    linear_extrude(pico_clip[2]) difference() {
        rounded([pico_clip[0], pico_clip[1]], 1.5);
        for (x = [-1, 1]) translate([x * pico_holes[0] / 2, 0]) circle(d = pico_clip_hole);
    }
}

// --- a stand for the ready-made board, lying on its side ---

// Seen from the side: x backwards, y upwards. The floor of the channel falls backwards, so the board leans by itself,
// and the foot reaches so far back that no press of a key can tip it.
stand_room = stand_device[2] + stand_play;
stand_up = [cos(stand_tilt), sin(stand_tilt)];
stand_in = [sin(stand_tilt), -cos(stand_tilt)];
stand_edge = [0, stand_wall + stand_room * cos(stand_tilt)];  // the lower front edge of the board
stand_top = stand_edge + stand_device[1] * stand_up;
stand_rear = stand_top[0] + stand_top[1] * tan(stand_tilt);

module stand_outline() {
    corner_in = stand_edge + stand_room * stand_in;
    rest = corner_in + stand_back * stand_up;
    lip_top = stand_edge + stand_lip * stand_up;
    polygon([
        [-8, 0], [stand_rear, 0], rest + 1.2 * stand_wall * stand_in, rest, corner_in,
        stand_edge, lip_top, lip_top - stand_wall * stand_in,
    ]);
}

module stand() {
    linear_extrude(stand_width) difference() {
        stand_outline();
        offset(delta = -stand_wall) stand_outline();
    }
}

if (part == "base") base();
if (part == "lid") lid();
if (part == "keys") keys();
if (part == "clip") clip();
if (part == "stand") stand();
