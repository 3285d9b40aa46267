"""Test that every stored event is read back unchanged."""

import json

from helpers.faulty_storage import FaultyStorage
from helpers.journal_trials import FILE, ID
from helpers.play import setup
from kiebitz.store.events import EventsInMemory, encode
from kiebitz.store.journal import Journal
from kiebitz.store.journal_files import JournalFiles
from kiebitz_lab.dice import Dice

# Every event of every game, with every argument
LINES = (
    '{"ev":"spend","p":0,"k":2}',
    '{"ev":"take","p":4,"buys":0,"swaps":3}',
    '{"ev":"score","p":1,"board":"perfect_triple"}',
    '{"ev":"score","p":1,"cards":"7H 7H 7S 7S KD *","board":"perfect_triple","jokers":1}',
    '{"ev":"score","p":1,"cards":"","board":"pair","confirm":true}',
    '{"ev":"swap","p":0}',
    '{"ev":"draw","p":0}',
    '{"ev":"buy","p":0}',
    '{"ev":"end_turn","p":0}',
    '{"ev":"turn","p":3}',
    '{"ev":"boards","boards":"starter"}',
    '{"ev":"boards","boards":["pair","perfect_pair","double_pair","three_kind","triple_pair","full_house"'
    ',"double_three","four_kind","flush","big_flush","pictures","straight","big_straight","royal_flush"]}',
    '{"ev":"layout","cards":"a1 a2 a3 b1 b2 b3 c1 c2 c3"}',
    '{"ev":"extra","card":"d4","x":3,"y":-1}',
    '{"ev":"place","p":2,"card":"g7","x":-4,"y":6}',
    '{"ev":"place","p":2,"items":[]}',
    '{"ev":"place","p":2,"items":[["H","straight",5],["V","colour",3],["V","set",7]]}',
    '{"ev":"mark","p":0,"rubric":5}',
    '{"ev":"unmark","p":0,"rubric":5}',
    '{"ev":"skip","p":0}',
    '{"ev":"skip","p":0,"hand":"a1 b2"}',
    '{"ev":"finish"}',
    '{"ev":"start_round","trump":"H"}',
    '{"ev":"cash","p":7,"pool":"MARRIAGE"}',
    '{"ev":"end_cash"}',
    '{"ev":"end_cash","confirm":true}',
    '{"ev":"bid","p":0,"k":1000000}',
    '{"ev":"hold","p":0}',
    '{"ev":"pass","p":0}',
    '{"ev":"showdown","best":null}',
    '{"ev":"showdown","best":3}',
    '{"ev":"reveal","hands":{}}',
    '{"ev":"reveal","hands":{"0":[2,"K",true],"1":[2,"K",false]}}',
    '{"ev":"lead","p":0,"dir":"UP"}',
    '{"ev":"end_round","winner":0,"left":{"1":3,"2":5}}',
    '{"ev":"loan","from":0,"to":1,"k":20}',
    '{"ev":"retire","p":0}',
    '{"ev":"end_game"}',
    '{"ev":"point","p":0}',
    '{"ev":"blank"}',
    '{"ev":"bonus","p":0,"k":5}',
    '{"ev":"trick","plays":[{"p":0,"cards":2,"value":7,"followed":true,"joker":false},'
    '{"p":1,"cards":1,"value":0,"followed":false,"joker":false},{"p":2,"cards":1,"value":0,"followed":true,"joker":true}]}',
    '{"ev":"next_game"}',
)  # fmt: skip


class Counting(FaultyStorage):
    """Counts how often the file of the journal is read."""

    reads = 0

    def read(self, name, start=0, size=-1):
        self.reads += name == FILE
        return super().read(name, start, size)


def stored(storage, lines=LINES, times=1):
    """Return a journal with these events, and the places of the events."""
    journal = Journal(storage, ID)
    journal.begin(setup("top_spot", 3))
    return journal, [journal.append(json.loads(line)) for _ in range(times) for line in lines]


def test_every_kind_of_event_comes_back_as_it_was():
    for events in (stored(FaultyStorage()), stored(JournalFiles(FaultyStorage()))):
        journal, places = events
        for line, place in zip(LINES, places):
            assert encode(journal.read(place)) == line
        for line, place in zip(reversed(LINES), reversed(places)):
            assert encode(journal.read(place)) == line


def test_events_come_back_in_any_order_while_others_are_stored():
    dice = Dice(7)
    journal = Journal(JournalFiles(FaultyStorage()), ID)
    journal.begin(setup("top_spot", 3))
    kept = []
    for _ in range(150):
        line = dice.pick(LINES)
        kept.append((journal.append(json.loads(line)), line))
        if dice.chance(5):
            journal.files.settle()
        place, line = dice.pick(kept)
        assert encode(journal.read(place)) == line


def test_the_file_is_read_once_for_many_events_forwards_and_backwards():
    storage = Counting()
    journal, places = stored(storage, times=4)
    for order in (places, list(reversed(places))):
        storage.reads = 0
        for place in order:
            journal.read(place)
        assert 0 < storage.reads <= journal.size // 512 < len(places) // 8


def test_a_line_longer_than_the_window_comes_back():
    long = json.dumps({"ev": "reveal", "hands": {str(k): [2, "K", True] for k in range(80)}})
    journal, places = stored(FaultyStorage(), (LINES[0], long), times=5)
    for k, place in enumerate(places):
        assert journal.read(place) == json.loads((LINES[0], long)[k % 2])


def test_a_damaged_event_is_never_taken_for_another():
    storage = FaultyStorage()
    journal, places = stored(storage)
    storage.flip(FILE, places[5] + 9, 2)
    try:
        journal.read(places[5])
    except OSError as trouble:
        assert trouble.args[0] == 5
    else:
        raise AssertionError("the damage was not noticed")
    assert encode(journal.read(places[6])) == LINES[6]


def test_events_without_a_journal_are_held_in_memory():
    events = EventsInMemory()
    places = [events.append(json.loads(line)) for line in LINES]
    assert [encode(events.read(place)) for place in reversed(places)] == list(reversed(LINES))


def test_keys_stand_in_one_order():
    for value, want in (
        ({"k": 2, "p": 0, "ev": "spend"}, '{"ev":"spend","p":0,"k":2}'),
        ({"zz": 1, "aa": 2, "ev": "x"}, '{"ev":"x","aa":2,"zz":1}'),
        ({"left": {"2": 1, "10": 3, "1": 5}}, '{"left":{"1":5,"10":3,"2":1}}'),
        ({"players": ["Anna"], "options": {}, "game": "poch"}, '{"game":"poch","options":{},"players":["Anna"]}'),
        ({"ev": "undo"}, '{"ev":"undo"}'),
    ):
        assert encode(value) == want


def test_values_are_written_as_json():
    for value, want in (
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (-3, "-3"),
        (1000000, "1000000"),
        ([], "[]"),
        ([1, [2, "x"]], '[1,[2,"x"]]'),
        ({}, "{}"),
        ("Zoë", '"Zoë"'),
        ('O"Hara\\', '"O\\"Hara\\\\"'),
    ):
        assert encode(value) == want
