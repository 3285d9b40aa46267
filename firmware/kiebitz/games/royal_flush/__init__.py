"""Keep the score of Royal Flush."""

PLACE = 1  # position in menus
QUESTIONS = "questions"  # the module with `defaults` and `items`
