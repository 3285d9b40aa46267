"""The laptop side of Kiebitz: command line, simulator, sync and exports."""
