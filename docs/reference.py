"""Generated pages of the documentation: commands, library, formats, settings.

``conf.py`` writes them into ``docs/made/`` at each build.
"""

from __future__ import annotations

import argparse
import inspect
import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import podgraph
from podgraph.output.cli import build_parser
from podgraph.output.config import KEYS
from podgraph.output.formats import FORMATS
from podgraph.output.questions import Questions

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
ERRORS = ("PodgraphError", "SourceError", "GraphError", "FeedError", "QueryError", "NotFoundError", "OutputError")


def write(folder: Path) -> None:
    """Write the changed pages into a folder."""
    folder.mkdir(exist_ok=True)
    pages = {"commands": commands, "library": library, "formats": formats, "settings": settings}
    for name, make in pages.items():
        path, text = folder / f"{name}.md", "\n".join(make()) + "\n"
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
    for name, source in {"contributing": "CONTRIBUTING", "security": "SECURITY", "changes": "CHANGELOG"}.items():
        lines = f"```{{include}} ../../{source}.md\n:relative-docs: docs/\n```\n"
        (folder / f"{name}.md").write_text(lines, "utf-8")
    (folder / "architecture.svg").write_text(drawing(), "utf-8")


def commands() -> Iterator[str]:
    """Yield the page of the commands, with the help of each."""
    yield from ("# Commands", "")
    yield "The output of `--help` for each command. Every command has `-q`, `-v` and `--debug`."
    actions = build_parser()._actions  # noqa: SLF001 - argparse has no other way
    choices = next(one for one in actions if isinstance(one, argparse._SubParsersAction)).choices  # noqa: SLF001
    for name, command in choices.items():
        yield from ("", f"## podgraph {name}", "", command.description or "")
        yield from ("", "```text", _usage(command), "```", "")
        common = ("help", "quiet", "verbose", "debug")
        shown = [one for one in command._actions if one.dest not in common and one.help != argparse.SUPPRESS]  # noqa: SLF001
        yield from table(("option", "meaning"), ((_names(one), _said(one)) for one in shown))
        if command.epilog:
            yield from ("", "```text", command.epilog.strip(), "```")


def _usage(command: argparse.ArgumentParser) -> str:
    text = re.sub(r"\s+", " ", command.format_usage()).removeprefix("usage: ").strip()
    return re.sub(r"(.{60,100}) (?=[\[A-Z])", r"\1\n    ", text)


def _names(action: argparse.Action) -> str:
    choices = "{" + ",".join(map(str, action.choices)) + "}" if action.choices else ""
    value = action.metavar or choices or action.dest.upper()
    names = [f"{name} {value}" if action.nargs != 0 else name for name in action.option_strings] or [value]
    return ", ".join(f"`{name}`" for name in names)


def _said(action: argparse.Action) -> str:
    text = action.help or ""
    return text % {**vars(action), "prog": "podgraph"} if "%(" in text else text.replace("%%", "%")


def library() -> Iterator[str]:
    """Yield the page of the library: each public name with its docstring."""
    yield from ("# Library", "", "The names of `import podgraph`. The examples use the built-in snapshot.", "")
    for name in ("open", "build", "sample", "merge"):
        yield from _documented(f"podgraph.{name}", getattr(podgraph, name), 2)
    yield from _documented("podgraph.Graph", podgraph.Graph, 2, called=False)
    for name, member in (vars(Questions) | vars(podgraph.Graph)).items():
        if not name.startswith("_") and inspect.getdoc(member):
            yield from _documented(f"Graph.{name}", member, 3)
    yield from _documented("podgraph.Page", podgraph.Page, 2, called=False)
    yield from ("## Errors", "")
    for name in ERRORS:
        yield from _documented(f"podgraph.{name}", getattr(podgraph, name), 3, called=False)


def _documented(name: str, thing: Any, level: int, *, called: bool = True) -> Iterator[str]:
    yield from ("#" * level + f" {name}", "")
    if called and callable(thing):
        yield from ("```python", _signature(name, thing), "```", "")
    text, _, example = (inspect.getdoc(thing) or "").partition("\n>>> ")
    yield text.replace("``", "`").strip()
    if example:
        yield from ("", "```pycon", f">>> {example}".replace("  # doctest: +ELLIPSIS", ""), "```")
    yield ""


def _signature(name: str, thing: Any) -> str:
    found = inspect.signature(thing)
    kept = [one for one in found.parameters.values() if one.name != "self"]
    whole = f"{name}{found.replace(parameters=kept)}".replace("'", "")
    return whole if len(whole) < 100 else re.sub(r", (?=\w+[:=]|\*,)", ",\n    ", whole)


def formats() -> Iterator[str]:
    """Yield the page of the formats: the registry's rows, each with its module's docstring."""
    yield from ("# Formats", "")
    yield "`build -o FILE` and `export FILE` choose the format by the suffix. [File formats](../formats.md) lists"
    yield "the programs that read them."
    for row in FORMATS:
        yield from ("", f"## {row.name}", "", f"{row.description[0].upper()}{row.description[1:]}.", "")
        suffixes = ", ".join(f"`{suffix}`" for suffix in row.suffixes)
        facts = [("suffix", suffixes)]
        facts += [("options", ", ".join(f"`{one}`" for one in row.options))] * bool(row.options)
        facts += [("opens in", row.opens)]
        facts += [("further files", ", ".join(f"`{one}`" for one in row.siblings))] * bool(row.siblings)
        facts += [("input", "of `-g`")] * row.is_readable
        facts += [("needs", f"the extra `{row.name}`")] * bool(row.needs)
        yield from table(("", ""), facts)
        yield from ("", _module_text(f".{row.writer.partition(':')[0]}"))


def _module_text(module: str) -> str:
    text = inspect.getdoc(import_module(module, "podgraph.output.formats")) or ""
    return text.partition("\n>>>")[0].replace("``", "`")


def settings() -> Iterator[str]:
    """Yield the page of the settings: the keys of ``podgraph.toml``."""
    yield from ("# Keys of podgraph.toml", "")
    yield from ("[Settings](../show.md#settings-podgraphtoml) explains the place and the order of the files.", "")
    yield from table(("key", "type", "meaning"), ((f"`{key}`", *row) for key, row in KEYS.items()))


def table(head: tuple[str, ...], rows: Any) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    for line in (head, ("---",) * len(head), *rows):
        yield "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in line) + " |"


WAY = {
    "extractors": ("sources → episodes → mentions", "facts"),
    "graph": ("mentions → graph → answers", "the graph"),
    "output": ("graph, answers → page, files, commands", "pages, files, text"),
}


def drawing() -> str:
    """Return the drawing of the packages: the steps of a build from left to right, and the folders."""
    parts, width, tall = [], 300, 330
    for place, (room, (way, gives)) in enumerate(WAY.items()):
        left = 20 + place * (width + 50)
        folders = sorted(path.name for path in (ROOT / room).iterdir() if (path / "__init__.py").exists())
        parts.append(f'<rect x="{left}" y="50" width="{width}" height="{tall}" rx="10" class="room"/>')
        parts.append(f'<text x="{left + 16}" y="84" class="name">{room}/</text>')
        parts.append(f'<text x="{left + 16}" y="108" class="way">{way}</text>')
        for row, folder in enumerate(folders):
            x, y = left + 16 + row % 2 * 138, 126 + row // 2 * 46
            parts.append(f'<rect x="{x}" y="{y}" width="130" height="36" rx="6" class="folder"/>')
            parts.append(f'<text x="{x + 65}" y="{y + 23}" class="label">{folder}</text>')
        if place < len(WAY) - 1:
            x = left + width + 6
            parts.append(f'<path d="M{x} 215h32m-10 -7l10 7l-10 7" class="arrow"/>')
        parts.append(f'<text x="{left + width / 2}" y="{tall + 76}" class="label">{gives}</text>')
    style = (
        "text{font-family:system-ui,sans-serif;fill:#1b2733}.name{font-size:20px;font-weight:600}.way{font-size:12px}"
        ".label{font-size:14px;text-anchor:middle}.room{fill:#eef3f8;stroke:#8aa0b5}.folder{fill:#fff;stroke:#b8c6d4}"
        ".arrow{fill:none;stroke:#4a6076;stroke-width:2}.back{fill:#fff}"
    )
    note = '<text x="20" y="30" class="way">A build goes from left to right; imports go from right to left.</text>'
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1040 425" role="img">'
        f'<title>The three packages</title><style>{style}</style><rect class="back" width="1040" height="425"/>'
        f"{note}{''.join(parts)}</svg>\n"
    )
