"""Hold the screens that all games share."""
