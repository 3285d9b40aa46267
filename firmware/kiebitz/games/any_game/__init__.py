"""Any game: a score sheet for every other game on the shelf, by rounds or as a counter."""

PLACE = 5  # position in menus
MORE = ("presets", "questions", "words")  # modules beside `rules` and `table`
