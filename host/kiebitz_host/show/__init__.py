"""Turn results into tables, sheets and sentences for people and programs: no SQL."""
