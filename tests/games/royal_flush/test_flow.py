"""Test Royal Flush with keys and screens, from power-on to the final ranking."""

from helpers.device import Device, at_table
from kiebitz.raster import icons
from kiebitz_lab.handheld import spelled

THREE = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}

TO_ROUND_3 = [{"ev": "score", "p": 0, "board": "royal_flush"}] * 2

# Where the cursor stands when the boards open (Big Flush), and how the others are reached from there
TO = {
    "pair": "up left",
    "three_kind": "up",
    "full_house": "up right",
    "four_kind": "left",
    "big_flush": "",
    "perfect_triple": "right",
    "big_straight": "down left",
    "straight_flush": "down",
    "royal_flush": "down right",
}


def score(d, board):
    """Let the player at the cursor put a piece on a board."""
    d.keys("ok " + TO[board] + " ok")


def test_every_board_can_be_scored_in_at_most_four_presses():
    for board in TO:
        d = at_table(THREE)
        score(d, board)
        assert d.presses <= 4, (board, d.presses)
        assert d.table.event(0) == {"ev": "score", "p": 0, "board": board}, board


def test_a_new_game_from_power_on_with_new_names():
    d = Device()
    d.keys("ok")
    assert d.sees("Which game?", "Royal Flush", "PokerCarre", "Poch", "Top Spot")
    d.keys("ok")
    assert d.sees("Who plays?", "New name")
    d.keys("pick:players.new " + spelled("An") + " hold:ok")
    assert d.sees("Name for seat 2?")
    d.keys(spelled("Bz") + " hold:ok undo")
    assert d.sees("1 An", "2 Bz")
    d.keys("right")
    assert d.sees("Begin the game", "Dealer: Bz", "Boards: starter set", "Children: none")
    d.keys("ok")
    assert d.sees("Round 1 of 3", "An", "Bz", "An starts")
    assert d.app.roster.names == ["An", "Bz"]


def test_the_same_players_again_take_one_press():
    d = Device()
    d.app.roster.played(["Anna", "Ben", "Cleo"])
    d.keys("ok ok")
    assert d.sees("Same again: Anna, Ben, Cleo")
    d.keys("ok ok")
    assert d.sees("Round 1 of 3") and d.game.names == ["Anna", "Ben", "Cleo"]


def test_points_and_new_total_are_shown_before_ok():
    d = at_table(THREE)
    d.keys("ok up left")
    assert d.sees("Anna +2", "0→2", "Pair")
    d.keys("ok")
    assert d.sees("Anna: Pair") and d.game.totals() == [2, 0, 0]


def test_chips_are_spent_with_the_rest_shown_before_ok():
    d = at_table(THREE)
    d.keys("right right")
    assert d.sees("Anna spends", "5 chips → 3")
    d.keys("ok")
    assert d.game.chips == [3, 5, 5] and d.sees("Anna spends 2")


def test_a_player_without_chips_is_told_so():
    d = at_table(THREE, [{"ev": "spend", "p": 0, "k": 5}])
    d.keys("up right")
    assert d.sees("Anna has only 0 chips")
    assert len(d.table) == 1


def test_a_full_board_is_refused_in_words():
    d = at_table(THREE, [{"ev": "score", "p": p, "board": "pair"} for p in (0, 1, 2)])
    d.keys("ok up left ok")
    assert d.sees("Pair is full until the next") and len(d.table) == 3


def test_a_full_board_of_the_last_round_promises_no_next_one():
    d = at_table(THREE, TO_ROUND_3 + [{"ev": "score", "p": p, "board": "pair"} for p in (0, 1, 2)])
    d.keys("ok up left ok")
    assert d.sees("Pair is full, and this is the last round.") and not d.sees("next")


def test_the_ranking_says_that_the_chips_have_decided():
    # RF-T24
    scores = [(0, "four_kind"), (0, "straight_flush"), (0, "royal_flush"), (1, "royal_flush")]
    events = [{"ev": "score", "p": p, "board": board} for p, board in scores] + [{"ev": "spend", "p": 0, "k": 1}]
    d = at_table({"game": "royal_flush", "players": ["Anna", "Ben"]}, events)
    score(d, "royal_flush")
    assert d.sees("Round 3 is over", "+0 \ue0004 +8 60", "+25 \ue0005 +10 60")
    d.keys("ok")
    assert d.sees("Final ranking", "by chips", "\ue010 Ben 60")


def test_a_ranking_that_the_points_decide_names_the_game():
    d = at_table(THREE, TO_ROUND_3)
    d.keys("left pick:menu.standings")
    assert d.sees("Standings", "Royal Flush")
    d.keys("undo*2")
    score(d, "royal_flush")
    d.keys("ok")
    assert d.sees("Final ranking", "Royal Flush")


def test_undo_says_what_it_took_back_and_holding_it_brings_it_back():
    d = at_table(THREE)
    score(d, "full_house")
    d.keys("undo")
    assert d.sees("Taken back: Anna: Full House") and d.game.totals() == [0, 0, 0]
    d.keys("hold:undo")
    assert d.sees("Done again: Anna: Full House") and d.game.totals() == [10, 0, 0]
    d.keys("undo undo")
    assert d.sees("Nothing to take back") and d.table.can_redo


def test_a_closed_round_shows_points_chips_and_who_starts():
    d = at_table(THREE, [{"ev": "spend", "p": 0, "k": 4}, {"ev": "score", "p": 1, "board": "pair"}])
    d.keys("down")  # from Cleo to Anna
    score(d, "royal_flush")
    assert d.sees("Round 1 is over", "+25", "1 chip for each, 1 left over", "Ben starts")
    d.keys("ok")
    assert d.sees("Round 2 of 3")


def test_undo_goes_back_across_the_end_of_a_round():
    d = at_table(THREE)
    score(d, "royal_flush")
    d.keys("ok")
    assert d.game.round == 2
    d.keys("undo")
    assert d.game.round == 1 and d.sees("Round 1 of 3")


def test_a_whole_game_with_undo_correction_refusal_and_power_off():
    d = Device()
    d.app.roster.played(["Anna", "Ben", "Cleo"])
    d.keys("ok ok ok ok")
    score(d, "four_kind")  # Anna 14
    score(d, "four_kind")  # Ben 12
    d.restart()
    assert d.sees("Round 1 of 3", "Anna", "14")
    score(d, "three_kind")  # Cleo 6, meant for Ben
    d.keys("undo")
    d.keys("up")
    score(d, "three_kind")
    d.keys("up*2")  # back from Cleo to Anna
    score(d, "royal_flush")
    assert d.sees("Round 1 is over")
    d.restart()
    assert d.sees("Round 2 of 3") and d.game.totals() == [39, 18, 0]
    # The first entry was a full house: correct it
    d.keys("left pick:menu.history")
    assert d.sees("All entries", "1 Anna: 4 Kind", "R1 +14")
    d.keys("up ok pick:history.correct")
    assert d.sees("1 Anna: Four of a Kind") and not d.sees("Round 1 of 3")
    d.keys("ok")
    assert d.app.top.at == d.game.boards.index("four_kind")  # where the piece lay
    d.app.top.at = d.game.boards.index("full_house")
    d.keys("ok")
    assert d.sees("Corrected: Anna: Full House") and d.game.totals() == [35, 20, 0]
    for _ in range(2):
        d.app.top.at = 2
        score(d, "royal_flush")
        d.keys("ok")
    assert d.sees("Final ranking")
    assert d.game.winners() == [2] and d.lines()[1].startswith("\ue010 Cleo 60")
    d.restart()
    assert d.game.over
    d.keys("ok ok")
    assert d.sees("Kiebitz", "New game") and not d.sees("Go on playing")


def test_a_correction_that_breaks_a_later_entry_names_it_and_changes_nothing():
    events = [{"ev": "score", "p": p, "board": "pair"} for p in (0, 1)] + [{"ev": "score", "p": 2, "board": "pair"}]
    d = at_table(THREE, [{"ev": "score", "p": 0, "board": "full_house"}] + events)
    before = d.game.snapshot()
    d.keys("left pick:menu.history up ok pick:history.correct ok")
    d.app.top.at = d.game.boards.index("pair")
    d.keys("ok")
    assert d.sees("Then this would not fit") and d.game.snapshot() == before


def test_going_back_to_an_entry_takes_back_all_after_it():
    d = at_table(THREE, [{"ev": "score", "p": p, "board": "pair"} for p in (0, 1, 2)])
    d.keys("left pick:menu.history down*2 ok pick:history.go_back")
    assert d.sees("Taken back: 2 entries") and len(d.table) == 1


def test_cards_tell_which_boards_they_make_and_what_pays_best():
    d = at_table(THREE)
    d.keys("left pick:royal.menu.cards")
    assert d.sees("Cards of Anna")
    d.keys("ok down ok down ok")  # 8 of spades, hearts, diamonds
    assert d.sees("Three of a Kind", "+6")
    d.keys("down*2 right ok")
    assert d.sees("Which board?", "3 Kind +6")
    d.keys("ok")
    assert d.table.event(0) == {"ev": "score", "p": 0, "board": "three_kind", "cards": "8S 8H 8D"}


def test_a_grown_ups_joker_is_doubted_in_its_own_words_and_taken():
    d = at_table({"game": "royal_flush", "players": ["Anna", "Ben"], "child": [0, 1]})
    d.keys(
        "left pick:royal.menu.cards ok up left ok left ok ok"
    )  # an 8 and a joker; done, and the first board of the menu
    assert d.sees("Really?", "Anna is not a child. Really with a joker?") and len(d.table) == 0
    d.keys("ok")
    assert d.table.last_event() == {"ev": "score", "p": 0, "board": "pair", "cards": "8S *", "confirm": True}


def test_a_childs_joker_is_taken_without_a_question():
    d = at_table({"game": "royal_flush", "players": ["Anna", "Ben"], "child": [0, 1]})
    d.keys("down left pick:royal.menu.cards ok up left ok left ok ok")
    assert d.game.jokers == [0, 1] and d.game.totals() == [0, 2]


def test_the_set_up_says_how_many_jokers_each_child_gets():
    d = Device()
    d.app.roster.played(["Anna", "Ben", "Cleo", "Dan"])
    d.keys("ok ok ok pick:new.children.none")
    assert d.sees("Who is a child?") and not d.sees("joker")
    d.keys("down ok")
    assert d.sees("2 jokers each")
    d.keys("down ok down ok down ok")
    assert d.sees("1 joker each")
    d.keys("undo")
    assert d.sees("Children: 4, 1 joker each")


def test_a_child_is_asked_for_jokers_and_none_takes_one_press():
    d = at_table({"game": "royal_flush", "players": ["Anna", "Ben"], "child": [1, 0]})
    assert d.sees("*2")
    d.keys("ok up ok")
    assert d.sees("Jokers of Anna?", "Without a joker", "With 1 joker", "With 2 jokers")
    d.keys("ok")
    assert d.table.last_event() == {"ev": "score", "p": 0, "board": "three_kind"} and d.game.jokers == [2, 0]
    d.keys("up ok up ok down ok")
    assert d.table.last_event()["jokers"] == 1 and d.sees("*1", "Anna: Three of a Kind")


def test_nobody_is_asked_for_jokers_who_can_play_none():
    d = at_table({"game": "royal_flush", "players": ["Anna", "Ben"], "child": [1, 0]})
    d.keys("down ok up ok")
    assert d.table.last_event()["p"] == 1  # a grown-up
    d.keys("ok up ok down*2 ok up")  # Anna plays both jokers
    assert d.game.jokers == [0, 0] and d.sees("*0")
    d.app.top.at = 0
    score(d, "pair")
    assert d.game.totals()[0] == 5 + 2
    d = at_table({"game": "royal_flush", "players": ["Anna", "Ben"], "child": [1, 0]})
    score(d, "royal_flush")
    assert d.sees("Round 1 is over")


def test_without_children_the_card_screen_takes_no_joker():
    d = at_table(THREE)
    d.keys("left pick:royal.menu.cards up left ok")
    assert d.sees("No child plays, so there are no jokers")


NO_STARTER = [
    "pair", "double_pair", "triple_pair", "double_three", "flush", "pictures", "straight", "big_straight_flush",
    "royal_flush",
]  # fmt: skip


def enter_cards(d, cards):
    """Enter these cards on the card screen, and choose done."""
    d.keys("left pick:royal.menu.cards")
    for card in cards.split():
        top = d.app.top
        while top.row != "SHDC".index(card[1]):
            d.keys("down")
        while top.column != "23456789TJQKA".index(card[0]):
            d.keys("right")
        d.keys("ok")
    while d.app.top.row != 4:
        d.keys("down")
    while d.app.top._last_row() != 9:
        d.keys("right")
    d.keys("ok")


def test_refused_cards_say_why_for_the_board_they_come_nearest_to():
    # RF-T2, RF-T3, RF-T4
    for cards, why in (
        ("KS AH 2D 3C 4S", "Straight needs ranks in a row; the Ace is high."),
        ("4D 4D", "Pair may not have the same card twice."),
        ("JC QC QC KC JD KD", "6 Pictures may not have the same card twice."),
    ):
        d = at_table(dict(THREE, boards=NO_STARTER))
        enter_cards(d, cards)
        assert d.sees("No open board yet", why), (cards, d.lines())


def test_on_the_starter_boards_a_run_round_the_ace_is_told_too():
    d = at_table(THREE)
    enter_cards(d, "KS AH 2D 3C 4S")
    assert d.sees("Straight Flush needs ranks in a row; the Ace is high.")


def test_every_other_board_says_on_request_why_the_cards_do_not_make_it():
    d = at_table(THREE)
    enter_cards(d, "4D 4H 4S")
    assert d.sees("Which board?", "3 Kind +6")
    d.keys("pick:short.four_kind")
    assert d.sees("takes exactly") and len(d.table) == 0
    d.keys("pick:cards.choice")
    assert d.game.totals() == [6, 0, 0]


def test_followed_turns_ask_before_another_player_acts():
    d = at_table({"game": "royal_flush", "players": ["Anna", "Ben"], "options": {"turns": "follow"}})
    d.keys("down ok")
    assert d.sees("It is Anna's turn")
    d.keys("ok ok")
    assert d.sees("Ben +11")


def test_new_boards_are_chosen_between_rounds():
    options = {"redraw_boards_each_round": "on"}
    d = at_table({"game": "royal_flush", "players": ["Anna", "Ben"], "options": options})
    score(d, "royal_flush")
    d.keys("ok")
    assert d.sees("Choose new boards")
    d.keys("ok pick:board.pair pick:board.perfect_pair pick:pick.done")  # without Pair, with Perfect Pair
    assert d.game.phase == "PLAY" and d.game.boards[0] == "perfect_pair"


def test_the_last_round_promises_no_share_of_the_pot():
    # RF-T23
    d = at_table(THREE, TO_ROUND_3 + [{"ev": "spend", "p": 1, "k": 4}, {"ev": "spend", "p": 2, "k": 2}])
    d.app.top.at = 0
    d.keys("right right")
    assert d.sees("Anna spends", "5 chips → 3", "Pot 8: not shared any more") and not d.sees("each")
    d.keys("undo undo wait:5000")
    assert d.sees("Pot 4: not shared any more") and not d.sees("each")


def test_a_house_rule_shares_the_last_pot_and_the_device_says_so_before_and_after():
    # RF-T23
    setup = dict(THREE, options={"distribute_after_last": "on"})
    d = at_table(setup, TO_ROUND_3 + [{"ev": "spend", "p": 1, "k": 4}, {"ev": "spend", "p": 2, "k": 3}])
    d.keys("undo wait:5000")
    assert d.sees("Pot 4: 1 each, 1 left")
    d.app.top.at = 0
    d.keys("right")
    assert d.sees("Pot 5: 1 each, 2 left")
    d.keys("undo")
    score(d, "royal_flush")
    assert d.sees("Round 3 is over", "1 chip each, 2 points a chip") and d.game.chips == [6, 2, 6]


def test_the_starter_boards_are_ticked_at_first_and_stay_the_starter_set():
    d = Device()
    d.app.roster.played(["Anna", "Ben"])
    d.keys("ok ok ok pick:new.boards.starter")
    assert d.sees("9/9", "\u2611A:Pair", "\u2610A:Perfect Pair")
    d.keys("ok")
    assert d.sees("Boards: starter set")
    d.keys("pick:new.boards.starter down*2 ok down ok up*3 ok")
    assert d.sees("Boards: own choice")


def test_a_pot_that_is_too_small_is_not_shared():
    d = at_table(THREE, [{"ev": "spend", "p": 0, "k": 2}])
    d.keys("right")
    assert d.sees("Pot 3: 1 each, 0 left")
    d.keys("undo undo undo right")
    assert d.sees("Pot 1: too few to share") and not d.sees("0 each")


def test_the_ten_of_every_suit_is_written_as_on_the_cards():
    d = at_table(THREE)
    d.keys("left pick:royal.menu.cards")
    shown = [words for _, _, words, *_ in d.words.drawn]
    assert shown.count(icons.TEN) == 4 and "T" not in shown
