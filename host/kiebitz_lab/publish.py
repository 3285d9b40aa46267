"""Attach the files of build/dist to a draft release of the tag, on GitHub or Forgejo (last step of the workflow).

Both describe the repository by the same variables. A person reads the draft and publishes it.
"""

import json
import os
import re
import secrets
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from kiebitz_host.outcome import BAD_USAGE, OK, Trouble

from .dist import DIST
from .frozen_tree import ROOT

NEEDED = ("GITHUB_API_URL", "GITHUB_REPOSITORY", "GITHUB_REF_NAME", "GITHUB_TOKEN")
_RAW = "https://uploads.github.com/"  # takes a file as it is; Forgejo takes it as a field of a form
_PATIENCE_S = 120


def notes_of(version: str, changes: str) -> str:
    """Return the change log of a version; raises Trouble if there is none."""
    found = re.search(rf"^## \[{re.escape(version)}\].*?\n(.*?)(?=^## \[|\Z)", changes, re.MULTILINE | re.DOTALL)
    if found is None:
        raise Trouble(f"CHANGELOG.md has no section [{version}]: see docs/releasing.md.")
    return found[1].strip()


class Host:
    """The place of the repository, as the variables of a job describe it."""

    def __init__(self, environ: Mapping[str, str], raw: str = _RAW):
        missing = [name for name in NEEDED if not environ.get(name)]
        if missing:
            raise Trouble(f"{', '.join(missing)} must be set: the workflow of a tag does that.")
        api, repository, self.tag, self._token = (environ[name] for name in NEEDED)
        self._releases = f"{api.rstrip('/')}/repos/{repository}/releases"
        self._raw = raw

    def release(self, notes: str) -> Any:
        """Return the release of the tag, a new draft if there is none."""
        known = self._ask("GET", self._releases)
        found = [release for release in known if release["tag_name"] == self.tag]
        if found:
            return found[0]
        told = {"tag_name": self.tag, "name": f"Kiebitz {self.tag.removeprefix('v')}", "body": notes, "draft": True}
        return self._ask("POST", self._releases, json.dumps(told).encode(), "application/json")

    def attach(self, release: Any, path: Path) -> None:
        """Attach a file to a release."""
        if path.name in [asset["name"] for asset in release.get("assets") or []]:
            raise Trouble(f"the release {self.tag} has a file {path.name} already: remove it there, and repeat.")
        address = release.get("upload_url") or f"{self._releases}/{release['id']}/assets"
        address = f"{address.partition('{')[0]}?name={quote(path.name)}"
        if address.startswith(self._raw):
            self._ask("POST", address, path.read_bytes(), "application/octet-stream")
            return
        mark = secrets.token_hex(16)
        head = f'--{mark}\r\nContent-Disposition: form-data; name="attachment"; filename="{path.name}"\r\n\r\n'
        body = head.encode() + path.read_bytes() + f"\r\n--{mark}--\r\n".encode()
        self._ask("POST", address, body, f"multipart/form-data; boundary={mark}")

    def _ask(self, method: str, address: str, body: bytes | None = None, kind: str = "") -> Any:
        """Send a request. Returns the JSON of its answer."""
        request = urllib.request.Request(address, body, method=method)
        request.add_header("Authorization", f"Bearer {self._token}")
        request.add_header("Accept", "application/json")
        if kind:
            request.add_header("Content-Type", kind)
        try:
            with urllib.request.urlopen(request, timeout=_PATIENCE_S) as answer:
                return json.load(answer)
        except (OSError, ValueError) as error:
            raise Trouble(f"{method} {address} failed: {error}.") from None


def publish(host: Host, folder: Path = DIST, changes: str | None = None) -> list[str]:
    """Attach all files of a folder to the release of the tag. Returns their names."""
    files = sorted(path for path in folder.iterdir() if path.is_file()) if folder.is_dir() else []
    if not files:
        raise Trouble(f"there is nothing in {folder.name}: run make dist first.")
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8") if changes is None else changes
    release = host.release(notes_of(host.tag.removeprefix("v"), changes))
    for path in files:
        host.attach(release, path)
    return [path.name for path in files]


def main() -> int:
    """Publish, and name what was attached. Returns the exit code."""
    try:
        for name in publish(Host(os.environ)):
            print(f"attached {name}")
    except Trouble as trouble:
        print(f"publish: {trouble}", file=sys.stderr)
        return BAD_USAGE
    return OK


if __name__ == "__main__":
    sys.exit(main())
