"""`kiebitz sync --lang`, and what it says about a game that has the id of another one."""

import json

import pytest
from helpers.cable import Cable
from helpers.device import at_table
from helpers.play import ev, setup
from kiebitz_host.cli import sync
from kiebitz_host.link.ports import Port

END = (ev("point", p=1), ev("end_game"), ev("next_game"))


def spot(**keys):
    return setup("top_spot", 3, match_length=1, confirm=True, **keys)


@pytest.fixture
def run(kiebitz, monkeypatch, tmp_path):
    """run(device, "--lang", "de") syncs this device."""
    monkeypatch.setattr(sync, "ports", lambda: [Port("ttyACM0", "Pico")])

    def sync_it(device, *argv):
        monkeypatch.setattr(sync, "open_port", lambda port: Cable(device))
        return kiebitz("sync", "--db", str(tmp_path / "results.db"), *argv)

    return sync_it


SAID = (
    ("de", "an cable: 1 Spiel geholt.", "Einträge", "neu, wird noch gespielt", "nichts Neues, 1 Spiel schon bekannt."),
    ("fr", "1 partie récupérée.", "Saisies", "nouvelle, encore en cours", "rien de nouveau, 1 partie déjà connue."),
    ("it", "1 partita presa.", "Voci", "nuova, ancora in gioco", "niente di nuovo, 1 partita già nota."),
    ("nl", "1 spel opgehaald.", "Zetten", "nieuw, nog bezig", "niets nieuws, 1 spel al bekend."),
)


@pytest.mark.parametrize(("lang", *("first", "entries", "state", "again")), SAID)
def test_sync_speaks_the_language_that_is_asked_for(run, lang, first, entries, state, again):
    device = at_table(spot(), END[:1])
    out = run(device, "--lang", lang).out
    assert first in out and entries in out and state in out
    assert again in run(device, "--lang", lang).out


def test_programs_get_english_sentences(run, monkeypatch):
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    device = at_table(spot(), END)
    lines = device.journal().split(b"\n")
    device.app.library.files.settle()
    device.storage.flip(device.app.library.journal.id + ".kbz", len(b"\n".join(lines[:3])) + 9, 2)
    (report,) = json.loads(run(device, "--json").out)
    assert report["games"][0]["flaw"] == "line 4 is damaged on the device: 2 entries could be taken"
    assert "Zeile 4 ist auf dem Gerät beschädigt: 2 Einträge übernommen." in run(device).out


def test_a_game_with_the_id_of_another_one_is_kept_beside_it(run, kiebitz, tmp_path):
    device, other = at_table(spot(), END), at_table(spot(level="expert"), END[:1])
    assert device.app.library.journal.id == other.app.library.journal.id
    run(device)
    out = run(other).out
    assert "new, with a known id, still being played" in out
    assert "these are two games, and both are kept." in out
    games = json.loads(kiebitz("games", "--json", "--db", str(tmp_path / "results.db")).out)
    assert sorted([game["finished"] for game in games]) == [False, True]
    other.app.library.play(END[1])
    assert "more entries" in run(other).out  # it goes on where it is
    for either in (device, other):
        assert "nothing new, 1 game known already." in run(either).out
    (report,) = json.loads(run(other, "--json").out)
    assert report["games"][0]["confirmed"]
