"""Random games of every kind, for the tests and the benchmark: they run on both interpreters."""

NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gil", "Hal", "Ida")
