"""Compute standings, ratings, records and evenings from plain data: no database."""
