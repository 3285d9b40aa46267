"""What a laptop says that it has of single games: until then the device forgets none. Loaded when one says so."""


def confirm(games, game_id, lines):
    """A laptop says that it has so many event lines of this game. Returns True if that is all of it."""
    entry = games.entry(game_id)
    if entry is None or entry["lines"] != lines:
        return False
    return list(confirm_all(games, {game_id: entry["mark"]}))[-1] == [game_id]


def confirm_all(games, marks):
    """A laptop says what it has: the mark of its lines, by a game's id.

    Yields None again and again, as there is other work to do, and in the end a list of the games of which that is all.
    The flash is written once.
    """
    try:
        yield from games.index.load()
    except OSError:
        pass  # then everything is replayed
    done = []
    for game_id in marks:
        if not _is_told(games, game_id, marks[game_id]):
            entry = games.entry(game_id)
            yield None
            if entry is None or entry["mark"] != marks[game_id]:
                continue
        done.append(game_id)
    new = {game_id: marks[game_id] for game_id in done if games.seen(game_id) != marks[game_id]}
    if new:
        games.index.confirm(new, games.ids)
    yield done


def _is_told(games, game_id, mark):
    """Whether a game that nobody plays has this mark, as far as the index knows.

    Should it have grown since, this mark is not its own any more, and so it does not count as confirmed.
    """
    try:
        return not games.in_play(game_id) and games.index.agrees(game_id, mark)
    except OSError:
        return False
