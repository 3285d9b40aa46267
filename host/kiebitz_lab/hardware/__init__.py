"""Generate a builder's files from the board profiles: wiring table, drawings, parts list, Wokwi diagram and case."""
