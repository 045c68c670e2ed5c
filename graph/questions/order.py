"""Listening orders: prerequisites first, then from the general to the special; for a whole show, routes by area."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cache, partial
from itertools import starmap
from math import inf
from textwrap import shorten
from typing import NamedTuple

from podgraph.extractors import NotFoundError, QueryError

from ..kinds import SOURCES
from .answer import Answer, LazyRows, Row
from .days import ALL, Selection, infer_days_of_podcast
from .resolve import resolve_episode, resolve_topic, suggest_name
from .view import TABLE, View

When = tuple[str, float, str, str]  # day, number, time, id

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
    r"\b(?:intro(?:duction)?|overview|basics|beginner|history|anatomy|what is|why|just enough|101|primer|"
    r"getting started)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=\w\w[.!?])\s|(?<=[\u3002\uff01\uff1f])")
_LONGEST = 200  # characters of a sentence
_INTRODUCTIONS = 3  # introductory episodes ahead of one
_DEEPEST = 10  # levels of topics below one: the routes of deep topics would take the square of their number
_MENTIONED = 1.0  # weight of a topic named once in the notes, outside of lists of links
_OFTEN = 2.0  # weight of a topic named there three times, or in the opening and twice


class OrderStep(NamedTuple):
    """One step of a listening order: the episode, the reason for its position, and the area of its route, if any."""

    id: str
    reason: str
    area: str = ""


def first_sentence(notes: str) -> str:
    """Return the first sentence of an episode's notes, shortened at a word; "" without notes."""
    lines = (line for line in notes.splitlines() if line.strip() and "://" not in line)
    return shorten(_SENTENCE.split(next(lines, "").strip(), maxsplit=1)[0], _LONGEST, placeholder=" …")


class Orders:
    """The listening orders of a graph; what several of them need is read once. A trailer is only in its own."""

    def __init__(self, view: View) -> None:
        """Read which episodes ask for which others before them."""
        self._view = view
        # The episodes to listen to right before each episode, each with the words of the notes that say so.
        self._needs: dict[str, dict[str, str]] = {}
        for later, earlier, reasons in view.rows(_PREREQUISITES):
            words = view.parse(reasons) if reasons else ()
            self._needs.setdefault(later, {})[earlier] = str(words[0]) if words else ""
        self._days = cache(partial(infer_days_of_podcast, view=view))
        self._when = cache(self._read_moment)
        self._node = cache(lambda id_: view.node(id_) or {})
        self._topics: Callable[[str], list[tuple[str, float, int, int]]] = cache(
            lambda id_: [*view.rows(_TOPICS, (id_,))]
        )
        self._namings = cache(lambda topic: view.list_namings(topic, "about"))
        self.first_named_after = cache(self._find_first_named_after)

    def _read_moment(self, id_: str) -> When:
        """Return the sort key of an episode: day, number, time, id.

        A missing day is inferred from the neighbours in the podcast. Without that, the episode comes last.
        """
        node = self._node(id_)
        date = str(node.get("date") or self._days(node.get("podcast", "")).get(id_, "9999"))
        return date[:10], node.get("number", 0), date, id_

    def of_episode(self, episode: str, most: int = 0) -> tuple[OrderStep, ...]:
        """Return the order ending with ``episode``: introductions, prerequisites and theirs, the deepest first.

        With ``most``, an order has at most so many prerequisites, the nearest: the orders of all episodes of a long
        series would otherwise have the square of their number of steps.
        """
        before = self._find_introductions(episode, most)
        only = _reach([episode, *before], lambda id_: self._needs.get(id_, ()), most) if most else ()
        steps = self._walk([*before, episode], before, last=episode, only=only)
        nothing = "" if len(steps) > 1 else "; no prerequisites are known"
        steps[episode] = f"the episode you asked for{nothing}"
        return tuple(starmap(OrderStep, steps.items()))

    def _find_introductions(self, episode: str, most: int) -> dict[str, str]:
        """Return at most three episodes to listen to before one, with reasons, the oldest first.

        First come earlier episodes it refers to. Then each topic gives the first episode named after it: the wholes
        of the topics in the title, then the main topics of the episode. A younger episode introduces only a whole,
        or a topic named often in the notes. Parts of the topics in the title, topics named in passing, and episodes in
        need of this one are left out.
        """
        view = self._view
        about = [(topic, weight, is_titled) for topic, weight, is_titled, is_named in self._topics(episode) if is_named]
        weights = {topic: weight for topic, weight, _ in about}
        in_names = [topic for topic, _, is_titled in about if is_titled]
        wholes = [whole for topic in in_names for whole in self._list_wholes(topic)]
        parts = {part for topic in in_names for part in self._list_below(topic)} - {*in_names}
        topics = [*wholes]  # then the main topics, each before its wholes if it is named often
        for topic in sorted(weights, key=lambda one: (-weights[one], one)):
            if weights[topic] >= _MENTIONED:
                topics += [topic, *(self._list_wholes(topic) if weights[topic] >= _OFTEN else ())]
        needing = _reach([episode], lambda id_: [edge.source for edge in view.edges_to(id_, "listen_first")], most)
        references = self._list_references(episode, "see_also") - needing.keys() - self._needs.get(episode, {}).keys()
        earlier = [id_ for id_ in references if not _is_post(id_) and self._when(id_) < self._when(episode)]
        earlier = sorted(earlier, key=self._when)[-_INTRODUCTIONS:]
        reasons = dict.fromkeys(earlier, f"“{self._read_label(episode)}” refers to it")
        for topic in dict.fromkeys(topics):
            first = self.first_named_after(topic) or episode
            is_basic = topic in wholes or (topic not in in_names and weights.get(topic, 0) >= _OFTEN)
            is_suitable = is_basic or self._when(first) < self._when(episode)
            if is_suitable and first not in needing and topic not in parts and len(reasons) < _INTRODUCTIONS:
                reasons.setdefault(first, f"introduces {self._read_label(topic)}, which it builds on")
        return {id_: reasons[id_] for id_ in sorted(reasons, key=self._when)}

    def of_topic(self, topic: str) -> tuple[OrderStep, ...]:
        """Return the episodes about ``topic`` or its subtopics, from introduction to depth.

        Prerequisites come before the episodes in need of them. Else the order is: the first episode named after a whole
        of the topic, if it is about the topic too; introductions; episodes with the topic in their title; those
        with a part of it there, general before special; episodes with a reference to one of these; all others. Each
        group is sorted by date, posts last.
        """
        below = self._list_below(topic)
        about = {naming.source for sub in below for naming in self._namings(sub)}
        best = {id_: self._find_topic(id_, below) for id_ in about if not self._is_trailer(id_)}
        firsts = {self.first_named_after(whole): whole for whole in reversed(self._list_wholes(topic))}
        reasons: dict[str, str] = {}
        keys: dict[str, tuple[int, bool, int, bool, When]] = {}
        for id_, (is_titled, depth, sub) in best.items():
            is_special = is_titled and self._is_special(id_)
            references = sorted(self._list_references(id_, "see_also", "listen_first"))
            reference = next((other for other in references if other in best and best[other][0]), "")
            if is_titled:
                verb = "is about" if not depth else "goes deeper:"
                group, reason = 1, f"{verb if is_special else 'introduces'} {self._read_label(sub)}"
            elif id_ in firsts:
                whole = self._read_label(firsts[id_])
                group, reason = 0, f"introduces {whole}, which {self._read_label(topic)} is a part of"
            elif reference:
                group, reason = 2, f"refers to “{self._read_label(reference)}”"
            else:
                group, reason = 3, f"talks about {self._read_label(sub)}"
            reasons[id_] = reason
            keys[id_] = group, is_special, depth if is_titled else 0, _is_post(id_), self._when(id_)
        steps = self._walk(sorted(keys, key=lambda id_: keys[id_]), reasons)
        return tuple(starmap(OrderStep, steps.items()))

    def _find_first_named_after(self, topic: str) -> str:
        """Return the first episode named after a topic and none of its parts, introductions first; "" for none."""
        below = self._list_below(topic)
        sources = {naming.source for naming in self._namings(topic) if naming.in_title}
        keys = [
            (self._is_special(id_), self._when(id_), id_)
            for id_ in sources
            if not _is_post(id_) and not self._is_trailer(id_) and self._find_topic(id_, below)[1] == 0
        ]
        return min(keys)[-1] if keys else ""

    def _find_topic(self, id_: str, below: Mapping[str, int]) -> tuple[bool, int, str]:
        """Return whether a title names a topic or subtopic, the depth of that, and its id.

        “Inductor - Post-grad passes” is about the passes: of a title the deepest topic counts, else the highest.
        """
        topics = [(bool(is_titled), below[sub], sub) for sub, _, is_titled, _ in self._topics(id_) if sub in below]
        return max([topic for topic in topics if topic[0]], default=min(topics))

    def _read_label(self, id_: str) -> str:
        return str(self._node(id_).get("label", id_))

    def _is_special(self, id_: str) -> bool:
        return not _INTRODUCTORY.search(self._node(id_).get("title", ""))

    def _is_trailer(self, id_: str) -> bool:
        return bool(self._node(id_).get("type") == "trailer")

    def _list_wholes(self, topic: str) -> list[str]:
        return [edge.target for edge in self._view.edges_from(topic, "subtopic_of")]

    def _list_below(self, topic: str) -> dict[str, int]:
        """Return the topic and its descendants, ten levels at most, each with its depth below the topic."""
        depths = {topic: 0}
        for above in (waiting := [topic]):
            for edge in self._view.edges_to(above, "subtopic_of") if depths[above] < _DEEPEST else ():
                if edge.source not in depths:
                    depths[edge.source] = depths[above] + 1
                    waiting.append(edge.source)
        return depths

    def _list_references(self, episode: str, *relations: str) -> set[str]:
        """Return the episodes named in an episode's notes or in its transcript."""
        return {edge.target for edge in self._view.edges_from(episode, *relations)}

    def of_all(self) -> tuple[OrderStep, ...]:
        """Return all episodes as routes, one for each area; the area with the oldest episode comes first.

        In a route, an episode follows its prerequisites; else the oldest comes first. An undated episode takes its
        position from its number, or comes last. A show without areas is one route.
        """
        episodes: list[tuple[When, tuple[str, ...]]] = []
        labels: dict[str, str] = {}
        for id_, label, podcast, area, date, number, *topic in self._view.rows(_EPISODES):
            labels[id_] = label
            when = date or self._days(podcast).get(id_, "9999")
            episodes.append(((when[:10], number, when, id_), (area, *topic)))
        needed_by: dict[str, list[str]] = {}
        for later, before in self._needs.items():
            for id_ in before:
                needed_by.setdefault(id_, []).append(self._read_label(later))
        routes: dict[str, dict[str, str]] = {}  # area -> its episodes, each with the reason for its place
        firsts: dict[tuple[str, str], str] = {}  # area and topic -> the first episode named after it
        for (*_, id_), (area, topic, label, is_titled) in sorted(episodes, key=lambda one: one[0]):
            first = firsts.setdefault((area, topic), id_) if is_titled else ""
            if id_ in needed_by:
                reason = f"listen to it before {', '.join(sorted(needed_by[id_]))}"
            elif first:
                reason = f"introduces {label}" if first == id_ else f"goes on about {label}, after “{labels[first]}”"
            else:
                reason = f"talks about {label}" if topic else "by its date"
            routes.setdefault(area, {})[id_] = reason
        steps: dict[str, OrderStep] = {}
        for area, reasons in routes.items():
            for id_, reason in self._walk(reasons, reasons, only=reasons).items():
                # The name of the only area would be on each step.
                steps[id_] = OrderStep(id_, reason, area if len(routes) > 1 else "")
        return tuple(steps.values())

    def _walk(
        self, episodes: Iterable[str], reasons: Mapping[str, str], *, last: str = "", only: Container[str] = ()
    ) -> dict[str, str]:
        """Return an order in which each episode comes after its prerequisites, with reasons.

        The walk along ``listen_first`` is depth-first, without recursion; an edge back into it is left out. Of
        ``episodes``, those without prerequisites stay in this sequence. ``last`` ("": none) ends the order, even if
        other episodes build on it. With ``only``, other episodes are left out.
        """
        steps: dict[str, str] = {}
        for start in episodes:
            # The episodes from the start to the present one, each with the prerequisites to visit.
            walk: dict[str, list[str]] = {} if start in steps else {start: [*self._needs.get(start, ())]}
            while walk:
                node, waiting = next(reversed(walk.items()))
                if not waiting:
                    del walk[node]
                    steps[node] = reasons.get(node, "")
                    if needed_by := next(reversed(walk), ""):
                        words = self._needs[needed_by][node]
                        steps[node] = f"listen to it before {self._read_label(needed_by)}{words and ': '}{words}"
                    continue
                following = waiting.pop(0)
                is_early = following == last and last not in walk
                if not (following in walk or following in steps or is_early or (only and following not in only)):
                    walk[following] = [*self._needs.get(following, ())]
        return steps


def _reach(starts: Iterable[str], following: Callable[[str], Iterable[str]], most: int) -> dict[str, None]:
    """Return episodes and all that follow them, directly or through others; with ``most``, so many of the nearest."""
    reach = dict.fromkeys(starts)
    waiting, limit = deque(reach), len(reach) + (most or inf)
    while waiting and len(reach) < limit:
        for id_ in following(waiting.popleft()):
            if id_ not in reach and len(reach) < limit:
                reach[id_] = None
                waiting.append(id_)
    return reach


def _is_post(id_: str) -> bool:
    return not id_.startswith("episode:")


def order_episodes(view: View, name: str = "", *, selection: Selection = ALL) -> Answer:
    """Answer with the listening order of a topic or an episode, of all episodes without a name.

    A name of both a topic and an episode means the topic if several episodes are about it. Raises ``NotFoundError`` for
    an unknown name, ``QueryError`` for a part of several titles.
    """
    steps = _order_by_name(name, view) if name else Orders(view).of_all()
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
    steps = orders.of_topic(topic) if topic else ()
    if len(steps) > 1:
        return steps
    try:
        return orders.of_episode(resolve_episode(query, view))
    except QueryError as error:
        if topic:
            wholes = [] if orders.first_named_after(topic) else view.edges_from(topic, "subtopic_of")
            return orders.of_topic(wholes[0].target) if wholes else steps
        if not isinstance(error, NotFoundError):
            raise
        remedy = suggest_name(query, view, "topic", *SOURCES)
        remedy = remedy or "`podgraph list topics` and `podgraph list episodes` show all"
        raise NotFoundError(f"no topic or episode is called {query!r}", remedy=remedy) from error


def _read_steps(view: View, table: Sequence[Row]) -> list[Row]:
    """Return the rows of steps with all attributes of the episodes, and the first sentence of their notes."""
    rows = view.read_rows(table)
    for row in rows:
        row["sentence"] = first_sentence(row.summary or "")
    return rows
