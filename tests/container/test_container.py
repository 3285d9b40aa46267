"""The container of docs/server.md: its Dockerfile's steps in a chroot, then `kiebitz web` with a read-only root."""

import shutil
import subprocess

import pytest
from kiebitz_lab import container
from kiebitz_lab.container import DEPLOY, inside, size_mb, started
from kiebitz_lab.dist import make_wheel
from kiebitz_lab.image.build import current_image

SIZE_MAX_MB = 150
GAME = '{"game":"top_spot","players":["Anna","Ben","Cleo"]}'
PATIENCE_S = 60


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """Return the last stage and its root folder, built from a new wheel."""
    context = tmp_path_factory.mktemp("context")
    make_wheel(current_image(), context)
    shutil.copy(DEPLOY / "Dockerfile", context)
    cache = tmp_path_factory.mktemp("roots")
    yield container.build(context, cache)
    shutil.rmtree(cache)


@pytest.fixture
def running(image, tmp_path):
    """Return a running container, its first line, and a function that runs a command in it."""
    stage, root = image
    data = tmp_path / "data"
    data.mkdir()
    process = started(stage, root, data)
    line = process.stdout.readline()  # printed when the server listens

    def run(*command):
        enter = ["nsenter", f"--target={process.pid}", "--mount", "--net", *inside(stage, root)]
        return subprocess.run([*enter, *command], capture_output=True, text=True, timeout=PATIENCE_S)

    yield process, line, run
    process.kill()
    process.communicate()


def test_the_image_has_less_than_150_mb(image):
    size = size_mb(image[1])
    print(f"image: {size:.0f} MB")
    assert 50 < size < SIZE_MAX_MB


def test_it_serves_as_a_user_with_a_read_only_root_and_ends_at_once(image, running):
    stage, _ = image
    process, line, run = running
    assert "http://127.0.0.1:8080/live?token=" in line
    assert run(*stage.health).returncode == 0
    assert run("id", "-u").stdout == "1000\n"
    refused = run("sh", "-c", "echo x > /opt/kiebitz/x")
    assert refused.returncode != 0 and "Read-only file system" in refused.stderr
    added = run("sh", "-c", f"echo '{GAME}' > game.jsonl && kiebitz add game.jsonl && kiebitz games")
    assert "Top Spot" in added.stdout, added
    process.terminate()
    assert process.wait(PATIENCE_S) in (0, -15)
    assert "Traceback" not in process.stderr.read()


def test_the_health_check_fails_if_nothing_listens(image, tmp_path):
    stage, root = image
    done = subprocess.run(["unshare", "--net", *inside(stage, root), *stage.health], capture_output=True, text=True)
    assert done.returncode != 0 and "URLError" in done.stderr
