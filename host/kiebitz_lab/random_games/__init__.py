"""Generate random games of every kind for the tests and the benchmark; the generators run on both interpreters."""

NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gil", "Hal", "Ida")
