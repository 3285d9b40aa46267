"""Reads a form that a page has sent; Starlette's own reader would need one more package."""

from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

FIELDS_MAX = 2000
URLENCODED = "application/x-www-form-urlencoded"


async def form_of(request: Request) -> dict[str, str]:
    """Return the fields of a form; of a field that comes twice, the last. Raises HTTPException if it is no form."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != URLENCODED:
        raise HTTPException(415, "not a form")
    try:
        words = (await request.body()).decode("ascii")
        return dict(parse_qsl(words, keep_blank_values=True, errors="strict", max_num_fields=FIELDS_MAX))
    except ValueError:
        raise HTTPException(400, "not a form") from None
