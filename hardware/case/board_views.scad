// Pictures of the case with the board and its cells, for looking only:  view = "closed", "open" or "inside".

include <board_case.scad>
include <board_model.scad>

view = "closed";

shell_colour = [0.87, 0.86, 0.82];
lid_colour = [0.93, 0.92, 0.88];
key_colour = [0.30, 0.33, 0.38];
ok_colour = [0.78, 0.36, 0.20];

module the_base() {
    color(shell_colour) render(10) board_base();
    translate([0, 0, floor_height]) aa_cells();
}

module the_board() translate([0, 0, board_bottom]) {
    board_plate();
    board_keys();
    board_display();
    board_back();
}

module the_keys() {
    for (i = [0 : len(key_holes) - 1]) color(i == 4 ? ok_colour : key_colour)
        translate(concat(hole(key_holes[i]), [cap_bottom])) render(10) cap(i);
    color("white") for (i = [0 : len(key_holes) - 1])
        translate(concat(hole(key_holes[i]), [cap_bottom + cap_height - 0.3])) linear_extrude(0.1) sign(i);
}

module the_lid() {
    color(lid_colour) translate([0, 0, lid_top]) rotate([0, 180, 0]) render(10) lid();
}

if (view == "closed") {
    the_base();
    the_board();
    the_keys();
    the_lid();
}
if (view == "open") {
    the_base();
    translate([0, 0, 34]) the_board();
    translate([0, 0, 50]) the_keys();
    translate([0, 0, 96]) the_lid();
}
if (view == "inside") {
    the_base();
    translate([0, 96, 0]) rotate([180, 0, 0]) translate([0, 0, -board_bottom - board[2]]) the_board();
}
