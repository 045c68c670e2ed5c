"""Write all that is generated from the tables: ``python docs/generate.py``; ``--check`` only names what is out of date.

From ``graph/kinds.py`` come the JSON Schema's kinds, relations and methods, and with the Schema's attributes the tables
of ``docs/contract.md`` (its prose is ``contract.template.md``); from the files of ``extractors/sites/`` the rows of
rules that their registry lacks.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from podgraph.graph import EVIDENCE, FAMILIES, KIND_NAME, KINDS, METHODS, RELATIONS, SHAPES, Kind

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = ROOT / "output/schemas/podgraph.schema.json"
CONTRACT = ROOT / "docs/contract.md"
TEMPLATE = ROOT / "docs/contract.template.md"
SITES = ROOT / "extractors/sites/registry.py"


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


def contract() -> str:
    """Return the contract page: the template with the tables in it."""
    parts = schema()["$defs"]
    tables = {
        "kinds": table(
            ("kind", "a person says", "`list`", "id", "family", "schema.org"),
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
            ("relation", "from", "to", "reads", "backwards", "RDF"),
            (
                (f"`{name}`", _words(row.sources), _words(row.targets), row.along, row.against, _rdf(row.rdf))
                for name, row in RELATIONS.items()
            ),
        ),
        "methods": table(("method", "what names it"), ((f"`{name}`", said) for name, said in METHODS.items())),
        "evidence": table(
            ("field", "what it says", "always there"),
            (
                (f"`{name}`", said, "yes" if name in parts["evidence"]["required"] else "")
                for name, said in EVIDENCE.items()
            ),
        ),
        **{f"{what} attributes": _attributes(parts[what]) for what in ("about", "node", "edge")},
        "row of a kind": _words(Kind._fields),
        "families": _words(FAMILIES),
        "shapes": _words(SHAPES),
    }
    text = TEMPLATE.read_text("utf-8")
    for name, value in tables.items():
        text = text.replace(f"{{{{ {name} }}}}", value)
    if left := re.search(r"\{\{.*?\}\}", text):  # a table that the template asks for and nobody makes
        raise SystemExit(f"{TEMPLATE.name}: there is no table {left[0]}")
    return text


def _attributes(part: dict[str, Any]) -> str:
    rows = (
        (f"`{name}`", _type(form), form.get("description", ""), "yes" if name in part["required"] else "")
        for name, form in part["properties"].items()
    )
    return table(("attribute", "type", "what it says", "always there"), rows)


def _type(form: dict[str, Any]) -> str:
    """Say a type of the JSON Schema in words."""
    if "$ref" in form:
        return {"date": "day or moment"}.get(name := form["$ref"].rpartition("/")[2], name)
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


def main() -> int:
    """Write what has changed; with ``--check`` only name it: status 1 if there is any."""
    made = {
        SCHEMA: json.dumps(schema(), indent=1) + "\n",
        CONTRACT: contract(),
        SITES: rules(),
    }
    stale = [
        path
        for path, text in made.items()
        if not path.exists() or path.read_text("utf-8").replace("\r\n", "\n") != text
    ]
    for path in stale:
        if "--check" not in sys.argv:
            path.write_text(made[path], "utf-8", newline="\n")
        print(("out of date: " if "--check" in sys.argv else "wrote ") + path.relative_to(ROOT).as_posix())
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
