"""Keep the sheet of Kniffel or Yahtzee: thirteen boxes for five dice."""

PLACE = 6  # position in menus
PRESETS = "rules"  # the module with the titles
