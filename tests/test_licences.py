"""What an installed podgraph consists of may be used by everybody: nothing in it is under the GPL, LGPL or AGPL.

Counted is what the product's files import, and all that these distributions need in turn; what only development and
tests use (igraph, html2text) is not handed on.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from importlib.util import find_spec
from pathlib import Path

import pytest
from packaging.requirements import Requirement

pytestmark = pytest.mark.checkout  # it reads the product's sources

ROOT = Path(__file__).parents[1]
ROOMS = ("extractors", "graph", "output", "podgraph")
PRODUCT_EXTRAS = ("parquet", "mcp")
# Imported where the user has it, and never asked for.
OF_THE_USER = {"pandas"}
# GPL, LGPL, AGPL and their long names, in an SPDX expression, a free text or a classifier.
COPYLEFT = re.compile(r"\b[AL]?GPL|\bGNU (?:Lesser |Library |Affero )?(?:General )?Public", re.IGNORECASE)

LICENCES = [
    ("MIT", False),
    ("Apache-2.0 OR BSD-2-Clause", False),
    ("MPL-2.0", False),
    ("GPL-3.0-or-later", True),
    ("LGPL-3.0-only", True),
    ("AGPLv3", True),
    ("GNU General Public License (GPL)", True),
    ("License :: OSI Approved :: GNU Lesser General Public License v3 (LGPLv3)", True),
]


@pytest.mark.parametrize(("licence", "copyleft"), LICENCES)
def test_which_licences_are_copyleft(licence, copyleft):
    assert bool(COPYLEFT.search(licence)) == copyleft


def licence_of(name):
    """Return what a distribution says of its licence; a whole text of one is known by its first words."""
    about = distribution(name).metadata
    classifiers = [line for line in about.get_all("Classifier", []) if line.startswith("License ::")]
    return " / ".join([about.get("License-Expression") or "", (about.get("License") or "")[:200], *classifiers])


def needed():
    """Return all distributions that the product needs here, by the markers of this Python, extras included."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    own = [
        *project["dependencies"],
        *(need for extra in PRODUCT_EXTRAS for need in project["optional-dependencies"][extra]),
    ]
    return {name for need in map(Requirement, own) for name in _needed_by(need.name, ("", *sorted(need.extras)))}


def _needed_by(name, extras):
    seen, todo = set(), [(name, extras)]
    while todo:
        name, extras = todo.pop()
        name = re.sub(r"[-_.]+", "-", name).lower()
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        try:
            needs = distribution(name).requires or ()
        except PackageNotFoundError:
            continue  # an extra that is not installed here
        yield name
        todo += [
            (need.name, ("", *sorted(need.extras)))
            for need in map(Requirement, needs)
            if any(need.marker is None or need.marker.evaluate({"extra": extra}) for extra in extras)
        ]


def imported():
    """Return the top names of all modules that the product's files import, wherever in them."""
    names = set()
    for path in (path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add((node.module or "").partition(".")[0])
    return names - sys.stdlib_module_names - {"podgraph"}


def test_nothing_that_is_installed_with_it_is_copyleft():
    names = needed() | {name for name in OF_THE_USER if find_spec(name)}
    assert {"lxml", "requests", "urllib3", "certifi"} <= names
    assert [(name, licence) for name in sorted(names) if COPYLEFT.search(licence := licence_of(name))] == []


def test_nothing_else_is_imported():
    known = packages_distributions()
    names, ours = imported(), needed() | OF_THE_USER
    assert "requests" in names
    foreign = {
        name for name in names
        if name in known and not ours & {re.sub(r"[-_.]+", "-", owner).lower() for owner in known[name]}
    }  # fmt: skip
    assert foreign == set()
