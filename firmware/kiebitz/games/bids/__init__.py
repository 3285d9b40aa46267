"""Keep the score of games in which everybody bids how many tricks he will make: Wizard, Oh Hell."""

PLACE = 7  # position in menus
QUESTIONS = "questions"  # the module with `defaults` and `items`
PRESETS = "rules"  # the module with the titles
