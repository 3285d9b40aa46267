"""Serve results and games in play as web pages (`kiebitz web`), and export pages as single files."""
