"""Test that data of a hostile member is named and left out, and that everything else works on."""

import json
import random
import time

import pytest
from helpers.finished import carre
from hypothesis import given
from hypothesis import strategies as st
from kiebitz_host import exchange as exchanging
from kiebitz_host.exchange import Folder, StoreSide, exchange, name_of
from kiebitz_host.library import decisions, imported, journal_record, journals, people, query, removals
from kiebitz_host.library.club_arrivals import assign_synced
from kiebitz_host.library.imported import derived_of
from kiebitz_host.library.journal_record import HISTORIES_MAX, History, Record, decode, fitting, united
from kiebitz_host.library.store import Store
from kiebitz_lab.synthetic_store import shown
from kiebitz_lab.torture import hostile_contents, hostile_members, large_store, races, readable_stores
from kiebitz_lab.torture.campaign import Campaign, make_store

NOW = 1767700000
GAME = carre(["Anna", "Ben"], [3, 2])
DAY_MS = 86_400_000
YEAR_MS = 365 * DAY_MS


@pytest.fixture
def filled(store):
    """Return a store with three games and a decision."""
    for k in range(1, 4):
        store.add_journal(f"aabbcc-{k:04d}-0", carre(["Anna", "Ben"], [k, 2]), {"id": "e6"}, 1000 + k, False)
    removals.delete(store, 3)
    return store


def put(folder, kind, content):
    name = name_of(kind, content)
    path = folder / kind / name[:2] / f"{name}.kiebitz"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def meet(store, folder):
    skipped = []
    return exchange(StoreSide(store), Folder(folder), skipped)


def decision(kind="delete", about="aabbcc-0001-0/0", time=5, author="x", nonce="", **values):
    return decisions.content_of(time, author, kind, about, values, nonce).encode()


def key(store, number):
    return journals.load(store.db, number).key


# --- clocks ---


@pytest.mark.parametrize("time", [decisions.TIME_MAX_MS, decisions.TIME_MAX_MS - 1, decisions.latest(NOW) + 1])
def test_a_decision_of_the_far_future_is_left_out_and_all_decisions_go_on(filled, folder, time, kiebitz):
    put(folder, "decisions", decision(about=key(filled, 1), time=time))
    report = meet(filled, folder)
    assert len(report.skipped) == 1 and "its clock is more than 20 years ahead." in report.skipped[0]
    assert query.one(filled.db, 1)["deleted"] is False
    for argv in (["delete", "1"], ["restore", "1"], ["restore", "3"], ["players", "rename", "Anna", "Eva"]):
        assert kiebitz(*argv).code == 0, argv
    event = '{"ev":"mark","p":0,"rubric":5}'
    assert kiebitz("fix", "1", "--entry", "1", "--with", event).code == 0


@pytest.mark.parametrize("time", [decisions.TIME_MAX_MS, *[decisions.latest(NOW) + k * DAY_MS for k in (1, 12, 400)]])
def test_a_store_that_has_taken_one_lives_on(filled, time):
    """The decision does not count, so that the store shows what those show that have left it out."""
    content = decision(about=key(filled, 1), time=time).decode()
    sql = "INSERT INTO decisions (id, time, about, content) VALUES (?, ?, ?, ?)"
    filled.db.run(sql, decisions.id_of(content), time, key(filled, 1), content)
    removals.restore(filled, 3)
    filled.rebuild()
    assert [query.one(filled.db, number)["deleted"] for number in (1, 2, 3)] == [False] * 3
    removals.delete(filled, 1)
    assert query.one(filled.db, 1)["deleted"] is True
    assert max(one.time for one in filled.decided(1)) < time


@pytest.mark.parametrize("ahead", [-50, -10, -1, 0, 1, 10, 19])
def test_an_honest_wrong_clock_passes_and_can_be_answered(filled, folder, ahead):
    put(folder, "decisions", decision(about=key(filled, 1), time=NOW * 1000 + ahead * YEAR_MS))
    assert meet(filled, folder).skipped == []
    assert query.one(filled.db, 1)["deleted"] is True
    removals.restore(filled, 1)
    assert query.one(filled.db, 1)["deleted"] is False


def test_the_latest_decision_that_is_accepted_leaves_room_for_an_answer(filled, folder):
    put(folder, "decisions", decision(about=key(filled, 1), time=decisions.latest(NOW)))
    assert meet(filled, folder).skipped == []
    for _ in range(3):
        removals.restore(filled, 1)
        assert query.one(filled.db, 1)["deleted"] is False
        removals.delete(filled, 1)
        assert query.one(filled.db, 1)["deleted"] is True


@pytest.mark.parametrize("clock", [0, 5, 1_000_000_000, 4_200_000_000])
def test_a_laptop_whose_own_clock_was_never_set_takes_what_others_decide(filled, folder, open_store, tmp_path, clock):
    meet(filled, folder)
    other = open_store(tmp_path / "other.db", now=lambda: clock)
    assert meet(other, folder).skipped == []
    assert shown(other) == shown(filled)


# --- nesting ---


def called_deep(frames, action):
    """Call action() with this many more frames on the stack. Returns its result."""
    return called_deep(frames - 1, action) if frames else action()


def nested(depth):
    return "[" * depth + "]" * depth


def decodes(content):
    try:
        return decisions.decode(content) is not None
    except decisions.BadDecision:
        return False


@pytest.mark.parametrize("depth", [1, 40, 100, 300, 420, 600, 700, 800, *range(840, 960, 3)])
def test_what_is_valid_does_not_depend_on_the_free_stack(depth):
    """A command that is a little deeper in the stack would call damaged what another one has stored."""
    entry = f'{{"ev":"mark","p":0,"rubric":1,"x":{nested(depth)}}}'
    rules = f'{{"a":{nested(depth)}}}'
    what = {"name": "E", "day": "2026-01-02", "game": "poch", "title": "", "settings": rules, "series": 1, "sizes": [4]}
    evening = {**what, "money": {"stake": 0, "fees": [], "prizes": []}}
    for content in (
        decisions.content_of(5, "x", "fix", "a/0123456789ab", {"entry": 1, "old": None, "new": entry}, ""),
        decisions.content_of(5, "x", "evening", "evening/0123456789abcdef", evening, ""),
    ):
        found = {frames: called_deep(frames, lambda: decodes(content)) for frames in (0, 100, 300)}  # noqa: B023
        assert set(found.values()) == {depth < 50}
    games = [called_deep(frames, lambda: derived_of([GAME[0], entry])) for frames in (0, 100, 300)]
    assert {(game.events, game.flaw) for game in games} == {(1, None) if depth < 50 else (0, "2:E_ARG")}


def test_imported_results_are_only_what_kiebitz_writes():
    seats = (imported.Seat("Anna", 5, 1, True), imported.Seat("Ben", 3, 2, False))
    lines = imported.Results("poch", "", "2026-01-02", "", False, seats, 5).lines()
    assert derived_of(lines).imported
    for bad in (
        [*lines[:2], lines[2].replace('"score"', f'"x":{nested(900)},"score"'), lines[3]],
        [*lines[:2], lines[2].replace(":", ": "), lines[3]],
        [lines[0], lines[1].replace("false", "false,\"low\":true"), *lines[2:]],
        lines[:1],
        [*lines, "{}"],
    ):
        assert not derived_of(bad).imported


def test_many_evenings_of_one_day_take_no_time_at_a_sync(filled, folder):
    rules = {"game": "poker_carre", "title": "", "settings": "{}", "series": 1, "sizes": [2]}
    about = {**rules, "name": "E", "day": "1970-01-01", "money": {"stake": 0, "fees": [], "prizes": []}}
    drawn = {"series": 1, "method": "lot", "seed": 1, "tables": [["Cleo", "Dan"]], "known": []}
    for k in range(400):
        put(folder, "decisions", decision("evening", f"evening/{k:016x}", **about))
        put(folder, "decisions", decision("draw", f"evening/{k:016x}", **drawn))
    assert meet(filled, folder).skipped == []
    started = time.process_time()
    assert assign_synced(filled, ["aabbcc-0001-0"]) == []
    assert time.process_time() - started < 3  # 8 s, if all are read for each


# --- limits ---


def long_record(letter, size=4_500_000, own="aabbcc-0001-0", setup=GAME[0]):
    line = json.dumps({"ev": letter}) + " " * 2000
    return Record(own, "e6", 1001, False, (History([setup, *[line] * (size // (len(line) + 1))]),))


@pytest.mark.parametrize("letters", ["ab", "ba"])
def test_two_journals_that_do_not_fit_together_leave_one_out(store, folder, kiebitz, letters, path):
    for letter in letters:
        put(folder, "journals", long_record(letter).encode())
        report = meet(store, folder)
    assert "1 history was left out of game aabbcc-0001-0: a game has at most" in report.skipped[0]
    assert journals.load(store.db, 1) == long_record("a")  # the same one in any order
    put(folder, "journals", Record("x-1-1", None, 5, False, (History(GAME),)).encode())
    for argv in (["delete", "1"], ["rebuild"], ["restore", "1"], ["games"], ["league"]):
        assert kiebitz(*argv).code == 0, argv
    assert kiebitz("exchange", folder).code == 2  # the other one is named again
    assert store.stored_game("x-1-1").lines == GAME


def test_a_recording_that_is_too_long_is_refused(store, kiebitz, tmp_path):
    game = tmp_path / "game.jsonl"
    events = [f'{{"ev":"points","p":{k % 2},"k":1}}'.ljust(4000) for k in range(2100)]
    game.write_text("\n".join(['{"game":"any_game","players":["Anna","Ben"]}', *events]))
    done = kiebitz("add", game)
    assert done.code == 3 and "E_LONG - a game has at most 100 histories, 20,000 lines and 8 MB" in done.err
    assert kiebitz("games", "--json").json == []


def test_a_game_of_many_histories_takes_no_time(filled, folder):
    histories = united([History([GAME[0], f'{{"ev":"{k}"}}']) for k in range(9_000)])
    started = time.process_time()
    put(folder, "journals", Record("many-1-1", None, 5, False, histories).encode())
    report = meet(filled, folder)
    assert report.skipped[0].endswith("was left out: it has more than 100 histories.")
    assert time.process_time() - started < 2


def test_a_game_of_many_short_lines_takes_neither_time_nor_memory(filled, folder):
    put(folder, "journals", Record("many-1-1", None, 5, False, (History([GAME[0], *[""] * 3_000_000]),)).encode())
    started = time.process_time()
    report = meet(filled, folder)
    assert report.skipped[0].endswith("was left out: it has more than 20,000 lines.")
    assert time.process_time() - started < 2
    assert filled.add_journal("many-1-1", [GAME[0]] * 20_001, None, 5, False) == journals.TOO_LONG
    assert filled.add_journal("many-1-1", [GAME[0]] * 20_000, None, 5, False) == "new"
    assert decode(journals.load(filled.db, 4).encode()) == journals.load(filled.db, 4)


def test_long_journals_are_read_and_written_in_parts(filled, folder, open_store, tmp_path, monkeypatch):
    monkeypatch.setattr(journals, "_PART_CHARACTERS", 1)
    monkeypatch.setattr(exchanging, "PORTION_BYTES", 1)
    assert [list(part) for part in journals.load_parts(filled.db, [1, 2, 3])] == [[1], [2], [3]]
    meet(filled, folder)
    other = open_store(tmp_path / "other.db")
    portions = []
    write = StoreSide.write

    def counted(self, what, items, skipped):
        portions.append(len(items))
        return write(self, what, items, skipped)

    monkeypatch.setattr(StoreSide, "write", counted)
    assert meet(other, folder).skipped == []
    assert portions == [1] * 4  # three games and a decision
    before = shown(filled)
    other.rebuild()
    assert shown(other) == before


def test_more_histories_than_a_game_can_have_leave_the_shortest_out(store):
    for k in range(HISTORIES_MAX + 5):
        word = store.add_journal("aabbcc-1-1", [GAME[0], *[f'{{"ev":"{k}"}}'] * (k + 1)], None, 5, False)
        assert word == ("new" if k == 0 else "apart")
    assert store.add_journal("aabbcc-1-1", [GAME[0], '{"ev":"short"}'], None, 5, False) == journals.TOO_LONG
    assert len(store.histories(1)) == HISTORIES_MAX and len(store.histories(1)[0]) == HISTORIES_MAX + 6


HISTORIES = st.lists(st.lists(st.sampled_from("ab"), max_size=5).map(lambda events: ["s", *events]), min_size=1)


@given(HISTORIES, st.integers(1, 12), st.integers(12, 60))
def test_the_game_is_the_same_in_whatever_order_histories_come_that_do_not_fit(histories, most, room):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(journal_record, "HISTORIES_MAX", most)
        patch.setattr(journal_record, "RECORD_MAX", journal_record._FIRST_LINE_MAX + room)
        whole, left_out = Record("a", None, 5, False, (History(histories[0]),)), 0
        for lines in histories[1:]:
            whole, left = whole.merged(Record("a", None, 5, False, (History(lines),)))
            left_out += left
        assert whole.lines == max(histories, key=lambda lines: (len(lines), [-ord(line) for line in lines]))
        assert whole.histories == fitting(whole.histories) and decode(whole.encode()) == whole
        assert left_out or whole.histories == united([History(lines) for lines in histories])


# --- text ---


HEAD = '{{"kiebitz":1,"id":{id},"device":{device},"at":5,"approximate":false,"histories":[[1,false]]}}\n{{}}\n'


IDS = ("~", "a~b", "aabbcc-0001-0~1f2e", "", "\\u0000", "\\ud800", "a\\nb", "x" * 81, "\\u00e9")
TEXTS = ("\x00", "\ud800", "a\x00b", "x/\x7f", "x" * 15_000, "no key", "x/0", "a~b/0123456789ab")


@pytest.mark.parametrize("own", IDS)
def test_an_id_that_no_kiebitz_gives_is_left_out_and_the_others_are_taken(filled, folder, open_store, tmp_path, own):
    meet(filled, folder)
    put(folder, "journals", HEAD.format(id=f'"{own}"', device="null").encode())
    other = open_store(tmp_path / "other.db")
    report = meet(other, folder)
    assert len(report.skipped) == 1 and "its first line has invalid metadata." in report.skipped[0]
    assert shown(other) == shown(filled)


@pytest.mark.parametrize("bad", TEXTS)
def test_a_subject_that_one_engine_would_not_take_is_left_out(filled, folder, open_store, tmp_path, bad):
    put(folder, "decisions", decision(about=bad))
    put(folder, "decisions", decision(about=key(filled, 1), author=bad))
    put(folder, "decisions", decision("rename", "", name="Anna", new=bad + "\x00"))
    put(folder, "decisions", decision("take back", key(filled, 1), decision=bad))
    meet(filled, folder)
    other = open_store(tmp_path / "other.db")
    report = meet(other, folder)
    named = len(bad) <= 80 and bad.isprintable()  # an author may be called anything that can be printed
    assert len(report.skipped) == (3 if named else 4)
    assert shown(other) == shown(filled) and len(shown(other)["games"]) == 3


def test_a_name_that_a_device_takes_can_be_renamed_joined_and_split(store, folder, open_store, tmp_path):
    names = ["A\u00a0B", "\u00adC", "\U0001f0a1", "\u2028D", "E\ufffe"]
    store.add_journal("x-1-1", carre(names[:2], [1, 2]), None, 5, False)
    store.add_journal("x-2-1", carre(names[2:4], [1, 2]), None, 6, False)
    people.rename(store.db, people.find(store.db, names[0]), names[4])
    people.join(store.db, people.find(store.db, names[4]), people.find(store.db, names[2]))
    people.split(store.db, names[2])
    people.join(store.db, people.find(store.db, names[4]), people.find(store.db, names[3]))
    other = open_store(tmp_path / "other.db")
    assert meet(store, folder).skipped == meet(other, folder).skipped == []
    assert shown(other) == shown(store)


def test_a_correction_that_is_too_long_to_be_stored_is_a_sentence(filled, kiebitz):
    event = json.dumps({"ev": "mark", "p": 0, "rubric": 5, "note": "\u00e9" * 20_000})
    done = kiebitz("fix", "1", "--entry", "1", "--with", event)
    assert done.code in (0, 2, 3) and "Traceback" not in done.err
    assert kiebitz("rebuild").code == 0


def test_something_else_in_the_place_of_a_folder_does_not_block_the_others(filled, folder, open_store, tmp_path):
    names = {content[:2] for content in StoreSide(filled).names("journals")}
    blocked = sorted(names)[0]
    (folder / "journals").mkdir()
    (folder / "journals" / blocked).write_text("a file")
    report = meet(filled, folder)
    assert report.skipped and all("is not a folder." in sentence for sentence in report.skipped)
    assert report.given["journals"] == 3 - len(report.skipped)
    assert report.given["decisions"] == 1


def test_two_games_with_one_id_of_a_file(store, folder):
    for name in ("Cleo", "Dan"):
        lines = carre(["Anna", name], [1, 2])
        put(folder, "journals", Record("file-0123456789ab", None, 5, False, (History(lines),)).encode())
    assert meet(store, folder).skipped == []
    assert len(query.games(store.db, query.Filter())) == 2


def test_a_clock_before_1970_writes_nothing_that_is_called_damaged(open_store, tmp_path):
    early = open_store(tmp_path / "early.db", now=lambda: -86_400.0)
    early.add_journal("x-1-1", GAME, {"id": "e6"}, None, False)
    removals.delete(early, 1)
    early.close()
    again = open_store(tmp_path / "early.db", now=lambda: -86_400.0)
    assert query.one(again.db, 1)["deleted"] is True


@pytest.mark.parametrize("at", [0.5, 1e300, True, "x", [], {}, 1 << 80, -5])
def test_a_time_that_no_device_sends_writes_nothing_that_is_called_damaged(store, kiebitz, at):
    lines = [GAME[0].replace("{", f'{{"at":{json.dumps(at)},', 1), *GAME[1:]]
    assert store.add_journal("aabbcc-0001-0", lines, {"id": "e6"}, at, False) == "new"
    assert journals.load(store.db, 1).at == NOW
    for argv in (["games"], ["delete", "1"], ["rebuild"]):
        assert kiebitz(*argv).code == 0, argv


def test_a_device_in_a_recording_that_no_kiebitz_has_is_not_stored(store, kiebitz, tmp_path):
    game = tmp_path / "game.jsonl"
    first, *rest = GAME
    setup = {**json.loads(first), "device": "d" * 300, "id": "~abc"}
    game.write_text("\n".join([json.dumps(setup), *rest]))
    assert kiebitz("add", game).code == 0
    record = journals.load(store.db, 1)
    assert record.device is None and record.own.startswith("file-") and decode(record.encode()) == record


# --- the campaigns, in their short form ---


@pytest.mark.only_files  # each has a server of its own
@pytest.mark.long
@pytest.mark.parametrize(
    ("campaign", "trials", "figure"),
    [(hostile_members, 24, "items left out"), (readable_stores, 40, "decisions read"), (races, 5, "games at the end")],
)
def test_the_short_form_of_a_campaign(campaign, trials, figure):
    done = Campaign(campaign.__name__, 5)
    campaign.play(done, 0, trials)
    assert done.failures == [] and done.figures[figure] > 0


@pytest.mark.only_files
@pytest.mark.long
def test_hostile_decisions_are_of_every_kind_and_some_of_each_are_valid(tmp_path):
    make_store(tmp_path / "results.db", 8)
    with Store(tmp_path / "results.db") as whole:
        texts = [content.encode() for content in decisions.contents(whole.db).values()]
        records = [record.encode() for record in journals.load_all(whole.db, range(1, 9)).values()]
    chance = random.Random(1)
    written = {content.decode() for content in texts}
    valid, refused = set(), 0
    for _ in range(6000):
        content = hostile_contents.decision(chance, texts, records, NOW).decode("utf-8", "replace")
        try:
            valid |= {decisions.decode(content).kind} if content not in written else set()
        except decisions.BadDecision:
            refused += 1
    assert valid >= decisions.KINDS.keys() - {"split", "throw away"}  # of which the store has none
    assert refused > 2000


def test_the_short_form_of_the_attack_on_a_large_store(monkeypatch):
    monkeypatch.setattr(large_store, "GAMES", 300)
    done = Campaign(large_store.__name__, 5)
    large_store.play(done, 0, 2)
    assert done.failures == [] and done.figures["games"] >= 300 + 2 * large_store.NEW


@pytest.mark.only_files
@pytest.mark.long
def test_a_writer_without_limits_is_noticed_by_the_campaign(monkeypatch):
    monkeypatch.setattr(journal_record, "fitting", lambda histories: histories)
    done = Campaign(readable_stores.__name__, 5)
    readable_stores.play(done, 0, 12)
    assert done.failures != []
