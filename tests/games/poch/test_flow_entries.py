"""Test rarer Poch entries and their number of presses (shortage, loans, hands, house rules)."""

from helpers.device import Device, at_table
from helpers.play import ev, setup, sure
from kiebitz.text import LANGUAGES

START = ev("start_round", trump="H")
NO_CASH = sure(ev("end_cash"))


def table(n, *events, **keys):
    """Return a device at a Poch table where these things have happened."""
    return at_table(setup("poch", n, **keys), events)


def test_who_has_king_and_queen_gets_the_marriage_with_one_more_press():
    d = table(4, START, ev("cash", p=1, pool="A"))
    d.keys("up ok up ok ok")
    assert [d.game.cashed[i] for i in (1, 2, 5)] == [3, 3, 3]


def test_ok_alone_gives_no_pool_to_anybody():
    d = table(4, START)
    d.keys("down*2 ok")
    assert d.game.cashed[0] == 1 and d.sees("King", "leave it")
    d.keys("ok*6")
    assert d.game.cashed == [1] + [None] * 7 and d.sees("Chips stay in:", "K Q J 10")


def test_no_round_begins_before_a_trump_suit_is_chosen():
    d = table(3)
    d.keys("ok")
    assert d.sees("Choose the trump suit") and len(d.table) == 0
    d.keys("up ok")
    assert d.game.trump == "C"
    d = table(3)
    d.keys("down ok")
    assert d.game.trump == "S"


def test_no_marriage_is_offered_when_king_and_queen_are_apart():
    d = table(4, START, ev("cash", p=1, pool="K"), ev("cash", p=2, pool="Q"), ev("cash", p=2, pool="A"))
    assert d.sees("Jack") and not d.sees("Marriage")


def test_pools_that_were_left_can_be_visited_again():
    d = table(3, START)
    d.keys("right*7")
    assert d.sees("Chips stay in:", "A K Q J 10", "bidding")
    d.keys("right down")
    assert d.sees("Ace", "cash")
    d.keys("ok")
    assert d.game.cashed[0] == 0


def test_the_show_down_shows_whether_the_bank_is_doubled_for_a_holder():
    bids = [ev("bid", p=0, k=5), ev("hold", p=1), ev("pass", p=2)]
    for held, shown, chips in (("doubles", True, [77, 110, 92]), ("equal", False, [87, 100, 92])):
        d = table(3, START, NO_CASH, *bids, held=held)
        d.keys("down")
        assert d.sees("Doubled:", "-10") == shown and d.sees("+23" if shown else "+13")
        d.keys("down*2 ok right up")  # Anna has no pair, Ben two Aces
        assert d.sees("Ben +23" if shown else "Ben +13") and d.sees("-10") == shown
        d.keys("undo up*2 ok")
        assert d.game.phase == "PLAYOUT" and d.game.chips == chips, held


def test_nobody_lends_if_nobody_has_a_chip():
    passed = [ev("pass", p=p) for p in range(2)]
    d = table(2, START, NO_CASH, *passed, ev("end_round", winner=0, left={"1": 3}), chips_total=16)
    assert d.game.chips == [0, 0]
    d.keys("ok")
    assert not d.sees("Lend to") and d.sees("Anna retires", "Ben retires", "Finish the game now")
    d.keys("undo left pick:poch.menu.loan ok")
    assert d.sees("Nobody else has a chip")
    d.keys("up ok undo undo")
    assert d.app.top.takes_back and len(d.table) == 5


def test_without_overlap_the_marriage_comes_first_and_shuts_king_and_queen():
    d = table(3, START, overlap_cash="off")
    d.keys("down ok")
    assert d.sees("Marriage", "nobody")
    d.keys("down ok")
    assert d.sees("Jack")
    d.keys("down ok down ok ok")
    assert d.sees("K Q 789")


def test_undo_of_a_cashed_pool_asks_for_it_again():
    d = table(4, START)
    d.keys("down ok down ok undo")
    assert d.game.cashed[:2] == [0, None]
    d.keys("wait:2000")
    assert d.sees("King", "Anna 71")
    d.keys("down")
    assert d.sees("King", "Anna +4  75")


def test_only_what_the_player_can_pay_is_offered():
    d = table(2, START, NO_CASH, chips_total=20)
    d.keys("right")
    assert d.sees("Bid 2", "2→0", "Bank 0→2")
    d.keys("up*3")
    assert d.sees("Bid 2", "2→0"), "nothing above is affordable, and the list does not begin anew"
    d.keys("down*5")
    assert d.sees("Pass", "Bank 0") and not d.sees("0→")
    d.keys("up*2 ok up*3")
    assert d.sees("Hold 2", "2→0", "Bank 2→4")
    d.keys("down*2 ok")
    assert d.game.passed == [False, True] and d.game.phase == "PLAYOUT"


def test_more_is_up_and_less_is_down_and_below_one_is_pass():
    d = table(4, START, NO_CASH, ev("bid", p=0, k=5))
    assert d.sees("Raise 6", "Hold 5", "Pass"), "what each amount means can be read before it is chosen"
    d.keys("down*3 ok")
    assert d.game.passed == [False, True, False, False]
    d.keys("up*3 down ok")
    assert d.game.stake == [5, 0, 6, 0]


def test_until_matched_a_hold_pays_the_difference():
    bids = [ev("bid", p=0, k=3), ev("bid", p=1, k=7), ev("pass", p=2)]
    d = table(3, START, NO_CASH, *bids, bidding="until_matched")
    assert d.sees("Anna 3", "Ben ▲7")
    d.keys("up")
    assert d.sees("Hold 7", "Bank 10→14", "89→85")


def test_the_doubling_is_shown_before_it_is_entered():
    d = table(4, START, NO_CASH, ev("bid", p=0, k=5), ev("pass", p=1), ev("hold", p=2), ev("hold", p=3))
    assert d.sees("Bank 15", "▲5", "Anna +19") and not d.sees("Doubled:")
    d.keys("down")
    assert d.sees("Doubled:", "Anna -15", "Cleo +34", "62→96")
    d.keys("ok")
    assert d.game.chips == [47, 67, 96, 62] and d.presses == 2


def test_nobody_has_a_poch_and_everything_stays():
    d = table(3, START, NO_CASH, ev("bid", p=0, k=2), ev("hold", p=1), ev("pass", p=2))
    d.keys("down*2")
    assert d.sees("All stays")
    d.keys("ok")
    assert d.sees("Nobody wins.") and d.game.bank == 4
    d.keys("wait:2000")
    assert d.sees("★4", "Anna leads")


def test_trump_is_asked_for_only_between_equal_pairs():
    d = table(3, START, NO_CASH, ev("bid", p=0, k=2), ev("hold", p=1), ev("pass", p=2))
    d.keys("up ok")
    assert d.sees("Which Poch?", "Nobody has a Poch")
    d.keys("up ok ok up")
    assert d.sees("Anna 2× A ?", "Ben 2× A ?", "Who has the A♥?") and not d.sees("+7")
    d.keys("ok ok ok")
    assert d.sees("Who has the A♥?") and d.game.phase == "SHOW", "nothing is decided without an answer"
    d.keys("up")
    assert d.sees("Anna 2× A ♥", "Ben 2× A –", "Anna +7")
    d.keys("up")
    assert d.sees("Anna 2× A –", "Ben 2× A ♥", "Ben +11  Anna -4")
    d.keys("ok*4")
    assert d.game.poch_winner == 1


def test_undo_while_hands_are_entered_only_goes_back():
    d = table(3, START, NO_CASH, ev("bid", p=0, k=2), ev("hold", p=1), ev("pass", p=2))
    entries = len(d.table)
    d.keys("up ok up undo")
    assert d.sees("Enter hands") and len(d.table) == entries


def test_the_settlement_is_shown_while_cards_are_counted():
    d = table(4, START, NO_CASH, *[ev("pass", p=p) for p in range(4)])
    d.keys("ok right")
    assert d.sees("Anna goes out", "67→71", "Ben", "67→65")
    d.keys("left*2")
    assert d.sees("67→77", "67→59"), "eight cards are one step below one"
    d.keys("ok up down ok ok")
    assert d.game.chips == [77, 59, 66, 66]


def test_every_player_may_have_got_the_larger_of_uneven_hands():
    d = table(3, START, NO_CASH, *[ev("pass", p=p) for p in range(3)])
    d.keys("ok ok left")
    assert d.sees("Cleo", "11"), "ten cards if dealing begins left of the dealer, which nobody knows"
    d.keys("ok")
    assert d.game.chips == [92 + 12, 92 - 1, 92 - 11]


def test_a_hint_tells_with_how_many_players_the_game_is_best():
    d = Device()
    for name in ("Anna", "Ben", "Cleo"):
        d.app.roster.add(name)
    d.keys("ok pick:game.poch ok ok right")
    assert d.sees("Poch", "best with 3 to 6", "players.")
    d.keys("ok")
    assert d.game.n == 2 and d.game.phase == "READY"
    d = Device()
    for name in ("Anna", "Ben", "Cleo"):
        d.app.roster.add(name)
    d.keys("ok pick:game.poch ok ok ok right")
    assert d.sees("Poch") and not d.sees("best with")


def test_the_ok_that_opens_the_settlement_does_not_enter_it():
    d = table(3, START, NO_CASH, *[ev("pass", p=p) for p in range(3)])
    d.keys("hold:ok")
    assert d.sees("Anna goes out") and d.game.phase == "PLAYOUT"
    d.keys("hold:ok")
    assert d.game.phase == "READY"


def test_who_cannot_pay_in_full_is_named():
    d = table(2, START, NO_CASH, ev("pass", p=0), ev("bid", p=1, k=1), chips_total=20)
    d.keys("ok right*5 ok")
    assert d.sees("Anna is") and d.sees("short;")


def test_everybody_who_cannot_pay_in_full_is_named_until_a_key_is_pressed():
    d = table(4, START, NO_CASH, *[ev("pass", p=p) for p in range(4)], chips_total=40)
    d.keys("ok right*3 ok ok right*4 ok wait:60000")
    assert d.game.chips == [7, 0, 1, 0] and d.game.phase == "READY"
    assert d.sees("Not paid in full", "Ben: 2 waived", "Dan: 3 waived") and not d.sees("Cleo")
    d.keys("ok")
    assert d.sees("Under 8:", "Cleo 1")


def test_one_who_cannot_pay_in_full_is_named_until_a_key_is_pressed():
    d = table(2, START, NO_CASH, ev("pass", p=0), ev("bid", p=1, k=1), chips_total=20)
    d.keys("ok right*5 ok wait:60000")
    assert d.sees("Anna is 4 chips", "short;")


def test_a_doubling_that_cannot_be_paid_in_full_still_tells_who_has_won():
    d = table(3, START, NO_CASH, ev("bid", p=0, k=2), ev("hold", p=1), ev("hold", p=2), chips_total=30)
    d.keys("down ok")
    assert d.sees("Ben wins bank and Poch:", "+9", "Anna is 6 chips", "short;")


def short_table():
    """Ben and Cleo cannot pay the next ante."""
    d = table(3, START, NO_CASH, ev("pass", p=0), ev("pass", p=1), ev("pass", p=2), chips_total=45)
    d.keys("ok ok ok right undo")
    d.presses = 0
    return d


def test_a_loan_lets_the_round_begin():
    d = short_table()
    assert d.sees("Under 8:", "Ben 6", "Cleo 6", "what now?")
    d.keys("ok ok")
    assert d.sees("Who lends to Ben?", "Anna (9)")
    d.keys("ok")
    assert d.sees("Anna lends to Ben", "9→7", "6→8")
    d.keys("ok")
    assert d.game.chips == [7, 8, 6] and d.presses == 4
    assert d.sees("Under 8:", "Anna 7")


def test_a_player_may_retire_or_the_game_end_when_chips_are_short():
    d = short_table()
    d.keys("ok down*3")
    assert d.sees("Lend to Cleo", "Cleo retires", "Finish the game")
    d.keys("ok")
    assert d.sees("Cleo retires", "keeps 6 chips")
    d.keys("ok")
    assert d.game.active == [True, True, False]
    d.keys("ok pick:menu.end")
    assert d.sees("would win with 9.")
    d.keys("ok")
    assert d.sees("Final ranking") and d.game.winners() == [0]


def test_with_debts_allowed_nobody_is_short():
    d = table(2, START, NO_CASH, ev("pass", p=0), ev("pass", p=1), chips_total=20, shortage="debt")
    d.keys("ok ok down ok")
    assert d.game.chips == [-5, -7]
    assert d.sees("Round 2 ♠")


def test_loans_and_retiring_are_in_the_menu_between_rounds():
    d = table(3)
    d.keys("left pick:poch.menu.loan down ok ok down*3 ok")
    assert d.game.chips == [95, 105, 100], d.text()
    d.keys("left pick:poch.menu.retire down*2 ok ok")
    assert d.game.active == [True, True, False]
    assert d.sees("(Cleo)")


def test_a_loan_is_settled_in_the_ranking():
    d = table(3, ev("retire", p=2))
    d.keys("left pick:poch.menu.loan")
    assert d.sees("Who borrows?")
    d.keys("ok ok")
    assert d.sees("Ben lends to Anna", "8", "100→92", "100→108")
    d.keys("ok")
    assert d.game.chips == [108, 92, 100] and d.game.owed == [-8, 8, 0]
    d.keys("right")
    assert d.sees("1. Anna 108-8 = 100", "1. Ben 92+8 = 100", "1. Cleo 100")
    d.keys("ok left pick:menu.end")
    assert d.sees("3 players would share the", "win with 100.")
    d.keys("ok")
    assert d.sees("Final ranking", "Anna 100", "108-8") and d.game.winners() == [0, 1, 2]


def test_a_loan_that_is_a_present_is_not_settled():
    d = table(2, loans="gift")
    d.keys("left pick:poch.menu.loan ok ok ok right")
    assert d.sees("1. Anna 158", "2. Ben 142") and not d.sees("=")


def test_the_richest_is_asked_first_to_lend():
    cashed = [ev("cash", p=2, pool=pool) for pool in "AK"]
    d = table(3, START, *cashed, NO_CASH, *[ev("pass", p=p) for p in range(3)], chips_total=75)
    d.keys("ok ok ok right undo left pick:poch.menu.loan ok")
    assert d.sees("Who lends to Ben?") and d.lines()[1] == "Cleo (22)", d.text()
    d.keys("ok")
    assert d.sees("Cleo lends to Ben", "22→14", "16→24")


def test_a_fixed_direction_is_shown_and_not_asked_again():
    d = table(2, START, NO_CASH, ev("pass", p=0), ev("pass", p=1))
    d.keys("left")
    assert d.sees("Play upwards from 7")
    d.keys("pick:poch.lead.DOWN")
    assert d.game.direction == "DOWN" and d.sees("Anna leads↓")
    d.keys("left")
    assert not d.sees("Play upwards from 7")


def test_the_name_of_the_player_who_leads_is_not_cut_to_a_letter():
    played = (START, NO_CASH, ev("pass", p=0), ev("pass", p=1), ev("lead", p=0, dir="DOWN"))
    for lang in LANGUAGES:
        d = Device(language=lang).sit_down(setup("poch", 2), played)
        assert "\u2193" in d.lines()[1] and "Anna" in d.lines()[1], (lang, d.lines()[1])
