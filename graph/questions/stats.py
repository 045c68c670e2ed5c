"""The question ``stats``: counts by kind and year, the most cited nodes, and the state of links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ..kinds import SOURCES
from .answer import Answer, Row, build_row
from .view import WAS_READ, View, in_list

STATUSES = ("ok", "moved", "gone", "private", "unknown")  # of a link


class _Source(NamedTuple):
    """An episode or post that was read: its number, kind, day ("": undated), community and counts."""

    n: int
    kind: str
    day: str
    community: str
    truncated_link_count: int
    has_citation: bool


_SOURCES_QUERY = f"""
SELECT n, kind, substr(coalesce(date, ''), 1, 10), coalesce(community, ''),
  coalesce(json_array_length(attributes, '$.truncated_links'), 0),
  EXISTS (SELECT 1 FROM edges WHERE source = n AND relation = 'cites' AND boilerplate IS NULL)
FROM nodes WHERE kind IN {in_list(SOURCES)} AND {WAS_READ} ORDER BY n
"""  # noqa: S608 - constants
_AREAS_QUERY = """
SELECT area, count(DISTINCT source) FROM nodes JOIN edges ON target = n
WHERE area IS NOT NULL AND kind = 'topic' AND relation = 'about' AND boilerplate IS NULL
GROUP BY area ORDER BY 2 DESC, 1
"""
_MOST_CITED_QUERY = """
SELECT target, count(*) FROM edges INDEXED BY edges_by_target WHERE relation = 'cites' AND boilerplate IS NULL
GROUP BY target HAVING count(*) > 1 ORDER BY 2 DESC, 1 LIMIT ?
"""
_MOST_CONNECTED_QUERY = """
SELECT n, degree - coalesce(count, 0) FROM nodes LEFT JOIN (
  SELECT n, count(*) AS count FROM (
    SELECT source AS n FROM edges INDEXED BY boilerplate WHERE boilerplate
    UNION ALL SELECT target FROM edges INDEXED BY boilerplate WHERE boilerplate
  ) GROUP BY n
) USING (n) WHERE degree > coalesce(count, 0) ORDER BY 2 DESC, n LIMIT ?
"""
# A target's reasons are those of its last edge, because of ``max``: https://sqlite.org/lang_select.html#bareagg
_BOILERPLATE_QUERY = """
SELECT target, count(*) AS count, reasons, max(edges.id) FROM edges WHERE boilerplate GROUP BY target
ORDER BY count DESC, target
"""


def count_graph(view: View, *, n: int = 10) -> Answer:
    """Answer with the counts of a graph: a row for each, with its ``group``, ``title`` (the name) and ``count``.

    The groups are kinds, relations, areas and communities (their episodes and posts), years, the most cited and the
    most connected nodes (the first ``n`` of each; 0: all), episodes without a citation, truncated links (which the feed
    cut off), and boilerplate (links that a show repeats in its notes) with the reason. Boilerplate counts neither as a
    citation nor as a connection.
    """
    sources = [_Source(*row) for row in view.rows(_SOURCES_QUERY)]
    episodes = [source for source in sources if source.kind == "episode"]
    counts = view.count_by_kind()
    groups: dict[str, Iterable[tuple[str, int]]] = {
        "kinds": ((kind, counts[kind]) for kind in view.kinds.in_order(counts)),
        "relations": view.rows("SELECT relation, count(*) FROM edges GROUP BY relation ORDER BY relation"),
        "areas": view.rows(_AREAS_QUERY),
        "communities": Counter(source.community for source in sources if source.community).most_common(),
        "years": sorted(Counter(episode.day[:4] or "undated" for episode in episodes).items()),
    }
    rows = [Row(group=group, title=name, count=count) for group, pairs in groups.items() for name, count in pairs]
    if link_count := sum(episode.truncated_link_count for episode in episodes):
        rows.append(Row(group="truncated links", title="", count=link_count))
    rows += _build_rows(view, "most cited", view.rows(_MOST_CITED_QUERY, (n or -1,)))
    rows += _build_rows(view, "most connected", view.rows(_MOST_CONNECTED_QUERY, (n or -1,)))
    rows += _build_rows(view, "uncited", ((episode.n, None) for episode in episodes if not episode.has_citation))
    boilerplate = list(view.rows(_BOILERPLATE_QUERY))
    boilerplate_rows = _build_rows(view, "boilerplate", ((n, count) for n, count, *_ in boilerplate))
    for row, (_, _, reasons, _) in zip(boilerplate_rows, boilerplate, strict=True):
        if texts := view.parse(reasons) if reasons else ():
            row["reasons"] = [str(texts[-1]).removeprefix("boilerplate: ")]
        rows.append(row)
    days = sorted(episode.day for episode in episodes if episode.day)
    heading = f"{len(episodes)} episodes" + (f", {days[0]} to {days[-1]}" if days else "")
    return Answer("stats", "", ("group", "title", "count", "reasons"), tuple(rows), len(rows), heading)


def _build_rows(view: View, group: str, pairs: Iterable[tuple[int, int | None]]) -> list[Row]:
    """Return a row for each node in ``pairs`` of (number of the node, count); all rows get the same ``group``."""
    counts = dict(pairs)
    nodes = zip(view.read(counts), counts.values(), strict=True)
    return [build_row(id_, node, group=group, count=count) for (id_, node), count in nodes]


def check_links(view: View) -> Answer:
    """Answer with the state of cited and mentioned artifacts: a row for each state, then one for each changed artifact.

    A state is one of ``STATUSES``. Changed artifacts (moved, gone, private) have the ids of the episodes citing them in
    ``cited_by``. An address that no look-up could check is ``unknown``.
    """
    targets = "SELECT target FROM edges WHERE relation IN ('cites', 'mentions')"
    query = f"SELECT n, coalesce(nullif(status, ''), 'unknown') FROM nodes WHERE n IN ({targets}) ORDER BY n"  # noqa: S608 - a constant
    statuses = dict(view.rows(query))
    counts = Counter(statuses.values())
    rows = [Row(group="links", title=status, count=counts[status]) for status in STATUSES if counts[status]]
    citing = (
        "SELECT DISTINCT nodes.id FROM edges JOIN nodes ON n = source "
        "WHERE target = ? AND relation IN ('cites', 'mentions') ORDER BY n"
    )
    changes = [n for n, status in statuses.items() if status in ("moved", "gone", "private")]
    for (id_, node), n in zip(view.read(changes), changes, strict=True):
        episodes = [episode for (episode,) in view.rows(citing, (n,))]
        rows.append(build_row(id_, node, group=statuses[n], count=len(episodes), cited_by=episodes))
    return Answer("stats", "links", ("group", "title", "count", "url", "current_url"), tuple(rows), len(rows))
