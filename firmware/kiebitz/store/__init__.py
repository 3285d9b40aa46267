"""Keep games on flash: the events of a game, undo and redo, the replay form, and the files around them."""
