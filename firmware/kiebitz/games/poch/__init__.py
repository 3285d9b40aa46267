"""Poch: pools, bids and chips, in three phases a round."""

PLACE = 3  # position in menus
