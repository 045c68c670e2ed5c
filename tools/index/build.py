"""Building an index: a wheel, curated facts and inventories of documentation become one compact file."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from podgraph.extractors.errors import SourceError
from podgraph.extractors.subjects.index.container import pack
from podgraph.extractors.subjects.index.messages import pack_messages
from podgraph.extractors.subjects.index.paths import pack_paths
from podgraph.extractors.subjects.index.table import last_part, module_of, pack_symbols
from podgraph.extractors.subjects.pytorch import SUBJECT

from .facts import DocNames, Facts
from .inventory import parse_inventory
from .messages import find_texts
from .rows import collect
from .wheel import Wheel

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from podgraph.extractors.subjects.index.shapes import Spellings

    from .rows import Harvest

# Where the documentation of other projects stands, for inventories that are given as a file.
_HOMES = {
    "jax": "https://docs.jax.dev/en/latest/",
    "numpy": "https://numpy.org/doc/stable/",
    "pandas": "https://pandas.pydata.org/docs/",
    "python": "https://docs.python.org/3/",
    "scipy": "https://docs.scipy.org/doc/scipy/",
    "torchao": "https://docs.pytorch.org/ao/stable/",
    "torchaudio": "https://docs.pytorch.org/audio/stable/",
    "torchvision": "https://docs.pytorch.org/vision/stable/",
}
_BASES = {"docs": SUBJECT.docs, "cppdocs": "https://docs.pytorch.org/cppdocs/", "tutorials": SUBJECT.tutorials}


def build_index(
    wheel: Path, facts: Facts, *, inventories: Mapping[str, tuple[str, bytes]] | None = None
) -> tuple[bytes, list[str]]:
    """Return the bytes of the index of a torch wheel, and one line each for what was left out.

    ``inventories`` maps a project to the address of its documentation (empty: the known one) and the bytes of its
    ``objects.inv``; that of ``pytorch`` takes the place of the documented names in ``facts``. Nothing of
    the wheel is imported. The same input gives the same bytes. Raises ``SourceError`` when the wheel or an
    inventory cannot be read.
    """
    source = Wheel(wheel)
    bases = dict(_BASES)
    parsed = {name: parse_inventory(data, source=name) for name, (_, data) in (inventories or {}).items()}
    own = parsed.pop("pytorch", None)
    if own is not None:
        bases["docs"] = (inventories or {})["pytorch"][0] or bases["docs"]
        facts = replace(facts, documented=_documented(own))
    harvest = collect(source, facts)
    files = sorted(source.members)
    header = {
        "version": source.version,
        "commit": source.commit,
        "repo": SUBJECT.repo,
        "older": facts.old_version,
        **bases,
        "projects": {name: _home(name, (inventories or {})[name][0]) for name in parsed},
    }
    vocabulary, lost = _vocabulary(facts, harvest, files)
    sections = {
        "files": pack_paths(files),
        "older": pack_paths(path for path in facts.old_paths if path not in source.members),
        **pack_symbols(harvest.rows, files, public="torch/__init__.py"),
        "aliases": "\n".join(_told_aliases(harvest, facts, files)).encode(),
        "modules": _lines(_documented_modules(facts, harvest, files)),
        "vocabulary": _json(vocabulary),
        "concepts": _json(facts.concepts),
        "titles": _json({**facts.pages, "docs_gone": sorted(_gone_pages(facts))}),
        **pack_messages(find_texts(source), files),
        **{f"inventory:{name}": _lines(sorted(names.items())) for name, names in parsed.items()},
    }
    return pack(header, sections), [*harvest.dropped, *lost]


def parse_inventory_option(text: str) -> tuple[str, str, str]:
    """Take ``[PROJECT=]FILE|URL`` apart: project, source of the inventory, address of its documentation or nothing.

    >>> parse_inventory_option("numpy=https://numpy.org/doc/stable/objects.inv")
    ('numpy', 'https://numpy.org/doc/stable/objects.inv', 'https://numpy.org/doc/stable/')
    >>> parse_inventory_option("objects.inv")
    ('pytorch', 'objects.inv', '')
    """
    project, mark, source = text.partition("=")
    if not mark or "/" in project or "." in project:
        project, source = "pytorch", text
    base = source.rpartition("/")[0] + "/" if source.startswith(("http://", "https://")) else ""
    return project, source, base


def _home(project: str, base: str) -> str:
    home = base or _HOMES.get(project, "")
    if not home:
        raise SourceError(
            "the address of its documentation is not known", source=project, remedy="give its inventory as a URL"
        )
    return home


def _documented(inventory: Mapping[str, str]) -> DocNames:
    """Turn the Python names of PyTorch's own inventory into documented names."""
    names = DocNames()
    for name, uri in inventory.items():
        page, _, anchor = uri.partition("#")
        if anchor.startswith("module-"):
            names.modules[name] = page
        else:
            names.pages[name] = page
            if anchor != name:
                names.anchors[name] = anchor
    return names


def _told_aliases(harvest: Harvest, facts: Facts, files: Iterable[str]) -> list[str]:
    """Return the spellings that the table cannot work out itself, with the pages that only they have.

    It knows the private place of a public thing without being told.
    """
    modules = {module_of(path): path for path in files}
    told = []
    for alias, name in sorted(harvest.aliases.items()):
        row = harvest.rows.get(name)
        if alias in harvest.rows or row is None:
            continue
        page = facts.documented.pages.get(alias, row.page)
        if page != row.page:
            told.append(f"{alias} {name} {'*' if page == f'generated/{alias}.html' else page}")
            continue
        owner, _, last = alias.rpartition(".")
        if modules.get(owner) != row.path or last != last_part(name):
            told.append(f"{alias} {name}")
    return told


def _documented_modules(facts: Facts, harvest: Harvest, files: Iterable[str]) -> list[tuple[str, str]]:
    modules = {module_of(path) for path in files}
    told = {name: page for name, page in facts.documented.modules.items() if name in modules}
    told |= {name: page for name, page in facts.names["docs"].items() if name in modules and name not in harvest.rows}
    return sorted(told.items())


def _gone_pages(facts: Facts) -> set[str]:
    pages = {*facts.documented.removed.values(), *facts.pages.get("docs_gone", ())}
    return pages - {*facts.documented.pages.values(), *facts.documented.modules.values(), *facts.pages["docs"]}


def _vocabulary(facts: Facts, harvest: Harvest, files: Iterable[str]) -> tuple[Spellings, list[str]]:
    """Return the curated spellings with what they lead to in this wheel, and one line for each that leads nowhere."""
    known = (harvest.rows.keys() | {module_of(path) for path in files}) - {""}
    lost: list[str] = []

    def there(name: str, wanted: Iterable[str]) -> list[str]:
        targets = {target: target if target in known else harvest.aliases.get(target, "") for target in wanted}
        lost.extend(f"{name}: no {target} in the wheel" for target, found in targets.items() if found not in known)
        return [found for found in targets.values() if found in known]

    names = facts.names
    phrases = {name: found for name, wanted in names["phrases"].items() if (found := there(name, wanted))}
    words = {name: found for name, wanted in names["words"].items() if (found := there(name, wanted))}
    dunders = {name: found[0] for name, wanted in names["dunders"].items() if (found := there(name, [wanted]))}
    spellings: Spellings = {
        "phrases": phrases, "words": words, "dunders": dunders, "prefixes": names["prefixes"],
        "moved": names["moved"], "symbols": names["symbols"], "variables": names["variables"], "docs": names["docs"],
        "dtypes": names["dtypes"], "renamed": names["renamed"],
    }  # fmt: skip
    return spellings, lost


def _lines(pairs: Iterable[tuple[str, str]]) -> bytes:
    return "\n".join(f"{left} {right}" for left, right in pairs).encode()


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
