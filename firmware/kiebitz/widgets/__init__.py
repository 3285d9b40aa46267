"""The parts that all screens are made of."""
