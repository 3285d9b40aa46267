"""Test the choice of players, writing names in every language, and drawing lots, dice and a coin."""

from helpers.device import Device, at_table
from kiebitz.games import GAMES, presets_of
from kiebitz.screens.letters import MORE, pages_of
from kiebitz.screens.new_game import set_up
from kiebitz.screens.table_screen import initials
from kiebitz.screens.who_starts import by_chance
from kiebitz.text import lower, upper
from kiebitz_lab.handheld import spelled

ROYAL = "ok ok "  # from the first screen to Who plays?


def seats(d):
    """Return the lines of the list that have a seat."""
    return [line for line in d.lines() if line[:1].isdigit()]


def test_a_guest_takes_one_press_and_is_called_after_the_seat():
    d = Device().keys(ROYAL + "ok*4")
    assert d.sees("4 of 2-5", "4 Guest 4")
    d.keys("right ok")
    assert d.game.names == ["Guest 1", "Guest 2", "Guest 3", "Guest 4"]


def test_guests_are_called_so_in_the_language_of_the_device():
    names = {"de": "Gast 1", "fr": "Invit\u00e9 1", "it": "Ospite 1", "nl": "Gast 1"}
    for lang in names:
        d = Device(language=lang).keys(ROYAL + "ok*2 right ok")
        assert d.game.names[0] == names[lang]


def test_guests_do_not_stay_on_the_list_but_can_play_again():
    d = Device().keys(ROYAL + "ok*2 pick:players.new " + spelled("Ben") + " hold:ok hold:ok ok")
    assert d.game.names == ["Guest 1", "Guest 2", "Ben"]
    assert d.app.roster.names == ["Ben"]
    d.restart()
    d.keys("left pick:menu.leave pick:start.new ok")
    assert d.sees("Same again: Guest 1, Guest 2, Ben")
    d.keys("ok ok")
    assert d.game.names == ["Guest 1", "Guest 2", "Ben"]


def test_the_name_of_a_guest_can_be_written_over():
    d = Device().keys(ROYAL + "ok*3 up*2")
    assert d.sees("name", "up", "done")
    d.keys("ok")
    assert d.sees("Name for seat 2?")
    d.keys(spelled("Eva") + " hold:ok")
    assert seats(d) == ["1 Guest 1", "2 Eva", "3 Guest 3"]
    d.keys("undo")
    assert seats(d) == ["1 Guest 1", "2 Guest 2", "3 Guest 3"]


def test_names_are_written_one_after_the_other_and_holding_ok_goes_on():
    d = Device().keys(ROYAL + "pick:players.new " + spelled("An") + " hold:ok")
    assert d.sees("Name for seat 2?") and not d.sees("hold: go on")
    d.keys(spelled("Bo") + " hold:ok")
    assert d.sees("Name for seat 3?", "hold: go on")
    d.keys("hold:ok")
    assert d.sees("Begin the game", "Dealer: Bo")
    d.keys("undo")
    assert seats(d) == ["1 An", "2 Bo"] and d.app.roster.names == ["Bo", "An"]


def test_a_name_is_followed_by_the_list_if_there_are_others_to_choose_from():
    d = Device()
    d.app.roster.add("Anna")
    d.keys(ROYAL + "pick:players.new " + spelled("Bo") + " hold:ok")
    assert d.sees("1 Bo", "\u2610 Anna")


def test_players_are_listed_by_their_seats_and_the_cursor_goes_on_to_the_next_name():
    d = Device()
    d.app.roster.replace(["Anna", "Ben", "Cleo", "Dan"])
    d.keys(ROYAL + "down*2 ok ok up*2")
    assert d.lines()[1:5] == ["1 Cleo", "2 Dan", "\u2610 Anna", "\u2610 Ben"]
    d.keys("ok ok up*2")
    assert d.lines()[1:5] == ["1 Cleo", "2 Dan", "3 Anna", "4 Ben"]


def test_a_player_is_moved_up_and_the_first_one_to_the_end():
    d = Device()
    d.app.roster.replace(["Anna", "Ben", "Cleo"])
    d.keys(ROYAL + "ok*3")
    assert seats(d) == ["1 Anna", "2 Ben", "3 Cleo"]
    d.keys("up left")
    assert seats(d) == ["1 Anna", "2 Cleo", "3 Ben"] and d.sees("away", "up", "done")
    d.keys("left left")
    assert seats(d) == ["1 Anna", "2 Ben", "3 Cleo"]
    d.keys("up*2 left")
    assert seats(d) == ["1 Ben", "2 Cleo", "3 Anna"]
    d.keys("undo*4")
    assert seats(d) == ["1 Anna", "2 Ben", "3 Cleo"]
    d.keys("up left right ok")
    assert d.game.names == ["Ben", "Anna", "Cleo"]


def test_guests_are_called_after_their_new_seats_when_they_move():
    d = Device()
    d.app.roster.add("Anna")
    d.keys(ROYAL + "ok ok up*2 down left")
    assert seats(d) == ["1 Guest 1", "2 Anna"]


def test_a_seat_is_taken_away_and_given_back_by_undo():
    d = Device()
    d.app.roster.replace(["Anna", "Ben", "Cleo"])
    d.keys(ROYAL + "ok*3 up*2 ok")
    assert seats(d) == ["1 Anna", "2 Cleo"] and d.sees("\u2610 Ben")
    d.keys("undo")
    assert seats(d) == ["1 Anna", "2 Ben", "3 Cleo"]
    d.keys("undo*3")
    assert seats(d) == [] and d.sees("Who plays?")
    d.keys("undo")
    assert d.sees("Which game?")


def test_more_than_all_seats_are_refused():
    d = Device().keys(ROYAL + "ok*6")
    assert d.sees("for 2 to 5 players, not for 6")
    d.keys("pick:players.new")
    assert d.sees("for 2 to 5 players, not for 6")
    assert len(d.app.top.seated) == 5


def test_the_set_up_opens_with_given_players_and_leads_back_to_them():
    d = Device()
    set_up(d.app, "poch", ["Anna", "Guest 2", "Cleo"])
    d.wait(50)
    assert d.sees("Poch", "Begin the game", "Dealer: Cleo")
    d.keys("undo")
    assert seats(d) == ["1 Anna", "2 Guest 2", "3 Cleo"]
    d.keys("down*2 left right ok")
    assert d.game.KIND == "poch" and d.game.names == ["Anna", "Cleo", "Guest 3"]


def test_too_many_given_players_are_shown_to_choose_from():
    d = Device()
    set_up(d.app, "royal_flush", ["A", "B", "C", "D", "E", "F"])
    d.wait(50)
    assert d.sees("Who plays?", "6 of 2-5")
    d.keys("right")
    assert d.sees("not for 6")
    d.keys("ok right ok")
    assert d.game.names == ["B", "C", "D", "E", "F"]


def test_the_set_up_keeps_its_settings_while_the_players_stay_the_same():
    d = Device().keys("ok pick:game.top_spot ok*3 right pick:new.mode")
    assert d.sees("Scoring: Refereed")
    d.keys("undo right")
    assert d.sees("Scoring: Refereed") and d.app.top.at == 0
    d.keys("undo ok right")
    assert d.sees("Dealer: Guest 4", "Scoring: Tally")


# --- writing names ---

LETTERS = {
    "en": "abcdefghijklmnopqrstuvwxyz",
    "de": "\u00e4\u00f6\u00fc\u00df",
    "fr": "\u00e0\u00e2\u00e6\u00e7\u00e9\u00e8\u00ea\u00eb\u00ee\u00ef\u00f4\u0153\u00f9\u00fb\u00fc\u00ff",
    "it": "\u00e0\u00e8\u00e9\u00ec\u00ed\u00ee\u00f2\u00f3\u00f9\u00fa",
    "nl": "\u00e1\u00e9\u00ed\u00f3\u00fa\u00eb\u00ef\u00f6\u00fc\u00e8\u00ea\u00ff",
}
NEW_NAME = "pick:start.players ok "  # from the first screen to an empty name


def test_every_letter_of_the_languages_is_in_the_table_in_both_sizes():
    for lang in LETTERS:
        letters = "".join(pages_of(lang))
        for small in LETTERS["en"] + LETTERS[lang]:
            capital = upper(small)
            assert capital in letters, (lang, small)
            assert lower(capital) == small, (lang, small)
            assert capital == small or capital != small.upper() or lower(capital) != capital, small


def test_no_letter_stands_twice_and_all_pages_but_the_last_are_full():
    for lang in LETTERS:
        pages = pages_of(lang)
        letters = "".join([page[:-1] for page in pages])
        assert len(set(letters)) == len(letters) == len(set("".join(pages_of("en")))) - 1, lang
        assert all(page[-1] == MORE for page in pages), lang
        assert all(len(page) == 25 for page in pages[:-1]) and len(pages[-1]) <= 25, lang


def test_the_letters_of_the_first_page_are_in_the_order_of_the_alphabet():
    for lang in LETTERS:
        first = pages_of(lang)[0][:-1].replace("\u00c9", "")
        assert list(first) == sorted(first), lang
    assert "\u00c9" in pages_of("fr")[0]


def test_signs_digits_and_the_sharp_s_are_the_same_small_and_large():
    for char in "-'.0123456789\u00df \u65e5":
        assert (lower(char), upper(char)) == (char, char)


def test_a_letter_takes_two_keys_and_the_footer_tells_how_to_delete_and_to_finish():
    d = Device().keys(NEW_NAME + "up")
    assert d.sees("A", "B", "C", "D", "E") and not d.sees("F")
    d.keys("left ok right")
    assert d.app.top.name == "Bn" and d.sees("hold: done", "delete")
    d.keys("undo")
    assert d.app.top.name == "B"
    d.keys("up hold:ok")
    assert d.app.roster.names == ["B"], "holding OK drops what its press has chosen"


def test_undo_goes_back_from_five_letters_to_all_and_leaves_an_empty_name():
    d = Device().keys(NEW_NAME + "up undo")
    assert d.sees("A", "F", "Y") and d.app.top.name == ""
    d.keys("undo")
    assert d.sees("Players", "New name")


def test_an_arrow_that_is_held_chooses_only_once():
    d = Device().keys(NEW_NAME + "hold:up")
    assert d.app.top.name == ""
    d.keys("hold:up")
    assert d.app.top.name == "A"


def test_every_letter_can_be_written_in_every_language():
    for lang in LETTERS:
        name = "Qx. \u00dc-9" + LETTERS[lang][-3:]
        d = Device(language=lang).keys(NEW_NAME + spelled(name, lang))
        assert d.app.top.name == name, lang


def test_accented_names_are_written_with_a_capital_and_small_letters_after_it():
    d = Device().keys(NEW_NAME + spelled("\u00c9lo\u00efse"))
    assert d.app.top.name == "\u00c9lo\u00efse" and d.sees("\u00c9lo\u00efse_"), d.text()


def test_no_name_begins_with_a_space_or_is_empty():
    d = Device().keys(NEW_NAME + spelled(" ") + " hold:ok")
    assert d.sees("Two keys choose a letter.") and d.app.roster.names == []


def test_players_with_accented_names_have_marks_in_capitals():
    assert initials(["\u00e9lodie", "\u00c9mile", "\u00e4nne", "anna"]) == ["\u00c9", "M", "\u00c4", "A"]


def test_a_name_with_other_letters_is_kept_as_it_is():
    d = Device()
    d.app.roster.add("\u0141ukasz \u65e5")
    d.keys("pick:start.players")
    assert d.sees("\u0141ukasz \u65e5") and not d.faults()
    d.restart()
    assert d.app.roster.names == ["\u0141ukasz \u65e5"]


def test_guests_are_marked_by_their_numbers():
    for guest in ("Guest", "Gast", "Invit\u00e9", "Ospite"):
        assert initials([guest + " 1", "Anna", guest + " 3"]) == ["1", "A", "3"]


def test_the_letters_of_a_group_do_not_touch_the_header():
    d = Device().keys(NEW_NAME + "up")
    rows = [bytes(row) for row in d.hw.oled.frame()]
    assert not any(rows[7]) and not any(rows[8]) and any(rows[9])


# --- who starts ---

TABLE = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}


def loaded(d, *values):
    """Let the next throws be these numbers, whenever they are made; each is of 2, 3 or 6."""
    left = list(values)
    d.hw.urandom = lambda n: bytes([(left.pop(0) - (d.hw.time.ticks_ms() >> 4)) % 6 for _ in range(n)])
    return d


def who_starts(d):
    """Open the screen from the menu of a table."""
    d.app.top.open_menu()
    d.wait(50)
    d.pick("Who starts?")
    return d


def test_somebody_is_drawn_and_ok_draws_again():
    d = loaded(who_starts(at_table(TABLE)), 1, 5)
    assert d.sees("Who starts?", "player", "?", "throw")
    d.keys("ok")
    assert d.sees("Ben")
    d.keys("ok")
    assert d.sees("Cleo") and not d.sees("Ben")
    d.keys("undo*2")
    assert d.sees("Round 1 of 3") and len(d.table) == 0


def test_one_die_two_dice_and_a_coin_are_thrown():
    d = loaded(who_starts(at_table(TABLE)), 3, 5, 2, 0, 1)
    d.keys("right")
    blank = [bytes(row) for row in d.hw.oled.frame()]
    d.keys("ok")
    assert d.sees("1 die") and d.app.top.thrown == [3]
    assert [bytes(row) for row in d.hw.oled.frame()] != blank
    d.keys("right ok")
    assert d.sees("2 dice", "6 + 3 = 9")
    d.keys("right ok")
    assert d.sees("coin", "Heads")
    d.keys("ok")
    assert d.sees("Tails")
    d.keys("right")
    assert d.sees("player", "?")


def test_the_same_result_again_can_be_seen_to_be_a_new_one():
    d = loaded(who_starts(at_table(TABLE)), 1, 1).keys("ok")
    first = d.text()
    d.keys("ok")
    assert d.sees("Ben") and d.text() != first


def test_every_table_has_it_in_its_menu():
    for kind in GAMES:
        d = who_starts(at_table({"game": kind, "players": ["Anna", "Ben", "Cleo"]}))
        assert d.sees("Who starts?", "player"), kind


def test_the_first_dealer_is_drawn_at_the_set_up():
    d = Device()
    d.app.roster.played(["Anna", "Ben", "Cleo"])
    d.keys("ok ok ok at:new.dealer")
    assert d.sees("Dealer: Cleo") and not d.sees("by lot")
    d.keys("right")
    assert d.sees("Dealer: by lot") and not d.sees("Cleo")
    d.keys("up")
    loaded(d, 0).keys("ok")
    assert d.sees("Who deals?", "Anna", "begin") and not d.sees("starts")
    d.keys("undo")
    assert d.sees("Dealer: by lot")
    loaded(d, 1).keys("ok")
    assert d.sees("Who deals?", "Ben")
    d.hw.urandom = d.hw._pseudo_random
    d.keys("ok")
    assert d.game.dealer == 1 and d.table.setup["dealer"] == 1


def test_by_lot_is_one_value_of_the_line_of_the_dealer_in_every_game():
    for kind in GAMES:
        d = Device()
        d.app.roster.played(["Anna", "Ben", "Cleo"])
        d.keys("ok pick:game." + kind)
        if presets_of(kind):
            d.app.top.at = min(2, len(presets_of(kind).TITLES) - 1)  # a title with a dealer
            d.keys("ok")
        d.keys("ok at:new.dealer left")
        assert d.sees("Dealer: Ben"), kind
        d.keys("left left")
        assert d.sees("Dealer: by lot"), kind
        d.keys("left")
        assert d.sees("Dealer: Cleo"), kind


def test_a_long_name_is_shown_in_full():
    name = "Bartholom\u00e4us Sch\u00f6nfelder"
    d = loaded(who_starts(at_table({"game": "royal_flush", "players": ["Anna", name]})), 1).keys("ok")
    assert d.sees(name) and not d.faults()


def test_every_number_is_equally_likely():
    d = Device()
    for n in (2, 3, 4, 5, 6, 7, 8):
        left = list(range(256))
        d.hw.urandom = lambda count, left=left: bytes([left.pop() for _ in range(count)])
        drawn = [by_chance(d.app, n) for _ in range(256 // n * n)]
        assert [drawn.count(value) for value in range(n)] == [256 // n] * n, n


def test_a_chip_whose_chance_is_always_the_same_does_not_throw_the_same_every_evening():
    d = who_starts(at_table(TABLE)).keys("right")
    d.hw.urandom = lambda n: b"*" * n
    thrown = set()
    for ms in range(300, 800, 20):
        d.wait(ms)
        thrown.update(d.keys("ok").app.top.thrown)
    assert thrown == set(range(6))


def seated(table, kind, names, **keys):
    """Return a device for which a club has drawn seats."""
    d = Device()
    setup = {"game": kind, "players": names}
    setup.update(keys)
    d.app.roster.seat({"table": table, "setup": setup})
    d.restart()
    return d


def test_drawn_seats_are_the_first_line_and_one_press_begins_their_game():
    d = seated(3, "skat", ["Anna", "Ben", "Cleo", "Dan"], options={"score": "seeger", "series": 24})
    assert d.sees("3: Anna, Ben, Cleo, Dan")
    d.keys("ok")
    assert d.game.names == ["Anna", "Ben", "Cleo", "Dan"] and d.game.dealer == 3
    assert (d.game.options["score"], d.game.options["series"]) == ("seeger", 24)
    assert d.app.roster.seats is None and d.app.roster.names == ["Anna", "Ben", "Cleo", "Dan"]
    d.restart()
    d.app.leave_table()
    d.wait(100)
    assert d.sees("Go on playing") and not d.sees("3: Anna")


def test_drawn_seats_wait_below_a_game_in_play():
    d = at_table({"game": "poch", "players": ["Eva", "Finn"]}, [])
    d.app.roster.seat({"table": 12, "setup": {"game": "skat", "players": ["Anna", "Ben", "Cleo"]}})
    d.restart()
    assert d.game.names == ["Eva", "Finn"]
    d.keys("left pick:menu.leave")
    assert d.sees("Go on playing", "Table 12: Anna, Ben, Cleo")
    d.keys("down ok")
    assert d.game.names == ["Anna", "Ben", "Cleo"]


def test_every_game_can_be_seated_and_is_set_up_as_by_hand():
    for kind in GAMES:
        d = seated(1, kind, ["Anna", "Ben", "Cleo"])
        d.keys("ok")
        assert d.game.KIND == kind and d.game.names == ["Anna", "Ben", "Cleo"]
        assert d.app.roster.seats is None


def test_the_title_of_drawn_seats_brings_its_settings():
    d = seated(1, "any_game", ["Anna", "Ben", "Cleo", "Dan"], title="Canasta", options={"end": "target", "limit": 5000})
    d.keys("ok")
    assert d.game.title == "Canasta" and d.game.options["limit"] == 5000
    assert d.table.setup["teams"] == [0, 1, 0, 1] and d.table.setup["step"] == 5


def test_seats_of_other_rules_are_ignored_after_a_start():
    d = Device()
    d.app.roster._save(["Anna"], [], {"table": 3, "setup": {"game": "skat", "players": ["Anna"]}})
    d.restart()
    assert d.app.roster.seats is None and d.app.roster.names == ["Anna"]
    assert d.lines()[1].endswith("New game")
