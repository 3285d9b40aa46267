"""Run the steps of host/deploy/Dockerfile in a chroot, because the tests have no Docker engine.

The base image is made by debootstrap, without what Debian's slim images leave out. Needs root.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

DEPLOY = Path(__file__).parents[1] / "deploy"
LEFT_OUT = ("usr/share/doc", "usr/share/man", "usr/share/info", "usr/share/locale", "var/cache/apt",
            "var/lib/apt/lists")  # fmt: skip
# What a chroot needs of this machine to reach the package registries: file here -> file there
_CERTIFICATES = "var/tmp/certificates.crt"
_REACH = {"etc/resolv.conf": "etc/resolv.conf", "etc/ssl/certs/ca-certificates.crt": _CERTIFICATES}
_SETTINGS = {"PIP_CERT": f"/{_CERTIFICATES}", "SSL_CERT_FILE": f"/{_CERTIFICATES}"}
_KNOWN = {"FROM", "RUN", "COPY", "ENV", "WORKDIR", "VOLUME", "USER", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT"}


@dataclass
class Stage:
    """A stage of a Dockerfile: its steps, and what a container is started with."""

    base: str
    name: str
    steps: list[tuple[str, str]] = field(default_factory=list)  # RUN and COPY
    environment: dict[str, str] = field(default_factory=dict)
    user: str = "0:0"
    folder: str = "/"
    volumes: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)


def stages(text: str) -> list[Stage]:
    """Parse a Dockerfile. Raises ValueError for an instruction that this module does not know."""
    found: list[Stage] = []
    lines = re.sub(r"\\\n\s*", "", "\n".join(line for line in text.splitlines() if not line.startswith("#")))
    for line in filter(None, lines.splitlines()):
        word, _, rest = line.partition(" ")
        if word not in _KNOWN:
            raise ValueError(f"unknown instruction {word}")
        if word == "FROM":
            base, _, name = rest.partition(" AS ")
            found.append(Stage(base, name))
            continue
        stage = found[-1]
        if word in ("RUN", "COPY"):
            stage.steps.append((word, rest))
        elif word == "ENV":
            for pair in shlex.split(rest):
                name, _, value = pair.partition("=")
                stage.environment[name] = value
        elif word == "WORKDIR":
            stage.folder = rest
            stage.steps.append(("RUN", f"mkdir -p {rest}"))
        elif word == "VOLUME":
            stage.volumes.append(rest)
        elif word == "USER":
            stage.user = rest
        elif word == "HEALTHCHECK":
            stage.health = json.loads(rest.partition(" CMD ")[2])
        elif word == "ENTRYPOINT":
            stage.command = json.loads(rest)
    return found


def base_root(base: str, cache: Path) -> Path:
    """Return a folder with the base image, made once."""
    suite = re.fullmatch(r"debian:(\w+)-slim", base)
    if suite is None:
        raise ValueError(f"the base image {base} cannot be made here")
    root = cache / suite[1]
    if not root.exists():
        made = root.with_suffix(".new")
        shutil.rmtree(made, ignore_errors=True)
        _run(["debootstrap", "--variant=minbase", suite[1], str(made)])
        made.rename(root)
    return root


def build(context: Path, cache: Path) -> tuple[Stage, Path]:
    """Run all steps of the Dockerfile in a folder. Returns the last stage and its root folder."""
    roots: dict[str, Path] = {}
    for number, stage in enumerate(stages((context / "Dockerfile").read_text("utf-8"))):
        root = cache / f"stage{number}"
        shutil.rmtree(root, ignore_errors=True)
        _run(["cp", "-a", str(base_root(stage.base, cache)), str(root)])
        for here, there in _REACH.items():
            (root / there).unlink(missing_ok=True)
            shutil.copyfile(Path("/", here), root / there)
        for word, rest in stage.steps:
            if word == "RUN":
                chroot(root, ["sh", "-ec", rest], {**stage.environment, **_SETTINGS})
            else:
                _copy(rest, context, root, roots)
        for there in _REACH.values():
            (root / there).unlink()
        for name in LEFT_OUT:
            shutil.rmtree(root / name, ignore_errors=True)
        roots[stage.name] = root
        last = stage, root
    return last


def _copy(rest: str, context: Path, root: Path, roots: dict[str, Path]) -> None:
    words = rest.split()
    source = roots[words.pop(0).removeprefix("--from=")] if words[0].startswith("--from=") else context
    *names, to = words
    target = root / to.lstrip("/")
    for name in names:
        found = list(source.glob(name.lstrip("/")))
        if not found:
            raise FileNotFoundError(name)
        for path in found:
            into = target / path.name if to.endswith("/") else target
            into.parent.mkdir(parents=True, exist_ok=True)
            _run(["cp", "-a", str(path), str(into)])


def chroot(root: Path, command: list[str], environment: dict[str, str]) -> None:
    """Run a command of the build as root, with /proc."""
    mounts = f"mount -t proc proc {shlex.quote(str(root))}/proc && exec \"$@\""
    _run(["unshare", "--mount", "sh", "-ec", mounts, "sh", "chroot", str(root), "env", "-i",
          "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive",
          *[f"{key}={value}" for key, value in environment.items() if key != "PATH"], *command])  # fmt: skip


def started(stage: Stage, root: Path, data: Path, *arguments: str, **environment: str) -> subprocess.Popen:
    """Start a container: a read-only root file system, a volume, a /tmp, and a network of its own.

    A new volume belongs to the owner of its folder in the image, as with Docker.
    """
    place = shlex.quote(str(root))
    owner = (root / stage.volumes[0].lstrip("/")).stat()
    os.chown(data, owner.st_uid, owner.st_gid)
    mounts = f"""
        ip link set lo up
        mount --bind {place} {place}
        mount -t proc proc {place}/proc
        mount --bind {shlex.quote(str(data))} {place}{stage.volumes[0]}
        mount -t tmpfs tmpfs {place}/tmp
        mount -o remount,ro,bind {place}
        exec "$@"
    """
    return subprocess.Popen(
        ["unshare", "--mount", "--net", "sh", "-ec", mounts, "sh", *inside(stage, root, environment),
         *stage.command, *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def inside(stage: Stage, root: Path, environment: dict[str, str] | None = None) -> list[str]:
    """Return the beginning of a command line that runs in a container."""
    settings = [f"{key}={value}" for key, value in {**stage.environment, **(environment or {})}.items()]
    enter = ["setpriv", "--no-new-privs", "chroot", f"--userspec={stage.user}", str(root)]
    return [*enter, "env", "-i", "-C", stage.folder, *settings]


def size_mb(root: Path) -> float:
    """Return the size of an image in MB, each file once."""
    return int(subprocess.check_output(["du", "-sb", str(root)]).split()[0]) / 1e6


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{shlex.join(command[:6])} ... failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
