"""Keep the score of Poch."""

PLACE = 3  # position in menus
