"""Test the sentences for players (refusals, notes, filled places)."""

from kiebitz import text as texts
from kiebitz.games import Refused
from kiebitz.text import card_text, fill, later, listed, note, player, rank_text, refusal, said, text, use
from kiebitz.text.formats import date_text, decimal_text

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
        ("E_CHIPS", {"p": 1, "have": 1, "need": 3}, "Ben has only 1 chip, 3 are needed."),
        ("E_CHIPS", {"p": 0, "have": 0, "need": 1}, "Anna has only 0 chips, 1 is needed."),
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
