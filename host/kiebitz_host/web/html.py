"""Re-export the HTML builders for the pages."""

from ..html import (
    ISOLATE,
    POP_ISOLATE,
    VOID,
    Attribute,
    Child,
    Node,
    document,
    el,
    escape,
    fragment,
    join,
    name,
    plain_name,
    sentence,
    style_sheet,
)

__all__ = [
    "ISOLATE",
    "POP_ISOLATE",
    "VOID",
    "Attribute",
    "Child",
    "Node",
    "document",
    "el",
    "escape",
    "fragment",
    "join",
    "name",
    "plain_name",
    "sentence",
    "style_sheet",
]
