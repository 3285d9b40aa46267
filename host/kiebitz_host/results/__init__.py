"""Stores every game ever fetched in one SQLite file on the laptop, and evaluates the games."""
