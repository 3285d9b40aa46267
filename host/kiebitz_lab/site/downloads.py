"""Puts the image for a Pico on the site, with its checksum."""

import shutil
from pathlib import Path

from kiebitz_lab.image.build import checksum_path, current_image


def copy_downloads(site: Path) -> list[dict[str, str]]:
    """Copy the image, built if needed. Returns name, size and checksum of each file that can be downloaded."""
    image = current_image()
    found = []
    for path in (image, checksum_path(image)):
        shutil.copy(path, site)
    digest = checksum_path(image).read_text().split()[0]
    found.append({"name": image.name, "size": f"{image.stat().st_size / 1024:,.0f} KB", "sha256": digest})
    return found
