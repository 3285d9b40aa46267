"""Royal Flush: three rounds on nine boards, with pieces and chips."""

PLACE = 1  # position in menus
QUESTIONS = "questions"  # the module with `defaults` and `items`
