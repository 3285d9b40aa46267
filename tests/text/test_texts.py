"""Test the sentences for players, and the descriptions of entries, which fit a line of the display."""

from kiebitz import text as texts
from kiebitz.games import Refused, game_class
from kiebitz.games.base import REQUIRED, count, positive
from kiebitz.text import card_text, fill, later, listed, note, player, rank_text, refusal, said, text, use
from kiebitz.text.describe import date_text, decimal_text, describe

NAMES = ["Anna", "Ben", "Cleo", "Dan"]


def test_places_are_filled_and_numbers_bring_their_word():
    cases = (
        ("Go.", {}, "Go."),
        ("{name} goes", {"name": "Ben"}, "Ben goes"),
        ("{a}{b} {a}", {"a": 1, "b": "x"}, "1x 1"),
        ("{k:chip|chips}", {"k": 1}, "1 chip"),
        ("{k:chip|chips}!", {"k": 0}, "0 chips!"),
        ("{k:chip|chips} or {n:card|cards}", {"k": 12, "n": 1}, "12 chips or 1 card"),
        ("{name}", {"name": "{k} | } {"}, "{k} | } {"),
    )
    for sentence, places, want in cases:
        assert fill(sentence, places) == want, sentence


def test_a_number_takes_the_word_that_its_language_has_for_it():
    for lang, want in (("en", "0 chips"), ("fr", "0 chip"), ("it", "0 chips")):
        use(lang)
        assert fill("{k:chip|chips}", {"k": 0}) == want, lang
        assert fill("{k:chip|chips}", {"k": 1}) == "1 chip", lang
        assert fill("{k:chip|chips}", {"k": 10}) == "10 chips", lang
    use("en")


def test_a_sentence_to_come_is_said_in_the_language_of_then():
    sentence = later("E_TURN", name="Ben")
    assert said(sentence) == "Ben is to act now." and said("as it is") == "as it is"
    use("de")
    assert said(sentence) == "Jetzt ist Ben dran."
    use("en")


def test_dates_and_decimals_are_written_as_the_language_does():
    for lang, day, number in (
        ("en", "2026-11-05", "4.99"),
        ("de", "05.11.2026", "4,99"),
        ("fr", "05/11/2026", "4,99"),
        ("it", "05/11/2026", "4,99"),
        ("nl", "05-11-2026", "4,99"),
    ):
        use(lang)
        assert (date_text(1793836800), decimal_text("4.99")) == (day, number), lang
    use("en")


def test_days_are_those_of_the_calendar():
    for unix, day in (
        (0, "1970-01-01"),
        (86399, "1970-01-01"),
        (86400, "1970-01-02"),
        (951782400, "2000-02-29"),
        (951868800, "2000-03-01"),
        (1709164800, "2024-02-29"),
        (1767225599, "2025-12-31"),
        (1767225600, "2026-01-01"),
    ):
        assert date_text(unix) == day


def test_cards_of_poch_are_called_as_they_are_printed_there():
    for lang, ranks in (("en", "AKQJ"), ("de", "AKDB"), ("fr", "ARDV"), ("it", "AKQJ"), ("nl", "AHVB")):
        use(lang)
        assert "".join([rank_text(rank) for rank in "AKQJ"]) == ranks, lang
        assert (rank_text("T"), rank_text("9")) == ("10", "9"), lang
    use("en")


def test_a_missing_place_is_a_bug_and_not_silent():
    try:
        text("E_TURN")
    except KeyError:
        return
    raise AssertionError("a sentence without its name was accepted")


def test_a_key_without_a_sentence_is_shown_by_its_end_and_does_not_stop_a_game():
    for key, want in (("val.7", "7"), ("opt.goal.seven", "seven"), ("E_BEYOND", "E_BEYOND")):
        assert text(key, name="Ben") == want, key
    assert refusal(Refused("E_BEYOND", p=1, left=2), NAMES) == "E_BEYOND"


def test_lists_of_names_read_like_speech():
    for n, want in enumerate(("", "Anna", "Anna and Ben", "Anna, Ben and Cleo")):
        assert listed(NAMES[:n]) == want


def test_a_number_that_is_no_seat_is_called_by_it():
    assert player(1, NAMES) == "Ben"
    assert player(4, NAMES) == "Seat 4"
    assert player(-1, NAMES) == "Seat -1"


def test_cards_show_their_suit():
    for card, want in (("TH", "10♥"), ("7S", "7♠"), ("*", "*"), ("a5", "a5"), ("7H7H", "7H7H")):
        assert card_text(card) == want


def test_refusals_speak_to_the_players():
    cases = (
        ("E_CHIPS", {"p": 1, "have": 1, "need": 3}, "Ben has only 1 chip and needs 3."),
        ("E_CHIPS", {"p": 0, "have": 0, "need": 1}, "Anna has only 0 chips and needs 1."),
        ("E_TURN", {"p": 2}, "Cleo is to act now."),
        ("E_PLAYER", {"p": 9}, "Seat 9 is not in the game."),
        ("E_PHASE", {"phase": "CASH"}, "That is not possible now. The game is at: Cashing trumps."),
        ("E_BOARD_FULL", {"board": "full_house"}, "Full House is full until the next round."),
        ("E_ORDER", {}, "Swap first, then draw the free card, then buy."),
        ("E_ORDER", {"p": 1}, "A round goes clockwise, beginning with Ben."),
        ("E_COMBO:COUNT", {"board": "pair", "n": 2}, "Pair takes exactly 2 cards."),
        ("E_COMBO:SUIT", {"board": "flush", "n": 5}, "Flush is all of one suit."),
        ("E_COMBO:SUIT", {"board": "straight", "n": 5}, "Straight needs at least two suits."),
        ("E_COMBO:NEWS", {"board": "straight", "n": 5}, "These cards do not make Straight."),
        ("E_DECK", {"card": "TD"}, "The pack has 10♦ only twice."),
        ("W_MISSING", {"seats": [0, 1, 2, 3]}, "No points yet: Anna, Ben, Cleo and Dan. Give them 0?"),
        ("W_MISSING", {"seats": [0, 1, 2, 3, 4, 5]}, "No points yet: Anna, Ben, Cleo and +3. Give them 0?"),
        ("E_ANTE_SHORT", {"seats": [0, 3]}, "Under 8 chips: Anna and Dan. Lend some, retire or finish the game."),
        ("E_POOL", {"pool": "POCHER"}, "Pocher is not cashed: the bidding decides it."),
        ("E_POOL", {"pool": "GOLD"}, "GOLD is not a pool to cash."),
        ("W_UNCASHED", {"pools": ["A", "T"]}, "Nobody has cashed Ace and Ten. Go on all the same?"),
        ("E_POCH", {"p": 0}, "Anna: a Poch is 2, 3 or 4 cards of one rank."),
        ("E_POCH", {"rank": "K"}, "One pack cannot hold these hands of rank K."),
        ("E_SETTING", {"name": "no_poch"}, "There is no such house rule or value: Nobody has a Poch."),
        ("E_ARG", {"what": "players"}, "A name has 1 to 24 characters, and no two are alike."),
        ("E_ARG", {"what": "k"}, '"k" is missing or cannot be right.'),
    )
    for code, info, want in cases:
        assert refusal(Refused(code, **info), NAMES) == want, code


def test_notes_are_sentences_too():
    assert note("W_SHORT", {"p": 1, "missing": 8}, NAMES) == "Ben is 8 chips short; that much is waived."


def test_what_a_file_wrote_is_repeated_only_as_far_as_it_can_be_shown():
    long = refusal(Refused("E_BOARD", board="x" * 300), NAMES)
    assert long == "x" * 28 + " is not among the boards."
    assert refusal(Refused("E_CARD", card="\x1b[31m\x85"), NAMES) == "There is no card ?[31m?."


def test_only_known_languages_are_spoken():
    use("en")
    assert text("game.poch") == "Poch"
    try:
        use("xx")
    except ValueError:
        assert text("game.poch") == "Poch"
        assert texts.LANGUAGES[0] == "en"
        return
    raise AssertionError("an unknown language was accepted")


# --- descriptions of entries ---


def reads(kind, cases):
    for event, want in cases:
        assert describe(event, NAMES, kind) == want, event
        assert len(want) <= 24, want


def test_entries_of_royal_flush():
    cases = (
        ({"ev": "spend", "p": 0, "k": 2}, "Anna spends 2"),
        ({"ev": "take", "p": 1, "swaps": 1, "buys": 2}, "Ben takes, pays 3"),
        ({"ev": "take", "p": 1, "swaps": 0, "buys": 0}, "Ben takes a card"),
        ({"ev": "score", "p": 1, "board": "pair", "cards": "7H 7D"}, "Ben: Pair"),
        ({"ev": "swap", "p": 0}, "Anna swaps the cards"),
        ({"ev": "draw", "p": 0}, "Anna draws a card"),
        ({"ev": "buy", "p": 0}, "Anna buys a card"),
        ({"ev": "end_turn", "p": 0}, "Anna ends the turn"),
        ({"ev": "turn", "p": 0}, "Anna is to act"),
        ({"ev": "boards", "boards": "starter"}, "New boards"),
    )
    reads("royal_flush", cases)


def test_entries_of_poker_carre():
    cases = (
        ({"ev": "layout", "cards": "a1 a2 a3 a4 a5 a6 a7 b1 b2"}, "Nine cards laid out"),
        ({"ev": "extra", "card": "g7", "x": 3, "y": 0}, "Tenth card: g7"),
        ({"ev": "place", "p": 2, "card": "a5", "x": -1, "y": 2}, "Cleo: a5 2←1↓"),
        ({"ev": "place", "p": 2, "items": [["H", "set", 3], ["V", "straight", 7]]}, "Cleo scores 9"),
        ({"ev": "place", "p": 2, "items": []}, "Cleo scores 0"),
        ({"ev": "mark", "p": 2, "rubric": 4}, "Cleo: +7 points"),
        ({"ev": "unmark", "p": 2, "rubric": 1}, "Cleo: -1 point"),
        ({"ev": "skip", "p": 0, "hand": "a1"}, "Anna skips"),
        ({"ev": "finish"}, "Game finished"),
    )
    reads("poker_carre", cases)


def test_entries_of_poch():
    cases = (
        ({"ev": "start_round", "trump": "H"}, "Round starts, trump ♥"),
        ({"ev": "cash", "p": 1, "pool": "MARRIAGE"}, "Ben cashes Marriage"),
        ({"ev": "end_cash", "confirm": True}, "End of cashing"),
        ({"ev": "bid", "p": 1, "k": 5}, "Ben bids 5"),
        ({"ev": "hold", "p": 1}, "Ben holds"),
        ({"ev": "pass", "p": 1}, "Ben passes"),
        ({"ev": "showdown", "best": 0}, "Best Poch: Anna"),
        ({"ev": "showdown", "best": None}, "Nobody has a Poch"),
        ({"ev": "reveal", "hands": {"0": [2, "K", True]}}, "Pochs shown: 1"),
        ({"ev": "lead", "p": 3, "dir": "DOWN"}, "Dan leads downwards"),
        ({"ev": "end_round", "winner": 0, "left": {"1": 2}}, "Anna is out of cards"),
        ({"ev": "loan", "from": 0, "to": 1, "k": 5}, "Anna lends Ben 5"),
        ({"ev": "retire", "p": 3}, "Dan retires"),
        ({"ev": "end_game"}, "End of the game"),
    )
    reads("poch", cases)


def test_entries_of_top_spot():
    plays = [{"p": p, "cards": 1, "value": v, "followed": True, "joker": False} for p, v in ((0, 4), (1, 6), (2, 6))]
    cases = (
        ({"ev": "point", "p": 0}, "Point for Anna"),
        ({"ev": "blank"}, "Round without a point"),
        ({"ev": "bonus", "p": 0, "k": 3}, "Anna: bonus 3"),
        ({"ev": "trick", "plays": plays}, "Round: 4 6 6"),
        ({"ev": "next_game"}, "Next game"),
    )
    reads("top_spot", cases)


def test_an_argument_that_was_left_out_is_told_as_its_default():
    events = game_class("top_spot").EVENTS
    for default, want in ((3, "Anna: bonus 3"), (None, "Anna: bonus ")):
        before = events["bonus"]
        events["bonus"] = (("p", count, REQUIRED), ("k", positive, default))
        try:
            assert describe({"ev": "bonus", "p": 0}, NAMES, "top_spot") == want
            assert describe({"ev": "bonus", "p": 0, "k": 5}, NAMES, "top_spot") == "Anna: bonus 5"
        finally:
            events["bonus"] = before


def test_entries_of_every_game():
    cases = (
        ({"ev": "undo"}, "Undo"),
        ({"ev": "redo", "k": 3}, "Redo"),
        ({"ev": "correct", "at": 4, "event": {"ev": "finish"}}, "Entry 5 corrected"),
    )
    reads("poch", cases)
