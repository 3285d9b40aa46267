"""Languages of the results: sheets, lists, tables and exports follow --lang or the locale, JSON does not."""

import csv
import io
import json

import pytest
from helpers.finished import carre, poch, royal, spot, unfinished
from kiebitz.text import LANGUAGES
from kiebitz_host.languages import use
from kiebitz_host.league.columns import average_text, whole_text
from rich.cells import cell_len

NARROW = "\u202f"  # stands before a colon in French, and between thousands
NAMES = ["Wilhelmina-Charlotte von", "Bartholomäus Schönfelder", "Françoise d'Haussonville"]

every_language = pytest.mark.parametrize("lang", LANGUAGES)
every_other = pytest.mark.parametrize("lang", ["de", "fr", "it", "nl"])


@pytest.fixture
def evening(put):
    """Store games of all kinds, one not finished, one with an approximate date, and a correction."""
    put(royal(["Anna", "Ben"], [0, 1, 0], spent=[2, 1]), day=1)
    put(unfinished(carre(["Anna", "Ben"], [3, 2])), day=2, damaged=True)
    put(poch(["Anna", "Ben", "Cleo", "Dan"], [57, 143, 143, 57], dealer=1), day=3)
    put(spot(["Anna", "Ben", "Cleo"], [3, 2, 0], level="expert", options={"one_joker_each": "on"}), approximate=True)


def body(out):
    return [line.rstrip() for line in out.splitlines() if line.strip()]


# --- show ---

ROYAL = {
    "de": [
        "Spiel 1 · Royal Flush · 01.01.2026 12:00 · aabbcc-0001-000001",
        "               Anna   Ben",
        "─────────────────────────",
        "Durchgang 1      25     0",
        "Durchgang 2       0    25",
        "Durchgang 3      25     0",
        "Übrige Chips      8    10",
        "Summe            58    35",
        "Platz             1     2",
        "Nr.   Eintrag             Wirkung",
        "───────────────────────────────────────────",
        "      Durchgang 1",
        "  1   Anna gibt 2 aus",
        "  2   Ben gibt 1 aus",
        "  3   Anna: Royal Flush   Anna +25",
        "      Durchgang 2",
        "  4   Ben: Royal Flush    Ben +25",
        "      Durchgang 3",
        "  5   Anna: Royal Flush   Anna +33, Ben +10",
    ],
    "fr": [
        "Partie 1 · Royal Flush · 01/01/2026 12:00 · aabbcc-0001-000001",
        "                  Anna   Ben",
        "────────────────────────────",
        "Manche 1            25     0",
        "Manche 2             0    25",
        "Manche 3            25     0",
        "Jetons restants      8    10",
        "Total               58    35",
        "Rang                 1     2",
        "N°   Saisie               Effet",
        "───────────────────────────────────────────",
        "     Manche 1",
        " 1   Anna dépense 2",
        " 2   Ben dépense 1",
        " 3   Anna : Royal Flush   Anna +25",
        "     Manche 2",
        " 4   Ben : Royal Flush    Ben +25",
        "     Manche 3",
        " 5   Anna : Royal Flush   Anna +33, Ben +10",
    ],
    "it": [
        "Partita 1 · Royal Flush · 01/01/2026 12:00 · aabbcc-0001-000001",
        "                  Anna   Ben",
        "────────────────────────────",
        "Passata 1           25     0",
        "Passata 2            0    25",
        "Passata 3           25     0",
        "Gettoni rimasti      8    10",
        "Totale              58    35",
        "Posto                1     2",
        "N.   Voce                Effetto",
        "──────────────────────────────────────────",
        "     Passata 1",
        " 1   Anna spende 2",
        " 2   Ben spende 1",
        " 3   Anna: Royal Flush   Anna +25",
        "     Passata 2",
        " 4   Ben: Royal Flush    Ben +25",
        "     Passata 3",
        " 5   Anna: Royal Flush   Anna +33, Ben +10",
    ],
    "nl": [
        "Spel 1 · Royal Flush · 01-01-2026 12:00 · aabbcc-0001-000001",
        "             Anna   Ben",
        "───────────────────────",
        "Ronde 1        25     0",
        "Ronde 2         0    25",
        "Ronde 3        25     0",
        "Chips over      8    10",
        "Totaal         58    35",
        "Plaats          1     2",
        "Nr.   Notering            Effect",
        "───────────────────────────────────────────",
        "      Ronde 1",
        "  1   Anna geeft 2 uit",
        "  2   Ben geeft 1 uit",
        "  3   Anna: Royal Flush   Anna +25",
        "      Ronde 2",
        "  4   Ben: Royal Flush    Ben +25",
        "      Ronde 3",
        "  5   Anna: Royal Flush   Anna +33, Ben +10",
    ],
}


@every_other
def test_a_sheet_as_on_paper_in_that_language(evening, kiebitz, lang):
    assert body(kiebitz("show", "1", "--lang", lang).out.replace(NARROW, " ")) == ROYAL[lang]


# Some lines of the other games: how it was played, the labels of its lines, what is wrong with it
LINES = {
    "de": {
        "2": ["Nicht beendet, unvollständig.", "Block", "1 Punkt      3 x   2 x", "  4   Ben: +1 Punkt    Ben +1"],
        "3": ["Chips insgesamt: 400, Geliehenes: geschenkt",
              "Am Anfang    100   100    100   100", "Am Ende      -43   +43    +43   -43"],
        "4": ["Experten, Stichzähler, Ein Joker für jeden: an", "Runde 1      3     2      0"],
    },
    "fr": {
        "2": ["Inachevée, incomplète.", "Feuille", "1 point      3 x   2 x", " 4   Ben : +1 point    Ben +1"],
        "3": ["Jetons en tout : 400, Prêts : donnés",
              "Au départ    100   100    100   100", "À la fin     -43   +43    +43   -43"],
        "4": ["Expert, points, Un joker chacun : oui", "Manche 1      3     2      0"],
    },
    "it": {
        "2": ["Non finita, incompleta.", "Blocco", "1 punto     3 x   2 x", " 4   Ben: +1 punto    Ben +1"],
        "3": ["Gettoni in tutto: 400, Prestiti: regalati",
              "All'inizio    100   100    100   100", "Alla fine     -43   +43    +43   -43"],
        "4": ["Expert, punti, Un jolly a testa: sì", "Mano 1      3     2      0"],
    },
    "nl": {
        "2": ["Niet af, onvolledig.", "Blok", "1 punt       3 x   2 x", "  4   Ben: +1 punt    Ben +1"],
        "3": ["Chips in totaal: 400, Leningen: cadeau", "Aan het begin    100   100    100   100"],
        "4": ["Expert, punten, Ieder één joker: aan", "Spel 1      3     2      0"],
    },
}


@every_other
@pytest.mark.parametrize("game", ["2", "3", "4"])
def test_the_other_games_in_that_language(evening, kiebitz, lang, game):
    shown = body(kiebitz("show", game, "--lang", lang).out.replace(NARROW, " "))
    for line in LINES[lang][game]:
        assert line in shown, "\n".join(shown)


FIXED = {
    "de": ["Korrigiert.", "Anna gibt 1 aus (korrigiert)", "Anna gibt 2 aus -> Anna gibt 1 aus (gilt)"],
    "fr": ["Corrigée.", "Anna dépense 1 (corrigée)", "Anna dépense 2 -> Anna dépense 1 (en vigueur)"],
    "it": ["Corretta.", "Anna spende 1 (corretta)", "Anna spende 2 -> Anna spende 1 (vale)"],
    "nl": ["Verbeterd.", "Anna geeft 1 uit (verbeterd)", "Anna geeft 2 uit -> Anna geeft 1 uit (geldt)"],
}


@every_other
def test_corrections_in_that_language(evening, kiebitz, lang):
    kiebitz("fix", "1", "--entry", "1", "--with", '{"ev":"spend","p":0,"k":1}')
    shown = kiebitz("show", "1", "--lang", lang).out
    for words in FIXED[lang]:
        assert words in shown, shown


# --- lists and tables ---

LISTED = {
    "de": [
        "Nr.   Datum              Spiel         Spieler               Hinweise",
        "  4   ~05.01.2026        Top Spot      Anna 3*, Ben 2,",
        "  2   02.01.2026 12:00   PokerCarre    Anna 3, Ben 2         nicht beendet,",
    ],
    "fr": [
        "N°   Date               Jeu           Joueurs               Remarques",
        " 4   ~05/01/2026        Top Spot      Anna 3*, Ben 2,",
        " 2   02/01/2026 12:00   PokerCarre    Anna 3, Ben 2         inachevée,",
    ],
    "it": [
        "N.   Data               Gioco         Giocatori             Note",
        " 4   ~05/01/2026        Top Spot      Anna 3*, Ben 2,",
        " 2   02/01/2026 12:00   PokerCarre    Anna 3, Ben 2         non finita,",
    ],
    "nl": [
        "Nr.   Datum              Spel          Spelers               Opmerkingen",
        "  4   ~05-01-2026        Top Spot      Anna 3*, Ben 2,",
        "  2   02-01-2026 12:00   PokerCarre    Anna 3, Ben 2         niet af, onvolledig",
    ],
}
POCH = {"de": "Pochen", "fr": "Poque", "it": "Pochen", "nl": "Poch"}


@every_other
def test_the_list_of_games_in_that_language(evening, kiebitz, lang):
    shown = body(kiebitz("games", "--lang", lang).out)
    for line in LISTED[lang]:
        assert line in shown, "\n".join(shown)
    assert any(f"   {POCH[lang]} " in line for line in shown)


NOTHING = {
    "de": ("Noch keine Spiele.\n`kiebitz ", "Noch keine beendeten Spiele.\n", "Keine solchen Spiele.\n"),
    "fr": ("Pas encore de partie.\n`kiebitz ", "Pas encore de partie terminée.\n", "Aucune partie de ce genre.\n"),
    "it": (
        "Ancora nessuna partita.\n`kiebitz ",
        "Ancora nessuna partita finita.\n",
        "Nessuna partita di questo tipo.\n",
    ),
    "nl": ("Nog geen spellen.\n`kiebitz ", "Nog geen uitgespeelde spellen.\n", "Geen zulke spellen.\n"),
    "en": ("No games yet.\n`kiebitz ", "No finished games yet.\n", "No games like that.\n"),
}


@pytest.mark.parametrize("lang", NOTHING)
def test_what_stands_where_there_are_no_games_is_in_that_language(put, kiebitz, lang):
    none, unfinished_only, other = NOTHING[lang]
    assert kiebitz("games", "--lang", lang).out.startswith(none)
    put(unfinished(carre(["Anna", "Ben"], [3, 2])))
    assert kiebitz("league", "--lang", lang).out == unfinished_only
    assert kiebitz("games", "--game", "royal", "--lang", lang).out == other


@pytest.mark.parametrize(
    ("lang", "head", "average", "legend"),
    [
        ("de", "Pochen · 1 beendetes Spiel", "143,0", "Gemeinsame Spiele: vorn - gleichauf - hinten."),
        ("fr", "Poque · 1 partie terminée", "143,0", f"Parties communes{NARROW}: devant - à égalité - derrière."),
        ("it", "Pochen · 1 partita finita", "143,0", "Partite insieme: davanti - alla pari - dietro."),
        ("nl", "Poch · 1 uitgespeeld spel", "143,0", "Samen gespeeld: voor - gelijk - achter."),
        ("en", "Poch · 1 finished game", "143.0", "Of games together: ahead - level - behind."),
    ],
)
def test_the_league_in_that_language(evening, kiebitz, lang, head, average, legend):
    shown = kiebitz("league", "poch", "--lang", lang).out
    assert shown.splitlines()[0].rstrip() == head
    assert average in shown and legend in shown


@every_language
def test_tables_with_all_games_and_long_names_fit_80_columns(put, kiebitz, lang):
    put(royal(NAMES, [1, 1, 2]))
    put(carre(NAMES, [70, 120, 7]))
    put(poch(NAMES, [57, 143, 100]))
    put(spot(NAMES, [3, 2, 0]))
    for argv in (["games"], ["league"], ["league", "poch"], ["league", "--player", NAMES[0]], ["show", "3"]):
        lines = kiebitz(*argv, "--lang", lang).out.splitlines()
        assert max(map(cell_len, lines)) <= 80, lines
        assert not any("{" in line for line in lines)
    standings = kiebitz("league", "--lang", lang).out.split("\n\n")[1]
    for name in NAMES:
        assert f" {name[:6]}" in standings  # enough to identify the player
    head, _, _ = standings.partition("─")
    assert "…" not in head


@pytest.mark.parametrize(("lang", "mark"), [("en", ","), ("de", "."), ("fr", NARROW), ("it", "."), ("nl", ".")])
def test_thousands_are_set_apart_as_the_language_does(lang, mark):
    use(lang)
    assert [whole_text(number) for number in (0, 999, 1234, 1002003)] == [
        "0", "999", f"1{mark}234", f"1{mark}002{mark}003",
    ]  # fmt: skip
    point = "." if lang == "en" else ","
    assert [average_text(number) for number in (11987, -824.04, 2.46, -0.04)] == [
        f"11{mark}987{point}0", f"−824{point}0", f"2{point}5", f"0{point}0",
    ]  # fmt: skip


# --- exports ---

EXPORTED = {
    "de": ("Pochen", "Experten, Stichzähler, Ein Joker für jeden: an", "Das Datum ist nicht genau bekannt.", "Runde 1"),
    "fr": ("Poque", f"Expert, points, Un joker chacun{NARROW}: oui", "La date n'est pas exacte.", "Manche 1"),
    "it": ("Pochen", "Expert, punti, Un jolly a testa: sì", "La data non è nota con precisione.", "Mano 1"),
    "nl": ("Poch", "Expert, punten, Ieder één joker: aan", "De datum is niet precies bekend.", "Spel 1"),
    "en": ("Poch", "Expert, Tally, One joker each: on", "The date is not exactly known.", "Game 1"),
}


def without_words(value):
    """Return an export without its sentences."""
    if isinstance(value, dict):
        return {key: without_words(item) for key, item in value.items() if key not in WORDS}
    return [without_words(item) for item in value] if isinstance(value, list) else value


WORDS = {"about", "board", "comments", "game_name", "variant", "text", "name"}


@pytest.mark.parametrize("lang", EXPORTED)
def test_plays_for_board_game_stats_in_that_language(evening, kiebitz, lang):
    game, variant, remark, _ = EXPORTED[lang]
    content = json.loads(kiebitz("export", "bgstats", "3", "4", "--lang", lang).out)
    assert [entry["name"] for entry in content["games"]] == [game, "Top Spot"]
    assert [(play["board"], play["comments"]) for play in content["plays"]][1] == (variant, remark)
    english = json.loads(kiebitz("export", "bgstats", "3", "4").out)
    assert without_words(content) == without_words(english)
    assert content["players"] == english["players"]


@pytest.mark.parametrize("lang", EXPORTED)
def test_everything_as_json_in_that_language(evening, kiebitz, lang):
    game, variant, _, row = EXPORTED[lang]
    content = json.loads(kiebitz("export", "json", "--lang", lang).out)
    assert [entry["game_name"] for entry in content["games"]][2:] == [game, "Top Spot"]
    last = content["games"][-1]
    assert last["variant"] == variant
    assert last["rows"] == [{"label": "game 1", "name": row, "points": [3, 2, 0]}]
    english = json.loads(kiebitz("export", "json").out)
    assert without_words(content) == without_words(english)


@pytest.mark.parametrize("lang", EXPORTED)
@pytest.mark.parametrize("per", ["score", "game"])
def test_a_spreadsheet_has_the_name_of_the_game_in_that_language_and_the_same_columns(evening, kiebitz, lang, per):
    def rows(*argv):
        return list(csv.DictReader(io.StringIO(kiebitz("export", "csv", "--per", per, *argv).out)))

    said, english = rows("--lang", lang), rows()
    assert EXPORTED[lang][0] in {row["game_name"] for row in said}
    assert [without_words(row) for row in said] == [without_words(row) for row in english]


# --- which language ---


def test_people_are_spoken_to_as_the_system_does_and_programs_in_english(evening, kiebitz, monkeypatch):
    programs = [["games"], ["show", "1"], ["league"], ["players"], ["fix", "1"]]
    english = [kiebitz(*argv, "--json").out for argv in programs]
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert "Durchgang 1" in kiebitz("show", "1").out
    assert "Pochen" in kiebitz("games").out
    assert "Alle Spiele · 3 beendete Spiele" in kiebitz("league").out
    assert '"name": "Pochen"' in kiebitz("export", "bgstats").out
    assert [kiebitz(*argv, "--json").out for argv in programs] == english
    assert "gibt 2 aus" in kiebitz("show", "1", "--json", "--lang", "de").out


def test_the_command_line_itself_stays_english(evening, kiebitz, monkeypatch):
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    assert "no game 99" in kiebitz("show", "99").err
    assert "the newest first" in kiebitz("games", "--help").out
    assert kiebitz("games", "--lang", "xx").code == 2
