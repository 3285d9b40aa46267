"""Twenty laptops and ten devices: the short form of kiebitz_lab.torture.club, and what the benchmark measures."""

import io

import pytest
from kiebitz_lab import synthetic_store as synthetic
from kiebitz_lab.bench import club as bench_club
from kiebitz_lab.torture import club
from kiebitz_lab.torture.campaign import Campaign
from rich.console import Console

pytestmark = pytest.mark.long


def test_no_game_is_lost_or_doubled_and_all_leagues_are_equal():
    campaign = Campaign("kiebitz_lab.torture.club", 7)
    club.play(campaign, 0, 1, meetings=30)
    assert campaign.failures == []
    assert campaign.figures["games at the end"] >= 10
    assert campaign.figures["clients killed"] > 0


def test_a_game_that_was_confirmed_and_is_nowhere_is_noticed(monkeypatch):
    """Let clients note a game that is stored nowhere."""
    campaign = Campaign("kiebitz_lab.torture.club", 7)
    real = club._note

    def note(store, notes):
        real(store, notes)
        notes.write_text(notes.read_text().replace('"games": [', '"games": ["never stored", ').replace(", ]", "]"))

    monkeypatch.setattr(club, "_note", note)
    club.play(campaign, 0, 1, meetings=12)
    assert any("lost: ['never stored']" in why for why in campaign.failures)


def test_the_benchmark_measures_both_engines(monkeypatch):
    monkeypatch.setattr(synthetic, "PER_KIND", 1)
    monkeypatch.setattr(bench_club, "WRITTEN", 2)
    monkeypatch.setattr(bench_club, "WRITERS", 3)
    monkeypatch.setattr(bench_club, "ROUNDS", 1)
    figures = bench_club.measure((30,), exchanged=20)
    assert figures["exchange"]["journals"] == 20
    assert all(figures[f"{engine} 30"]["league"] > 0 for engine in ("sqlite", "postgresql"))
    out = io.StringIO()
    bench_club.show(figures, Console(file=out, width=120))
    assert "add and league" in out.getvalue() and "writers 3" in out.getvalue()
