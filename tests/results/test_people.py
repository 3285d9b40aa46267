"""`kiebitz players`: join spellings, rename, split, and undo."""

import pytest
from helpers.finished import carre
from kiebitz_host.league.names import stable_id
from kiebitz_host.library import people
from kiebitz_host.outcome import Trouble


@pytest.fixture
def table(kiebitz):
    """Return a function that returns games, wins and spellings of every player."""

    def tell():
        players = kiebitz("players", "--json").json
        return {player["name"]: (player["games"], player["won"], player["spellings"]) for player in players}

    return tell


def test_players_are_listed_with_their_games(put, table, kiebitz):
    put(carre(["Anna", "Ben"], [3, 2]), day=1)
    put(carre(["Anna", "Cleo"], [1, 2]), day=2)
    put(carre(["Anna", "Ben"], [3, 2])[:-1], day=3)
    assert table() == {"Anna": (3, 1, []), "Ben": (2, 0, []), "Cleo": (1, 1, [])}
    first = kiebitz("players", "--json").json[0]
    assert first == {
        "name": "Anna", "id": stable_id("player", "Anna"), "spellings": [], "games": 3, "finished": 2, "won": 1,
        "last": "2026-01-03T12:00:00Z",
    }  # fmt: skip
    shown = kiebitz("players").out.splitlines()
    assert shown[2].split() == ["Anna", "3", "1", "2026-01-03", "12:00"]


def test_two_spellings_become_one_person_and_two_again(put, table, kiebitz):
    put(carre(["Anna", "Ben"], [3, 2]))
    put(carre(["anna", "Cleo"], [3, 2]))
    before = table()
    assert kiebitz("players", "join", "Anna", "anna").out == "anna is Anna now.\n"
    assert table() == {"Anna": (2, 2, ["anna"]), "Ben": (1, 0, []), "Cleo": (1, 0, [])}
    put(carre(["anna", "Dan"], [3, 2]))
    assert table()["Anna"] == (3, 3, ["anna"])
    assert kiebitz("players", "split", "anna").code == 0
    assert table() == {**before, "anna": (2, 2, []), "Dan": (1, 0, [])}


def test_joined_spellings_stay_joined_after_a_rebuild(put, store, table, kiebitz):
    put(carre(["Anna", "Ben"], [3, 2]))
    put(carre(["anna", "Cleo"], [3, 2]))
    kiebitz("players", "join", "Anna", "anna")
    before = table()
    store.rebuild()
    assert table() == before


def test_the_device_learns_of_joins_and_new_names(put, store, kiebitz):
    put(carre(["Anna", "Ben"], [3, 2]))
    put(carre(["anna", "Cleo"], [3, 2]))
    assert store.renames() == {}
    kiebitz("players", "join", "Anna", "anna")
    kiebitz("players", "rename", "Ben", "Benjamin")
    assert store.renames() == {"anna": "Anna", "Ben": "Benjamin"}
    assert sorted(store.roster_names()) == ["Anna", "Benjamin", "Cleo"]


def test_a_renamed_player_is_known_under_both_names(put, table, kiebitz):
    put(carre(["Anna", "Ben"], [3, 2]))
    assert kiebitz("players", "rename", "ben", " Benjamin ").out == "Ben is called Benjamin now.\n"
    put(carre(["Anna", "Benjamin"], [3, 2]))
    put(carre(["Anna", "Ben"], [3, 2]))
    assert table()["Benjamin"] == (3, 0, ["Ben"])
    assert kiebitz("players", "rename", "Ben", "Ben").code == 0  # and back
    assert table()["Ben"] == (3, 0, ["Benjamin"])


def test_the_id_for_other_programs_survives_a_new_name_and_a_join(put, store, kiebitz):
    put(carre(["Anna", "Ben"], [3, 2]))
    put(carre(["anna", "Cleo"], [3, 2]))
    kiebitz("players", "rename", "Anna", "Anna K.")
    kiebitz("players", "join", "Anna K.", "anna")
    assert [player["id"] for player in kiebitz("players", "--json").json if player["name"] == "Anna K."] == [
        stable_id("player", "Anna")
    ]
    kiebitz("players", "split", "Anna")
    ids = {player["name"]: player["id"] for player in kiebitz("players", "--json").json}
    assert ids["Anna"] == stable_id("player", "Anna")
    assert len(set(ids.values())) == len(ids)


def test_players_of_deleted_games_are_no_ghosts(put, table, store, kiebitz):
    put(carre(["Anna", "Ben"], [3, 2]))
    put(carre(["Anna", "Cleo"], [3, 2]))
    kiebitz("delete", "2")
    assert table() == {"Anna": (1, 1, []), "Ben": (1, 0, [])}
    assert store.roster_names() == ["Anna", "Ben"]
    done = kiebitz("players", "rename", "Ben", "Cleo")
    assert done.code == 2 and "there is a player 'Cleo' already in deleted games (2); if they are one" in done.err
    done = kiebitz("players", "rename", "Cleo", "Clea")
    assert done.out == "Cleo is called Clea now. The name is in deleted games only: 2.\n"
    assert kiebitz("players", "join", "Ben", "Clea").code == 0  # they are one person, and never met
    kiebitz("restore", "2")
    assert table()["Ben"] == (2, 0, ["Clea", "Cleo"])


def test_a_name_that_is_in_no_game_at_all_is_free(put, store, table, kiebitz):
    put(carre(["Anna", "Ben"], [3, 2]))
    people.spelling_ids(store.db, ["Cleo"])  # left by a game that has other names now
    assert kiebitz("players", "rename", "Ben", "Cleo").out == "Ben is called Cleo now.\n"
    assert table()["Cleo"] == (1, 0, ["Ben"])


TROUBLES = (
    (["rename", "Ben", "Anna"], "there is a player 'Anna' already"),
    (["rename", "Ben", ""], "1 to 24 letters"),
    (["rename", "Ben", "x" * 25], "1 to 24 letters"),
    (["rename", "Nobody", "X"], "there is no player 'Nobody'"),
    (["join", "Anna", "Ben"], "both sat at the table in game 1"),
    (["join", "Anna", "Anna"], "one person already"),
    (["split", "Anna"], "is the name of this player"),
    (["split", "Nobody"], "no game was played under 'Nobody'"),
)


@pytest.mark.parametrize(("argv", "sentence"), TROUBLES)
def test_what_cannot_be_is_said_in_one_sentence_and_changes_nothing(put, store, kiebitz, argv, sentence):
    put(carre(["Anna", "Ben"], [3, 2]))
    before = store.db.rows("SELECT * FROM people"), store.db.rows("SELECT * FROM spellings")
    done = kiebitz("players", *argv)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1
    assert (store.db.rows("SELECT * FROM people"), store.db.rows("SELECT * FROM spellings")) == before


def test_a_name_in_other_letters_case_is_found_unless_there_are_two(put, store):
    put(carre(["Anna", "BEN"], [3, 2]))
    put(carre(["Ben", "Cleo"], [3, 2]))
    assert people.name_of(store.db, people.find(store.db, "anna")) == "Anna"
    assert people.name_of(store.db, people.find(store.db, "Ben")) == "Ben"
    with pytest.raises(Trouble, match="several people"):
        people.find(store.db, "ben")


def test_names_that_look_alike_are_pointed_out(put, kiebitz):
    put(carre(["Zoë", "Ben"], [3, 2]))
    put(carre(["zoe", "Cleo"], [3, 2]))
    assert "kiebitz players join" in kiebitz("players").out
    kiebitz("players", "join", "Zoë", "zoe")
    assert "kiebitz players join" not in kiebitz("players").out


def test_options_may_stand_before_the_action_or_at_the_end(put, kiebitz, path, monkeypatch):
    put(carre(["Anna", "Ben"], [3, 2]))
    monkeypatch.delenv("KIEBITZ_DB")
    assert kiebitz("players", "rename", "Ben", "Bob", "--json", "--db", path).json == {"name": "Bob", "was": "Ben"}
    assert kiebitz("players", "--json", "--db", path, "rename", "Bob", "Ben").json == {"name": "Ben", "was": "Bob"}


@pytest.mark.only_files
def test_an_empty_store_has_no_players(kiebitz, path):
    assert kiebitz("players").out == "Nobody has played yet.\n"
    assert kiebitz("players", "--json").json == []
    assert not path.exists()


def test_players_are_told_in_every_language(put, kiebitz):
    put(carre(["Zoë", "Ben"], [3, 2]), day=6)
    put(carre(["zoe", "Cleo"], [3, 2]))
    for lang, head, alike in (
        ("de", "Gewonnen", "Zoë und zoe: dieselbe Person?"),
        ("fr", "Gagnées", "Zoë et zoe\u202f: une seule personne\u202f?"),
        ("it", "Vinte", "Zoë e zoe: la stessa persona?"),
        ("nl", "Laatst gespeeld", "Zoë en zoe: dezelfde persoon?"),
    ):
        out = kiebitz("players", "--lang", lang).out
        assert head in out and alike in out
    assert kiebitz("players", "rename", "Ben", "Bob", "--lang", "de").out == "Ben heißt jetzt Bob.\n"
    assert kiebitz("players", "--lang", "fr", "rename", "Bob", "Ben").out == "Bob s'appelle maintenant Ben.\n"
