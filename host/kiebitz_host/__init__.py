"""Provide the laptop side of Kiebitz: command line, simulator, sync, results and pages."""
