"""Test titles of any game: choosing, editing and listing them."""

from helpers.device import Device
from kiebitz.games import new_game
from kiebitz.screens.library import GameCard, LibraryMenu
from kiebitz.screens.table_screen import ranked
from kiebitz.store.presets import PRESETS_MAX, Presets
from kiebitz.text import game_name, said, text
from kiebitz_lab.handheld import spelled

SKYJO = {
    "game": "any_game",
    "title": "Skyjo",
    "players": ["Anna", "Ben", "Cleo"],
    "options": {"wins": "low", "end": "target", "limit": 100},
}
COUNTER = {"game": "any_game", "title": "Life", "players": ["Anna", "Ben"], "options": {"entry": "counter"}}
CARRE = {"game": "poker_carre", "players": ["Anna", "Ben"]}


def shelf():
    """Return a device with a finished Skyjo, an unfinished counter and, running, a game without a title."""
    device = Device()
    games = device.app.library
    games.create(dict(COUNTER))
    games.play({"ev": "add", "p": 1, "k": 5})
    games.create(dict(SKYJO))
    for p, k in ((0, 98), (1, 60), (2, 101)):
        games.play({"ev": "points", "p": p, "k": k})
    games.create(dict(CARRE))
    return device


def labels(device):
    device.app.push(LibraryMenu(device.app))
    device.wait(100)
    found = device.app.top.labels()
    return [said(found[i]) if callable(found[i]) else str(found[i]) for i in range(len(found))]


def test_without_a_title_the_name_of_the_kind_counts():
    assert game_name("poch") == game_name("poch", "") == game_name("poch", None) == "Poch"
    assert game_name("poch", "Skyjo") == "Skyjo"


def test_the_library_lists_games_by_their_titles():
    device = shelf()
    lines = labels(device)
    assert "Skyjo" in lines[1] and "Ben" in lines[1]
    device.restart()  # the same from the index on flash
    assert labels(device)[1] == lines[1]
    assert device.sees("Skyjo", "Life", text("game.poker_carre"))


def test_the_card_of_a_game_has_its_title_and_the_fewest_points_first():
    device = shelf()
    games = device.app.library
    entry = games.entry(games.ids()[1])
    assert (entry["title"], entry["low"]) == ("Skyjo", True)
    device.app.push(GameCard(device.app, entry))
    device.wait(100)
    assert device.sees("Skyjo")
    shown = device.text()
    assert shown.index("Ben") < shown.index("Anna") < shown.index("Cleo")
    device.keys("ok")
    assert device.sees("Skyjo")


def test_a_game_without_a_title_has_the_line_in_the_index_that_it_always_had():
    device = shelf()
    games = device.app.library
    entry = games.entry(games.ids()[0])
    assert "title" not in entry and "low" not in entry
    assert entry["game"] == "poker_carre"


def test_the_ranking_has_the_fewest_points_first_where_they_win():
    game = new_game(SKYJO)
    for p, k in ((0, 98), (1, 60)):
        game.apply({"ev": "points", "p": p, "k": k})
    assert ranked(game) == [(1, 2, 0), (2, 1, 60), (3, 0, 98)]
    game.apply({"ev": "points", "p": 2, "k": 101})
    assert ranked(game) == [(1, 1, 60), (2, 0, 98), (3, 2, 101)]


KIND = "any_game"
TITLES = "pick:start.new pick:game.%s " % KIND  # from the first screen to the list of titles
SKYJO_LISTED = {
    "game": KIND,
    "title": "Skyjo",
    "options": {"wins": "low", "end": "target", "limit": 100, "ender": "doubles"},
}
BUILT_IN = ["Skyjo", "Rummy", "Uno", "Doppelkopf", "Schafkopf", "Tarot", "Canasta", "Phase 10", "Hearts", "Gin Rummy",
            "Qwirkle", "Farkle", "Points"]  # fmt: skip


def listed_labels(d):
    """Return the titles of the list."""
    return [preset["title"] for preset in d.app.top.presets]


def with_presets(*titles):
    """Return a device on which these titles were played, the first one last."""
    d = Device()
    for title in reversed(titles):
        d.app.presets.played({"game": KIND, "title": title, "players": ["Anna", "Ben"], "options": {"start": 5}})
    return d


def stored(d):
    """Return the titles on flash."""
    return [preset["title"] for preset in Presets(d.storage).all]


def test_a_new_device_offers_well_known_titles_and_a_new_one():
    d = Device().keys(TITLES)
    assert d.sees("Which title?", "Skyjo", "Rummy") and listed_labels(d) == BUILT_IN
    d.keys("at:presets.new")
    assert d.sees("New title")


def test_skyjo_is_chosen_with_its_settings_and_is_the_newest_title_then():
    d = Device().keys(TITLES + "ok ok*3 right ok")
    assert d.game.KIND == KIND and d.game.title == "Skyjo" and d.game.n == 3
    assert d.game.low_wins and (d.game.options["end"], d.game.options["limit"]) == ("target", 100)
    assert Presets(d.storage).all == [SKYJO_LISTED]


def test_a_title_of_four_players_and_more_is_kept_with_who_sits_out():
    d = Device().keys(TITLES)
    d.app.top.at = listed_labels(d).index("Doppelkopf")
    d.keys("ok ok*5 right pick:opt.sits_out at:new.start ok")
    assert d.game.exchanges and d.game.sitting_out == 4 and stored(d) == ["Doppelkopf"]
    d.app.leave_table()
    d.app.roster.replace([])
    d.keys(TITLES)
    d.keys("ok pick:players.guest.add ok*2 right ok")
    assert d.game.n == 3 and d.game.sitting_out is None and d.table.setup["deals"] == 1


def test_titles_played_last_come_first_and_none_twice():
    d = with_presets("Tichu", "Farkle").keys(TITLES)
    assert listed_labels(d) == ["Tichu", "Farkle"] + BUILT_IN[:-2] + ["Points"]
    d.keys("down ok ok*2 right ok")
    assert d.game.title == "Farkle" and d.game.options["start"] == 5 and d.game.options["end"] == "open"
    assert stored(d) == ["Farkle", "Tichu"]


def test_the_plain_sheet_is_called_so_in_the_language_of_the_device():
    d = Device(language="de").keys(TITLES + "up*2 ok ok*2 right ok")
    assert d.game.title == "Punkte" and stored(d) == ["Punkte"]
    d.app.leave_table()
    d.keys(TITLES)
    assert listed_labels(d).count("Punkte") == 1 and "Points" not in listed_labels(d)


def test_a_new_title_is_written_and_kept():
    d = Device().keys(TITLES + "pick:presets.new")
    assert d.sees("Title?")
    d.keys(spelled("Uno") + " hold:ok ok*2 right ok")
    assert d.game.title == "Uno" and stored(d) == ["Uno"]


def test_undo_leads_back_to_the_titles_step_by_step():
    d = Device().keys(TITLES + "down ok")
    assert d.sees("Who plays?")
    d.keys("undo")
    assert d.sees("Which title?") and d.app.top.at == 1
    d.keys("undo")
    assert d.sees("Which game?")


def test_a_title_is_renamed_and_its_settings_changed():
    d = with_presets("Tichu", "Flip 7").keys(TITLES + "down right")
    assert d.sees("Flip 7", "Keep these settings", "keep")
    d.pick("Name: Flip 7")
    d.keys("undo*2 hold:ok")
    d.pick("Winner: most points")
    d.app.top.at = 0
    d.keys("ok")
    assert d.sees("Flip is on the list.", "Which title?")
    flip = {"game": KIND, "title": "Flip", "options": {"start": 5, "wins": "low"}}
    assert Presets(d.storage).all[1] == flip and stored(d) == ["Tichu", "Flip"]


def test_the_points_of_one_press_are_remembered_with_the_title():
    d = Device().keys(TITLES + "ok ok*2 right")
    d.pick("One press: 1")
    d.app.top.at = 0
    d.keys("ok")
    assert d.app.presets.all == [dict(SKYJO_LISTED, step=5)]
    d.app.leave_table()
    d.keys(TITLES + "ok ok*2 right ok")
    assert d.table.setup["step"] == 5


def test_without_keeping_nothing_changes():
    d = with_presets("Tichu").keys(TITLES + "right")
    d.pick("Winner: most points")
    d.keys("undo")
    assert d.sees("Which title?") and Presets(d.storage).all[0]["options"] == {"start": 5}


def test_a_well_known_title_is_changed_and_stays_so():
    d = Device().keys(TITLES + "right")
    assert d.sees("Skyjo", "Keep these settings") and not d.sees("Take off the list")
    d.pick("Winner: fewest points")
    d.app.top.at = 0
    d.keys("ok")
    assert Presets(d.storage).all == [dict(SKYJO_LISTED, options={"end": "target", "limit": 100})]
    assert listed_labels(d) == BUILT_IN


def test_a_title_that_another_one_has_is_refused():
    d = with_presets("Tichu", "Tichus").keys(TITLES + "down right")
    d.pick("Name: Tichus")
    d.keys("undo hold:ok")
    d.app.top.at = 0
    d.keys("ok")
    assert d.sees("A title has 1 to 24") and stored(d) == ["Tichu", "Tichus"]


def test_a_title_is_removed_and_undo_brings_it_back_where_it_was():
    d = with_presets("Tichu", "Skyjo", "Uno").keys(TITLES + "down right")
    d.pick("Take off the list")
    assert d.sees("Which title?", "Skyjo is off the list.") and stored(d) == ["Tichu", "Uno"]
    assert listed_labels(d) == ["Tichu", "Uno"] + [
        title for title in BUILT_IN if title != "Uno"
    ]  # Skyjo as every device has it
    d.keys("right")
    d.pick("Take off the list")
    assert stored(d) == ["Tichu"]
    d.keys("undo undo")
    assert stored(d) == ["Tichu", "Skyjo", "Uno"] and listed_labels(d)[:3] == ["Tichu", "Skyjo", "Uno"]
    d.keys("undo")
    assert d.sees("Which game?")


def test_a_title_for_which_there_is_no_room_any_more_is_said_and_undo_leads_on():
    d = with_presets(*["Title %d" % k for k in range(PRESETS_MAX)]).keys(TITLES + "right")
    d.pick("Take off the list")
    d.app.presets.add({"game": KIND, "title": "From the laptop"})
    d.keys("undo")
    assert d.sees("The list is full.") and len(stored(d)) == PRESETS_MAX
    d.keys("undo")
    assert d.sees("Which game?")


def test_a_removal_is_taken_back_once_the_flash_has_room_again():
    d = with_presets("Tichu", "Uno").keys(TITLES + "right")
    d.pick("Take off the list")
    d.storage.full_at(d.storage.count, 0, stays=True)
    d.keys("undo")
    assert d.sees("Memory") and stored(d) == ["Uno"]
    d.storage.make_room()
    d.keys("ok undo")
    assert stored(d) == ["Tichu", "Uno"]


def test_on_a_full_flash_the_list_stays():
    d = with_presets("Tichu").keys(TITLES + "right")
    d.storage.full_at(d.storage.count, 0, stays=True)
    d.pick("Take off the list")
    assert d.sees("Memory") and stored(d) == ["Tichu"]


def test_damaged_titles_are_told_once():
    d = with_presets("Tichu", "Uno")
    d.storage.flip("presets", 12, 3)
    d.restart()
    d.keys(TITLES)
    assert d.sees("The list of titles was", "damaged")
    d.keys("ok")
    assert d.sees("Which title?")
    d.keys("undo ok")
    assert d.sees("Which title?")


def test_the_same_again_keeps_title_and_settings_and_the_next_player_deals():
    d = Device().keys(TITLES + "ok ok*3 right ok")
    for p, k in enumerate((101, 20, 30)):
        d.table.play({"ev": "points", "p": p, "k": k})
    d.restart()
    assert d.game.over
    d.keys("ok")
    if not d.sees("Final ranking"):
        d.keys("ok")
    d.keys("left")
    assert not d.game.over and d.game.title == "Skyjo" and d.game.options["limit"] == 100 and d.game.low_wins
    assert d.game.dealer == 0 and d.sees("The same again. Dealer: Guest 1")
    assert Presets(d.storage).all == [SKYJO_LISTED]


def test_begun_anew_a_game_has_its_title_and_settings():
    d = Device().keys(TITLES + "ok ok*2 right ok")
    d.app.top.open_menu()
    d.wait(50)
    d.pick("Start over, same players")
    assert d.sees("Skyjo")
    d.keys("ok")
    assert d.game.title == "Skyjo" and d.game.low_wins


def test_a_laptop_may_change_the_list_while_it_is_shown():
    d = with_presets("Tichu", "Uno").keys(TITLES + "down right")
    d.app.presets.remove(KIND, "Uno")
    d.pick("Take off the list")
    assert stored(d) == ["Tichu"]
    d.keys("undo")
    assert d.sees("Which title?") and listed_labels(d)[0] == "Tichu"


def test_the_own_points_of_a_title_are_its_usual_rules_until_one_is_changed():
    for title in ("Kniffel", "Yahtzee", "Yams"):
        d = Device().keys(f"ok pick:game.five_dice pick:title.{title} ok*2 right")
        assert d.sees(title, "House rules: usual")
    d.keys("pick:new.rules ok undo")
    assert d.sees("House rules: 1 changed")
