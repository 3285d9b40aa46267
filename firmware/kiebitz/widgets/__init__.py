"""Provide the parts that all screens are made of."""
