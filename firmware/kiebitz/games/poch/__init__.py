"""Poch: pools, bids and chips, in three phases a round."""

PLACE = 3  # in menus
MORE = ("words",)  # modules beside `rules` and `table`
