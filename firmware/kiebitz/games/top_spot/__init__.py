"""Keep the score of Top Spot, as a tally or refereed trick by trick."""

PLACE = 4  # position in menus
QUESTIONS = "table"  # the module with `defaults` and `items`
