"""Defines the tables of the database, in the version that this program writes.

Deriving never changes what cannot be derived: `journals` and `lines` come from the devices, `corrections` and
`removals` record what a person did on the laptop (both only grow), `people` and `spellings` say who is who. `games`,
`scores` and `rounds` are derived from those tables and can be made again at any time. A correction without `old` has
put an entry in, one without `new` has taken an entry out.
"""

VERSION = 4

KEPT = """
CREATE TABLE devices (
    id TEXT PRIMARY KEY,
    product TEXT,
    version TEXT,
    name TEXT,
    seen INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE journals (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL UNIQUE,
    device TEXT,
    received INTEGER NOT NULL,
    at INTEGER NOT NULL,
    approximate INTEGER NOT NULL,
    damaged INTEGER NOT NULL
);

CREATE TABLE lines (
    number INTEGER NOT NULL REFERENCES journals,
    variant INTEGER NOT NULL,
    n INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (number, variant, n)
) WITHOUT ROWID;

CREATE TABLE corrections (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    number INTEGER NOT NULL REFERENCES journals,
    made INTEGER NOT NULL,
    entry INTEGER,
    old TEXT,
    new TEXT,
    undoes INTEGER REFERENCES corrections
);

CREATE TABLE removals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    number INTEGER NOT NULL REFERENCES journals,
    made INTEGER NOT NULL,
    removed INTEGER NOT NULL
);

CREATE TABLE people (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uuid TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE
);

CREATE TABLE spellings (
    spelling TEXT PRIMARY KEY,
    person INTEGER NOT NULL REFERENCES people
) WITHOUT ROWID;

CREATE INDEX corrections_of_game ON corrections (number);
CREATE INDEX removals_of_game ON removals (number);
"""

# The columns of the kept tables in earlier versions
EARLIER = {
    1: {
        "journals": ["number", "game", "device", "received", "at"],
        "lines": ["number", "n", "text"],
        "people": ["id", "uuid", "name"],
        "spellings": ["spelling", "person"],
    },
}
EARLIER[2] = {
    **EARLIER[1],
    "corrections": ["id", "number", "made", "entry", "old", "new", "undoes"],
    "removals": ["id", "number", "made", "removed"],
}

EARLIER[3] = {
    **EARLIER[2],
    "journals": ["number", "game", "device", "received", "at", "approximate", "damaged"],
    "lines": ["number", "variant", "n", "text"],
    "devices": ["id", "product", "version", "name", "seen"],
}

DERIVED = """
CREATE TABLE games (
    number INTEGER PRIMARY KEY REFERENCES journals,
    kind TEXT,
    phase TEXT,
    finished INTEGER NOT NULL,
    early INTEGER NOT NULL,
    events INTEGER NOT NULL,
    fixes INTEGER NOT NULL,
    flaw TEXT,
    deleted INTEGER NOT NULL,
    at INTEGER NOT NULL
);

CREATE TABLE scores (
    number INTEGER NOT NULL REFERENCES games,
    seat INTEGER NOT NULL,
    person INTEGER NOT NULL REFERENCES people,
    score INTEGER NOT NULL,
    rank INTEGER,
    winner INTEGER NOT NULL,
    starts INTEGER NOT NULL,
    PRIMARY KEY (number, seat)
) WITHOUT ROWID;

CREATE TABLE rounds (
    number INTEGER NOT NULL REFERENCES games,
    n INTEGER NOT NULL,
    label TEXT NOT NULL,
    points TEXT NOT NULL,
    PRIMARY KEY (number, n)
) WITHOUT ROWID;

CREATE INDEX games_by_time ON games (deleted, at, number);
CREATE INDEX scores_of_person ON scores (person, number);
"""

DROP_DERIVED = """
DROP TABLE IF EXISTS rounds;
DROP TABLE IF EXISTS scores;
DROP TABLE IF EXISTS games;
"""
