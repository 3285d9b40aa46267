"""The results on the laptop: every game ever fetched, in one SQLite file, and what can be told from it."""
