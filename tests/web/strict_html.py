"""Reads a page as strictly as a machine can: it must be well-formed XML, and every element must be where it may be."""

import xml.etree.ElementTree as ElementTree

DOCTYPE = "<!DOCTYPE html>\n"
ISOLATES = "\u2068\u2069"


class Page:
    """A page that was read."""

    def __init__(self, markup):
        """Read a page; raises an error where it is not well-formed."""
        assert markup.startswith(DOCTYPE)
        self.markup = markup
        self.root = ElementTree.fromstring(markup[len(DOCTYPE) :])
        self._check()

    def _check(self):
        root = self.root
        assert root.tag == "html" and root.get("lang")
        assert [child.tag for child in root] == ["head", "body"]
        assert len(root.findall(".//h1")) == 1, "one headline of the first order"
        assert len(root.findall(".//main")) == 1
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        assert len(ids) == len(set(ids)), "every id once"
        for element in root.iter():
            for key in element.attrib:
                assert not key.startswith("on") and key != "style", f"{element.tag} {key}"
            if element.tag == "script":
                assert not (element.text or "").strip(), "no script in the page itself"
        for label in ("aria-labelledby", "aria-describedby"):
            for element in root.iter():
                for word in element.get(label, "").split():
                    assert word in ids, f"nothing has the id {word}"

    @property
    def lang(self):
        return self.root.get("lang")

    @property
    def title(self):
        return _words(self.root.find("head/title"))

    @property
    def text(self):
        """All words of the page, without marks of direction."""
        return _words(self.root.find("body"))

    def texts(self, path):
        """Return the words of every element at a path."""
        return [_words(element) for element in self.root.findall(f".//{path}")]

    def scripts(self):
        """Return where the scripts of the page come from."""
        return [element.get("src") for element in self.root.iter("script")]

    def links(self):
        return [element.get("href") for element in self.root.iter("a")]

    def tags(self):
        return {element.tag for element in self.root.iter()}


def _words(element):
    words = " ".join("".join(element.itertext()).split())
    return words.translate(dict.fromkeys(map(ord, ISOLATES)))
