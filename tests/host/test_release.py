"""What others install from: package.json for mip, and the archive of a release."""

import ast
import hashlib
import json
import subprocess
import zipfile

from helpers.fake_pico import FakePico
from kiebitz import VERSION
from kiebitz_host.firmware import SOURCE
from kiebitz_host.install import dist, package
from kiebitz_host.install.device import Device
from kiebitz_host.install.installer import Installer
from mpremote.mip import _install_json


class Target:
    """Where mip puts files: the part of mpremote's transport it uses."""

    def __init__(self):
        self.files = {}
        self.folders = {"/"}

    def fs_exists(self, path):
        return "/" + path.strip("/") in self.folders

    def fs_mkdir(self, path):
        self.folders.add("/" + path.strip("/"))

    def fs_writefile(self, path, data, progress_callback=None):
        folder = "/" + path.strip("/").rpartition("/")[0]
        assert folder in self.folders
        self.files[path.lstrip("/")] = data


def mip(path, monkeypatch):
    """What `mpremote mip install --target / package.json` puts on a device."""
    monkeypatch.chdir(path.parent)
    target = Target()
    _install_json(target, path.name, "", "/", None, True)
    return target.files


def test_package_json_is_up_to_date():
    assert package.PACKAGE.read_text() == package.source_package(), "run make package"


def test_mip_installs_every_source_and_main_last(monkeypatch, capsys):
    files = mip(package.PACKAGE, monkeypatch)
    assert list(files)[-1] == "main.py"
    sources = [path for path in SOURCE.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert files == {path.relative_to(SOURCE).as_posix(): path.read_bytes() for path in sources}
    assert json.loads(package.PACKAGE.read_text())["version"] == VERSION


def test_a_release_is_complete_and_checked(tmp_path, monkeypatch, capsys):
    archive = dist.make(tmp_path)
    assert (tmp_path / "SHA256SUMS").read_text() == (
        f"{hashlib.sha256(archive.read_bytes()).hexdigest()}  kiebitz-{VERSION}-pico.zip\n"
    )
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(tmp_path)
    folder = tmp_path / f"kiebitz-{VERSION}"
    subprocess.run(["sha256sum", "--quiet", "--check", "SHA256SUMS"], cwd=folder, check=True)
    for words in ("BOOTSEL", "mpremote mip install --target / package.json", "1.25.0"):
        assert words in (folder / "INSTALL.txt").read_text()
    installed = mip(folder / "package.json", monkeypatch)
    # `kiebitz install` finds nothing to do on a device with the release
    pico = FakePico(installed)
    from kiebitz_host.firmware import compiled_firmware

    report = Installer(Device(pico), compiled_firmware()).run()
    assert (report.sent, report.removed) == ([], [])


def test_the_same_firmware_makes_the_same_archive(tmp_path):
    assert dist.make(tmp_path / "a").read_bytes() == dist.make(tmp_path / "b").read_bytes()


def test_main_knows_every_folder_of_the_firmware():
    """A module in another one would not be found on a device."""
    tree = next(line for line in (SOURCE / "main.py").read_text().splitlines() if line.startswith("FOLDERS"))
    modules = {path.parent.relative_to(SOURCE / "kiebitz").as_posix() for path in (SOURCE / "kiebitz").rglob("*.py")}
    assert set(ast.literal_eval(tree.partition(" = ")[2])) == {"" if name == "." else "/" + name for name in modules}
