"""PokerCarre: cards laid into a square, kept as a pad or card by card."""

PLACE = 2  # position in menus
MORE = ("questions", "words")  # modules beside `rules` and `table`
