"""Write the generated files: ``python docs/generate.py``; ``--check`` only lists those out of date.

- The kinds, relations and methods of the JSON Schema come from ``graph/kinds.py``.
- The template repository comes from ``podgraph init``.
- ``CITATION.cff`` and the conda recipe get version, day and requirements from ``pyproject.toml`` and the changelog.
- The built-in snapshot gets its graph.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

from podgraph.graph import FAMILIES, KIND_NAME, KINDS, METHODS, RELATIONS, SHAPES, Kind

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = ROOT / "output/schemas/podgraph.schema.json"
SNAPSHOT = ROOT / "extractors/sample/graph.sqlite"
TEMPLATE_REPOSITORY = ROOT / "docs/template"
CITATION = ROOT / "CITATION.cff"
RECIPE = ROOT / "docs/conda/recipe.yaml"


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
    parts["evidence"]["properties"]["method"]["enum"] = list(METHODS)
    return data


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


def template_repository() -> dict[Path, str]:
    """Return the files of the template repository, written by ``podgraph init``; its README is written by hand."""
    from podgraph.output.cli import build_parser  # noqa: PLC0415
    from podgraph.output.commands.init import CONSTRAINTS, WORKFLOW, write_settings, write_workflow  # noqa: PLC0415 - see main

    arguments = build_parser(["init"]).parse_args(["init"])
    # Those of the lock: the versions that are installed here are not the same everywhere.
    pins = re.findall(
        r"^[\w.-]+==[^ ]+(?: ;[^\\\n]*[^\\\n ])?", (ROOT / "requirements/dev.lock").read_text("utf-8"), re.MULTILINE
    )
    return {
        TEMPLATE_REPOSITORY / CONSTRAINTS: "\n".join([*pins, ""]),
        TEMPLATE_REPOSITORY / "podgraph.toml": write_settings(["https://feeds.example/show.xml"], "Our show: the map"),
        TEMPLATE_REPOSITORY / WORKFLOW: write_workflow(arguments.publish, arguments.install),
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
    """Return whether a file has this text."""
    return path.exists() and path.read_text("utf-8").replace("\r\n", "\n") == text


def main() -> int:
    """Write what has changed; with ``--check`` only name it: status 1 if there is any."""
    from podgraph.output.formats import write_graph  # noqa: PLC0415 - they load all of a build
    from podgraph.output.formats.node_link import to_json  # noqa: PLC0415
    from podgraph.output.opening import open_store  # noqa: PLC0415
    from podgraph.output.pipeline import snapshot_graph  # noqa: PLC0415

    graph = snapshot_graph()
    texts = {SCHEMA: json.dumps(schema(), indent=1) + "\n", **template_repository(), **release_files()}
    is_check = "--check" in sys.argv
    stale = [path for path, text in texts.items() if not is_current(path, text)]
    for path in () if is_check else stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts[path], "utf-8", newline="\n")
    if not SNAPSHOT.exists() or to_json(open_store(SNAPSHOT)) != to_json(graph):
        stale.append(SNAPSHOT)
        if not is_check:
            write_graph(graph, SNAPSHOT, force=True)
    for path in stale:
        print(("out of date: " if is_check else "wrote ") + path.relative_to(ROOT).as_posix())
    return 1 if stale and is_check else 0


if __name__ == "__main__":
    sys.exit(main())
