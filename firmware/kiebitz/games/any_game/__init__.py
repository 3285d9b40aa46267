"""Keep the score of any other game, by rounds or as a counter."""

PLACE = 99  # position in menus: the last
QUESTIONS = "questions"  # the module with `defaults` and `items`
PRESETS = "rules_presets"  # the module with the titles
