"""Write the generated files: ``python docs/generate.py``; ``--check`` only lists those out of date.

- The JSON Schema and the tables of ``docs/contract.md`` come from ``graph/kinds.py``.
- The JSON Schemas of answers come from ``graph/queries/fields.py`` and the types of the answers.
- The registry of sites gets a row for each new file of ``extractors/sites/``.
- The manual page (``manual.py``) and the shell completion come from the command's parsers.
- The template repository comes from ``podgraph init``.
- ``CITATION.cff`` and the conda recipe get version, day and requirements from ``pyproject.toml`` and the changelog.
- The built-in snapshot gets its graph.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import textwrap
import tomllib
from hashlib import sha256
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import podgraph.graph
from podgraph.extractors import Location
from podgraph.graph import (
    EVIDENCE,
    FAMILIES,
    FIELDS,
    KIND_NAME,
    KINDS,
    METHODS,
    QUESTIONS,
    RELATIONS,
    SHAPES,
    Absent,
    Citation,
    EdgeAttributes,
    Evidence,
    Explaining,
    Explanation,
    Found,
    Kind,
    NodeAttributes,
    OrderStep,
    Parameter,
    Question,
    Relative,
    Reviewed,
    Row,
    Seen,
    Stats,
    Step,
    lay_out,
)

ROOT = Path(__file__).resolve().parent.parent
SCHEMAS = ROOT / "output/schemas"
SCHEMA = SCHEMAS / "podgraph.schema.json"
CONTRACT = ROOT / "docs/contract.md"
TEMPLATE = ROOT / "docs/contract.template.md"
MANUAL = ROOT / "docs/podgraph.1"
SNAPSHOT = ROOT / "extractors/sample/graph.json.gz"
LAYOUT = ROOT / "docs/snapshot_layout.sha256"
METHODS_FILE = ROOT / "output/asking.py"
SITES = ROOT / "extractors/sites/registry.py"
COMPLETION = ROOT / "docs/completion"
TEMPLATE_REPOSITORY = ROOT / "docs/template"
CITATION = ROOT / "CITATION.cff"
RECIPE = ROOT / "docs/conda/recipe.yaml"
COMPLETIONS = {"bash": "podgraph", "zsh": "_podgraph", "fish": "podgraph.fish"}  # as each shell looks for them


def schema() -> dict[str, Any]:
    """Return the JSON Schema with the kinds, relations and methods of the tables."""
    data: dict[str, Any] = json.loads(SCHEMA.read_text("utf-8"))
    parts = data["$defs"]
    kind = parts["node"]["properties"]["kind"]
    kind.pop("enum", None)
    kind["anyOf"] = [{"enum": list(KINDS)}, {"description": "A plug-in's.", "pattern": f"^{KIND_NAME}$"}]
    parts["node"]["allOf"] = [
        {
            "if": {"properties": {"kind": {"const": row.name}}, "required": ["kind"]},
            "then": {"properties": {"id": {"pattern": f"^{row.id}$"}}},
        }
        for row in KINDS.values()
    ]
    parts["kind"]["properties"] = {name: _form(name) for name in Kind._fields}
    parts["edge"]["properties"]["key"]["enum"] = list(RELATIONS)
    evidence = parts["evidence"]["properties"]
    parts["evidence"]["properties"] = {
        name: {"description": f"{said[0].upper()}{said[1:]}.", **evidence[name]} | _methods(name)
        for name, said in EVIDENCE.items()
    }
    return data


SCHEMA_VERSION = 1  # of the answers: a change that breaks one is a new number, and a line in the changelog
TEXT = {"type": "string"}
# What the types of answers name, and import for type checkers only.
HINTS = {one.__name__: one for one in (NodeAttributes, EdgeAttributes, Evidence)}
NODE = {"id": TEXT, "kind": TEXT, "label": TEXT}
# Of the items of an answer: the types that have their fields, what these are called there, and what is always told.
ITEMS: dict[str, tuple[tuple[type, ...], dict[str, str], str]] = {
    "cites": ((Citation,), {"targets": "cites"}, "id title evidence"),
    "where": ((Explanation,), {}, "id title level reasons"),
    "explain": ((Explaining,), {}, "id title level reasons because"),
    "review": ((Reviewed,), {}, "id title level explains files reasons"),
    "related": ((Relative,), {}, "id title level weight reasons"),
    "order": ((OrderStep,), {}, "id title reason"),
    "path": ((Step,), {}, "source source_label source_kind target target_label target_kind relation backwards"),
    "search": ((Found,), {}, "id kind label score where"),
    "list": ((Row,), {}, "id count"),
    "show": ((), {}, "id"),
    "stats": ((Stats,), {}, " ".join(FIELDS["stats"].default)),
    "links": ((), {}, "id status named_by"),
    "why": ((Seen,), {}, "extractor field start end quote"),
    "diff": ((), {}, "id"),
}


def answers() -> dict[Path, dict[str, Any]]:
    """Return the JSON Schema of each answer, with its default fields, and no others."""
    items = {name: _item(name, *row) for name, row in ITEMS.items()}
    near = ("date", "url", "reasons", "line", "evidence")
    neighbour = _object(NODE | {name: _known()[name] for name in near}, "id kind label")
    groups = {"type": "object", "additionalProperties": _list(neighbour)}
    items["show"]["properties"] |= {"found": {"const": True}, "out": groups, "into": groups}
    items["show"]["required"] += ["found", "out", "into"]
    asked = {"query": TEXT, "found": {"type": "boolean"}}
    place = _object(_form_of(Location) | {"line": {"type": "integer", "minimum": 1}}, "id kind label reason")
    place["properties"].pop("inside")
    count = {"type": "integer", "minimum": 0}
    change = _object({"old": {}, "new": {}}, "old new")
    edges = _list(_object({"source": TEXT, "target": TEXT, "key": TEXT}))
    nearest = {
        "no_episode_about": _list(TEXT),
        "total_nearest": count,
        "nearest": _list(items["where"]),
        "more_symbols": count,
        "absent": _object(_form_of(Absent)),
    }
    made = {
        "cites": _object(
            {**asked, "id": TEXT, "title": TEXT, "state": TEXT, "total": count, "episodes": _list(items["cites"])},
            "query found total id episodes",
        ),
        "where": _object(
            {**asked, "total": count, "episodes": _list(items["where"]), "places": _list(place), **nearest},
            "query found total episodes places",
        ),
        "explain": _object({**asked, "total": count, "episodes": _list(items["explain"])}),
        "review": _object(
            {
                "files": count,
                "found": asked["found"],
                "total": count,
                "episodes": _list(items["review"]),
                "unexplained": count,
                "no_episode_about": {"type": "object", "additionalProperties": count},
            }
        ),
        "related": _object({**asked, "id": TEXT, "total": count, "related": _list(items["related"])}),
        "order": _object(
            {**asked, "total": count, "steps": _list(items["order"]), "minutes": count, "circles": _list(_list(TEXT))}
        ),
        "path": _object(
            {"source": TEXT, "target": TEXT, "found": asked["found"], "paths": _list(_list(items["path"]))}
        ),
        "search": _object({**asked, "total": count, "nodes": _list(items["search"])}),
        "list": _object({"kinds": _list(TEXT), "found": asked["found"], "total": count, "nodes": _list(items["list"])}),
        "show": items["show"],
        "stats": items["stats"],
        "links": _object(
            {"statuses": {"type": "object", "additionalProperties": count}, "changed": _list(items["links"])}
        ),
        "why": _object({**asked, "id": TEXT, "title": TEXT, "field": TEXT, "seen": _list(items["why"])}),
        "diff": _object(
            {
                "added": _list(items["diff"]),
                "removed": _list(items["diff"]),
                "changed": _list(
                    _object({"id": TEXT, "attributes": {"type": "object", "additionalProperties": change}})
                ),
                "added_edges": edges,
                "removed_edges": edges,
            }
        ),
    }
    return {SCHEMAS / f"{name}.schema.json": _answer(name, form) for name, form in made.items()}


def _answer(name: str, form: dict[str, Any]) -> dict[str, Any]:
    """Return the Schema of all that a question prints: its answer, several of them, or that nothing was found."""
    parts = schema()["$defs"]
    proof = {field.partition(".")[2] for row in FIELDS.values() for field in row.default if "." in field}
    told = {field: parts["evidence"]["properties"][field] for field in EVIDENCE if field in proof}
    evidence = _object(told, " ".join(field for field in told if field in parts["evidence"]["required"]))
    command = {"links": "stats --links"}.get(name, name)
    one = {"$ref": "#/$defs/answer"}
    several = [_list(one)] if name in ("cites", "where") else []
    nothing = _object({"found": {"const": False}, "problem": TEXT})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:podgraph:{name}:{SCHEMA_VERSION}",
        "title": f"podgraph {command}",
        "description": f"What `podgraph {command} --json` prints, with the default fields.",
        "anyOf": [one, *several, nothing],
        "$defs": {
            "answer": form,
            "link": parts["link"],
            "own_link": parts["own_link"],
            "date": parts["date"],
            "evidence": evidence,
        },
    }


def _item(name: str, types: tuple[type, ...], called: dict[str, str], always: str) -> dict[str, Any]:
    """Return the form of an item of an answer: its default fields, by its types and else by the graph's Schema."""
    known = _known()
    for one in types:
        known |= {called.get(field, field): form for field, form in _form_of(one).items()}
    known |= {"missing": _list(TEXT), "named_by": _list(TEXT), "explains": {"type": "integer", "minimum": 1}} | {
        f"{end}_{what}": TEXT for end in ("source", "target") for what in NODE
    }
    fields = dict.fromkeys(field.partition(".")[0] for field in FIELDS[name].default)
    return _object({field: known.get(field, TEXT) for field in fields if name != "where" or field != "reason"}, always)


def _known() -> dict[str, Any]:
    known: dict[str, Any] = schema()["$defs"]["node"]["properties"]
    return _of_edges() | known


def _of_edges() -> dict[str, Any]:
    edge: dict[str, Any] = schema()["$defs"]["edge"]["properties"]
    return {name: edge[name] for name in ("reasons", "line", "url")} | {"evidence": _list({"$ref": "#/$defs/evidence"})}


def _form_of(answer: type) -> dict[str, Any]:
    """Return the forms of the fields of an answer's type, but those of the attributes of nodes and edges."""
    hints = get_type_hints(answer, vars(sys.modules[answer.__module__]) | vars(sys.modules["typing"]) | HINTS)
    return {name: _form_of_hint(hint) for name, hint in hints.items() if name != "attributes"}


def _form_of_hint(hint: Any) -> dict[str, Any]:
    plain = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
    if hint in plain:
        return {"type": plain[hint]}
    if hint is Evidence:
        return {"$ref": "#/$defs/evidence"}
    if hasattr(hint, "_fields"):
        return _object(_form_of(hint))
    parts = [_form_of_hint(part) for part in get_args(hint) if part is not ...]
    if get_origin(hint) is dict:
        return {"type": "object", "additionalProperties": parts[1]}
    if len(parts) == 1:
        return _list(parts[0])
    return {"type": "array", "prefixItems": parts, "minItems": len(parts), "maxItems": len(parts)}


def _list(form: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": form}


def _object(properties: dict[str, Any], always: str | None = None) -> dict[str, Any]:
    """Return the form of an object that has nothing else; all is ``always`` there unless that is said."""
    required = list(properties) if always is None else always.split()
    return {"type": "object", "required": required, "properties": properties, "additionalProperties": False}


def _methods(field: str) -> dict[str, Any]:
    return {"enum": list(METHODS)} if field == "method" else {}


def _form(name: str) -> dict[str, Any]:
    """Return the form of a field of a kind's row."""
    chosen = {
        "name": {"type": "string", "pattern": f"^{KIND_NAME}$", "not": {"enum": list(KINDS)}},
        "family": {"enum": list(FAMILIES)},
        "shape": {"enum": list(SHAPES)},
        "words": {"type": "array", "items": {"type": "string", "minLength": 1}},
    }
    default = {"type": "boolean"} if isinstance(getattr(KINDS["web"], name), bool) else {"type": "string"}
    return chosen.get(name, default)


SHARED = ("podcast", "group", "since", "until", "reverse")
FORMS = {
    "text": "Name", "texts": "str | Iterable[Name | Change]", "number": "int", "limit": "int", "switch": "bool",
    "repository": "str", "year": "int | None", "day": "Day", "file": "Name | None",
}  # fmt: skip
ASKING = '''"""The questions as methods, written by ``docs/generate.py`` from ``graph/queries/questions.py``."""
# ruff: noqa: D401

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping
    from datetime import date

    from podgraph.graph import {types}

    from .answers import Answer, Item, Steps

    Name = str | int | os.PathLike[str] | Item  # an item stands for its id
    Day = str | date


class Questions(ABC):
    """A method for each question.

    {which}.
    Raises ``QueryError`` for what cannot be understood, ``NotFoundError`` for a name that nothing has.
    """

    @abstractmethod
    def _ask(self, question: str, given: Mapping[str, Any]) -> Answer[Any, Any]: ...

{methods}'''


def asking() -> str:
    """Return the module of the questions as methods."""
    functions = {name: {"list": "list_nodes"}.get(name, name) for name in QUESTIONS}
    types = {name: getattr(podgraph.graph, one).__annotations__["return"] for name, one in functions.items()}
    made = "\n".join(_method(name, row, types[name]) for name, row in QUESTIONS.items())
    shared = "; ".join(_said(one) for one in QUESTIONS["related"].parameters if one.name in SHARED)
    which = "\n    ".join(textwrap.wrap(f"Of those that take them, {shared}", 114))
    return ASKING.format(types=", ".join(sorted({"Change", *types.values()})), which=which, methods=made)


def _method(name: str, row: Question, answer: str) -> str:
    """Return the method of a question: what has no flag is positional, then how many, then what has a name."""
    words = [one for one in row.parameters if not one.flags]
    many = [one for one in row.parameters if one.name == "n"]
    others = [one for one in row.parameters if one.flags and one.name != "n"]
    taken = ["self", *map(_taken, words + many), *(["*"] if others else []), *map(_taken, others)]
    rows = f"Answer[{'Steps' if name == 'path' else 'Item'}, {answer}]"
    said = "; ".join(_said(one) for one in words + many + others if one.name not in SHARED)
    text = "\n".join(f"        {line}" for line in textwrap.wrap(f"{said}.", 112))
    return f'''    def {name}({", ".join(taken)}) -> {rows}:
        """{row.answers}

{text}
        """
        return self._ask("{name}", locals())
'''


def _said(one: Parameter) -> str:
    return f"``{one.name}``: {one.help.replace('`', '``')}"


def formatted(code: str) -> str:
    """Return Python as `ruff format` writes it."""
    ruff = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(METHODS_FILE), "-"]
    return subprocess.run(ruff, input=code, capture_output=True, text=True, check=True, cwd=ROOT).stdout  # noqa: S603


def _taken(one: Parameter) -> str:
    form = "str" if one.flags and one.form == "text" else FORMS[one.form]
    if not one.flags and one.nargs != "?":
        return f"{one.name}: {form}"
    default = {"number": one.default or 0, "limit": one.default or 0, "switch": False, "year": None, "file": None}
    return f"{one.name}: {form} = {default.get(one.form, '')!r}"


def contract() -> str:
    """Return the contract page: the template with the tables in it."""
    parts = schema()["$defs"]
    tables = {
        "kinds": table(
            ("kind", "name", "`list`", "id", "family", "schema.org"),
            (
                (
                    f"`{row.name}`",
                    row.singular,
                    _words(row.list_words),
                    code(row.id),
                    FAMILIES[row.family].title,
                    row.schema_org,
                )
                for row in KINDS.values()
            ),
        ),
        "artifacts": ", ".join(f"`{name}`" for name in KINDS.named("artifacts")),
        "texts": " and ".join(f"`{name}`" for name, row in KINDS.items() if row.text),
        "relations": table(
            ("relation", "from", "to", "forwards", "backwards", "RDF"),
            (
                (f"`{name}`", _words(row.sources), _words(row.targets), row.along, row.against, _rdf(row.rdf))
                for name, row in RELATIONS.items()
            ),
        ),
        "methods": table(("method", "meaning"), ((f"`{name}`", said) for name, said in METHODS.items())),
        "evidence": table(
            ("field", "meaning", "always present"),
            (
                (f"`{name}`", said, "yes" if name in parts["evidence"]["required"] else "")
                for name, said in EVIDENCE.items()
            ),
        ),
        **{f"{what} attributes": _attributes(parts[what]) for what in ("about", "node", "edge")},
        "row of a kind": _words(Kind._fields),
        "fields": table(
            ("question", "default fields", "more, by `--fields`"),
            (
                (
                    f"`{name}`",
                    _words(row.default),
                    "; ".join(
                        filter(
                            None,
                            (
                                _words(row.more),
                                "the attributes of nodes" * row.of_nodes,
                                "the attributes of edges" * row.of_edges,
                            ),
                        )
                    ),
                )
                for name, row in FIELDS.items()
            ),
        ),
        "families": _words(FAMILIES),
        "shapes": _words(SHAPES),
    }
    text = TEMPLATE.read_text("utf-8")
    for name, value in tables.items():
        text = text.replace(f"{{{{ {name} }}}}", value)
    if left := re.search(r"\{\{.*?\}\}", text):  # a table that the template asks for and nobody makes
        raise SystemExit(f"{TEMPLATE.name}: it has no table {left[0]}")
    return text


def _attributes(part: dict[str, Any]) -> str:
    rows = (
        (f"`{name}`", _type(form), form.get("description", ""), "yes" if name in part["required"] else "")
        for name, form in part["properties"].items()
    )
    return table(("attribute", "type", "meaning", "always present"), rows)


def _type(form: dict[str, Any]) -> str:
    """Say a type of the JSON Schema in words."""
    if "$ref" in form:
        return {"date": "day or moment", "own_link": "link or host"}.get(name := form["$ref"].rpartition("/")[2], name)
    if form.get("type") == "array":
        return f"list of {_type(form['items'])}s"
    kind = "integer" if isinstance(form.get("const"), int) else form.get("type", "text")
    return " or ".join({"string": "text"}.get(word, word) for word in ([kind] if isinstance(kind, str) else kind))


def table(head: tuple[str, ...], rows: Any) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def code(text: str) -> str:
    """Return text as code."""
    return f"`{text}`"


def _words(words: Any) -> str:
    return ", ".join(map(code, sorted(words) if isinstance(words, frozenset) else words))


def _rdf(word: str) -> str:
    return code(word) if word else ""


def rules() -> str:
    """Return the registry of the site rules, with a row for each rule that has none.

    A new rule goes before those that know sites by their looks; move its row where that is wrong.
    """
    text = SITES.read_text("utf-8")
    known = re.findall(r'^    _site\("(\w+)"\),$', text, re.MULTILINE)  # the rows that are there
    files = sorted(SITES.parent.glob("*.py"))
    found = [path.stem for path in files if re.search(r"^def parse\(", path.read_text("utf-8"), re.MULTILINE)]
    rows = "".join(f'    _site("{name}"),\n' for name in found if name not in known)
    return text.replace('    _site("docs"),\n', f'{rows}    _site("docs"),\n')


def snapshot() -> tuple[str, str]:
    """Return the snapshot's graph as JSON, and the digest of the code that laid it out.

    Its places are computed anew only where this code or the graph has changed. They are not compared with new ones:
    processors round otherwise, and forces enlarge the difference.
    """
    from podgraph.output.formats.node_link import to_json  # noqa: PLC0415 - it loads all that a build does
    from podgraph.output.pipeline import snapshot_graph  # noqa: PLC0415

    code = sha256()
    for path in (ROOT / "graph/louvain.py", *sorted((ROOT / "graph/layout").glob("*.py"))):
        code.update(path.read_bytes().replace(b"\r\n", b"\n"))
    digest = f"{code.hexdigest()}\n"
    graph = snapshot_graph()
    if not LAYOUT.exists() or LAYOUT.read_text("ascii") != digest:
        for node, at in lay_out(graph, {}).items():
            graph.nodes[node].update(at)
    return to_json(graph), digest


def template_repository() -> dict[Path, str]:
    """Return the files of the template repository, written by ``podgraph init``; its README is written by hand."""
    from podgraph.output.commands.setting_up.init import CONSTRAINTS, WORKFLOW, settings, workflow  # noqa: PLC0415 - see snapshot

    from podgraph.output.parser import parser  # noqa: PLC0415

    words = ["init", "https://feeds.example/show.xml", "--title", "Our show: the map"]
    arguments = parser().parse_args(words)
    # Those of the lock: the versions that are installed here are not the same everywhere.
    pins = re.findall(
        r"^[\w.-]+==[^ ]+(?: ;[^\\\n]*[^\\\n ])?", (ROOT / "requirements-dev.lock").read_text("utf-8"), re.MULTILINE
    )
    return {
        TEMPLATE_REPOSITORY / CONSTRAINTS: "\n".join([*pins, ""]),
        TEMPLATE_REPOSITORY / "podgraph.toml": settings(arguments),
        TEMPLATE_REPOSITORY / WORKFLOW: workflow(arguments.publish, arguments.install),
    }


def release_files() -> dict[Path, str]:
    """Return ``CITATION.cff`` and the conda recipe with the version, day and requirements of the project."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    version, needs = project["version"], project["dependencies"]
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    head = re.search(rf"^## \[{re.escape(version)}\] - ([\d-]+)$", changelog, re.MULTILINE)
    citation = re.sub(r"(?m)^version: .*$", f"version: {version}", CITATION.read_text("utf-8"))
    if head:
        citation = re.sub(r"(?m)^date-released: .*$", f"date-released: {head[1]}", citation)
    run = "".join(f"    - {re.sub('(?=[<>=!~])', ' ', need, count=1)}\n" for need in needs)
    recipe = re.sub(r'(?m)^  version: "[^"$]*"$', f'  version: "{version}"', RECIPE.read_text("utf-8"), count=1)
    recipe = re.sub(r"(?<=    - python >=\$\{\{ python_min \}\}\n)(?:    - .*\n)*", run, recipe)
    return {CITATION: citation, RECIPE: recipe}


def is_current(path: Path, text: str) -> bool:
    """Return whether a file, unpacked, has this text."""
    if not path.exists():
        return False
    data = path.read_bytes()
    found = gzip.decompress(data) if path.suffix == ".gz" else data
    return found.decode("utf-8").replace("\r\n", "\n") == text


def main() -> int:
    """Write what has changed; with ``--check`` only name it: status 1 if there is any."""
    sys.path.insert(0, str(ROOT / "docs"))
    from manual import manual  # noqa: PLC0415 - it lies beside this file, which is no package
    from podgraph.output.commands.completion import script  # noqa: PLC0415 - see above

    from podgraph.output.parser import parser  # noqa: PLC0415 - the commands are loaded for this alone

    text = contract()
    graph, digest = snapshot()
    made = {
        SCHEMA: json.dumps(schema(), indent=1) + "\n",
        CONTRACT: text,
        SCHEMAS / "contract.md": text,  # in the package, where assistants read it
        **{path: json.dumps(form, indent=1) + "\n" for path, form in answers().items()},
        SITES: rules(),
        METHODS_FILE: formatted(asking()),
        MANUAL: manual(),
        SNAPSHOT: graph,
        LAYOUT: digest,
        **template_repository(),
        **release_files(),
        **{COMPLETION / name: f"{script(shell, parser())}\n" for shell, name in COMPLETIONS.items()},
    }
    stale = [path for path, text in made.items() if not is_current(path, text)]
    for path in stale:
        if "--check" not in sys.argv:
            data = made[path].encode()
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
        print(("out of date: " if "--check" in sys.argv else "wrote ") + path.relative_to(ROOT).as_posix())
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
