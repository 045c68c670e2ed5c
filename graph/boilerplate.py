"""What nearly every episode of a show says: sponsors, handles, chats, calendars, the hosts.

It stays in the graph, marked, and out of what is computed. It is a property of an edge: a sponsor of one show is what
another talks about, and the episode in which the sponsor is the guest is about it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from podgraph.extractors import own_place, tracks_clicks

from .kinds import SOURCES

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from podgraph.extractors import Aside

    from .attributes import EdgeAttributes, Evidence, Graph

_LEAST: Final = 3  # episodes that say it: fewer are no custom
_SHAPED_SHARE: Final = 0.1  # of the episodes, for what by its address is a handle or a sponsor's
_SHARE: Final = 0.5  # for anything else that always stands in the same words
_ALIKE: Final = 0.75  # of its places have the same words round them
_LINE_SHARE: Final = 0.4  # of the episodes have the line, wherever its link leads
_RUN: Final = 4  # episodes one after the other with the same words: a sponsor of some weeks
_RUN_FILLED, _RUN_HOLDS = 0.75, 0.7  # how full the run is, and how much of all that says it lies in it
_HOST: Final = 0.4  # of the episodes name a person who is at home there
_HOST_LEAST: Final = 4
_FEW: Final = 40  # letters of a line that says no more than a name: "Hosts: Ann Lee"
_LINE: Final = 120  # characters on each side that tell whether a thing stands in the same words


class Boilerplate(NamedTuple):
    """An edge that is boilerplate, and why."""

    source: str
    target: str
    relation: str
    reason: str


class _Place(NamedTuple):
    """An edge from an episode: the words round it, where it stands among what the feed repeats, and how it looks."""

    source: str
    relation: str
    asides: tuple[Aside | None, ...]
    words: str
    tracked: bool


def find_boilerplate(graph: Graph, asides: Mapping[str, Sequence[Aside]]) -> Iterator[Boilerplate]:
    """Find the edges of ``cites`` and ``mentions`` that say what the show says all the time.

    ``asides`` are the passages of each episode's notes that its feed repeats. The graph is not changed.
    """
    shows, apart = _shows(graph)
    for episodes in shows.values():
        order = {episode: place for place, episode in enumerate(episodes)}
        places: dict[str, list[_Place]] = defaultdict(list)
        for episode in episodes:
            for target, place in _places(graph, episode, asides.get(episode, ()), apart):
                places[target].append(place)
        for target in sorted(places):
            yield from _judged(graph, target, places[target], order)


def _shows(graph: Graph) -> tuple[dict[str, list[str]], set[str]]:
    """Return the episodes and posts of each show, in the order of their dates; and all episodes and podcasts."""
    shows: dict[str, list[tuple[str, str]]] = defaultdict(list)
    apart: set[str] = set()
    for node, data in graph.nodes(data=True):
        if data["kind"] in ("episode", "podcast"):
            apart.add(node)
        if data["kind"] in SOURCES and data.get("title"):
            show = data.get("podcast") or node.split("/")[0]
            shows[show].append((data.get("date", ""), node))
    return {show: [node for _, node in sorted(dated)] for show, dated in sorted(shows.items())}, apart


def _places(graph: Graph, episode: str, asides: Sequence[Aside], apart: Container[str]) -> Iterator[tuple[str, _Place]]:
    starts = [aside.start for aside in asides]
    text = graph.nodes[episode].get("summary", "")
    for _, target, relation, data in graph.out_edges(episode, keys=True, data=True):
        evidence = data.get("evidence")
        if relation in ("cites", "mentions") and evidence and target not in apart:
            around = tuple(_aside_of(item, asides, starts) for item in evidence)
            tracked = any(tracks_clicks(item.get("url", "")) for item in evidence)
            yield target, _Place(episode, relation, around, _line(text, evidence[0]), tracked)


def _aside_of(evidence: Evidence, asides: Sequence[Aside], starts: Sequence[int]) -> Aside | None:
    if evidence["field"] != "notes":
        return None
    place = bisect_right(starts, evidence["start"]) - 1
    found = asides[place] if place >= 0 else None
    return found if found and evidence["start"] < found.end else None


def _line(text: str, evidence: Evidence) -> str:
    """Return the line that names a thing, without digits and marks; "" for what stands in the title."""
    if evidence["field"] != "notes":
        return ""
    start, end = text.rfind("\n", 0, evidence["start"]) + 1, text.find("\n", evidence["end"])
    line = text[start : end if end >= 0 else len(text)]
    if len(line) > 2 * _LINE:
        line = text[max(start, evidence["start"] - _LINE) : evidence["end"] + _LINE]
    return "".join(filter(str.isalpha, line.lower()))


def _judged(graph: Graph, target: str, places: Sequence[_Place], order: Mapping[str, int]) -> Iterator[Boilerplate]:
    """Yield those of a target's edges that are boilerplate, with the reason."""
    total, count = len(order), len({place.source for place in places})
    said = f"in {count} of {total} episodes"
    general = _reason(graph, target, places, order)
    for place in places:
        aside = all(place.asides) and min(place.asides, key=lambda one: one.items if one else 0)
        same_line = aside and aside.items >= max(_HOST_LEAST, _LINE_SHARE * total)
        if general and (aside or _usual(place, places, often=count >= _HOST * total)):
            yield Boilerplate(place.source, target, place.relation, f"{general}, {said}")
        elif aside and same_line:
            reason = f"a line that {aside.items} of {total} episodes repeat"
            yield Boilerplate(place.source, target, place.relation, reason)


def _usual(place: _Place, places: Sequence[_Place], *, often: bool) -> bool:
    """Tell whether an edge stands in words in which its target stands elsewhere too; in few words, where it often is.

    A whole sentence of its own is what an episode says of a sponsor or a host that is its subject.
    """
    again = sum(place.words == other.words for other in places) >= _LEAST
    return bool(place.words) and (again or (often and len(place.words) <= _FEW))


def _reason(graph: Graph, target: str, places: Sequence[_Place], order: Mapping[str, int]) -> str:
    """Return why a target is boilerplate where it stands in the usual words, "" where it is not."""
    sources = sorted({order[place.source] for place in places})
    count, total = len(sources), len(order)
    if count < _LEAST:
        return ""
    node = graph.nodes[target]
    if node["kind"] == "person" and count >= max(_HOST_LEAST, _HOST * total):
        return "at home in this show"
    shape = own_place(node.get("url", ""))
    enough = count >= _SHAPED_SHARE * total
    running = _is_run(sources)
    aside = sum(all(place.asides) for place in places) / len(places)
    custom = sum(any(one and (one.prose or one.why != "repeated") for one in place.asides) for place in places)
    same = Counter(place.words for place in places).most_common(1)[0][1] / len(places)
    tracked = sum(place.tracked for place in places) / len(places)
    if shape and (enough or running) and max(aside, same) >= _ALIKE:
        return shape
    stated = sum(all(one and one.why in ("section", "call") for one in place.asides) for place in places)
    if stated / len(places) >= _ALIKE or (custom / len(places) >= _ALIKE and (enough or running)):
        return "part of a passage that is repeated"
    if tracked >= _ALIKE and same >= _ALIKE and (enough or running):
        return "an address that counts clicks"
    if same >= _ALIKE and count >= _SHARE * total:
        return "always in the same words"
    return ""


def _is_run(places: Sequence[int]) -> bool:
    """Tell whether most of some places lie close together, as those of a sponsor of some weeks do.

    >>> _is_run([3, 4, 5, 7, 8]), _is_run([1, 9, 20, 31, 44])
    (True, False)
    """
    best = start = 0
    for end, place in enumerate(places):
        while (end - start + 1) < _RUN_FILLED * (place - places[start] + 1):
            start += 1
        best = max(best, end - start + 1)
    return best >= _RUN and best >= _RUN_HOLDS * len(places)


def mark_boilerplate(graph: Graph, found: Iterable[Boilerplate]) -> None:
    """Mark edges as boilerplate, in place, with the reason."""
    for source, target, relation, reason in found:
        edge = graph.edges[source, target, relation]
        edge["boilerplate"] = True
        edge["reasons"] = [*edge.get("reasons", ()), f"boilerplate: {reason}"]


def is_boilerplate(edge: EdgeAttributes) -> bool:
    """Tell whether an edge says what its show says all the time."""
    return edge.get("boilerplate", False)
