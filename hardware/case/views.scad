// Pictures of the case with everything in it, for looking only:  view = "closed", "open", "inside" or "stand".

include <case.scad>

view = "closed";

pico_place = pico_at + [0, up];

shell_colour = [0.87, 0.86, 0.82];
lid_colour = [0.93, 0.92, 0.88];
key_colour = [0.30, 0.33, 0.38];
ok_colour = [0.78, 0.36, 0.20];
green = [0.16, 0.42, 0.26];
pcb_green = [0.20, 0.50, 0.33];
metal = [0.75, 0.76, 0.78];
black = [0.12, 0.12, 0.13];

module box(size, middle, bottom) {
    translate([middle[0], middle[1], bottom]) linear_extrude(size[2]) square([size[0], size[1]], center = true);
}

module the_pico() {
    bottom = floor_height + pico_foot;
    color(pcb_green) render(4) difference() {
        box(pico, pico_place, bottom);
        translate([pico_place[0], pico_place[1], bottom - 1]) linear_extrude(5) at_corners(pico_holes) circle(d = 2.1);
    }
    color(metal) box([7.8, 5.6, 2.7], pico_place + [0, pico[1] / 2 - 2.8 + usb_overhang], bottom + pico[2]);
    color(black) box([7, 7, 0.9], pico_place + [0, -2], bottom + pico[2]);
    color([0.85, 0.70, 0.30]) for (i = [0 : 19], side = [-1, 1])
        box([1.6, 1.6, 0.05], pico_place + [side * 8.89, (9.5 - i) * pitch], bottom + pico[2]);
}

module the_battery() {
    color([0.72, 0.74, 0.78]) box([30, 50, 6], battery_at, floor_height);
    color([0.85, 0.75, 0.35]) box([30, 3, 6.1], battery_at + [0, 23.6], floor_height);
}

module the_charger() {
    color([0.15, 0.30, 0.60]) box([17, 28, 1.2], charger_at, floor_height + 1);
    color(metal) box([9, 7, 3], charger_at - [0, 10.5], floor_height + 2.2);
    color(black) box([4, 5, 1.5], charger_at, floor_height + 2.2);
}

module the_buzzer() {
    color(black) translate(concat(buzzer_at + [0, up], [floor_height])) render(4) difference() {
        cylinder(d = buzzer[0], h = buzzer[1]);
        translate([0, 0, buzzer[1] - 1]) cylinder(d = 2.5, h = 2);
    }
}

module the_board() {
    color(green) translate([0, 0, board_bottom]) linear_extrude(board[2]) difference() {
        square([board[0], board[1]], center = true);
        at_corners(board_holes) circle(d = 2.2);
    }
    for (at = key_holes) {
        color(metal) box([switch_body[0], switch_body[1], switch_body[2]], hole(at), board_top);
        color(black) translate(concat(hole(at), [board_top])) cylinder(d = switch_knob, h = switch_height);
    }
    color([0.15, 0.30, 0.60]) box([oled[0], oled[1], 1.2], module_middle(), board_top + 2.5);
    color(black) box([oled[0] - 0.6, oled[4] + 8, oled[6] - 3.7], window_middle() - [0, 2], board_top + 3.7);
    color([0.55, 0.80, 0.95]) box([oled[3], oled[4], 0.1], window_middle(), board_top + oled[6]);
}

module the_keys() {
    for (i = [0 : len(key_holes) - 1]) color(i == 4 ? ok_colour : key_colour)
        translate(concat(hole(key_holes[i]), [cap_bottom])) render(10) cap(i);
    // The engraved signs filled in, so that they can be seen
    color("white") for (i = [0 : len(key_holes) - 1])
        translate(concat(hole(key_holes[i]), [cap_bottom + cap_height - 0.3])) linear_extrude(0.1) sign(i);
}

module the_lid() {
    color(lid_colour) translate([0, 0, lid_top]) rotate([0, 180, 0]) render(10) lid();
}

module the_base() {
    color(shell_colour) render(10) base();
}

module the_clip() {
    color(ok_colour) translate(concat(pico_place - [0, pico_holes[1] / 2], [floor_height + pico_foot + pico[2]])) clip();
}

// The ready-made board on its stand: the board, its display, joystick and keys, and the Pico behind it
module the_stand() {
    color(shell_colour) rotate([90, 0, 0]) translate([0, 0, -stand_width / 2]) render(10) stand();
    translate([stand_edge[0], 0, stand_edge[1]]) rotate([0, -stand_tilt, 0]) {
        // x along the board upwards, y to the side, z out of the front
        color(black) translate([0, -26, -1.6]) cube([stand_device[1], stand_device[0], 1.6]);
        color([0.55, 0.80, 0.95]) translate([1.5, -11.7, 0]) cube([23.4, 23.4, 1.4]);
        color(metal) translate([13.2, 19.5, 0]) cylinder(d = 7, h = 4);
        color(key_colour) for (i = [0 : 3]) translate([4 + 6.2 * i, -19.5, 0]) cylinder(d = 3.5, h = 3);
        color(key_colour) for (x = [2.8, 21.2]) translate([x, -25.4, -12.6]) cube([2.5, 50.8, 11]);
        color(pcb_green) translate([2.7, -25.5, -13.6]) cube([21, 51, 1]);
        color(metal) translate([9.4, -26.8, -16.3]) cube([7.8, 5.6, 2.7]);
    }
}

module contents() {
    the_pico();
    the_clip();
    the_battery();
    the_charger();
    the_buzzer();
}

if (view == "closed") {
    the_base();
    the_board();
    the_keys();
    the_lid();
}
if (view == "open") {
    the_base();
    contents();
    translate([0, 0, 26]) the_board();
    translate([0, 0, 40]) the_keys();
    translate([0, 0, 86]) the_lid();
}
if (view == "inside") {
    the_base();
    contents();
}
if (view == "stand") rotate(90) the_stand();
