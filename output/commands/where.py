"""``podgraph where NAME|PATH``: the code, its docs, and the episodes that talk about it."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

from podgraph.extractors import Location, QueryError, locate, read_index
from podgraph.graph import explaining, find_nodes, resolve_reference, resolve_topic

from ..terminal import note, print_heading, print_json, print_table
from .shared.arguments import number_from
from .shared.saved import add_graph_argument, open_view
from .shared.words import counted, told

if TYPE_CHECKING:
    import argparse

    from podgraph.extractors import Index
    from podgraph.graph import Explanation, View

_EXAMPLES = """examples:
  podgraph where TensorIterator
  podgraph where torch/_dynamo/variables/base.py:120
  git diff --name-only | podgraph where -

Piped: kind, what, why, address; for several questions (or -) the question comes first."""
_VERSION = re.compile(r"https://github\.com/([^/]+/[^/]+)/blob/([0-9a-f]{8})[0-9a-f]{32}/")
_INSIDE = 8  # names shown of those that a file defines
# How near each kind of place is to what was asked.
_NEAR = {"symbol": 1.0, "file": 1.0, "folder": 0.6, "topic": 0.8, "docs": 0.4, "tutorial": 0.4}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "what",
        metavar="NAME|PATH",
        nargs="+",
        help="a symbol, a file, a folder, FILE:LINE; - reads lines from standard input",
    )
    parser.add_argument(
        "-n", type=number_from(1), default=5, metavar="N", help="at most so many episodes each (default: %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="JSON for programs")
    add_graph_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Answer, one after the other; 1 when nothing is known of any of them."""
    queries = _queries(arguments.what)
    view = open_view(arguments)
    index: Index | None = read_index()
    if index and not _knows(view, index.repo.lower()):
        note(f"the graph holds nothing of {index.repo}: only its own names are asked", quiet=arguments.quiet)
        index = None
    answers = [(query, *_answer(query, index, view)) for query in queries]
    if arguments.json:
        print_json([_as_json(query, places, episodes, arguments.n) for query, places, episodes in answers])
    else:
        several = len(answers) > 1 or "-" in arguments.what
        for query, places, episodes in answers:
            _print(query, places, episodes[: arguments.n], several=several, quiet=arguments.quiet)
            if len(episodes) > arguments.n:
                more = len(episodes) - arguments.n
                note(f"{more} more talk about {query}: -n {len(episodes)}", quiet=arguments.quiet)
    return 0 if any(places or episodes for _, places, episodes in answers) else 1


def _queries(words: list[str]) -> list[str]:
    queries: dict[str, None] = {}
    for word in words:
        lines = sys.stdin.read().splitlines() if word == "-" else [word]
        queries.update(dict.fromkeys(line.strip() for line in lines if line.strip()))
    if not queries:
        raise QueryError("nothing was asked", remedy="give a symbol or a path")
    return list(queries)


def _answer(query: str, index: Index | None, view: View) -> tuple[list[Location], list[Explanation]]:
    places = [_as_topic(place) for place in locate(query, index)] if index else []
    places = places or _own_places(query, view)
    nodes: dict[str, float] = {}
    for place in places:
        nodes.setdefault(place.id, _NEAR.get(place.kind, 1.0))
    # Asked for a name, the file that defines it is where to look, but what else stands in that file is not meant.
    named = any(place.kind == "symbol" and not place.reason.startswith("defined in") for place in places)
    return places, explaining(nodes.items(), view, inside=not named)


def _as_topic(place: Location) -> Location:
    """Return a concept of the index as the topic that it is in the graph."""
    if place.kind != "concept":
        return place
    return place._replace(kind="topic", id=f"topic:{place.id.removeprefix('concept:')}")


def _own_places(query: str, view: View) -> list[Location]:
    """Return what the graph itself calls so: a topic, else any node, else the topics that hold the words."""
    topic = resolve_topic(query, view)
    found = [topic] if topic else list(resolve_reference(query, view).nodes)
    reason = f"called {query}" if found else f"holds {query}"
    found = found or [one.id for one in find_nodes(query, view, 0, ("topic",))]
    nodes = [(id_, view.node(id_) or {}) for id_ in found]
    return [
        Location(
            str(node.get("kind", "")), id_, str(node.get("label", id_)), str(node.get("url", "")),
            str(node.get("path", "")), 0, reason,
        )
        for id_, node in nodes
        if node.get("kind") not in ("episode", "podcast")
    ]  # fmt: skip


def _knows(view: View, repo: str) -> bool:
    """Tell whether a graph holds anything of the repository that the index is of: code, docs or names."""
    project = repo.rpartition("/")[2]
    if view.node(f"github:{repo}") is not None:
        return True
    prefixes = (f"github:{repo}#", f"github:{repo}:", f"docs:{project}/", f"tutorial:{project}/")
    return any(any(True for _ in view.under(prefix)) for prefix in prefixes) or any(True for _ in view.nodes("symbol"))


def _print(query: str, places: list[Location], episodes: list[Explanation], *, several: bool, quiet: bool) -> None:
    if not places and not episodes:
        note(f"nothing is known of {query!r}", quiet=quiet)
        return
    if not sys.stdout.isatty():
        ahead = (query,) if several else ()
        rows = [(*ahead, *_episode(item), str(item.attributes.get("url", "")) or item.episode) for item in episodes]
        rows += [(*ahead, place.kind, _where(place), place.reason, place.url) for place in places]
        print_table((), rows)
        return
    if several:
        print_heading(query)
    if episodes:
        rows = [(*_episode(item), str(item.attributes.get("url", "")) or item.episode) for item in episodes]
        print_table(("kind", "what", "why", "page"), rows, wide=(1, 2, 3), below=(2, 3))
    if places:
        version = next((_VERSION.match(place.url) for place in places if _VERSION.match(place.url)), None)
        if version:
            print_heading(f"in {version[1]} at {version[2]}, and its docs:")
        print_table(("kind", "what", "why", "where"), _grouped(places), wide=(1, 2, 3), below=(2, 3))


def _episode(item: Explanation) -> tuple[str, str, str]:
    return (
        "episode" if item.attributes.get("kind") == "episode" else "post",
        str(item.attributes.get("title") or item.attributes.get("label", "")),
        "; ".join(item.reasons[:3]),
    )


def _where(place: Location) -> str:
    line = f":{place.line}" if place.line else ""
    return f"{place.label} ({place.path}{line})" if place.path and place.label != place.path else f"{place.label}{line}"


def _grouped(places: list[Location]) -> list[tuple[str, str, str, str]]:
    """Return the rows for a person: paths for addresses, and one row for all the names that a file defines.

    A file or page that a symbol or a topic names already has none of its own.
    """
    rows: list[tuple[str, str, str, str]] = []
    names: dict[str, list[str]] = {}
    told_urls = {place.url for place in places if place.kind in ("symbol", "topic")}
    defining = {place.path for place in places if place.reason.startswith("defined in")}
    own = {place.path: place.reason for place in places if place.kind == "file"}
    for place in places:
        at = f"{place.path}:{place.line}" if place.line else place.path
        if place.reason.startswith("defined in"):
            if place.path not in names:
                rows.append(("names", place.path, own.get(place.path, ""), ""))
            short = re.split(r"[.:]", place.label)[-1]
            names.setdefault(place.path, []).append(f"{short}:{place.line}")
        elif place.kind == "file" and place.path in defining:
            continue  # the row of its names says it
        elif place.kind == "topic":
            rows.append(("topic", place.label, place.reason, "\n".join(filter(None, (at, place.url)))))
        elif place.kind not in ("symbol", "folder") and place.url in told_urls:
            continue
        elif place.label == place.path:
            rows.append((place.kind, at, place.reason, ""))
        else:
            rows.append((place.kind, place.label, place.reason, at or place.url))
    return [
        (
            "file",
            what,
            "; ".join(filter(None, (why, f"defines {counted(len(names[what]), 'name')}"))),
            _few(names[what]),
        )
        if kind == "names"
        else (kind, what, why, where)
        for kind, what, why, where in rows
    ]


def _few(names: list[str]) -> str:
    more = f" and {len(names) - _INSIDE} more (--json has all)" if len(names) > _INSIDE else ""
    return ", ".join(names[:_INSIDE]) + more


def _as_json(query: str, places: list[Location], episodes: list[Explanation], most: int) -> dict[str, Any]:
    return {
        "query": query,
        "found": bool(places or episodes),
        "episodes": [
            {
                "id": item.episode,
                "title": item.attributes.get("title") or item.attributes.get("label", ""),
                **told(item.attributes),
                "reasons": list(item.reasons),
            }
            for item in episodes[:most]
        ],
        "more": max(0, len(episodes) - most),
        "places": [
            {name: value for name, value in place._asdict().items() if value not in ("", 0)} for place in places
        ],
    }
