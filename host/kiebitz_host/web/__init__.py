"""Shows the table, the games, the evening and the league in a browser: `kiebitz web`, and pages as single files."""
