"""Provide helpers for the tests of several folders."""
