"""The pictures of docs/architecture.md: drawn from the code, and up to date."""

from xml.etree import ElementTree

import pytest
from kiebitz_lab import architecture
from kiebitz_lab.architecture import FOLDER, ROOMS_FILE, WALK_FILE, directions, rooms_svg, walk_svg
from kiebitz_lab.key_press import count, trace


@pytest.fixture(scope="module")
def walk():
    return trace()


def words_of(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("}text")]


def test_the_picture_of_the_rooms_is_up_to_date():
    assert (FOLDER / ROOMS_FILE).read_text("utf-8") == rooms_svg(), "run make architecture"


def test_every_room_is_in_the_picture():
    words = words_of(rooms_svg())
    assert set(directions().MAY_IMPORT) <= set(words)
    assert {"cli/", "library/", "league/", "show/", "sim/", "chip/", "bench/"} <= set(words)


def test_a_key_press_goes_through_the_rules_to_flash_and_only_then_to_the_display(walk):
    to_flash = [call.function for call in walk.to_flash]
    stations = [call.file for call, _ in walk.stations()]
    assert to_flash.index("Keys.feed") < to_flash.index("BoardsScreen.key") < to_flash.index("RoyalFlush.do_score")
    assert stations[-1] == "board/storage.py" and "store/journal.py" in stations
    assert "Oled.show" not in to_flash and "Oled.show" in [call.function for call in walk.last_stations()]


def test_the_figures_of_the_walk_fit_each_other(walk):
    calls, files, borders = count(walk.to_flash)
    assert files <= borders < calls
    assert sum(n for _, n in walk.stations()) == calls and len(walk.stations()) == files


def test_the_picture_of_the_walk_names_the_files_of_today(walk):
    # The figures in it may be those of a while ago; the files may not
    kept = words_of((FOLDER / WALK_FILE).read_text("utf-8"))
    drawn = words_of(walk_svg(walk))
    assert [word for word in drawn if word.endswith(".py")] == [word for word in kept if word.endswith(".py")], (
        "run make architecture"
    )


def test_both_pictures_are_written(tmp_path, capsys):
    assert architecture.main(tmp_path) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted((ROOMS_FILE, WALK_FILE))
    assert "key to flash: " in capsys.readouterr().out
