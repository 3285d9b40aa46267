"""Collects the licences of everything that is compiled into the image."""

from pathlib import Path

from ..frozen_tree import ROOT

_LINE = "=" * 78
# The licences of what the compiler adds by itself
_SYSTEM = Path("/usr/share/doc")


def sections(sources: Path) -> dict[str, Path]:
    """Return {what a licence covers: its path}."""
    packages = sources / "deb" / "usr" / "share" / "doc"
    return {
        "Kiebitz": ROOT / "LICENSE",
        "MicroPython": sources / "micropython" / "LICENSE",
        "MicroPython and the libraries in it (littlefs, uzlib and others), as Debian lists them": sources
        / "micropython"
        / "debian"
        / "copyright",
        "Raspberry Pi Pico SDK": packages / "pico-sdk-source" / "copyright",
        "TinyUSB": packages / "tinyusb-source" / "copyright",
        "newlib, the C library": _SYSTEM / "libnewlib-arm-none-eabi" / "copyright",
        "GCC, whose runtime library is linked under its exception": sorted(_SYSTEM.glob("gcc-*-base/copyright"))[-1],
    }


def notices(sources: Path) -> str:
    """Return all licences as one text."""
    parts = ["Licences of what is in the image of Kiebitz.\n"]
    for title, path in sections(sources).items():
        parts.append(f"{_LINE}\n{title}\n{_LINE}\n\n{path.read_text('utf-8', errors='replace').strip()}\n")
    return "\n".join(parts)
