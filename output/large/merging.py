"""Merging saved graphs into one by SQL. One graph is attached at a time, so the memory does not grow with their number.

Nodes are joined by id. Persons of several graphs become one if they share a profile, or a full name and a role as host
or guest. A cited page that is the page of an episode becomes this episode. Episodes of two shows that cite the same
rare artifact are related. Nodes and edges first go into a temporary database, then, sorted, into the graph.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from podgraph import graph as graphs
from podgraph.extractors import GraphError, describe_own_place, identify

_MAXIMUM_EPISODES = 10  # citing an artifact that relates episodes of two shows
_MAXIMUM_EPISODES_IF_STRONG = 3  # the same, for a strong relation by a person, a paper or a video, but not a mere page
_MAXIMUM_RELATED = 5  # episodes of other shows, for each episode
_LIST_ATTRIBUTES = ("hosts", "names", "profiles", "aliases")  # list attributes: those of all graphs are joined


def merge_stores(
    stores: Iterable[graphs.Store], path: str = ":memory:", *, publish_private: bool = False
) -> graphs.View:
    """Merge graphs into a new database at ``path`` (default: in memory), and return it, open.

    If two graphs have a value of an attribute, the later one counts, but an episode that was read wins over a cited
    one. Raises ``GraphError`` for a damaged graph, and for private feeds beside public ones without
    ``publish_private``.
    """
    steps = _read_sql_steps()
    database = sqlite3.connect(path, uri=True, isolation_level=None, check_same_thread=False, factory=graphs.Database)
    database.create_function("join_attributes", 2, _join_attributes, deterministic=True)
    database.create_function("join_lists", 2, _join_lists, deterministic=True)
    database.create_function("is_own", 1, lambda url: bool(describe_own_place(url or "")), deterministic=True)
    graphs.create_tables(database)
    database.executescript(f"PRAGMA cache_size=-64000; ATTACH '' AS part; {steps['create']}")
    about: dict[str, Any] = {"sources": []}
    for store in stores:
        sources, transcripts = about["sources"], about.get("transcripts", 0) + store.transcripts
        own: Any = store.about.get("sources")
        sources += [source for source in own if source not in sources] if isinstance(own, list) else []
        about |= {**store.about, "sources": sources, **({"transcripts": transcripts} if transcripts else {})}
        _copy_graph(database, store, steps["add"])
    private = [source for source in about["sources"] if isinstance(source, dict) and source.get("private")]
    if 0 < len(private) < len(about["sources"]) and not publish_private:
        names = ", ".join(str(source.get("title") or source.get("source")) for source in private)
        remedy = "if its owner agrees, add --publish-private"
        raise GraphError("is private, and would be merged into a public graph", source=names, remedy=remedy)
    about.pop("digest", None)
    _fill_same_nodes(database, steps["persons"])
    database.executescript(steps["move"] + steps["rare"])
    _relate_shows(database, steps["related"])
    database.executescript(f"{steps['fill']} DETACH part; BEGIN;")
    graphs.insert_about(database, about)
    view = graphs.View(database, "merged graph", 1 << 40)
    _rank_and_place_nodes(database, view)
    graphs.add_indexes(database, view.nodes())
    return view


def _read_sql_steps() -> dict[str, str]:
    """Return {name of a step: its SQL} from ``merge.sql``, with the columns and limits filled in."""
    # How a column gets its value when a node is in two graphs: the later one's, or both lists joined.
    later = "{0} = iif(excluded.strength >= strength, coalesce(excluded.{0}, {0}), coalesce({0}, excluded.{0}))"
    both = "{0} = join_lists({0}, excluded.{0})"
    node = ", ".join(graphs.NODE_COLUMNS)
    text = Path(__file__).with_name("merge.sql").read_text("utf-8")
    text = text.format(
        node=node,
        # A rank is a share of its own graph; the rank in the whole is divided by the number of all nodes in the end.
        ranked=node.replace("rank", "rank * (SELECT count(*) FROM added.nodes)"),
        evidence=", ".join(f'"{name}"' for name in graphs.EVIDENCE_COLUMNS if name != "url"),
        strength=" ".join(f"WHEN '{kind}' THEN {strength}" for kind, strength in graphs.STRONGER.items()),
        columns=", ".join((both if name in _LIST_ATTRIBUTES else later).format(name) for name in graphs.NODE_COLUMNS),
        no_subject=", ".join(f"'{kind}'" for kind in graphs.NO_SUBJECT),
        holders=_MAXIMUM_EPISODES,
    )
    steps = (step.partition("\n") for step in text.split("-- step: ")[1:])  # the first line is the name
    return {name: step for name, _, step in steps}


def _copy_graph(database: sqlite3.Connection, store: graphs.Store, step: str) -> None:
    """Copy the nodes, edges and evidence of ``store`` into the temporary database ``part``. ``step`` is the SQL for it.

    Raises ``GraphError`` for a damaged graph.
    """
    with tempfile.NamedTemporaryFile(suffix=".sqlite") as copy:
        if not store.file:
            copy.write(store.to_bytes())
            copy.flush()
        try:
            database.execute("ATTACH ? AS added", (f"{Path(store.file or copy.name).as_uri()}?mode=ro",))
            database.executescript(f"{step} DETACH added;")
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_FULL:
                raise
            raise GraphError(f"cannot be merged ({error})", source=store.source, remedy="build it again") from error


def _join_attributes(weaker: str | None, stronger: str | None) -> str | None:
    """Return the attributes of a node in two graphs, joined: those without a column of their own, as JSON.

    Of two values, that of the ``stronger`` graph counts; lists are joined. An argument is ``None`` without attributes.
    The SQL in ``merge.sql`` calls this function.
    """
    if not (weaker and stronger):
        return stronger or weaker
    one, other = json.loads(weaker), json.loads(stronger)
    lists = {name: [*dict.fromkeys((*one.get(name, ()), *other.get(name, ())))] for name in _LIST_ATTRIBUTES}
    lists = {name: values for name, values in lists.items() if values}
    return json.dumps({**one, **other, **lists}, ensure_ascii=False)


def _join_lists(one: str | None, other: str | None) -> str | None:
    """Return the texts of two JSON lists as one JSON list, each text once; ``None`` is an absent list.

    The SQL in ``merge.sql`` calls this function.
    """
    if not (one and other):
        return one or other
    return json.dumps([*dict.fromkeys((*json.loads(one), *json.loads(other)))], ensure_ascii=False)


def _fill_same_nodes(database: sqlite3.Connection, query: str) -> None:
    """Fill the tables ``pages`` and ``same`` with the numbers of nodes that become other nodes.

    ``pages`` has the pages of episodes; ``same`` has (node, node that it becomes): a page and its episode, a short and
    a whole sha, two persons. ``query`` selects the persons, the best first.
    """
    pages = dict(_find_pages(database))
    database.executemany("INSERT INTO pages VALUES (?)", ((n,) for n in pages))
    commits = dict(database.execute("SELECT id, n FROM part.nodes WHERE kind = 'commit'"))
    same = {commits[short]: commits[whole] for short, whole in graphs.whole_shas(commits).items()}
    same |= pages | dict(_find_persons(database, query))
    database.executemany("INSERT INTO same VALUES (?, ?)", same.items())


def _find_pages(database: sqlite3.Connection) -> Iterator[tuple[int, int]]:
    """Yield (number of a cited page, number of the episode whose page it is).

    A page of several episodes is left out.
    """
    owners: dict[str, int] = {}
    for n, *urls in database.execute("SELECT n, url, audio_url FROM part.nodes WHERE kind = 'episode'"):
        for identity in filter(None, (identify(url) for url in urls if url)):
            id_ = identity.ref.id
            owners[id_] = n if owners.get(id_, n) == n else 0  # 0: several episodes
    for id_, owner in owners.items():
        for (n,) in database.execute("SELECT n FROM part.nodes WHERE id = ? AND kind <> 'podcast'", (id_,)):
            if owner:
                yield n, owner


def _find_persons(database: sqlite3.Connection, query: str) -> Iterator[tuple[int, int]]:
    """Yield (number of a person, number of the same person) for persons who become one.

    They share a profile, or a full name and a role. ``query`` selects the persons; the first of them stays.
    """
    import networkx  # noqa: PLC0415 - takes longer to load than a question takes

    same: Any = networkx.utils.UnionFind()
    owners: dict[str, int] = {}  # a profile or a name -> the first person with it
    ranks: dict[int, int] = {}
    for n, label, url, profiles, has_role in database.execute(query):
        ranks[n] = len(ranks)
        keys = {url, *json.loads(profiles)} - {None}
        if has_role and " " in label.strip():
            keys.add(" ".join(label.split()).casefold())
        for key in keys:
            same.union(owners.setdefault(key, n), n)
    for group in same.to_sets():
        first, *others = sorted(group, key=ranks.__getitem__)
        yield from ((other, first) for other in others)


def _relate_shows(database: sqlite3.Connection, query: str) -> None:
    """Insert edges between episodes of different shows that cite the same rare artifacts.

    ``query`` selects (episode, other episode, number of episodes citing an artifact, its name, 1 if it is cited and 0
    if it is only mentioned, 1 if it is a web page), sorted by episode.
    """
    for source, rows in groupby(database.execute(query), itemgetter(0)):
        artifacts_of: dict[int, list[tuple[Any, ...]]] = defaultdict(list)  # other episode -> rows
        for _, other, *artifact in rows:
            artifacts_of[other].append(tuple(artifact))
        weights = {other: sum(1 / count for count, *_ in artifacts) for other, artifacts in artifacts_of.items()}
        for other in sorted(weights, key=lambda other: (-weights[other], other))[:_MAXIMUM_RELATED]:
            reasons = []
            for verb, is_citation in (("cite", 1), ("name", 0)):
                names = [name for _, name, are_citations, _ in artifacts_of[other] if are_citations == is_citation]
                reasons += [f"both {verb} {' and '.join(names[:2])}"] if names else []
            are_strong = (count <= _MAXIMUM_EPISODES_IF_STRONG and not page for count, *_, page in artifacts_of[other])
            level = "strong" if any(are_strong) else "similar"
            row = (source, other, round(weights[other], 4), json.dumps(reasons, ensure_ascii=False))
            insert = "INSERT INTO part.edges VALUES (?, ?, 'related', ?, NULL, ?, json_object('level', ?))"
            database.execute(insert, (*row, level))


def _rank_and_place_nodes(database: sqlite3.Connection, view: graphs.View) -> None:
    """Write new ranks, areas and positions of the nodes into the database.

    In a graph too large for a map, nodes keep their areas and lose their positions.
    """
    if (count := view.count_nodes()) > graphs.MOST_PLACED:
        database.execute("UPDATE nodes SET rank = rank / ?, x = NULL, y = NULL", (count,))
        return
    graph = view.to_networkx()
    for _, node in graph.nodes(data=True):
        for name in ("community", "rank", *graphs.PLACES):
            node.pop(name, None)
    graphs.rank_graph(graph)
    graphs.add_places(graph)
    update = "UPDATE nodes SET (community, rank, x, y) = (?, ?, ?, ?), attributes = join_attributes(attributes, ?)"
    for id_, node in graph.nodes(data=True):
        columns = (node.get(name) for name in ("community", "rank", "x", "y"))
        # All attributes of a position but the first two, x and y, which have columns.
        places = json.dumps({name: node[name] for name in graphs.PLACES[2:] if name in node})
        database.execute(f"{update} WHERE id = ?", (*columns, places, id_))
