"""The content of the page: rows for its script, the text version, and structured data for crawlers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import lru_cache
from itertools import chain, groupby, pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from podgraph.extractors import default_subject
from podgraph.graph import (
    FAMILIES,
    GREY,
    HUES,
    KINDS,
    PATH_COSTS,
    RELATIONS,
    Kind,
    Orders,
    find_openings,
    hub_cost,
    kinds_of,
    ranking,
    role_of,
)

from ..formats.shared.days import sort_newest_first
from ..formats.shared.weblink import to_web_link

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from podgraph.graph import Evidence, Graph, Kinds, NodeAttributes, View

    Places = Mapping[str, Mapping[str, float]]

Row = dict[str, Any]  # a JSON object for the template
Way = tuple[str, str, bool]  # field, method, whether the link is the target's own URL
Word = TypeVar("Word", str, Way)

# Characters not allowed in a document: control characters (HTML drops or rejects them) and lone
# surrogates (they have no UTF-8). One replacement character takes the place of each, so offsets stay right.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# Node attributes the page shows, beside id, kind, label, url and position.
_ATTRIBUTES = (
    "title date duration number season podcast audio_url summary truncated_links uncertain area aliases names hosts "
    "author state status current_url language community"
).split()
MOST_NOTES = 2_000_000  # characters of notes that a page holds
# the positions of a node -> their names in the script
_PLACES = {"x": "x", "y": "y", "x_wide": "wx", "y_wide": "wy", "x_tall": "lx", "y_tall": "ly"}
_ADDRESSES = frozenset({"audio_url", "current_url"})
_WORD_COLUMNS = frozenset("kind relation podcast area status language folder community".split())  # few words, many rows
_WORD_LISTS = frozenset({"reasons", "because"})
_NEAR_EVIDENCE = ("url", "ref", "lines", "time")
_PLAIN = frozenset({"part_of", "in_repo", "in_folder", "subtopic_of"})  # relations whose reason only repeats the name


def clean(text: object) -> str:
    r"""Return text fit for a document, of the same length.

    >>> clean("a\x00b") == "a\ufffdb"
    True
    """
    whole = str(text)
    return whole if whole.isprintable() else _UNPRINTABLE.sub("\ufffd", whole)


def legend(kinds: Kinds = KINDS) -> Row:
    """Return the legend: families, kinds and relations with their names, shapes and colours."""
    return {
        "families": {
            name: {"name": family.title, "light": family.light, "dark": family.dark, **_list_flags(mark=family.mark)}
            for name, family in FAMILIES.items()
        },
        "kinds": {name: _describe_kind(kind) for name, kind in kinds.items()},
        "other": _describe_kind(Kind("other", hollow=True)),
        "relations": {
            name: {
                "out": relation.along, "in": relation.against, "dash": [*relation.dash],
                **_list_flags(drawn=relation.drawn, names=relation.names),
            }
            for name, relation in RELATIONS.items()
        },
    }  # fmt: skip


def _describe_kind(kind: Kind) -> Row:
    words = {"one": clean(kind.singular), "many": clean(kind.heading)}
    return {"family": kind.family, "shape": kind.shape, **_list_flags(hollow=kind.hollow), **words}


def _list_flags(**flags: bool) -> dict[str, bool]:
    """Return those that are set."""
    return {name: True for name, value in flags.items() if value}


def make_page_title(graph: Graph, title: str) -> str:
    """Return the heading: the one given, else the podcasts' names."""
    if title:
        return clean(title)
    names = [get_label(node, graph.nodes[node]) for node in graph if graph.nodes[node].get("kind") == "podcast"]
    return " · ".join(names[:3]) or "Podcast graph"


def get_label(node: str, attributes: Mapping[str, object]) -> str:
    """Return the name of a node."""
    return clean(attributes.get("title") or attributes.get("label") or node)


def build_page_facts(graph: Graph, view: View, places: Places) -> Row:
    """Return the legend, and facts of the graph as a whole. ``view`` and ``places`` are of the same graph."""
    facts: Row = {
        "legend": legend(kinds_of(graph.graph)),
        "graph": {
            name: _clean_value(graph.graph[name]) for name in ("schema", "generator", "sources") if name in graph.graph
        },
    }
    facts |= {
        name: value
        for name, value in (("areas", list_areas(graph, places)), ("start", _list_first_routes(view)))
        if value
    }
    return facts


def list_areas(graph: Graph, places: Places) -> list[Row]:
    """Return the areas of the atlas, the largest first and that of other episodes last: name and colours."""
    members = [node for node, at in places.items() if "hue" in at and "community" in graph.nodes[node]]
    hues = {str(graph.nodes[node]["community"]): int(places[node]["hue"]) for node in members}
    sizes = Counter(str(graph.nodes[node]["community"]) for node in members)
    names = sorted(sizes, key=lambda name: (hues[name] < 0, -sizes[name], name))
    rows = ((name, HUES[hues[name]] if 0 <= hues[name] < len(HUES) else GREY) for name in names)
    return [{"name": clean(name), "light": light, "dark": dark} for name, (light, dark) in rows]


def _list_first_routes(view: View) -> list[Row]:
    """Return three routes for newcomers: through the largest areas with a name, or through the whole show.

    Each has a name ("" for the show), and the numbers of its first episodes with their reasons.
    """
    from podgraph.graph import OTHERS  # noqa: PLC0415 - its module loads numpy

    if not 2 <= sum(1 for _ in view.nodes("episode")) <= 2000:  # an order of more would be no beginning
        return []
    numbers = {node: number for number, (node, _) in enumerate(view.nodes())}
    routes = {area: [*route] for area, route in groupby(Orders(view).of_all(), key=attrgetter("area"))}
    names = [area for area in routes if area != OTHERS and len(routes[area]) > 1]
    return [
        {"name": clean(area), "steps": [(numbers[step.id], clean(step.reason)) for step in routes[area][:5]]}
        for area in sorted(names, key=lambda area: -len(routes[area]))[:3]
    ]


def _list_routes(view: View, numbers: Mapping[str, int]) -> Iterator[tuple[str, list[int], list[str]]]:
    """Yield each topic with a route: the numbers of its episodes in listening order, and their reasons."""
    sizes = {topic: sum(edge.relation == "about" for edge in view.edges_to(topic)) for topic, _ in view.nodes("topic")}
    orders = Orders(view)
    for topic in sorted(sizes, key=lambda one: (-sizes[one], one))[:300]:
        steps = [step for step in orders.of_topic(topic) if step.id in numbers][:7]
        if len(steps) > 1:
            yield topic, [numbers[step.id] for step in steps], [clean(step.reason) for step in steps]


def _list_prerequisites(view: View, numbers: Mapping[str, int]) -> Iterator[tuple[str, list[int], list[str]]]:
    """Yield each episode that others should be heard before, with the numbers of these, in order, and their reasons."""
    orders = Orders(view)
    for episode, _ in view.nodes("episode"):
        *before, last = orders.of_episode(episode, 10)
        if before:
            yield last.id, [numbers[step.id] for step in before], [clean(step.reason) for step in before]


def build_node_rows(graph: Graph, view: View, places: Places) -> list[Row]:
    """Return a row per node, in the graph's order: a number as ``id``, the node's own id as ``key``.

    ``view`` and ``places`` are of the same graph.
    """
    nodes = {node: graph.nodes[node] for node in graph}
    openings = find_openings(graph)
    rows = []
    for index, (node, attributes) in enumerate(nodes.items()):
        place = places[node]
        row: Row = {
            "id": index,
            "key": clean(node),
            "kind": _clean_word(attributes.get("kind", "other")),
            "label": clean(attributes.get("label") or node),
            **{short: round(place[name]) for name, short in _PLACES.items() if name in place},
        }
        row |= _select_attributes(attributes)
        if opening := openings.get(node):
            row["opening"] = len(row["label"][:opening].encode("utf-16-le")) // 2  # as the script counts
        if row.get("title") == row["label"]:
            del row["title"]
        if names := [name for name in row.pop("names", ()) if name != row["label"]]:
            row["names"] = names
        rows.append(row)
    numbers = {node: number for number, node in enumerate(nodes)}
    for episode, before, reasons in _list_prerequisites(view, numbers):
        rows[numbers[episode]] |= {"before": before, "because": reasons}
    for topic, route, reasons in _list_routes(view, numbers):
        rows[numbers[topic]] |= {"route": route, "because": reasons}
    in_order = sorted(graph, key=lambda node: (-float(nodes[node].get("rank", 0)), str(node)))
    for standing, node in enumerate(in_order):
        rows[numbers[node]]["standing"] = standing
    return rows


def shorten_notes(nodes: Sequence[Row], most: int = MOST_NOTES) -> int:
    """Cut the notes of a page's nodes to so many characters in all, each to the same length; return it, or 0.

    Short notes leave room for long ones. A text is cut between two words where it can.
    """
    lengths = sorted(len(node["summary"]) for node in nodes if "summary" in node)
    left, share = most, 0
    for at, length in enumerate(lengths):
        share = left // (len(lengths) - at)
        if length > share:
            break
        left -= length
    else:
        return 0
    for node in nodes:
        if len(text := node.get("summary", "")) > share:
            node["summary"] = text[: max(text.rfind(" ", 0, share), share // 2)]
    return share


def _select_attributes(attributes: Mapping[str, object]) -> Row:
    """Return the known attributes that the page shows, with only safe addresses."""
    values = {name: _clean_value(attributes[name]) for name in _ATTRIBUTES if name in attributes}
    if url := to_web_link(attributes.get("url", "")):
        values = {"url": url, **values}
    return {
        name: value
        for name, value in values.items()
        if value not in ("", [], None) and (name not in _ADDRESSES or to_web_link(value))
    }


def _clean_value(value: object) -> object:
    """Return a value as JSON can hold it, its texts clean."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, dict):
        return {clean(name): _clean_value(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean_value(item) for item in value]
    return clean(value)


def build_edge_rows(graph: Graph, rows_of_nodes: Sequence[Row]) -> list[Row]:
    """Return a row per edge: ``from`` and ``to`` are the numbers of ``rows_of_nodes``, of the same graph.

    Evidence in notes that were cut off is left out.
    """
    number = {node: index for index, node in enumerate(graph)}
    nodes = {node: graph.nodes[node] for node in graph}
    rows = []
    for source, target, relation, attributes in graph.edges(keys=True, data=True):
        row: Row = {"from": number[source], "to": number[target], "relation": _clean_word(relation)}
        length = len(rows_of_nodes[number[source]].get("summary", ""))
        evidence = [
            item
            for item in attributes.get("evidence", ())
            if item.get("end", 0) <= length or item.get("field", "notes") != "notes" or not nodes[source].get("summary")
        ]
        weight = attributes.get("weight", 1)
        if weight != (len(evidence) or 1):
            row["weight"] = round(weight, 3)
        if evidence:
            url = nodes[target].get("url", "")
            row["evidence"] = [_pack_evidence(item, nodes[source], url) for item in evidence]
        row |= _list_flags(
            boilerplate=bool(attributes.get("boilerplate")), similar=attributes.get("level") == "similar"
        )
        reasons = [] if relation in _PLAIN else attributes.get("reasons", [])
        if reasons := [*filter(None, (role_of(attributes), *reasons))]:
            row["reasons"] = [clean(reason) for reason in reasons]
        rows.append(row)
    return rows


def _pack_evidence(item: Evidence, source: NodeAttributes, url: str) -> list[object]:
    """Return [start, end, way] of a piece of evidence, and a dict of the values missing in way, text and target.

    A way is the field, the method, and whether the link is the target's ``url`` itself. The quote is in the text.
    """
    start, end, quote = item.get("start", 0), item.get("end", 0), item.get("quote", "")
    field = _clean_word(item.get("field", "notes"))
    more: Row = {}
    is_target = bool(url) and item.get("url") == url
    for name in _NEAR_EVIDENCE:
        if (value := item.get(name)) and value != quote and not (is_target and name == "url"):
            more[name] = value if isinstance(value, int | float) else clean(value)
    if len(moments := item.get("moments", ())) > 1:
        more["moments"] = list(moments)
    if str(source.get("summary" if field == "notes" else field, ""))[start:end] != quote:
        more["quote"] = clean(quote)
    if item.get("confidence", 1) != 1:
        more["confidence"] = item["confidence"]
    short: list[object] = [start, end, (field, _clean_word(item.get("method", "")), is_target)]
    return [*short, more] if more else short


@lru_cache(maxsize=256)
def _clean_word(text: str) -> str:
    """Return one of the few words that come again and again, clean."""
    return clean(text)


def build_page_data(nodes: Sequence[Row], edges: Sequence[Row], facts: Row) -> Row:
    """Return the data for the page's script: the facts of ``build_page_facts``, nodes and edges by column."""
    rank = _rank_words(item[2] for edge in edges for item in edge.get("evidence", ()))
    return {
        "ranking": ranking(default_subject().repo),
        "steps": _build_steps(edges),
        **facts,
        "nodes": {"count": len(nodes), **_build_columns(_split_addresses([_shorten_node(node) for node in nodes]))},
        "edges": {
            "count": len(edges),
            "ways": list(rank),
            **_build_columns([_number_ways(edge, rank) for edge in edges]),
        },
    }


def _build_steps(edges: Sequence[Row]) -> Row:
    """Return the costs of a path's steps: by relation, and by the number of edges of an end."""
    degrees = Counter(end for edge in edges for end in (edge["from"], edge["to"]))
    hubs = {degree: hub_cost(degree) for degree in sorted(set(degrees.values()))}
    return {"costs": PATH_COSTS, "other": PATH_COSTS[""], "hubs": hubs}


def _shorten_node(node: Row) -> Row:
    """Return a node without its number, which is its position, and without a label that equals its id."""
    brief = {**node}
    del brief["id"]
    if brief["label"] == brief["key"].partition(":")[2]:
        del brief["label"]
    return brief


def _number_ways(edge: Row, rank: Mapping[Way, int]) -> Row:
    """Return an edge whose evidence has the number of its way."""
    if "evidence" not in edge:
        return edge
    return {**edge, "evidence": [[start, end, rank[way], *more] for start, end, way, *more in edge["evidence"]]}


def _build_columns(rows: Sequence[Row]) -> Row:
    """Return the rows by column: a list of values, or, where some rows lack it, ``{"steps": steps, "of": values}``.

    Each step leads from the row of the value before, at first from row 0, to that of the next. Words become numbers.
    """
    columns: dict[str, dict[int, Any]] = defaultdict(dict)
    for index, row in enumerate(rows):
        for name, value in row.items():
            columns[name][index] = value
    table: Row = {"words": {}}
    for name, column in columns.items():
        values = list(column.values())
        if name in _WORD_COLUMNS:
            rank = _rank_words(values)
            values = [rank[value] for value in values]
            table["words"][name] = list(rank)
        elif name in _WORD_LISTS:
            rank = _rank_words(chain.from_iterable(values))
            values = [[rank[word] for word in words] for words in values]
            table["words"][name] = list(rank)
        steps = [index - last for last, index in pairwise(chain((0,), column))]
        table[name] = values if len(values) == len(rows) else {"steps": steps, "of": values}
    return table


def _rank_words(words: Iterable[Word]) -> dict[Word, int]:
    """Return each word with its place in the order of all."""
    return {word: place for place, word in enumerate(sorted(set(words)))}


def _split_addresses(nodes: list[Row]) -> list[Row]:
    """Return nodes with their URL in three parts, which many share: a folder, a page in it, and the end of the id.

    >>> _split_addresses([{"key": "github:o/r:src/main.c", "url": "https://github.com/o/r/blob/main/src/main.c"}])
    [{'key': 'github:o/r:src/main.c', 'folder': 'https://github.com/o/r/blob/main/', 'tail': 10}]
    """
    for node in nodes:
        if "url" not in node:
            continue
        url = node.pop("url")
        tail = _count_common_end(url, node["key"])
        tail = tail if tail >= 6 else 0  # a shorter end is not worth its number
        head = url[: len(url) - tail]
        cut = head.rindex("/") + 1
        node["folder"] = head[:cut]
        if head[cut:]:
            node["page"] = head[cut:]
        if tail:
            node["tail"] = tail
    return nodes


def _count_common_end(one: str, other: str) -> int:
    """Return how many characters two texts have in common at their ends."""
    differ = (index for index, (a, b) in enumerate(zip(reversed(one), reversed(other), strict=False)) if a != b)
    return next(differ, min(len(one), len(other)))


def list_texts(
    nodes: Sequence[Row], edges: Sequence[Row], facts: Row, texts: Row
) -> Iterator[tuple[str, list[tuple[str, Row, list[tuple[Row, str]]]]]]:
    """Yield the lists of the text version: episodes with their sources, then the sources that several of them share.

    A list is a heading and its entries: the id of an element, its node, and the nodes linked from there, each with the
    id of its own element. A source of one episode has its address there, and no entry of its own. On a page whose notes
    are cut, there is only a list of the episodes with their topics.
    """
    relations = {"about"} if facts.get("cut") else {"cites", "mentions", "about", "listen_first", "see_also"}
    outgoing: defaultdict[int, dict[int, None]] = defaultdict(dict)
    incoming: defaultdict[int, dict[int, None]] = defaultdict(dict)
    for edge in edges:
        if edge["relation"] in relations:
            outgoing[edge["from"]][edge["to"]] = None
            incoming[edge["to"]][edge["from"]] = None
    kinds = {**facts["legend"]["kinds"], "other": facts["legend"]["other"]}
    by_kind: defaultdict[str, list[Row]] = defaultdict(list)
    for node in nodes:
        if node["kind"] == "episode" or (len(incoming.get(node["id"], ())) > 1 and not facts.get("cut")):
            by_kind[node["kind"] if node["kind"] in kinds else "other"].append(node)
    posts = [node for node in nodes if node["id"] in outgoing and node["kind"] != "episode"]
    elements = {node["id"]: f"p{node['id']}" for node in posts}
    elements |= {node["id"]: f"t{node['id']}" for node in chain.from_iterable(by_kind.values())}
    episodes = {str(node["id"]): node for node in by_kind.pop("episode", ())}
    lists = [(texts["textEpisodes"], [episodes[number] for number in sort_newest_first(episodes)], outgoing, "t")]
    lists += [(texts["textPosts"], posts, outgoing, "p")] if posts else []
    lists += [(entry["many"], by_kind[kind], incoming, "t") for kind, entry in kinds.items() if kind in by_kind]
    for heading, listed, links, letter in lists:
        entries = []
        for node in listed:
            others = [(nodes[other], elements.get(other, "")) for other in links.get(node["id"], ())]
            entries.append((f"{letter}{node['id']}", node, others))
        yield heading, entries


def build_structured_data(nodes: Sequence[Row], heading: str, about: Row) -> Row:
    """Return the podcast (``about``: its description and image) and its newest episodes as JSON-LD of schema.org."""
    url = next((node["url"] for node in nodes if node["kind"] == "podcast" and "url" in node), "")
    series = {"@context": "https://schema.org", "@type": "PodcastSeries", "name": heading, **about}
    episodes = [node for node in nodes if node["kind"] == "episode"]
    episodes.sort(key=lambda node: str(node.get("date", "")), reverse=True)
    parts = []
    for node in episodes[:2000]:
        date = str(node["date"])[:10] if "date" in node else None
        part = {"@type": "PodcastEpisode", "name": node.get("title") or node["label"], "url": node.get("url")}
        part |= {"datePublished": date, "episodeNumber": node.get("number")}
        parts.append({name: value for name, value in part.items() if value is not None})
    return {**series, **({"url": url} if url else {}), "hasPart": parts}
