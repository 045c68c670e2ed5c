"""Listening orders: prerequisites first, then from the general to the special; for a whole show, routes by area."""

from __future__ import annotations

import re
from collections import deque
from functools import cache, partial
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import NotFoundError, QueryError

from ..attributes import in_title
from ..kinds import SOURCES
from .answer import Answer, LazyRows, build_row
from .days import days_of_podcast
from .resolve import name_like, resolve_episode, resolve_topic
from .view import label_of
from .which import ALL

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from ..attributes import NodeAttributes
    from ..store import Edge
    from .answer import Row
    from .view import View
    from .which import Which

    When = tuple[str, float, str, str]  # day, number, time, id
    Needs = Mapping[str, Mapping[str, str]]  # episode -> its prerequisites with the words of the notes

# Titles promising an introduction.
_INTRODUCTORY = re.compile(
    r"\b(?:intro(?:duction)?|overview|basics|beginner|history|anatomy|what is|why|just enough|101|primer|"
    r"getting started)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=\w\w[.!?])\s|(?<=[\u3002\uff01\uff1f])")
_LINE = re.compile(r"\S[^\n\r]*")
_LONGEST = 200  # characters of a sentence
_INTRODUCTIONS = 3  # introductory episodes ahead of one
_DEEPEST = 10  # levels of topics below one: the routes of deep topics would take the square of their number
_MENTIONED = 1.0  # weight of a topic named once in the notes, outside of lists of links
_OFTEN = 2.0  # weight of a topic named there three times, or in the opening and twice


class OrderStep(NamedTuple):
    """One step of a listening order: the episode, the reason for its position, and the area of its route, if any."""

    id: str
    attributes: NodeAttributes
    reason: str
    area: str = ""

    @property
    def sentence(self) -> str:
        """The first sentence of the notes, shortened at a word; "" without notes."""
        lines = _LINE.finditer(self.attributes.get("summary", ""))
        line = next((line[0] for line in lines if "://" not in line[0]), "")
        text = " ".join(_SENTENCE.split(line[: 2 * _LONGEST], maxsplit=1)[0].split())
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rpartition(' ')[0]} …"


class Order(NamedTuple):
    """A listening order; ``circles`` lists the episodes of each broken circle of prerequisites."""

    steps: tuple[OrderStep, ...] = ()
    circles: tuple[tuple[str, ...], ...] = ()


def _order_named(query: str, view: View) -> Order:
    """Return the order of the topic or episode called ``query``.

    A topic with a single episode has no order, so an episode of the same name goes before it. Raises ``NotFoundError``
    for an unknown name, ``QueryError`` for a part of several titles.
    """
    named = resolve_topic(query, view)
    found = order_topic(named, view) if named else Order()
    if len(found.steps) > 1:
        return found
    try:
        return order_episode(resolve_episode(query, view), view)
    except QueryError as error:
        if named:
            return found
        if not isinstance(error, NotFoundError):
            raise
        remedy = name_like(query, view, "topic", *SOURCES)
        remedy = remedy or "`podgraph list topics` and `podgraph list episodes` show all"
        raise NotFoundError(f"no topic or episode is called {query!r}", remedy=remedy) from error


def order_episode(episode: str, view: View) -> Order:
    """Return the order ending with ``episode``: introductions, prerequisites and theirs, the deepest first."""
    return next(orders_of([episode], view))


def orders_of(episodes: Iterable[str], view: View, most: int = 0) -> Iterator[Order]:
    """Yield the order of ``order_episode`` for each of many; each topic is looked up once.

    With ``most``, an order has at most so many prerequisites, the nearest: all of a long series would be the square of
    its length.
    """
    when, needs = _clock(view), _read_prerequisites(view)
    first_named_after = cache(lambda topic: next(iter(_named_after(topic, when, view)), ""))
    for episode in episodes:
        before = _introductions(episode, view, when, first_named_after, needs, most)
        only = _reached([episode, *before], lambda id_: needs.get(id_, ()), most) if most else ()
        found = _build_order(view, *_walk([*before, episode], view, before, needs, last=episode, only=only))
        *first, asked = found.steps
        nothing = "" if first else "; no prerequisites are known"
        yield found._replace(steps=(*first, asked._replace(reason=f"the episode you asked for{nothing}")))


def _introductions(
    episode: str,
    view: View,
    when: Callable[[str], When],
    first_named_after: Callable[[str], str],
    needs: Needs,
    most: int,
) -> dict[str, str]:
    """Return at most three episodes to listen to before one, with reasons, the oldest first.

    First come earlier episodes it refers to. Then each topic gives the first episode named after it: the wholes
    of the topics in the title, then the main topics of the episode. A younger episode introduces only a whole,
    or a topic named often in the notes. Parts of the topics in the title, topics named in passing, and episodes in
    need of this one are left out.
    """
    about = [edge for edge in view.edges_from(episode, "about") if edge.attributes.get("evidence")]
    weights = {edge.target: float(edge.attributes.get("weight", 1)) for edge in about}
    in_its_title = [edge.target for edge in about if in_title(edge.attributes)]
    wholes = [whole for topic in in_its_title for whole in _wholes(topic, view)]
    parts = {part for topic in in_its_title for part in _below(topic, view)} - {*in_its_title}
    main_topics = sorted(
        (topic for topic in weights if weights[topic] >= _MENTIONED), key=lambda one: (-weights[one], one)
    )
    with_wholes = {topic: _wholes(topic, view) if weights[topic] >= _OFTEN else [] for topic in main_topics}
    main_topics = [near for topic, its_wholes in with_wholes.items() for near in (topic, *its_wholes)]
    needing = _reached([episode], lambda id_: sorted(edge.source for edge in view.edges_to(id_, "listen_first")), most)
    later = {*needing}
    referred = {edge.target for edge in view.edges_from(episode, "see_also")} - later - needs.get(episode, {}).keys()
    earlier = sorted((id_ for id_ in referred if not _is_post(id_) and when(id_) < when(episode)), key=when)
    introductions = dict.fromkeys(earlier[-_INTRODUCTIONS:], f"“{label_of(episode, view)}” refers to it")
    for topic in dict.fromkeys((*wholes, *main_topics)):
        first = first_named_after(topic) or episode
        is_suitable = (
            topic in wholes
            or when(first) < when(episode)
            or (topic not in in_its_title and weights.get(topic, 0) >= _OFTEN)
        )
        if is_suitable and first not in later and topic not in parts and len(introductions) < _INTRODUCTIONS:
            introductions.setdefault(first, f"introduces {label_of(topic, view)}, which it builds on")
    return {id_: introductions[id_] for id_ in sorted(introductions, key=when)}


def _wholes(topic: str, view: View) -> list[str]:
    return [edge.target for edge in view.edges_from(topic, "subtopic_of")]


def _reached(starts: Iterable[str], following: Callable[[str], Iterable[str]], most: int) -> dict[str, None]:
    """Return episodes and all that follow them, directly or through others; with ``most``, so many of the nearest."""
    found = dict.fromkeys(starts)
    waiting, limit = deque(found), len(found) + (most or inf)
    while waiting and len(found) < limit:
        for id_ in following(waiting.popleft()):
            if id_ not in found and len(found) < limit:
                found[id_] = None
                waiting.append(id_)
    return found


def _named_after(topic: str, when: Callable[[str], When], view: View) -> list[str]:
    """Return the episodes whose title names a topic and none of its parts, introductions first."""
    titled = [edge.source for edge in view.edges_to(topic, "about") if in_title(edge.attributes)]
    below = _below(topic, view)
    ranked = sorted(_rank(id_, below, when, view) for id_ in titled if not _is_post(id_) and not _is_trailer(id_, view))
    return [rank.when[-1] for rank in ranked if rank.depth == 0]


def order_topic(topic: str, view: View) -> Order:
    """Return the episodes about ``topic`` or its subtopics, from introduction to depth.

    Prerequisites come before the episodes in need of them. Else the order is: the first episode named after a whole of
    the topic, if it is about the topic too; introductions; episodes with the topic in their title; those
    with a part of it there, general before special; episodes with a reference to one of these; all others. Each group
    is sorted by date, posts last.
    """
    below, when = _below(topic, view), _clock(view)
    about = {edge.source for sub in below for edge in view.edges_to(sub, "about") if not _is_trailer(edge.source, view)}
    ranked = sorted(_rank(id_, below, when, view) for id_ in about)
    titled = {rank.when[-1] for rank in ranked if not rank.untitled}
    reasons = {rank.when[-1]: _why(rank, label_of(rank.topic, view)) for rank in ranked}
    building = {id_: next(iter(sorted(_referred(id_, view) & titled)), "") for id_ in reasons if id_ not in titled}
    reasons |= {id_: f"refers to “{label_of(other, view)}”" for id_, other in building.items() if other}
    firsts = ((id_, whole) for whole in _wholes(topic, view) for id_ in _named_after(whole, when, view)[:1])
    first = {id_: whole for id_, whole in firsts if id_ in building}
    reasons |= {
        id_: f"introduces {label_of(whole, view)}, which {label_of(topic, view)} is a part of"
        for id_, whole in first.items()
    }
    others = sorted(building.keys() - first, key=lambda id_: (not building[id_], _is_post(id_), when(id_)))
    wanted = [*first, *filter(titled.__contains__, reasons), *others]
    return _build_order(view, *_walk(wanted, view, reasons, _read_prerequisites(view)))


def _referred(episode: str, view: View) -> set[str]:
    """Return the episodes named in an episode's notes or in its transcript."""
    return {edge.target for relation in ("listen_first", "see_also") for edge in view.edges_from(episode, relation)}


class _Rank(NamedTuple):
    """Sort key of the episodes about a topic."""

    untitled: bool
    special: bool  # does not introduce
    depth: int
    post: bool
    when: When
    topic: str  # the topic of both


def _is_post(id_: str) -> bool:
    return not id_.startswith("episode:")


def _is_trailer(id_: str, view: View) -> bool:
    return (view.node(id_) or {}).get("type") == "trailer"


def _rank(id_: str, below: Mapping[str, int], when: Callable[[str], When], view: View) -> _Rank:
    """Return the sort key of an episode about a topic. ``below`` has the depth of the topic and each subtopic."""

    def depth_and_label(edge: Edge) -> tuple[int, str]:
        return below[edge.target], (view.node(edge.target) or {}).get("label", "")

    edges = [edge for edge in view.edges_from(id_, "about") if edge.target in below]
    titled = [edge for edge in edges if in_title(edge.attributes)]
    # “Inductor - Post-grad passes” is about the passes: the deepest topic in a title decides how special it is.
    deepest = max(titled or edges, key=depth_and_label)
    best = deepest if titled else min(edges, key=depth_and_label)
    untitled, depth = not titled, below[deepest.target]
    special = not _INTRODUCTORY.search((view.node(id_) or {}).get("title", ""))
    return _Rank(untitled, special, depth, _is_post(id_), when(id_), best.target)


def order_all(view: View, *, is_table: bool = False) -> Order:
    """Return all episodes as routes, one for each area; the area with the oldest episode comes first.

    With ``is_table`` the steps have the attributes of a table alone.

    In a route, an episode follows its prerequisites; else the oldest comes first. An undated episode takes its position
    from its number, or comes last. A show without areas is one route.
    """
    needs = _read_prerequisites(view)
    query = (
        "SELECT n, id, coalesce(label, id), coalesce(podcast, ''), coalesce(community, ''), date, coalesce(number, 0) "
        "FROM nodes WHERE kind = 'episode' AND coalesce(type, '') <> 'trailer'"
    )
    days = cache(lambda podcast: days_of_podcast(podcast, view))
    labels: dict[str, str] = {}
    numbers: dict[str, int] = {}
    found: list[tuple[When, str]] = []
    for n, id_, label, podcast, area, date, number in view.rows(query):
        labels[id_], numbers[id_] = label, n
        when = date or days(podcast).get(id_, "9999")
        found.append(((when[:10], number, when, id_), area))
    needed_by: dict[str, list[str]] = {}
    for later, before in needs.items():
        for id_ in before:
            needed_by.setdefault(id_, []).append(later)
    routes: dict[str, dict[str, str]] = {}  # area -> its episodes, each with the reason for its place
    introduced: dict[tuple[str, str], str] = {}  # area and topic -> the first episode named after it
    topics, wholes = _read_first_topics(view), _read_wholes(view)
    for (*_, id_), area in sorted(found):
        topic, label, is_titled = topics.get(numbers[id_], ("", "", False))
        reason = f"talks about {label}" if topic else "by its date"
        if is_titled:
            first = introduced.setdefault((area, topic), id_)
            whole = next((label for whole, label in wholes.get(topic, ()) if (area, whole) in introduced), "")
            reason = f"introduces {label}" + (f", a part of {whole}" if whole else "")
            if first != id_:
                reason = f"goes on about {label}, after “{labels[first]}”"
        if id_ in needed_by:
            reason = f"listen to it before {', '.join(sorted(label_of(later, view) for later in needed_by[id_]))}"
        routes.setdefault(area, {})[id_] = reason
    steps: dict[str, tuple[str, str]] = {}
    circles: dict[tuple[str, ...], None] = {}
    for area, reasons in routes.items():
        ordered, broken = _walk(reasons, view, reasons, needs, only=reasons)
        # The name of the only area would be on each step.
        steps |= {id_: (reason, area if len(routes) > 1 else "") for id_, reason in ordered.items()}
        circles |= dict.fromkeys(broken)
    nodes = (view.read_table if is_table else view.read)(numbers[id_] for id_ in steps)
    return Order(tuple(OrderStep(id_, node, *steps[id_]) for id_, node in nodes), tuple(circles))


def _read_first_topics(view: View) -> dict[int, tuple[str, str, bool]]:
    """Return the first topic of each episode, by its number: id, label, whether the title names it.

    A topic of the title goes before the others; of several, the one with the greatest weight.
    """
    in_titles = {edge for (edge,) in view.rows("SELECT edge FROM evidence WHERE field = 'title'")}
    best: dict[int, tuple[bool, float, int]] = {}
    query = "SELECT id, source, coalesce(weight, 1), -target FROM edges WHERE relation = 'about'"
    for edge, episode, weight, topic in view.rows(query):
        rank = edge in in_titles, weight, topic
        if episode not in best or rank > best[episode]:
            best[episode] = rank
    names = view.names_of(-topic for _, _, topic in best.values())
    return {episode: (*names[-topic], is_titled) for episode, (is_titled, _, topic) in best.items()}


def _read_wholes(view: View) -> dict[str, list[tuple[str, str]]]:
    """Return (id, label) of the topics of which each topic is a part."""
    query = (
        "SELECT s.id, t.id, coalesce(t.label, t.id) FROM edges e JOIN nodes s ON s.n = e.source "
        "JOIN nodes t ON t.n = e.target WHERE e.relation = 'subtopic_of' ORDER BY e.target"
    )
    found: dict[str, list[tuple[str, str]]] = {}
    for topic, whole, label in view.rows(query):
        found.setdefault(topic, []).append((whole, label))
    return found


def _build_order(view: View, steps: Mapping[str, str], circles: tuple[tuple[str, ...], ...]) -> Order:
    """Return the order of some episodes, by id with the reasons for their places."""
    return Order(tuple(OrderStep(id_, node, steps[id_]) for id_, node in view.read(steps, "id")), circles)


def _walk(
    wanted: Iterable[str],
    view: View,
    reasons: Mapping[str, str],
    needs: Needs,
    *,
    last: str = "",
    only: Container[str] = (),
) -> tuple[dict[str, str], tuple[tuple[str, ...], ...]]:
    """Return an order in which each episode comes after its prerequisites, with reasons, and the broken circles.

    The walk along ``listen_first`` is depth-first, without recursion. An edge back into it closes a circle and is cut.

    ``wanted`` are the episodes to order, those without prerequisites in this sequence. ``last`` ("": none) ends the
    order, even if other episodes build on it. With ``only``, other episodes are left out.
    """
    steps: dict[str, str] = {}
    circles: dict[tuple[str, ...], None] = {}
    for start in wanted:
        # The episodes from the start to the present one, each with the prerequisites to visit.
        walk: dict[str, list[str]] = {} if start in steps else {start: [*needs.get(start, ())]}
        while walk:
            node, waiting = next(reversed(walk.items()))
            if not waiting:
                del walk[node]
                needed_by = next(reversed(walk), "")
                steps[node] = reasons.get(node, "")
                if needed_by:
                    words = needs[needed_by][node]
                    steps[node] = f"listen to it before {label_of(needed_by, view)}" + (f": {words}" if words else "")
                continue
            following = waiting.pop(0)
            if (following == last and last not in walk) or (only and following not in only):
                continue
            if following in walk:
                circles[_circle(list(walk), following)] = None
            elif following not in steps:
                walk[following] = [*needs.get(following, ())]
    return steps, tuple(circles)


def _read_prerequisites(view: View) -> Needs:
    """Return the episodes to listen to right before each episode, each with the words of the notes that say so."""
    query = (
        "SELECT s.id, t.id, e.reasons FROM edges e JOIN nodes s ON s.n = e.source JOIN nodes t ON t.n = e.target "
        "WHERE e.relation = 'listen_first' ORDER BY e.source, e.target"
    )
    needs: dict[str, dict[str, str]] = {}
    for later, earlier, reasons in view.rows(query):
        words = view.parse(reasons) if reasons else ()
        needs.setdefault(later, {})[earlier] = str(words[0]) if words else ""
    return needs


def _circle(way: list[str], start: str) -> tuple[str, ...]:
    """Return the end of a way from ``start`` on, turned: the first in the alphabet begins."""
    circle = way[way.index(start) :]
    first = circle.index(min(circle))
    return (*circle[first:], *circle[:first])


def _below(topic: str, view: View) -> dict[str, int]:
    """Return the topic and its descendants, ten levels at most, each with its depth below the topic."""
    found = {topic: 0}
    waiting = [topic]
    while waiting:
        above = waiting.pop(0)
        for edge in view.edges_to(above, "subtopic_of"):
            if edge.source not in found and found[above] < _DEEPEST:
                found[edge.source] = found[above] + 1
                waiting.append(edge.source)
    return found


def _clock(view: View) -> Callable[[str], When]:
    """Return a function that gives the sort key of an episode: day, number, time, id.

    A missing day is inferred from the neighbours in the podcast. Without that, the episode comes last.
    """
    days = cache(lambda podcast: days_of_podcast(podcast, view))

    def when(id_: str) -> When:
        node = view.node(id_) or {}
        date = str(node.get("date") or days(node.get("podcast", "")).get(id_, "9999"))
        return date[:10], node.get("number", 0), date, id_

    return cache(when)


def _why(rank: _Rank, label: str) -> str:
    """Return the reason for an episode's place in the order of a topic. ``label`` is that of their common topic."""
    if rank.untitled:
        return f"talks about {label}"
    if not rank.special:
        return f"introduces {label}"
    return f"is about {label}" if rank.depth == 0 else f"goes deeper: {label}"


def order_episodes(view: View, name: str = "", *, which: Which = ALL) -> Answer:
    """Answer with the listening order of a topic or an episode, of all episodes without a name.

    A name of both a topic and an episode means the topic if several episodes are about it. Raises ``NotFoundError`` for
    an unknown name, ``QueryError`` for a part of several titles.
    """
    order = _order_named(name, view) if name else order_all(view, is_table=True)
    steps = []
    for step in order.steps:
        values = {"reasons": [step.reason], "area_of_route": step.area, "sentence": step.sentence if name else ""}
        steps.append(build_row(step.id, step.attributes, **values))
    rows, total = which.of(steps, view)
    for place, row in enumerate(rows, 1):
        row["step"] = place
    minutes = round(sum(row.get("duration", 0) for row in rows) / 60)
    heading = f"{len(rows)} episodes, {minutes} minutes" if minutes else ""
    notes = tuple(f"a circle of prerequisites is cut: {', '.join(circle)}" for circle in order.circles)
    columns = ("step", "date", "duration", "title", "reasons", "url")
    table = rows if name else LazyRows(rows, partial(_read_steps, view))
    return Answer("order", name, columns, table, total, heading, notes=notes)


def _read_steps(view: View, table: Sequence[Row]) -> list[Row]:
    """Return the rows of steps with all attributes of the episodes."""
    rows = []
    for row, (id_, node) in zip(table, view.read((row["id"] for row in table), "id"), strict=True):
        values = {name: row.get(name, "") for name in ("reasons", "area_of_route", "step")}
        rows.append(build_row(id_, node, **values))
    return rows
