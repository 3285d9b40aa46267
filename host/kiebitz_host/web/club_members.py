"""Answer the requests for a club's members: their list, its import with a preview, and its export."""

import os
import tempfile
from collections.abc import Iterable, Mapping

from kiebitz.text import text
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ..exchange.members import read_members
from ..export.files import members_csv
from ..html import Child, Node, el, fragment, name, table
from ..league.names import alphabetical, is_guest
from ..library import people
from ..library.location import open_store, read_store
from ..library.store import Store
from ..outcome import Trouble
from ..printable import capitalized
from . import club_forms
from .forms import hidden
from .frame import titled
from .requests import check_token, form_of, page

CSV = "text/csv; charset=utf-8"
_SEE_OTHER = 303


def file_headers(name: str, kind: str, shown: str = "attachment") -> dict[str, str]:
    """Return the headers of a file to save."""
    return {"Content-Disposition": f'{shown}; filename="kiebitz-{name}.{kind}"'}


def members(request: Request) -> Response:
    check_token(request)
    return _members_page(request, "", None)


def _members_page(request: Request, content: str, preview: Child, status: int = 200) -> Response:
    with read_store(request.app.state.site.args) as store:
        rows = [(one["name"], one.get("number", ""), one.get("club", "")) for one in _listed(store)]
    csv = el("a", text("club.page.members.csv"), href="/club/members.csv", download=True, class_="button")
    title = text("club.page.members")
    content_parts = fragment(
        titled(title, text("web.players.count", n=len(rows))),
        club_forms.import_page(preview, content),
        _members_table(rows, title) if rows else None,
        el("p", csv) if rows else None,
    )
    return page(request, title, content_parts, status=status)


def _listed(store: Store) -> list[dict]:
    """Return everybody who is a member or has played, without guests, in alphabetical order."""
    listed = people.listed(store.db, imported=True, with_members=True)
    return sorted([one for one in listed if not is_guest(one["name"])], key=lambda one: alphabetical(one["name"]))


def _members_table(rows: Iterable[tuple[str, str, str]], label: str) -> Node:
    """Return names, numbers and clubs as a table."""
    heads: list[Child] = [text("sheet.player"), text("club.page.number"), text("club.page.club")]
    return table(heads, [[name(who), number, club] for who, number, club in rows], label)


async def import_members(request: Request) -> Response:
    """Show what a list of members would change, and store exactly that when it is sent again with its seal."""
    check_token(request)
    form = await form_of(request)
    return await run_in_threadpool(_import_members, request, form)


def _import_members(request: Request, form: Mapping[str, str]) -> Response:
    content = "\n".join(form.get("list", "").splitlines())  # browsers send a carriage return with each line break
    handle, file = tempfile.mkstemp(suffix=".csv")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(content.encode())
        with open_store(request.app.state.site.args) as store, store.batch():
            found = read_members(store.db, file)
            seal = f"{len(found.new)} {len(found.changed)} {len(found.bad)}"
            if form.get("seen") == seal and not found.bad:
                if found.wanted:
                    people.add_members(store.db, found.wanted)
                return RedirectResponse("/club/members", _SEE_OTHER)
    except Trouble as trouble:
        words = str(trouble).replace(file, text("club.page.this_list"))
        return _members_page(request, content, el("p", words, class_="warn", role="alert"), 422)
    finally:
        os.unlink(file)
    unused = found.table.ignored
    said: list[Child] = [
        el("p", capitalized(text("import.columns", columns=", ".join(found.table.columns.values())))),
        el("p", text("import.unused", columns=", ".join(unused))) if unused else None,
        el("p", text("club.page.preview", new=len(found.new), changed=len(found.changed), same=found.same)),
        [el("p", note) for note in found.notes],
    ]
    if found.bad:
        wrong = el("ul", [el("li", row.sentence()) for row in found.bad])
        said += [el("p", text("club.page.wrong_rows"), class_="warn", role="alert"), wrong]
        return _members_page(request, content, said, 422)
    if found.wanted:
        rows = [(spelling, facts.number, facts.club) for spelling, facts in found.wanted.items()]
        button = el("button", text("web.store"), class_="main")
        said.append(_members_table(rows, text("club.page.new_members")))
        said.append(el("form", hidden(list=content, seen=seal), button, method="post", action="/club/members",
                       class_="actions"))  # fmt: skip
    return _members_page(request, content, said)


def all_members_csv(request: Request) -> Response:
    check_token(request)
    with read_store(request.app.state.site.args) as store:
        listed = _listed(store)
    return Response(members_csv(listed), media_type=CSV, headers=file_headers("members", "csv"))


MEMBERS_ROUTES = [
    Route("/club/members", members),
    Route("/club/members", import_members, methods=["POST"]),
    Route("/club/members.csv", all_members_csv),
]
