"""`kiebitz players import` and `export`: members of a club as CSV, never doubled."""

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
from kiebitz_host.library import decisions, people
from kiebitz_host.library.people import Member
from kiebitz_host.library.store import Store

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
