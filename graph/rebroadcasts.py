"""Episodes repeating an earlier one of their podcast."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from podgraph.extractors import alternatives

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .attributes import Graph, NewEdge

# The word for a rebroadcast in a title, with what joins it to the title: "Rebroadcast: X", "X (rerun)", "Encore of X".
REBROADCAST = re.compile(
    rf"(?<!\w)(?:{alternatives('rebroadcast', 'episodes')})(?!\w)(?:\s(?:of|von|de|do|di)\b)?", re.IGNORECASE
)
# A number at the beginning of a title, with the words before it: "#12", "12:", "The Kiln 12 -".
_NUMBER = re.compile(r"\A(?:[^:|\u2013\u2014]{0,40}?#?\d{1,4}\s?[:|.\u2013\u2014-]|#?\d{1,4}\s)")
_WORD = re.compile(r"\w+")
_LEAST = 2  # words of a title shared by two episodes, and by no accident


def find_rebroadcasts(graph: Graph) -> Iterator[NewEdge]:
    """Yield (later, earlier, attributes) of a ``rebroadcast_of`` edge for each episode repeating an earlier one.

    The later one's title is the earlier one's with a word such as “rebroadcast”, or has that word while the notes name
    one earlier episode; or both have the same title and notes.
    """
    by_title: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    episodes = sorted(
        (data["date"], id_)
        for id_, data in graph.nodes(data=True)
        if data["kind"] == "episode" and data.get("title") and data.get("date")
    )
    for date, id_ in episodes:
        data = graph.nodes[id_]
        title, podcast = data["title"], data.get("podcast", "")
        word = REBROADCAST.search(title)
        plain = _plain(REBROADCAST.sub(" ", title)) if word else _plain(title)
        earlier = [one for day, one in by_title[podcast, plain] if day < date]
        same = [one for one in earlier if graph.nodes[one].get("summary", "") == data.get("summary", "")]
        named = {
            target for _, target, key in graph.out_edges(id_, keys=True)
            if key in ("see_also", "listen_first") and graph.nodes[target].get("date", "~") < date
        }  # fmt: skip
        if word and (earlier or len(named) == 1):
            yield _repeats(graph, id_, earlier[0] if earlier else named.pop(), f"its title has “{word[0]}”")
        elif not word and same and plain.count(" ") >= _LEAST - 1:
            yield _repeats(graph, id_, same[0], "they have the same title and notes")
        by_title[podcast, plain].append((date, id_))


def _plain(title: str) -> str:
    return " ".join(_WORD.findall(_NUMBER.sub("", title.strip(" :([-")).casefold()))


def _repeats(graph: Graph, later: str, earlier: str, why: str) -> NewEdge:
    reason = f"“{graph.nodes[later]['label']}” repeats “{graph.nodes[earlier]['label']}”: {why}"
    return later, earlier, {"weight": 1, "reasons": [reason]}
