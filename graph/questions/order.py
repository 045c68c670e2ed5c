"""Listening orders: prerequisites first, then from the general to the special; for a whole show, routes by area."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from math import inf
from textwrap import shorten
from typing import NamedTuple

from podgraph.extractors import NotFoundError, QueryError

from ..kinds import SOURCES
from .answer import Answer, LazyRows, Row
from .days import ALL, Selection, infer_days_of_podcast
from .resolve import resolve_episode, resolve_topic, suggest_name
from .view import TABLE, View

EpisodeSortKey = tuple[str, float, str, str]  # day, number, date with time, id

# All episodes but trailers, each with the first of its topics: one that its title names, else the weightiest.
_EPISODES = """
SELECT e.id, coalesce(e.label, e.id), coalesce(e.podcast, ''), coalesce(e.community, ''), e.date,
  coalesce(e.number, 0), t.id, coalesce(t.label, t.id), is_titled
FROM nodes e LEFT JOIN (
  SELECT source, target, is_titled,
    row_number() OVER (PARTITION BY source ORDER BY is_titled DESC, weight DESC, target) AS place
  FROM (
    SELECT source, target, coalesce(weight, 1) AS weight,
      EXISTS (SELECT 1 FROM evidence WHERE edge = edges.id AND field = 'title') AS is_titled
    FROM edges WHERE relation = 'about'
  )
) ON source = e.n AND place = 1 LEFT JOIN nodes t ON t.n = target
WHERE e.kind = 'episode' AND coalesce(e.type, '') <> 'trailer'
"""
_PREREQUISITES = """
SELECT s.id, t.id, e.reasons FROM edges e JOIN nodes s ON s.n = e.source JOIN nodes t ON t.n = e.target
WHERE e.relation = 'listen_first' ORDER BY e.source, e.target
"""
# The topics of an episode, each with its weight, and whether a title and whether any text names it.
_TOPICS = """
SELECT t.id, coalesce(CAST(e.weight AS REAL), 1.0),
  EXISTS (SELECT 1 FROM evidence WHERE edge = e.id AND field = 'title'),
  EXISTS (SELECT 1 FROM evidence WHERE edge = e.id)
FROM nodes s JOIN edges e ON e.source = s.n JOIN nodes t ON t.n = e.target
WHERE s.id = ? AND e.relation = 'about' ORDER BY e.id
"""
# Titles promising an introduction.
_INTRODUCTORY = re.compile(
    r"(?i)\b(?:intro(?:duction)?|overview|basics|beginner|history|anatomy|what is|why|just enough|101|primer|"
    r"getting started)\b"
)
_SENTENCE = re.compile(r"(?<=\w\w[.!?])\s|(?<=[\u3002\uff01\uff1f])")
_MAXIMUM_SENTENCE = 200  # characters
_MAXIMUM_INTRODUCTIONS = 3  # ahead of one episode
_MAXIMUM_DEPTH = 10  # levels of topics below one: the routes of deep topics would take the square of their number
_MINIMUM_WEIGHT = 1.0  # of a topic that is introduced: named once in the notes, outside of lists of links
_MINIMUM_WEIGHT_OF_BASICS = 2.0  # of one that a younger episode may introduce: named three times in the notes


class OrderStep(NamedTuple):
    """One step of a listening order: the episode, the reason for its position, and the area of its route, if any."""

    id: str
    reason: str
    area: str = ""


def first_sentence(notes: str) -> str:
    """Return the first sentence of an episode's ``notes``, cut at a word after 200 characters; "" without notes.

    Lines with an address are skipped.
    """
    lines = (line for line in notes.splitlines() if line.strip() and "://" not in line)
    return shorten(_SENTENCE.split(next(lines, "").strip(), maxsplit=1)[0], _MAXIMUM_SENTENCE, placeholder=" …")


class _NamedTopic(NamedTuple):
    """A topic of an episode: whether the title names it, its depth below another topic, its id."""

    is_titled: bool
    depth: int
    id: str


class Orders:
    """The listening orders of a graph: of an episode, of a topic, or of all episodes.

    What several orders need is read once.

    A trailer is only in its own order.
    """

    def __init__(self, view: View) -> None:
        """Read the edges ``listen_first`` of a graph: the episodes to listen to before others."""
        self._view = view
        # The episodes to listen to right before each episode, each with the words of the notes that say so.
        self._needs: dict[str, dict[str, str]] = {}
        self._needed_by: dict[str, list[str]] = {}  # the same in the other direction
        for later, earlier, reasons in view.rows(_PREREQUISITES):
            words = view.parse(reasons) if reasons else ()
            self._needs.setdefault(later, {})[earlier] = str(words[0]) if words else ""
            self._needed_by.setdefault(earlier, []).append(later)
        # Methods that keep their results. `_days` has the inferred days of a podcast's undated episodes by id.
        self._days = cache(partial(infer_days_of_podcast, view=view))
        self._when = cache(self._read_moment)
        self._node = cache(lambda id_: view.node(id_) or {})
        self._topics = cache(lambda id_: [*view.rows(_TOPICS, (id_,))])
        self._sources = cache(self._list_sources)
        # The nodes that edges of some relations lead to, and the topics that a topic is a part of.
        self._list_targets = cache(lambda id_, *relations: {edge.target for edge in view.edges_from(id_, *relations)})
        self._list_wholes = cache(lambda topic: sorted(self._list_targets(topic, "subtopic_of")))
        self.first_named_after = cache(self._find_first_named_after)

    def _read_moment(self, id_: str) -> EpisodeSortKey:
        """Return the sort key of an episode (a node id): day, number, date with time, id.

        A missing day is inferred from the neighbours in the podcast. Without that, the episode comes last.
        """
        node = self._node(id_)
        # "9999" is behind all years.
        date = str(node.get("date") or self._days(node.get("podcast", "")).get(id_, "9999"))
        return date[:10], node.get("number", 0), date, id_

    def build_episode_order(self, episode: str, maximum: float = inf) -> tuple[OrderStep, ...]:
        """Return the order that ends with an episode (a node id): introductions, then prerequisites, the deepest first.

        There are at most three introductions, and at most ``maximum`` prerequisites, the nearest: the orders of all
        episodes of a long series would otherwise have the square of their number of steps.
        """
        reasons = self._find_introductions(episode, maximum)
        nothing = "" if reasons or episode in self._needs else "; no prerequisites are known"
        reasons[episode] = f"the episode you asked for{nothing}"
        return self._build_steps(reasons, maximum, last=episode)

    def _find_introductions(self, episode: str, maximum: float) -> dict[str, str]:
        """Return {id: reason} of at most three episodes to listen to before ``episode`` (a node id), the oldest first.

        First come earlier episodes it refers to. Then each topic gives the first episode named after it: the wholes of
        the topics in the title, then the main topics of the episode. A younger episode introduces only a whole, or a
        topic named often in the notes. Left out are parts of the topics in the title, topics named in passing, and
        episodes that build on this one; of these, the nearest ``maximum`` are looked up.
        """
        weights = {topic: weight for topic, weight, _, is_named in self._topics(episode) if is_named}
        titled = [topic for topic, _, is_titled, _ in self._topics(episode) if is_titled]
        wholes = [whole for topic in titled for whole in self._list_wholes(topic)]
        parts = {part for topic in titled for part in self._list_below(topic)} - {*titled}
        topics = [*wholes]  # then the main topics, each before its wholes if it is named often
        for topic in sorted(weights, key=lambda topic: (-weights[topic], topic)):
            if weights[topic] >= _MINIMUM_WEIGHT:
                topics += [topic, *(self._list_wholes(topic) if weights[topic] >= _MINIMUM_WEIGHT_OF_BASICS else ())]
        # The episodes that build on this one: they cannot introduce it.
        needing = _reach([episode], lambda id_: self._needed_by.get(id_, ()), maximum)
        references = self._list_targets(episode, "see_also") - needing.keys()
        references = {id_ for id_ in references if not _is_post(id_) and self._when(id_) < self._when(episode)}
        earlier = sorted(references - self._needs.get(episode, {}).keys(), key=self._when)[-_MAXIMUM_INTRODUCTIONS:]
        reasons = dict.fromkeys(earlier, f"“{self._read_label(episode)}” refers to it")
        for topic in dict.fromkeys(topics):
            first = self.first_named_after(topic) or episode
            is_often_named = topic not in titled and weights.get(topic, 0) >= _MINIMUM_WEIGHT_OF_BASICS
            is_suitable = topic in wholes or is_often_named or self._when(first) < self._when(episode)
            if is_suitable and first not in needing and topic not in parts and len(reasons) < _MAXIMUM_INTRODUCTIONS:
                reasons.setdefault(first, f"introduces {self._read_label(topic)}, which it builds on")
        return {id_: reasons[id_] for id_ in sorted(reasons, key=self._when)}

    def build_topic_order(self, topic: str) -> tuple[OrderStep, ...]:
        """Return the order of the episodes about ``topic`` (a node id) or its subtopics, from introduction to depth.

        Prerequisites come before the episodes in need of them. Else the order is: the first episode named after a whole
        of the topic, if it is about the topic too; introductions; episodes with the topic in their title; those with a
        part of it there, general before special; episodes with a reference to one of these; all others. Each group is
        sorted by date, posts last.
        """
        below = self._list_below(topic)
        best = {id_: self._find_topic(id_, below) for sub in below for id_ in self._sources(sub)}
        firsts = {self.first_named_after(whole): whole for whole in reversed(self._list_wholes(topic))}
        ranking: list[tuple[int, bool, int, bool, EpisodeSortKey, str]] = []
        for id_, (is_titled, depth, sub) in best.items():
            is_special = is_titled and self._is_special(id_)
            references = self._list_targets(id_, "see_also", "listen_first")
            if is_titled:
                verb = "introduces" if not is_special else "goes deeper:" if depth else "is about"
                group, reason = 1, f"{verb} {self._read_label(sub)}"
            elif id_ in firsts:
                whole = self._read_label(firsts[id_])
                group, reason = 0, f"introduces {whole}, which {self._read_label(topic)} is a part of"
            elif titled := sorted(other for other in references & best.keys() if best[other].is_titled):
                group, reason = 2, f"refers to “{self._read_label(titled[0])}”"
            else:
                group, reason = 3, f"talks about {self._read_label(sub)}"
            ranking.append((group, is_special, is_titled * depth, _is_post(id_), self._when(id_), reason))
        # The last two fields of an entry are the sort key of the episode, which ends with its id, and the reason.
        reasons = {when[-1]: reason for *_, when, reason in sorted(ranking)}
        return self._build_steps(reasons)

    def _find_first_named_after(self, topic: str) -> str:
        """Return the id of the first episode whose title names ``topic`` and none of its parts; "" for none.

        Episodes whose titles promise an introduction come before others.
        """
        below = self._list_below(topic)
        titled = [id_ for id_, in_title in self._sources(topic).items() if in_title and not _is_post(id_)]
        named = [id_ for id_ in titled if self._find_topic(id_, below).depth == 0]
        return min(named, key=lambda id_: (self._is_special(id_), self._when(id_)), default="")

    def _list_sources(self, topic: str) -> dict[str, bool]:
        """Return {id: whether its title names the topic} for the episodes and posts about ``topic``, but trailers."""
        namings = self._view.list_namings(topic, "about")
        return {edge.source: edge.in_title for edge in namings if self._node(edge.source).get("type") != "trailer"}

    def _find_topic(self, id_: str, below: Mapping[str, int]) -> _NamedTopic:
        """Return the one topic that stands for an episode (``id_``), of those in ``below`` ({topic: its depth}).

        If the title names some of them, it is the deepest: “Inductor - Post-grad passes” is about the passes. Else it
        is the highest of those that the episode is about.
        """
        rows = self._topics(id_)
        topics = [_NamedTopic(bool(is_titled), below[id_], id_) for id_, _, is_titled, _ in rows if id_ in below]
        return max([topic for topic in topics if topic.is_titled], default=min(topics))

    def _read_label(self, id_: str) -> str:
        """Return the label of a node, else its id."""
        return str(self._node(id_).get("label", id_))

    def _is_special(self, id_: str) -> bool:
        """Return whether the title of an episode does not promise an introduction."""
        return not _INTRODUCTORY.search(self._node(id_).get("title", ""))

    def _list_below(self, topic: str) -> dict[str, int]:
        """Return {topic: its depth} for the topic itself (0) and its descendants, at most ten levels deep."""
        edges_to = self._view.edges_to
        return _reach(
            [topic], lambda id_: [edge.source for edge in edges_to(id_, "subtopic_of")], levels=_MAXIMUM_DEPTH
        )

    def build_routes(self) -> tuple[OrderStep, ...]:
        """Return all episodes as routes, one for each area; the area with the oldest episode comes first.

        In a route, an episode follows its prerequisites; else the oldest comes first. An undated episode takes its
        position from its number, or comes last. The routes follow each other in one tuple; a show without areas is one
        route.
        """
        episodes = []  # their first four values are their sort key; the topic is its id, its label, and is_titled
        for id_, label, podcast, area, date, number, *topic in self._view.rows(_EPISODES):
            moment = date or self._days(podcast).get(id_, "9999")
            episodes.append((moment[:10], number, moment, id_, label, area, *topic))
        routes: dict[str, dict[str, str]] = {}  # area -> its episodes, each with the reason for its place
        # (area, topic) -> id and label of the first episode of the area that is named after the topic
        firsts: dict[tuple[str, str], tuple[str, str]] = {}
        for *_, id_, label, area, topic, name, is_titled in sorted(episodes):
            first_id, first_label = firsts.setdefault((area, topic), (id_, label)) if is_titled else ("", "")
            if id_ in self._needed_by:
                reason = f"listen to it before {', '.join(sorted(map(self._read_label, self._needed_by[id_])))}"
            elif first_id:
                reason = f"introduces {name}" if first_id == id_ else f"goes on about {name}, after “{first_label}”"
            else:
                reason = f"talks about {name}" if topic else "by its date"
            routes.setdefault(area, {})[id_] = reason
        steps: list[OrderStep] = []
        for area, reasons in routes.items():  # a single area is not named, as its name would be on each step
            # With no more prerequisites (0): each is in its own route already.
            steps += self._build_steps(reasons, 0, area=area if len(routes) > 1 else "")
        return tuple(steps)

    def _build_steps(
        self, reasons: Mapping[str, str], maximum: float = inf, *, last: str = "", area: str = ""
    ) -> tuple[OrderStep, ...]:
        """Return the steps of an order in which each episode comes after its prerequisites; missing ones are added.

        ``reasons`` is {episode: reason}, the episodes of the order; they keep their sequence otherwise. At most
        ``maximum`` prerequisites, the nearest, are added. ``last`` ("": none) ends the order, even if other episodes
        build on it; each step has ``area``. The walk along ``listen_first`` is depth-first, without recursion; an edge
        back into it is left out.
        """
        allowed = _reach(reasons, lambda id_: self._needs.get(id_, ()), maximum)
        steps: list[OrderStep] = []
        visited: set[str] = set()
        # The next on top: an episode, the one that needs it, and whether its own prerequisites are in the order.
        stack = [(id_, "", False) for id_ in reversed([*reasons])]
        while stack:
            id_, needed_by, is_ready = stack.pop()
            if is_ready:
                words = self._needs[needed_by][id_] if needed_by else ""
                reason = f"listen to it before {self._read_label(needed_by)}{words and ': '}{words}"
                steps.append(OrderStep(id_, reason if needed_by else reasons[id_], area))
            elif id_ not in visited and not (needed_by and (id_ == last or id_ not in allowed)):
                visited.add(id_)
                stack.append((id_, needed_by, True))
                stack += [(earlier, id_, False) for earlier in reversed(self._needs.get(id_, {}))]
        return tuple(steps)


def _reach(
    starts: Iterable[str], following: Callable[[str], Iterable[str]], maximum: float = inf, levels: float = inf
) -> dict[str, int]:
    """Return {node: its distance from a start} for the ``starts`` and all that follow them, directly or not.

    ``following`` returns the nodes that follow a node. Besides the starts, the result has at most ``maximum`` nodes,
    the nearest, and only those at most ``levels`` away.
    """
    distances = dict.fromkeys(starts, 0)
    maximum += len(distances)
    for id_ in (waiting := [*distances]):  # grows in the loop
        for other in following(id_) if distances[id_] < levels else ():
            if other not in distances and len(distances) < maximum:
                distances[other] = distances[id_] + 1
                waiting.append(other)
    return distances


def _is_post(id_: str) -> bool:
    """Return whether the id of an episode or post is that of a post."""
    return not id_.startswith("episode:")


def order_episodes(view: View, name: str = "", *, selection: Selection = ALL) -> Answer:
    """Answer with the listening order of the topic or episode called ``name``; without a name, of all episodes.

    A name of both a topic and an episode means the topic if several episodes are about it. ``selection`` limits the
    steps. Raises ``NotFoundError`` for an unknown name, ``QueryError`` for a part of several titles.
    """
    steps = _order_by_name(name, view) if name else Orders(view).build_routes()
    query = f"SELECT {TABLE} FROM nodes WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608 - a constant
    table = {row.id: row for row in view.read_table(query, (json.dumps([step.id for step in steps]),))}
    for step in steps:
        table[step.id].update(reasons=[step.reason], area_of_route=step.area)
    rows, total = selection.select((table[step.id] for step in steps), view)
    for place, row in enumerate(rows, 1):
        row["step"] = place
    minutes = round(sum(row.get("duration", 0) for row in rows) / 60)
    heading = f"{len(rows)} episodes, {minutes} minutes" if minutes else ""
    columns = ("step", "date", "duration", "title", "reasons", "url")
    return Answer("order", name, columns, LazyRows(rows, partial(_read_steps, view)), total, heading)


def _order_by_name(query: str, view: View) -> tuple[OrderStep, ...]:
    """Return the order of the topic or episode called ``query``.

    A topic with a single episode has no order, so an episode of the same name goes before it. Where no title names the
    topic, its whole goes before it, too.
    """
    topic, orders = resolve_topic(query, view), Orders(view)
    steps = orders.build_topic_order(topic) if topic else ()
    if len(steps) > 1:
        return steps
    try:
        return orders.build_episode_order(resolve_episode(query, view))
    except QueryError as error:
        if topic:
            wholes = [] if orders.first_named_after(topic) else view.edges_from(topic, "subtopic_of")
            return orders.build_topic_order(wholes[0].target) if wholes else steps
        if not isinstance(error, NotFoundError):
            raise
        remedy = suggest_name(query, view, "topic", *SOURCES)
        remedy = remedy or "`podgraph list topics` and `podgraph list episodes` show all"
        raise NotFoundError(f"no topic or episode is called {query!r}", remedy=remedy) from error


def _read_steps(view: View, table: Sequence[Row]) -> list[Row]:
    """Return the rows of a ``table`` of steps with all attributes of the episodes, and a ``sentence`` of the notes."""
    rows = view.read_rows(table)
    for row in rows:
        row["sentence"] = first_sentence(row.summary or "")
    return rows
