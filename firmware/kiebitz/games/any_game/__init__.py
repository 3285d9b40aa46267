"""Any game: a score sheet for every other game on the shelf, by rounds or as a counter."""

PLACE = 99  # position in menus: the last
QUESTIONS = "questions"  # the module with `defaults` and `items`
PRESETS = "rules_presets"  # the module with the titles
