"""Royal Flush: three rounds on nine boards, with pieces and chips."""

PLACE = 1  # position in menus
MORE = ("questions", "words")  # modules beside `rules` and `table`
