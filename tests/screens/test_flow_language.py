"""Test choosing the language at the first start and changing it while any screen is open."""

from helpers.device import Device, at_table
from kiebitz import text as texts
from kiebitz.screens.language import FirstLanguage
from kiebitz.text import LANGUAGES, Phrases, own_name
from kiebitz_lab.handheld import spelled

ROYAL = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}
FOLLOWED = {"game": "royal_flush", "players": ["Anna", "Ben"], "options": {"turns": "follow"}}
SPEND = {"ev": "spend", "p": 0, "k": 2}
QUESTION = {
    "de": ("Sprache", "w\u00e4hlen"),
    "fr": ("Langue", "choisir"),
    "it": ("Lingua", "scegli"),
    "nl": ("Taal", "kies"),
}


def speak(device, lang):
    """Change the setting as the laptop does, while anything may be open."""
    device.app.settings.set("language", lang)
    device.app.wake()
    device.wait(100)


def test_a_new_device_asks_for_the_language_first():
    d = Device(language=None)
    assert d.sees("Language")
    for lang in LANGUAGES:
        assert d.sees(own_name(lang)) and not d.faults()
        d.keys("down")
    d.keys("undo left")
    assert d.sees("Deutsch")
    d.keys("down ok")
    assert d.sees("Welches Spiel?", "Royal Flush")
    d.restart()
    assert d.sees("Neues Spiel")


def test_a_new_device_asks_for_the_game_next_and_one_with_games_does_not():
    d = Device(language=None)
    d.keys("ok")
    assert d.sees("Which game?", "Poch")
    d.keys("undo")
    assert d.sees("New game", "Settings")
    played = at_table(ROYAL)
    played.app.push(FirstLanguage(played.app))
    played.keys("ok")
    assert played.sees("Anna", "Cleo") and not played.sees("Which game?")


def test_english_is_asked_for_only_once_too():
    d = Device(language=None)
    d.keys("ok")
    assert d.sees("Which game?")
    d.restart()
    assert d.sees("New game")


def test_the_question_speaks_the_language_at_the_cursor():
    d = Device(language=None)
    for lang in LANGUAGES[1:]:
        phrases = Phrases(lang)
        d.keys("down")
        assert d.sees(*QUESTION.get(lang, (phrases.get("start.language"), phrases.get("key.choose")))), d.text()
    d.keys("down")
    assert d.sees("Language", "choose")


def test_a_power_cut_before_the_choice_asks_again():
    d = Device(language=None)
    d.keys("down")
    d.restart()
    assert d.sees("Language", "Deutsch")


def test_a_flash_that_is_full_does_not_stop_the_first_start():
    d = Device(language=None)
    d.storage.full_at(d.storage.count, 0, stays=True)
    d.keys("down ok")
    assert d.sees("Der Speicher ist voll")
    d.keys("ok")
    assert d.sees("Welches Spiel?")


def change(device, lang):
    """Choose a language from the list in the settings and confirm it."""
    device.keys("ok pick:" + own_name(lang))


def test_every_language_can_be_chosen_in_the_settings():
    d = Device()
    d.keys("pick:start.settings")
    for lang in LANGUAGES[1:] + LANGUAGES[:1]:
        change(d, lang)
        d.keys("pick:language.change")
        assert d.sees(own_name(lang)) and d.app.settings["language"] == lang


def test_the_language_changes_only_after_a_question_in_the_language_that_was_chosen():
    for answer in ("ok", "undo", "left"):
        d = Device()
        d.keys("pick:start.settings right")
        assert d.sees("Language", "English", "Deutsch", "choose")
        d.keys("down ok")
        assert d.sees("Sprache wechseln?", "So lassen", "Ab jetzt Deutsch", "zur\u00fcck")
        assert d.app.settings["language"] == "en"
        d.keys(answer)  # the cursor is on the harmless line
        assert d.sees("Settings", "Language: English", "change") and d.app.settings["language"] == "en", answer
        d.restart()
        assert d.sees("New game")


def test_the_language_in_use_comes_first_in_the_list_and_changes_nothing():
    d = Device(language="it")
    d.keys("pick:start.settings ok ok")
    assert d.sees("Lingua: Italiano", "Impostazioni") and d.app.settings["language"] == "it"


def test_a_question_in_another_language_is_still_in_it_after_a_pause():
    d = Device()
    d.keys("pick:start.settings ok down ok wait:301000 ok")
    assert d.sees("So lassen") and d.app.settings["language"] == "en"


def test_the_language_is_changed_in_the_middle_of_a_game_and_all_open_screens_follow():
    d = at_table(ROYAL, [SPEND])
    d.keys("up ok up ok")
    assert d.sees("Anna: Three of a Kind", "Round 1 of 3")
    d.keys("left pick:start.settings")
    change(d, "de")
    d.keys("pick:language.change")
    assert d.sees("Sprache: Deutsch")
    d.keys("undo")
    assert d.sees("Alle Eintr\u00e4ge", "Einstellungen")
    d.keys("undo")
    assert d.sees("Durchgang 1 von 3", "Anna: Drilling", "werten")
    d.keys("left pick:menu.leave")
    assert d.sees("Weiterspielen", "Neues Spiel")


def test_whatever_is_open_follows():
    for keys, english, german in (
        ("", "starts", "beginnt"),
        ("left", "Back to the game", "Zur\u00fcck zum Spiel"),
        ("right", "Anna spends", "Anna gibt aus"),
        ("ok", "Big Flush", "6 Karten einer Farbe"),
        ("left pick:royal.menu.cards", "Cards of Anna", "Karten von Anna"),
        ("left pick:menu.rules", "Turns", "Reihenfolge"),
        ("left pick:menu.history", "No entries yet", "Noch keine Eintr\u00e4ge"),
        ("left pick:start.settings pick:set.defaults", "Reset all settings?", "Alle Einstellungen wie am Anfang"),
        ("left pick:start.settings pick:set.about", "Device", "Ger\u00e4t"),
        ("left pick:menu.leave pick:start.new", "Which game?", "Welches Spiel?"),
    ):
        d = at_table(ROYAL)
        d.keys(keys)
        assert d.sees(english), (keys, d.text())
        speak(d, "de")
        assert d.sees(german), (keys, d.text())
        assert not d.faults(), keys


def test_a_question_that_is_open_follows():
    d = at_table(FOLLOWED)
    d.keys("down ok")
    assert d.sees("It is Anna's turn.")
    speak(d, "fr")
    assert d.sees("C'est \u00e0 Anna de jouer.")


def test_the_letters_follow_and_the_name_stays():
    d = Device()
    d.keys("pick:start.players ok " + spelled("Ab"))
    speak(d, "nl")
    assert d.sees("Ab_", "lang: klaar", "wissen")


def test_a_message_of_the_old_language_goes_away():
    d = at_table(ROYAL)
    d.keys("undo")
    assert d.sees("Nothing to take back.")
    speak(d, "it")
    assert not d.sees("Nothing")


def test_the_restored_defaults_are_told_in_the_language_that_stays():
    d = Device(language="it")
    d.keys("pick:start.settings pick:set.defaults ok")
    assert d.sees("Impostazioni ripristinate") and d.app.settings["language"] == "it"


def test_only_one_language_is_in_memory():
    d = at_table(ROYAL)
    english = texts.use("en")
    speak(d, "de")
    german = texts.use("de")
    d.app.wake()
    assert texts.use("de") is german and german.lang == "de"
    assert texts.use("en") is not english, "it was forgotten, and is read anew"


def test_cards_have_the_letters_of_the_players_own_cards():
    for lang, letters in (("en", "J Q K A"), ("de", "B D K A"), ("fr", "V D R A"), ("nl", "B V H A")):
        d = Device(language=lang).sit_down({"game": "royal_flush", "players": ["Anna", "Ben"]})
        d.keys("left pick:royal.menu.cards right*4 ok")
        assert d.sees("9 \ue01d " + letters), (lang, d.text())
        assert d.sees(letters[2] + "\u2660"), (lang, d.text())
