"""The addresses as QR codes: for those who have the token, and only if others can reach the pages at all."""

from kiebitz_host.show.qr import code_of
from kiebitz_host.web.server import qr_code
from web.asking import Visitor


def test_the_codes_are_for_those_with_the_token(stand):
    stand.site.lan = "http://192.168.1.7:8080"
    assert Visitor(stand).get("/share").status == 403
    page = Visitor(stand, token=True).get("/share").page
    assert "http://192.168.1.7:8080/live" in page.text
    assert f"http://192.168.1.7:8080/device?token={stand.site.token}" in page.text
    assert len(page.root.findall(".//svg")) == 2


def test_without_the_network_it_says_how_to_let_phones_in(stand):
    assert "--lan" in Visitor(stand, token=True).get("/share").page.text


def test_the_picture_has_every_dark_module():
    address = "http://192.168.1.7:8080/live"
    assert str(qr_code(address)).count("h1v1h-1z") == sum(map(sum, code_of(address).matrix_iter(border=0)))
