"""`kiebitz players`: join spellings, rename, split, undo, and members of a club as CSV, never doubled."""

import csv
import io
import sys

import pytest
from helpers.finished import carre
from hypothesis import given
from hypothesis import strategies as st
from kiebitz.games.base import NAME_MAX
from kiebitz_host.cli import main
from kiebitz_host.exchange.members import read_members
from kiebitz_host.league.names import stable_id
from kiebitz_host.library import decisions, people
from kiebitz_host.library.people import Member
from kiebitz_host.library.store import Store
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


MEMBERS = "Mitgliedsnr;Vorname;Nachname;Verein;Telefon\n12;Anna;Kern;Skatfreunde;0541\n13;Bärbel;Maier;Skatfreunde;\n"


@pytest.fixture
def take(kiebitz, tmp_path):
    """Return a function that imports a text or bytes as members."""

    def run(content, *options):
        file = tmp_path / "members.csv"
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return kiebitz("players", "import", file, *(options or ["--yes"]))

    return run


@pytest.fixture
def members(kiebitz):
    def tell():
        players = kiebitz("players", "--json").json
        return {one["name"]: (one["number"], one["club"]) for one in players if "number" in one}

    return tell


def test_members_are_shown_before_they_are_taken(take, members):
    trial = take(MEMBERS, "--dry-run")
    assert trial.code == 0 and trial.out.endswith("this was a trial.\n")
    assert "Mitgliedsnr = number, Vorname = first, Nachname = last, Verein = club" in trial.out
    assert "Not used: Telefon." in trial.out and "2 new, 0 changed, 0 as before." in trial.out
    nobody = take(MEMBERS, "--lang", "en")
    assert nobody.code == 2 and "add --yes" in nobody.err
    assert members() == {}
    assert take(MEMBERS).out.endswith("2 members added, 0 changed.\n")
    assert members() == {"Anna Kern": ("12", "Skatfreunde"), "Bärbel Maier": ("13", "Skatfreunde")}


class Keyboard(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("answer", "count"), [("\n", 0), ("n\n", 0), ("", 0), ("y\n", 2), ("ja\n", 2)])
def test_the_question_takes_them_only_after_a_yes(members, tmp_path, monkeypatch, capsys, answer, count):
    (tmp_path / "members.csv").write_text(MEMBERS, "utf-8")
    monkeypatch.setattr(sys, "stdin", Keyboard(answer))
    assert main(["players", "import", str(tmp_path / "members.csv")]) == 0
    out = capsys.readouterr().out
    assert "Take 2? [y/N] " in out and ("Nothing was taken." in out) == (count == 0)
    assert len(members()) == count


def test_a_member_without_games_is_listed_with_number_and_club(take, put, kiebitz):
    put(carre(["Anna Kern", "Ben"], [3, 2]))
    take(MEMBERS)
    lines = kiebitz("players", "--lang", "en").out.splitlines()
    assert lines[0].split() == ["Player", "Games", "Won", "Last", "played", "Also", "written", "No.", "Club"]
    assert lines[2].split() == ["Anna", "Kern", "1", "1", "2026-01-05", "12:00", "12", "Skatfreunde"]
    assert lines[4].split() == ["Bärbel", "Maier", "0", "0", "–", "13", "Skatfreunde"]


@pytest.mark.parametrize(
    "content",
    [
        MEMBERS.encode("cp1252"),
        b"\xef\xbb\xbf" + MEMBERS.encode(),
        b"\xff\xfe" + MEMBERS.replace(";", "\t").encode("utf-16-le"),
        MEMBERS.replace("\n", "\r\n").encode(),
        MEMBERS.replace("\n", "\r").encode(),
        MEMBERS.replace(";", ",").encode(),
        ("sep=;\n\n" + MEMBERS).encode(),
        MEMBERS.replace("Anna", '"Anna"').encode().rstrip(b"\n"),
        "Tessera;Nome;Cognome;Circolo\n12;Anna;Kern;Skatfreunde\n13;Bärbel;Maier;Skatfreunde\n".encode(),
        "Lidnr;Naam;Vereniging\n12;Anna Kern;Skatfreunde\n13;Bärbel  Maier;Skatfreunde\n".encode(),
        "N°;Prénom;Nom;Club\n12;Anna;Kern;Skatfreunde\n13;Bärbel;Maier;Skatfreunde\n".encode(),
    ],
)
def test_every_way_to_write_a_file(take, members, content):
    assert take(content).code == 0
    assert members() == {"Anna Kern": ("12", "Skatfreunde"), "Bärbel Maier": ("13", "Skatfreunde")}


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ("Anna,1\nBen,2\nAnna,3\n", "line 4: 'Anna' is here twice, first in line 2."),
        ("Anna,1\nanna,3\n", "line 3: 'anna' is here twice, first in line 2."),
        ("Anna,1\nBen,1\n", "line 3: number '1' is here twice, first in line 2."),
        ("Anna,1\n,2\n", "line 3: there is no name."),
        ("Anna,1\nBen,2,3\n", "line 3: it has 3 columns instead of 2."),
        ("Anna,1\nBen\n", "line 3: it has 1 column instead of 2."),
        ('Anna,1\n"Ben,2\nCleo,3\n', "line 3: a quotation mark is not closed, or stands within a cell."),
        ("Anna,1\nGuest 2,2\n", "line 3: 'Guest 2' is what a device calls a guest, not a member."),
        (f"Anna,1\n{'B' * 25},2\n", f"line 3: '{'B' * 25}' has 25 letters, and a name has at most 24"),
        ("Anna,1\nBen\x07,2\n", "line 3: 'Ben?' has characters that cannot be shown."),
        (f"Anna,1\nBen,{'9' * 21}\n", "has more than 20 characters."),
    ],
)
def test_a_wrong_row_is_named_and_nothing_is_taken(take, members, rows, sentence):
    refused = take("Name,Number\n" + rows)
    assert refused.code == 2 and sentence in refused.err and "nothing was taken" in refused.err
    assert members() == {}
    skipped = take("Name,Number\n" + rows, "--yes", "--skip-bad")
    assert skipped.code == 2 and sentence in skipped.err
    assert members()["Anna"] == ("1", "")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b"Telefon,Ort\n1,2\n", "no column name; there are 'Telefon', 'Ort'"),
        (b"Name,Spieler\n1,2\n", "'Name' and 'Spieler' mean the same"),
        (b"PK\x03\x04xx", "save it as CSV"),
        (b"Name\nAnna\nB\x81\n", "line 3: this is not text in UTF-8 or Windows-1252"),
        (b"Name\n" + b"\n" * 200_001, "more than 200,000 lines"),
    ],
)
def test_a_file_that_is_no_list_of_members(take, content, sentence):
    done = take(content)
    assert done.code == 2 and sentence in done.err and "Nothing was imported." in done.err


def test_a_formula_is_text_and_comes_back_as_it_was(take, kiebitz, members):
    done = take("Name,Club\n=1+1,'@home\n")
    assert "'=1+1' looks like a formula; it is taken as text." in done.out
    assert members() == {"=1+1": ("", "@home")}
    exported = kiebitz("players", "export").out
    assert exported == "name,number,club\n'=1+1,,'@home\n"
    assert "0 new, 0 changed, 1 as before." in take(exported).out


def test_the_number_of_somebody_else_is_not_given_twice(take, members):
    take("Name,No\nAnna Kern,12\n")
    done = take("Name,No\nAnna Maier,12\n")
    assert done.code == 2 and "number '12' is that of 'Anna Kern'; one person?" in done.err
    assert members() == {"Anna Kern": ("12", "")}


def test_a_missing_column_leaves_what_was_known(take, members):
    take("Name,No,Club\nAnna,12,Skatfreunde\n")
    take("Name,Club\nanna,Kartenclub\nBen,Kartenclub\n")
    assert members() == {"Anna": ("12", "Kartenclub"), "Ben": ("", "Kartenclub")}


def test_facts_follow_a_person_through_join_rename_split_and_rebuild(take, members, kiebitz, store):
    take("Name,No\nAnna,1\nAnni,2\n")
    kiebitz("players", "join", "Anna", "Anni")
    assert members() == {"Anna": ("2", "")}
    kiebitz("players", "rename", "Anna", "Anna K.")
    kiebitz("rebuild")
    assert members() == {"Anna K.": ("2", "")}
    kiebitz("players", "split", "Anni")
    assert members() == {"Anna K.": ("1", ""), "Anni": ("2", "")}
    assert people.trail(store.db, people.find(store.db, "Anna")) != []


def test_ten_thousand_members_are_one_batch(take, store, kiebitz):
    rows = "".join(f"Member {k},{k}\n" for k in range(10_000))
    assert take("Name,No\n" + rows).out.endswith("10,000 members added, 0 changed.\n")
    times = [time for (time,) in store.db.rows("SELECT time FROM decisions")]
    assert len(set(times)) == 10_000
    assert len(kiebitz("players", "export").out.splitlines()) == 10_001


NAMES = st.text(st.characters(min_codepoint=33, max_codepoint=0x17F, blacklist_categories=("Cc", "Cs", "Z")),
                min_size=1, max_size=NAME_MAX)  # fmt: skip


@pytest.mark.only_files
@given(st.dictionaries(NAMES, st.tuples(st.integers(0, 99), st.sampled_from(["", "A", "=B;c", 'D"d'])), max_size=8))
def test_what_is_exported_is_imported_once_on_every_laptop(tmp_path_factory, wanted):
    folder = tmp_path_factory.mktemp("members")
    file = folder / "members.csv"
    out = io.StringIO()
    csv.writer(out, delimiter=";").writerows(
        [("name", "number", "club"), *[(n, *facts) for n, facts in wanted.items()]]
    )
    file.write_text(out.getvalue(), "utf-8", newline="")
    laptops = [Store("/dev/null/nothing", create=False, now=lambda k=k: 1_800_000_000 + k) for k in range(2)]
    for store in laptops:
        people.add_members(store.db, read_members(store.db, str(file)).wanted)
        again = read_members(store.db, str(file))
        assert (again.new, again.changed) == ([], [])
    for one, other in (laptops, laptops[::-1]):
        one.add_decisions(list(decisions.contents(other.db).values()))
    first, second = [_facts(store) for store in laptops]
    assert first == second and len(first) <= len(wanted)
    for store in laptops:
        store.rebuild()
        assert _facts(store) == first
        store.close()


def _facts(store: Store) -> dict[str, Member]:
    names = people.names_by_id(store.db)
    return {names[person]: facts for person, facts in people.members(store.db).items()}
