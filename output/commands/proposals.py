"""The topics, presenters and boilerplate links that podgraph finds in a show, for its host to judge during ``init``."""

from __future__ import annotations

import re
import sys
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import PodgraphError
from podgraph.graph import find_node

from ..formats.shared.steering import clean_text
from ..json_text import toml_text
from ..terminal import format_count, note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from podgraph.graph import Graph

CORRECTIONS = "[corrections]  # drop, rename, merge, relate, unrelate, same, no_person, boilerplate"
_MOST = 15  # proposals of one kind


class Proposal(NamedTuple):
    """Results of one kind: each name with its number of episodes, or links.

    ``key`` is the correction of a wrong one, ``wrong`` its words in the question.
    """

    kind: str
    key: str
    wrong: str
    names: Sequence[tuple[str, str]]


def find_proposals(sources: Sequence[str], *, quiet: bool) -> list[Proposal]:
    """Return the proposals for feeds in files and in the cache, without a network. Where none is there, report it."""
    from ..pipeline import build  # noqa: PLC0415 - loads networkx

    note("reading the feed for topics, presenters and boilerplate links", quiet=quiet)
    try:
        graph = build(sources, offline=True, mapped=False).graph
    except PodgraphError as error:
        note(f"no topics, presenters and boilerplate are proposed: {error}", quiet=quiet)
        return []
    nodes = graph.nodes
    topics = [(node, data.get("count", 0)) for node, data in nodes(data=True) if data.get("derived")]
    topics.sort(key=lambda one: (-one[1], one[0]))
    presented = Counter({node: 0 for node, data in nodes(data=True) if data.get("hosts")})
    presented.update(person for _, person, data in graph.edges(data=True) if data.get("role") == "host")
    persons = sorted(presented.items(), key=lambda one: (-one[1], one[0]))
    marked = Counter(target for _, target, data in graph.edges(data=True) if data.get("boilerplate"))
    aside = sorted(marked.items(), key=lambda one: (-one[1], one[0]))
    links = [(node, count) for node, count in aside if "url" in nodes[node] and nodes[node]["kind"] != "person"]
    found = (
        Proposal("topics", "drop", "are not topics", _named(graph, topics, "episode")),
        Proposal("persons who present it", "no_person", "are not persons", _named(graph, persons, "episode")),
        Proposal("boilerplate links", "not_boilerplate", "belong on the page", _named(graph, links, "link")),
    )
    return [proposal for proposal in found if proposal.names]


def _named(graph: Graph, found: Sequence[tuple[str, int]], what: str) -> list[tuple[str, str]]:
    """Return names that a correction understands: the label of a topic or person where it is unique, else the id."""
    rows = []
    for node, count in found[:_MOST]:
        data = graph.nodes[node]
        label, kinds = (data["url"], ()) if what == "link" else (data["label"], (data["kind"],))
        is_plain = clean_text(label) == label and find_node(graph, label, *kinds) == node
        rows.append((label if is_plain else node, format_count(count, what) if count else "named by the feed"))
    return rows


def judged(proposals: Sequence[Proposal], *, ask: bool) -> Iterator[str]:
    """Yield lines for ``podgraph.toml``: comments with the proposals, then corrections of the wrong ones.

    ``ask``: the user names the wrong ones on the terminal; else all are right.
    """
    wrong = {proposal.key: _ask_wrong(proposal) if ask else [] for proposal in proposals}
    if proposals:
        yield "# The notes of the show have, by `podgraph init` (`podgraph correct` takes later corrections):"
    for proposal in proposals:
        right = [f"{toml_text(name)} ({count})" for name, count in proposal.names if name not in wrong[proposal.key]]
        if right:
            yield f"# {proposal.kind}: {', '.join(right)}"
    yield CORRECTIONS
    for key, names in wrong.items():
        if names:
            yield f"{key} = [{', '.join(map(toml_text, names))}]"


def _ask_wrong(proposal: Proposal) -> list[str]:
    note(f"{proposal.kind}, as podgraph reads the feed:")
    for number, (name, count) in enumerate(proposal.names, 1):
        note(f"  {number}. {name} ({count})")
    print(f"Numbers of those that {proposal.wrong} (Enter: none): ", end="", file=sys.stderr, flush=True)
    numbers = set(re.findall(r"[0-9]+", sys.stdin.readline()))
    return [name for number, (name, _) in enumerate(proposal.names, 1) if str(number) in numbers]
