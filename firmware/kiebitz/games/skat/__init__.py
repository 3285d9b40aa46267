"""Keep the list of Skat, a row for each game."""

PLACE = 7  # position in menus
