"""Run a temporary PostgreSQL server for tests and measurements, on a socket in a temporary folder.

The programs are those of Debian's package (`make postgresql`), or those in the folder that POSTGRESQL names. A server
refuses to run as root, so it then runs as the user that the package has made.
"""

import contextlib
import os
import pwd
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

OWNER = "kiebitz"
PASSWORD_USER = "checked"  # who must give a password; everybody else on the socket is trusted
DATABASE = "club"
_START_S = 60


class NoServer(Exception):
    """PostgreSQL is not installed on this computer."""


def programs() -> Path:
    """Return the folder with the programs of the newest PostgreSQL."""
    if "POSTGRESQL" in os.environ:
        return Path(os.environ["POSTGRESQL"])
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("postgres")
    if not found and not on_path:
        raise NoServer("PostgreSQL is not installed: run make postgresql")
    return found[-1].parent if found else Path(on_path or "").parent


class Server:
    """A PostgreSQL in a folder; `durable` waits for the disk at every commit."""

    def __init__(self, folder: Path, durable: bool = False):
        self.folder = folder
        self._data = folder / "data"
        self._programs = programs()
        self._as: dict[str, Any] = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
        if self._as:
            owner = pwd.getpwnam("postgres")
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        self._run("initdb", "-D", self._data, "-U", OWNER, "-A", "trust", "-E", "UTF8", "--no-locale", "-N")
        hba = f"local all {PASSWORD_USER} scram-sha-256\nlocal all all trust\n"
        settings = f"listen_addresses = ''\nunix_socket_directories = '{folder}'\n"
        settings += f"fsync = {'on' if durable else 'off'}\n"
        self._write("pg_hba.conf", hba)
        self._write("postgresql.conf", (self._data / "postgresql.conf").read_text() + settings)
        self.start()
        self.sql("postgres", f"CREATE DATABASE {DATABASE}")
        self.sql("postgres", f"CREATE ROLE {PASSWORD_USER} LOGIN PASSWORD 'right'")

    def _write(self, name: str, text: str) -> None:
        (self._data / name).write_text(text)

    def _run(self, program: str, *words: object) -> None:
        command = [str(self._programs / program), *map(str, words)]
        with open(self.folder / "log", "ab") as log:
            done = subprocess.run(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd="/", **self._as)
        if done.returncode:
            raise RuntimeError(f"{program} failed:\n{(self.folder / 'log').read_text(errors='replace')[-2000:]}")

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        self._run("pg_ctl", "-D", self._data, "-w", "-t", _START_S, "-l", self.folder / "server.log", "start")

    def stop(self, how: str = "fast") -> None:
        """Stop the server: `fast`, or `immediate` as if the power had failed."""
        self._run("pg_ctl", "-D", self._data, "-w", "-t", _START_S, "-m", how, "stop")

    def address(self, schema: str = "public", user: str = OWNER, password: str = "", database: str = DATABASE) -> str:
        """Return the address of a database; each schema in it serves as a separate database."""
        who = f"{user}:{password}@" if password else f"{user}@"
        options = quote(f"-csearch_path={schema}", safe="")
        return f"postgresql://{who}/{database}?host={quote(str(self.folder), safe='')}&options={options}"

    def sql(self, database: str, statement: str) -> list[tuple]:
        """Run a statement as the owner of everything. Returns its rows."""
        import psycopg  # without a club nobody needs it

        with psycopg.connect(self.address(database=database), autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def new_schema(self, name: str) -> str:
        """Make an empty schema, or empty an old one. Returns its address."""
        self.sql(DATABASE, f'DROP SCHEMA IF EXISTS "{name}" CASCADE; CREATE SCHEMA "{name}"')
        return self.address(name)


@contextlib.contextmanager
def running(durable: bool = False) -> Iterator[Server]:
    """Run a server in a folder of its own, and remove both afterwards."""
    with tempfile.TemporaryDirectory(prefix="kiebitz-pg-", ignore_cleanup_errors=True) as folder:
        server = Server(Path(folder), durable)
        try:
            yield server
        finally:
            with contextlib.suppress(RuntimeError):
                server.stop("immediate")


_DOC = Path(__file__).parents[2] / "docs" / "clubs.md"
_ROLE = re.compile(r"CREATE ROLE (\w+);")


def grant_rights(schema: str, member: str) -> str:
    """Return the documented statements for a schema, and those that make a role a member; roles may exist already."""
    (sql,) = re.findall(r"```sql\n(.*?)```", _DOC.read_text("utf-8"), re.DOTALL)
    roles = _ROLE.findall(sql)
    sql = re.sub(r"\bpublic\b", schema, _ROLE.sub(lambda found: _made(found[1]), sql))
    usage = f"GRANT USAGE ON SCHEMA {schema} TO {', '.join(roles)};"
    return f"SET search_path = {schema}; {_made(member)} {sql} {usage} GRANT {roles[0]} TO {member};"


def _made(role: str) -> str:
    login = f"CREATE ROLE {role} LOGIN"
    return f"DO $made$ BEGIN {login}; EXCEPTION WHEN duplicate_object THEN NULL; END $made$;"
