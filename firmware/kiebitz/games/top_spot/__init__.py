"""Top Spot: tricks, kept as a tally or refereed."""

PLACE = 4  # position in menus
MORE = ("questions", "words")  # modules beside `rules` and `table`
