"""Makes the answer to a request: a page in its frame, in the light that the visitor has chosen."""

from starlette.requests import Request
from starlette.responses import HTMLResponse

from .frame import whole_page
from .html import Child
from .visit import THEMES, Visit

THEME_COOKIE = "kiebitz_theme"
REMEMBER_S = 365 * 24 * 3600


def visit_of(request: Request) -> Visit:
    """Return the visit of a request; its language and its rights were found out before."""
    words = (request.query_params.get("theme"), request.cookies.get(THEME_COOKIE))
    return Visit(
        lang=request.state.lang,
        theme=next((word for word in words if word in THEMES), THEMES[0]),
        path=request.url.path,
        query=tuple(request.query_params.multi_items()),
        may_change=request.state.may_change,
    )


def page(
    request: Request, title: str, *content: Child, status: int = 200, fresh: bool = False, **options
) -> HTMLResponse:
    """Return a page as the answer to a request; `options` are those of whole_page().

    fresh: the page shows the store, and is renewed in the browser when the store changes.
    """
    if fresh:
        options["fresh"] = request.state.store_state
    response = HTMLResponse(whole_page(visit_of(request), title, *content, **options), status)
    chosen = request.query_params.get("theme")
    if chosen in THEMES:
        response.set_cookie(THEME_COOKIE, chosen, max_age=REMEMBER_S, httponly=True, samesite="lax")
    return response
