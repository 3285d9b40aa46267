"""Choose from the menu of a table in a scene, whatever the language."""

from kiebitz.text import said, text


def chosen(key, keys=""):
    """Return a function that chooses the line of the table's menu with the text `key`, and presses more keys."""

    def play(device):
        device.keys("left")
        menu = device.app.top
        menu.at = [said(label) for label in menu.labels()].index(text(key))
        device.keys("ok " + keys)

    return play
