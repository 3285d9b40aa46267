"""Top Spot: tricks, kept as a tally or refereed."""

PLACE = 4  # position in menus
QUESTIONS = "table"  # the module with `defaults` and `items`
