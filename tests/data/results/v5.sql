-- A store of version 5, as `sqlite3 results.db .dump` prints it, with the marks of the file.
PRAGMA application_id = 1265198426;
PRAGMA user_version = 5;
BEGIN TRANSACTION;
CREATE TABLE corrections (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    number INTEGER NOT NULL REFERENCES journals,
    made INTEGER NOT NULL,
    entry INTEGER,
    old TEXT,
    new TEXT,
    undoes INTEGER REFERENCES corrections
);
INSERT INTO "corrections" VALUES(1,1,1767700700,0,'{"ev":"mark","p":0,"rubric":1}','{"ev":"mark","p":0,"rubric":5}',NULL);
INSERT INTO "corrections" VALUES(2,1,1767700800,1,'{"ev":"mark","p":0,"rubric":1}','{"ev":"mark","p":1,"rubric":1}',NULL);
INSERT INTO "corrections" VALUES(3,1,1767700900,NULL,NULL,NULL,2);
CREATE TABLE devices (
            id TEXT PRIMARY KEY,
            product TEXT,
            version TEXT,
            name TEXT,
            seen INTEGER NOT NULL
        ) WITHOUT ROWID;
INSERT INTO "devices" VALUES('e6aabbcc',NULL,NULL,NULL,1767700000);
INSERT INTO "devices" VALUES('e6ddeeff',NULL,NULL,NULL,1767700500);
CREATE TABLE games (
    number INTEGER PRIMARY KEY REFERENCES journals,
    kind TEXT,
    title TEXT NOT NULL,
    league TEXT,
    low INTEGER NOT NULL,
    phase TEXT,
    finished INTEGER NOT NULL,
    early INTEGER NOT NULL,
    events INTEGER NOT NULL,
    fixes INTEGER NOT NULL,
    flaw TEXT,
    deleted INTEGER NOT NULL,
    at INTEGER NOT NULL
);
INSERT INTO "games" VALUES(1,'poker_carre','','poker_carre',0,'OVER',1,0,6,1,NULL,0,1767600000);
INSERT INTO "games" VALUES(2,'top_spot','','top_spot',0,'MATCH_OVER',1,0,9,0,NULL,0,1767700000);
INSERT INTO "games" VALUES(3,'poker_carre','','poker_carre',0,'PLAY',0,0,4,0,NULL,0,1767610000);
INSERT INTO "games" VALUES(4,'poch','','poch',0,'OVER',1,0,2,0,NULL,1,1767620000);
CREATE TABLE "journals" (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            game TEXT NOT NULL UNIQUE,
            device TEXT,
            received INTEGER NOT NULL,
            at INTEGER NOT NULL,
            approximate INTEGER NOT NULL,
            damaged INTEGER NOT NULL
        );
INSERT INTO "journals" VALUES(1,'aabbcc-0001-0a0b0c','e6aabbcc',1767700000,1767600000,0,0);
INSERT INTO "journals" VALUES(2,'aabbcc-0002-0d0e0f','e6aabbcc',1767700000,1767700000,1,0);
INSERT INTO "journals" VALUES(3,'ddeeff-0001-010203','e6ddeeff',1767700500,1767610000,0,0);
INSERT INTO "journals" VALUES(4,'file-0123456789ab',NULL,1767700600,1767620000,0,0);
CREATE TABLE "lines" (
            number INTEGER NOT NULL REFERENCES journals,
            variant INTEGER NOT NULL,
            n INTEGER NOT NULL,
            text TEXT NOT NULL,
            PRIMARY KEY (number, variant, n)
        ) WITHOUT ROWID;
INSERT INTO "lines" VALUES(1,0,0,'{"game":"poker_carre","players":["Anna","Ben"]}');
INSERT INTO "lines" VALUES(1,0,1,'{"ev":"mark","p":0,"rubric":1}');
INSERT INTO "lines" VALUES(1,0,2,'{"ev":"mark","p":0,"rubric":1}');
INSERT INTO "lines" VALUES(1,0,3,'{"ev":"mark","p":0,"rubric":1}');
INSERT INTO "lines" VALUES(1,0,4,'{"ev":"mark","p":1,"rubric":1}');
INSERT INTO "lines" VALUES(1,0,5,'{"ev":"mark","p":1,"rubric":1}');
INSERT INTO "lines" VALUES(1,0,6,'{"ev":"finish"}');
INSERT INTO "lines" VALUES(2,0,0,'{"game":"top_spot","players":["Anna","Ben","Cleo"],"match_length":1,"confirm":true}');
INSERT INTO "lines" VALUES(2,0,1,'{"ev":"point","p":0}');
INSERT INTO "lines" VALUES(2,0,2,'{"ev":"point","p":1}');
INSERT INTO "lines" VALUES(2,0,3,'{"ev":"point","p":1}');
INSERT INTO "lines" VALUES(2,0,4,'{"ev":"point","p":2}');
INSERT INTO "lines" VALUES(2,0,5,'{"ev":"point","p":2}');
INSERT INTO "lines" VALUES(2,0,6,'{"ev":"point","p":2}');
INSERT INTO "lines" VALUES(2,0,7,'{"ev":"point","p":2}');
INSERT INTO "lines" VALUES(2,0,8,'{"ev":"end_game"}');
INSERT INTO "lines" VALUES(2,0,9,'{"ev":"next_game"}');
INSERT INTO "lines" VALUES(3,0,0,'{"game":"poker_carre","players":["anna","Cleo"]}');
INSERT INTO "lines" VALUES(3,0,1,'{"ev":"mark","p":0,"rubric":1}');
INSERT INTO "lines" VALUES(3,0,2,'{"ev":"mark","p":0,"rubric":1}');
INSERT INTO "lines" VALUES(3,0,3,'{"ev":"mark","p":1,"rubric":1}');
INSERT INTO "lines" VALUES(3,0,4,'{"ev":"mark","p":1,"rubric":1}');
INSERT INTO "lines" VALUES(4,0,0,'{"game":"poch","players":["Ben","Cleo"],"options":{"chips_total":200}}');
INSERT INTO "lines" VALUES(4,0,1,'{"ev":"loan","from":1,"to":0,"k":50}');
INSERT INTO "lines" VALUES(4,0,2,'{"ev":"end_game"}');
CREATE TABLE people (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uuid TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE
);
INSERT INTO "people" VALUES(1,'3B65AEB3-4FAD-5A18-9299-88406568C81B','Anna');
INSERT INTO "people" VALUES(2,'87CDBC5F-1D8E-5335-8B94-AA6AC59F15E4','Ben');
INSERT INTO "people" VALUES(3,'FD9328AC-302C-5323-AC70-AE148AFC3CB5','Cleo');
CREATE TABLE removals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    number INTEGER NOT NULL REFERENCES journals,
    made INTEGER NOT NULL,
    removed INTEGER NOT NULL
);
INSERT INTO "removals" VALUES(1,4,1767700900,1);
CREATE TABLE rounds (
    number INTEGER NOT NULL REFERENCES games,
    n INTEGER NOT NULL,
    label TEXT NOT NULL,
    points TEXT NOT NULL,
    PRIMARY KEY (number, n)
) WITHOUT ROWID;
INSERT INTO "rounds" VALUES(1,0,'rubric 1','[2, 2]');
INSERT INTO "rounds" VALUES(1,1,'rubric 2','[0, 0]');
INSERT INTO "rounds" VALUES(1,2,'rubric 3','[0, 0]');
INSERT INTO "rounds" VALUES(1,3,'rubric 7','[0, 0]');
INSERT INTO "rounds" VALUES(1,4,'rubric 10','[10, 0]');
INSERT INTO "rounds" VALUES(2,0,'game 1','[1, 2, 4]');
INSERT INTO "rounds" VALUES(3,0,'rubric 1','[2, 2]');
INSERT INTO "rounds" VALUES(3,1,'rubric 2','[0, 0]');
INSERT INTO "rounds" VALUES(3,2,'rubric 3','[0, 0]');
INSERT INTO "rounds" VALUES(3,3,'rubric 7','[0, 0]');
INSERT INTO "rounds" VALUES(3,4,'rubric 10','[0, 0]');
INSERT INTO "rounds" VALUES(4,0,'start','[100, 100]');
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
INSERT INTO "scores" VALUES(1,0,1,12,1,1,1);
INSERT INTO "scores" VALUES(1,1,2,2,2,0,0);
INSERT INTO "scores" VALUES(2,0,1,1,3,0,1);
INSERT INTO "scores" VALUES(2,1,2,2,2,0,0);
INSERT INTO "scores" VALUES(2,2,3,4,1,1,0);
INSERT INTO "scores" VALUES(3,0,1,2,NULL,0,1);
INSERT INTO "scores" VALUES(3,1,3,2,NULL,0,0);
INSERT INTO "scores" VALUES(4,0,2,100,1,1,1);
INSERT INTO "scores" VALUES(4,1,3,100,1,1,0);
CREATE TABLE spellings (
    spelling TEXT PRIMARY KEY,
    person INTEGER NOT NULL REFERENCES people
) WITHOUT ROWID;
INSERT INTO "spellings" VALUES('Anna',1);
INSERT INTO "spellings" VALUES('Ben',2);
INSERT INTO "spellings" VALUES('Cleo',3);
INSERT INTO "spellings" VALUES('anna',1);
CREATE INDEX corrections_of_game ON corrections (number);
CREATE INDEX removals_of_game ON removals (number);
CREATE INDEX games_by_time ON games (deleted, at, number);
CREATE INDEX scores_of_person ON scores (person, number);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('people',3);
INSERT INTO "sqlite_sequence" VALUES('corrections',3);
INSERT INTO "sqlite_sequence" VALUES('removals',1);
INSERT INTO "sqlite_sequence" VALUES('journals',4);
COMMIT;
