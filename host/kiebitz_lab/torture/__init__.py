"""Stress-test device and programs in repeatable campaigns with a seed, progress and figures."""
