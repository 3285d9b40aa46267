"""Read the statements that limit the rights of a club's members from docs/clubs.md, for tests and campaigns."""

import re
from pathlib import Path

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
