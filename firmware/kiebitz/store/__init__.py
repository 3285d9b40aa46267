"""A game being played: its events, undo and redo, the replay form, and what is kept on flash."""
