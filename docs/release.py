"""Check that the repository is ready for a release: ``python docs/release.py --check [--tag vVERSION]``.

The check covers the version, the changelog, generated files, links of Markdown files, and the name of the repository's
owner. ``--owner NAME/REPOSITORY`` fills in that name. Each problem is one line, with status 1.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
PLACEHOLDER = "OWNER/podgraph"
OWNED = ("pyproject.toml", "CITATION.cff", "docs/conda/recipe.yaml", ".github/ISSUE_TEMPLATE/config.yml")
MOST_LINES = 60  # one page: the section of a release in the changelog
_LINK = re.compile(r"(?<!`)\]\(([^()\s]+)\)")
_CODE = re.compile(r"^( *)(`{3,}).*?^\1\2`*$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def pages(root: Path) -> list[Path]:
    """Return the Markdown files with links for users; generated ones are left out."""
    found = [*root.glob("*.md"), *(root / "docs").rglob("*.md")]
    return sorted(path for path in found if "made" not in path.parts)


def version_problems(root: Path, tag: str = "") -> Iterator[str]:
    """Yield the places whose version differs from ``pyproject.toml``."""
    version = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    places = {
        "podgraph/__init__.py": r'^__version__ = "(.*)"$',
        "CITATION.cff": r"^version: (.*)$",
        "docs/conda/recipe.yaml": r'^  version: "([^$"]*)"$',
    }
    for name, pattern in places.items():
        found = re.search(pattern, (root / name).read_text("utf-8"), re.MULTILINE)
        if not found or found[1] != version:
            yield f"{name}: version {found[1] if found else 'missing'}, but pyproject.toml has {version}"
    if tag and tag != f"v{version}":
        yield f"tag {tag}: the version is {version}; use v{version}"


def changelog_problems(root: Path) -> Iterator[str]:
    """Yield the reasons why the changelog is not ready."""
    version = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    sections = re.split(r"^## ", (root / "CHANGELOG.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
    heads = {head: text.strip() for head, _, text in (section.partition("\n") for section in sections)}
    if heads.get("[Unreleased]"):
        yield f"CHANGELOG.md: [Unreleased] is not empty; move its lines under [{version}]"
    found = [head for head in heads if re.fullmatch(rf"\[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d", head)]
    if not found:
        yield f"CHANGELOG.md: add a heading '## [{version}] - YEAR-MONTH-DAY'"
    elif (lines := heads[found[0]].count("\n") + 1) > MOST_LINES:
        yield f"CHANGELOG.md: [{version}] has {lines} lines; one page has at most {MOST_LINES}"


def link_problems(root: Path) -> Iterator[str]:
    """Yield the relative links to missing files or headings."""
    for page in pages(root):
        for target in _LINK.findall(_CODE.sub("", page.read_text("utf-8"))):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            path = (page.parent / name).resolve() if name else page
            if "/made/" in f"/{name}":  # built with the site, whose own check covers these
                continue
            if not path.exists():
                yield f"{page.relative_to(root).as_posix()}: {target} does not exist"
            elif anchor and path.suffix == ".md" and anchor not in anchors(path.read_text("utf-8")):
                yield f"{page.relative_to(root).as_posix()}: {target} has no such heading"


def anchors(text: str) -> set[str]:
    r"""Return the anchors of a page's headings, as GitHub makes them.

    >>> sorted(anchors("# One, two\n## `--json`"))
    ['--json', 'one-two']
    """
    text = re.sub(r"^( *)(`{3,}).*?^\1\2`*$", "", text, flags=re.MULTILINE | re.DOTALL)
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


def owner_problems(root: Path) -> Iterator[str]:
    """Yield the files that still have the placeholder of the owner."""
    for path in owned(root):
        if count := path.read_text("utf-8").count(PLACEHOLDER):
            name = path.relative_to(root).as_posix()
            yield f"{name}: {PLACEHOLDER} occurs {count} times; fill it in with --owner NAME/REPOSITORY"


def owned(root: Path) -> list[Path]:
    """Return the files that name the owner of the repository."""
    return [*(root / name for name in OWNED), *pages(root)]


def generated_problems(root: Path) -> Iterator[str]:
    """Yield outdated generated files."""
    command = [sys.executable, "docs/generate.py", "--check"]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        yield from (done.stdout + done.stderr).strip().splitlines() or ["docs/generate.py failed"]


def fill_in(root: Path, owner: str) -> None:
    """Replace the placeholder by ``NAME/REPOSITORY``, and the recipe's maintainer by ``NAME``."""
    for path in owned(root):
        text = path.read_text("utf-8")
        new = text.replace(PLACEHOLDER, owner).replace("    - OWNER\n", f"    - {owner.partition('/')[0]}\n")
        if new != text:
            path.write_text(new, "utf-8")


def main() -> int:
    """Fill in the owner, check, and print the problems; return 1 if there is any."""
    parser = argparse.ArgumentParser(description="Check that the repository is ready for a release.")
    parser.add_argument("--check", action="store_true", help="print the problems; status 1 if there is any")
    parser.add_argument("--tag", default="", help="the tag of the release")
    parser.add_argument("--owner", default="", metavar="NAME/REPOSITORY", help="fill in the owner of the repository")
    arguments = parser.parse_args()
    if arguments.owner:
        if not re.fullmatch(r"[\w.-]+/[\w.-]+", arguments.owner):
            parser.error(f"invalid owner {arguments.owner!r} for --owner; use NAME/REPOSITORY")
        fill_in(ROOT, arguments.owner)
    if not arguments.check:
        return 0
    problems = [
        *version_problems(ROOT, arguments.tag),
        *changelog_problems(ROOT),
        *link_problems(ROOT),
        *owner_problems(ROOT),
        *generated_problems(ROOT),
    ]
    print("\n".join(problems) or "ready for a release")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
