"""Every request speaks its own language, whatever others speak at the same moment."""

import threading

from kiebitz.text import text
from kiebitz_host.languages import speaking, use
from web.asking import Visitor

YES = {"en": "Language", "de": "Sprache", "fr": "Langue", "it": "Lingua", "nl": "Taal"}


def test_threads_do_not_hear_each_other():
    together = threading.Barrier(len(YES))
    heard = {}

    def speak(lang):
        with speaking(lang):
            together.wait(10)
            heard[lang] = [text("web.languages") for _ in range(200)]

    threads = [threading.Thread(target=speak, args=(lang,)) for lang in YES]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {lang: set(words) for lang, words in heard.items()} == {lang: {word} for lang, word in YES.items()}


def test_one_within_the_other_and_back():
    with speaking("de"):
        with speaking("fr"):
            assert text("web.languages") == YES["fr"]
        assert text("web.languages") == YES["de"]
    use("it")
    assert text("web.languages") == YES["it"]


def test_requests_at_the_same_time_get_their_own_pages(stand):
    pages = {}

    def ask(lang):
        pages[lang] = [Visitor(stand).get("/live", accept_language=lang).text for _ in range(10)]

    threads = [threading.Thread(target=ask, args=(lang,)) for lang in YES]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for lang, word in YES.items():
        assert all(f'<html lang="{lang}"' in page and word in page for page in pages[lang])
