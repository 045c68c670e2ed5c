"""Compare the JSON Schemas of answers with those of the last tag: a change that breaks a script needs a changelog line.

    python .ci/schemas.py

Fails where a field is gone, has another type, or is no longer always there, and no line of the changelog's section
[Unreleased] begins with "Breaking" and names the question in backquotes. Without a tag there is nothing to compare.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
FOLDER = "output/schemas"


def breaks(old: dict[str, Any], new: dict[str, Any], at: str = "") -> Iterator[str]:
    """Yield what of an ``old`` schema a ``new`` one breaks, with its place.

    >>> one = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}, "n": {"type": "integer"}}}
    >>> list(breaks(one, one | {"required": [], "properties": {"id": {"type": "integer"}}}))
    [' id is no longer always there', ' n is gone', ' id has another type']
    """
    yield from (
        f"{at} {name} is no longer always there" for name in set(old.get("required", ())) - {*new.get("required", ())}
    )
    properties = new.get("properties", {})
    yield from (f"{at} {name} is gone" for name in old.get("properties", {}) if name not in properties)
    for name, form in old.get("properties", {}).items():
        if form.get("type") != properties.get(name, form).get("type"):
            yield f"{at} {name} has another type"
        yield from breaks(form, properties.get(name, form), f"{at} {name}".strip())
    for inner in ("items", "additionalProperties"):
        if isinstance(old.get(inner), dict) and isinstance(new.get(inner), dict):
            yield from breaks(old[inner], new[inner], f"{at}[]")
    for name, form in old.get("$defs", {}).items():
        yield from breaks(form, new.get("$defs", {}).get(name, {}), f"{at} {name}".strip())


def git(*words: str) -> str:
    """Return what a Git command prints, "" where it fails."""
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout  # noqa: S603, S607


def main() -> int:
    """Print each break that the changelog does not name; 1 where there is any."""
    tag = git("describe", "--tags", "--abbrev=0").strip()
    if not tag:
        print("no tag yet: no schema to compare with")
        return 0
    unreleased = (ROOT / "CHANGELOG.md").read_text("utf-8").partition("## [Unreleased]")[2].partition("\n## ")[0]
    named = set(re.findall(r"`([\w-]+)`", " ".join(re.findall(r"(?m)^- Breaking.*(?:\n  .*)*", unreleased))))
    found = 0
    for path in git("ls-tree", "--name-only", tag, f"{FOLDER}/").split():
        question = Path(path).name.partition(".")[0]
        if not path.endswith(".schema.json") or question in named:
            continue
        new = json.loads((ROOT / path).read_text("utf-8")) if (ROOT / path).exists() else {}
        for problem in breaks(json.loads(git("show", f"{tag}:{path}")), new):
            print(f"{question}: {problem} since {tag}; add a line to the changelog: - Breaking: `{question}` …")
            found += 1
    return min(found, 1)


if __name__ == "__main__":
    sys.exit(main())
