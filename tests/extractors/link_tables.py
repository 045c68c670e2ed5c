"""Reads the tables of links that tests and the benchmark share."""

import json
import re
import tomllib
from pathlib import Path

FIXTURES = Path(__file__).parent / "fixtures"
_ESCAPE = re.compile(r"\\u([0-9a-f]{4})|\\U([0-9a-f]{8})|\\(n|\\)")


def _unescape(text):
    def character(match):
        return chr(int(match[1] or match[2], 16)) if not match[3] else {"n": "\n", "\\": "\\"}[match[3]]

    return _ESCAPE.sub(character, text)


def links():
    """Yield (family, text, whole URLs, cut URLs) of ``links.txt``."""
    family, text, whole, cut = "", "", [], []
    for line in [*(FIXTURES / "links.txt").read_text("utf-8").splitlines(), "# end"]:
        if line.startswith("    ~ "):
            cut.append(_unescape(line[6:]))
        elif line.startswith("    "):
            whole.append(_unescape(line[4:]))
        elif line:
            if text:
                yield family, text, whole, cut
            text, whole, cut = ("" if line.startswith("#") else _unescape(line)), [], []
            family = line[3:] if line.startswith("## ") else family


def not_links():
    """Yield the texts of ``not_links.txt``."""
    for line in (FIXTURES / "not_links.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("# "):
            yield _unescape(line)


def cases(name):
    """Return the rows of a table of ``fixtures``."""
    return json.loads((FIXTURES / name).read_text("utf-8"))


def snippets():
    """Yield (family, notes, whole links, cut links, ids of references) of the tables in ``notes/``."""
    for table in sorted((FIXTURES / "notes").glob("*.toml")):
        for case in tomllib.loads(table.read_text("utf-8"))["case"]:
            yield table.stem, case["notes"], case.get("links", []), case.get("cut", []), case.get("refs", [])
