"""Tortures the programs: hostile devices, and whatever else must not bring them down."""
