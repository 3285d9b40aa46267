"""Tortures device and programs: campaigns with a seed, progress and figures that anybody can run again."""
