"""Building an index: a wheel and curated facts become one compact file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from podgraph.extractors.subjects.index.container import pack
from podgraph.extractors.subjects.index.messages import pack_messages
from podgraph.extractors.subjects.index.paths import pack_paths
from podgraph.extractors.subjects.index.symbols import last_part, module_of, pack_symbols
from podgraph.extractors.subjects.pytorch import SUBJECT

from .messages import find_texts
from .rows import Harvest
from .wheel import Wheel

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from .facts import Facts


def build_index(wheel: Path, facts: Facts) -> tuple[bytes, list[str]]:
    """Return the bytes of the index of a torch wheel, and one line for each name in ``facts`` that the wheel lacks.

    Nothing of the wheel is imported. The same input gives the same bytes. Raises ``SourceError`` when the wheel
    cannot be read.
    """
    source = Wheel(wheel)
    harvest = Harvest(source, facts)
    files = sorted(source.members)
    header = {
        "version": source.version, "commit": source.commit, "repo": SUBJECT.repo, "older": facts.old_version,
        "docs": SUBJECT.docs, "cppdocs": "https://docs.pytorch.org/cppdocs/", "tutorials": SUBJECT.tutorials,
    }  # fmt: skip
    modules = {module_of(path): path for path in files if path.endswith(".py")}
    spellings, lost = _resolve_spellings(facts, harvest, modules)
    aliases, alias_pages = _list_aliases(harvest, facts, modules)
    docs = {name: page for name, page in facts.names["docs"].items() if name not in harvest.rows}
    module_pages = {name: page for name, page in (facts.documented.modules | docs).items() if name in modules}
    gone_pages = {*facts.documented.removed.values(), *facts.pages.get("docs_gone", ())}
    gone_pages -= {*facts.documented.pages.values(), *facts.documented.modules.values(), *facts.pages["docs"]}
    sections = {
        "files": pack_paths(files),
        "older": pack_paths(path for path in facts.old_paths if path not in source.members),
        **pack_symbols(harvest.rows.values(), files, public="torch/__init__.py"),
        "aliases": _join_pairs(aliases),
        "alias_pages": _join_pairs(alias_pages),
        "modules": _join_pairs(module_pages),
        "vocabulary": _to_json(spellings),
        "concepts": _to_json(facts.concepts),
        "titles": _to_json({**facts.pages, "docs_gone": sorted(gone_pages)}),
        **pack_messages(find_texts(source), files),
    }
    return pack(header, sections), [*harvest.dropped, *lost]


def _list_aliases(harvest: Harvest, facts: Facts, modules: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the spellings that the index cannot work out itself, and the pages that only they have.

    The index finds the private place of a public name by its module.
    """
    aliases: dict[str, str] = {}
    pages: dict[str, str] = {}
    for alias, name in sorted(harvest.aliases.items()):
        row = harvest.rows.get(name)
        if alias in harvest.rows or row is None:
            continue
        owner, _, last = alias.rpartition(".")
        page = facts.documented.pages.get(alias, row.page)
        if page != row.page:
            pages[alias] = page
        if page != row.page or modules.get(owner) != row.path or last != last_part(name):
            aliases[alias] = name
    return aliases, pages


def _resolve_spellings(facts: Facts, harvest: Harvest, modules: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    """Return the curated spellings with the names of this wheel, and one line for each that leads nowhere."""
    known = harvest.rows.keys() | modules.keys()
    lost: list[str] = []
    spellings = {key: facts.names[key] for key in ("prefixes", "moved", "dtypes")}
    for key in ("phrases", "words", "dunders"):
        spellings[key] = {}
        for spelling, targets in facts.names[key].items():
            found = []
            for target in [targets] if isinstance(targets, str) else targets:
                name = target if target in known else harvest.aliases.get(target, "")
                if name in known:
                    found.append(name)
                else:
                    lost.append(f"{spelling}: no {target} in the wheel")
            if found:
                spellings[key][spelling] = found[0] if isinstance(targets, str) else found
    return spellings, lost


def _join_pairs(pairs: Mapping[str, str]) -> str:
    return "\n".join(f"{left} {right}" for left, right in sorted(pairs.items()))


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
