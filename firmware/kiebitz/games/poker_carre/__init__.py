"""Keep the score of PokerCarre, as a pad or card by card."""

PLACE = 2  # position in menus
QUESTIONS = "table"  # the module with `defaults` and `items`
