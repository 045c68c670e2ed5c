"""The content of the page: rows for its script, the text version, and structured data for crawlers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import chain, groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from podgraph import graph as graphs
from podgraph.extractors import default_subject

from ..formats.shared.days import sort_newest_first
from ..formats.shared.texts import to_web_link

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    Places = Mapping[str, Mapping[str, float]]
    Translator = Callable[[str], str]

Row = dict[str, Any]  # a JSON object for the template

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
# What the first drawing needs of a placed node, and of an edge of these relations.
_FIRST_NODE = ("kind", "community", "standing", *(short for name, short in _PLACES.items() if "_" in name))
_FIRST_EDGE = ("from", "to", "relation", "weight")
_TIES = frozenset({"related", "listen_first", "see_also"})
_ADDRESSES = frozenset({"audio_url", "current_url"})
_EVIDENCE = "start end quote field method url ref lines time moments confidence".split()
_PLAIN = frozenset({"part_of", "in_repo", "in_folder", "subtopic_of"})  # relations whose reason only repeats the name


def clean(text: object) -> str:
    r"""Return text fit for a document, of the same length.

    >>> clean("a\x00b") == "a\ufffdb"
    True
    """
    whole = str(text)
    return whole if whole.isprintable() else _UNPRINTABLE.sub("\ufffd", whole)


def legend(kinds: graphs.Kinds = graphs.KINDS) -> Row:
    """Return the legend: families, kinds and relations with their names, shapes and colours."""
    return {
        "families": {
            name: {"name": family.title, "light": family.light, "dark": family.dark, "mark": family.mark}
            for name, family in graphs.FAMILIES.items()
        },
        "kinds": {name: _describe_kind(kind) for name, kind in kinds.items()},
        "other": _describe_kind(graphs.Kind("other", hollow=True)),
        "relations": {
            name: {
                "out": relation.along, "in": relation.against, "dash": [*relation.dash],
                "drawn": relation.is_drawn, "names": relation.names,
            }
            for name, relation in graphs.RELATIONS.items()
        },
    }  # fmt: skip


def _describe_kind(kind: graphs.Kind) -> Row:
    words = {"one": clean(kind.singular), "many": clean(kind.heading)}
    return {"family": kind.family, "shape": kind.shape, "hollow": kind.hollow, **words}


def make_page_title(graph: graphs.Graph, title: str) -> str:
    """Return the heading: the one given, else the podcasts' names."""
    if title:
        return clean(title)
    names = [get_label(node, graph.nodes[node]) for node in graph if graph.nodes[node].get("kind") == "podcast"]
    return " · ".join(names[:3]) or "Podcast graph"


def get_label(node: str, attributes: Mapping[str, object]) -> str:
    """Return the name of a node."""
    return clean(attributes.get("title") or attributes.get("label") or node)


def build_page_facts(graph: graphs.Graph, orders: graphs.Orders, places: Places, translate: Translator) -> Row:
    """Return the legend, and facts of the graph as a whole. ``orders`` and ``places`` are of the same graph."""
    return {
        "legend": legend(graphs.kinds_of(graph.graph)),
        "graph": {
            name: _clean_value(graph.graph[name]) for name in ("schema", "generator", "sources") if name in graph.graph
        },
        "areas": [{**area, "name": translate(area["name"])} for area in list_areas(graph, places)],
        "start": _list_first_routes(graph, orders, translate),
        "ranking": graphs.describe_ranking(default_subject().repo),
    }


def list_areas(graph: graphs.Graph, places: Places) -> list[Row]:
    """Return the areas of the atlas, the largest first and that of other episodes last: name and colours."""
    members = [node for node, at in places.items() if "hue" in at and "community" in graph.nodes[node]]
    hues = {str(graph.nodes[node]["community"]): int(places[node]["hue"]) for node in members}
    sizes = Counter(str(graph.nodes[node]["community"]) for node in members)
    names = sorted(sizes, key=lambda name: (hues[name] < 0, -sizes[name], name))
    rows = ((name, graphs.HUES[hues[name]] if 0 <= hues[name] < len(graphs.HUES) else graphs.GREY) for name in names)
    return [{"name": clean(name), "light": light, "dark": dark} for name, (light, dark) in rows]


def _list_first_routes(graph: graphs.Graph, orders: graphs.Orders, translate: Translator) -> list[Row]:
    """Return three routes for newcomers: through the largest areas with a name, or through the whole show.

    Each has a name ("" for the show), and the numbers of its first episodes with their reasons.
    """
    if not 2 <= len(_select_kind(graph, "episode")) <= 2000:  # an order of more would be no beginning
        return []
    numbers = {node: number for number, node in enumerate(graph)}
    routes = {area: [*route] for area, route in groupby(orders.build_routes(), key=attrgetter("area"))}
    names = [area for area in routes if area != graphs.OTHERS and len(routes[area]) > 1]
    return [
        {
            "name": translate(clean(area)),
            "steps": [(numbers[step.id], translate(clean(step.reason))) for step in routes[area][:5]],
        }
        for area in sorted(names, key=lambda area: -len(routes[area]))[:3]
    ]


def _select_kind(graph: graphs.Graph, kind: str) -> list[str]:
    return [node for node, own in graph.nodes(data="kind") if str(own) == kind]


def _list_orders(graph: graphs.Graph, orders: graphs.Orders) -> Iterator[tuple[str, str, Sequence[graphs.OrderStep]]]:
    """Yield a topic, "route" and the steps of its route; an episode, "before" and those to listen to before it."""
    counts = Counter(topic for _, topic, relation in graph.edges(keys=True) if relation == "about")
    sizes = {topic: counts[topic] for topic in _select_kind(graph, "topic")}
    for topic in sorted(sizes, key=lambda one: (-sizes[one], one))[:300]:
        if len(steps := orders.build_topic_order(topic)[:7]) > 1:
            yield topic, "route", steps
    for episode in _select_kind(graph, "episode"):
        if steps := orders.build_episode_order(episode, 10)[:-1]:
            yield episode, "before", steps


def build_node_rows(graph: graphs.Graph, orders: graphs.Orders, places: Places, translate: Translator) -> list[Row]:
    """Return a row per node, in the graph's order: a number as ``id``, the node's own id as ``key``.

    ``orders`` and ``places`` are of the same graph.
    """
    openings = graphs.find_openings(graph)
    rows = {}
    for index, node in enumerate(graph):
        attributes = graph.nodes[node]
        row: Row = {
            "id": index,
            "key": clean(node),
            "kind": clean(attributes.get("kind", "other")),
            "label": clean(attributes.get("label") or node),
            **{short: round(places[node][name]) for name, short in _PLACES.items() if name in places[node]},
        }
        row |= _select_attributes(attributes)
        if opening := openings.get(node):
            row["opening"] = len(row["label"][:opening].encode("utf-16-le")) // 2  # as the script counts
        if row.get("title") == row["label"]:
            del row["title"]
        if names := [name for name in row.pop("names", ()) if name != row["label"]]:
            row["names"] = names
        if "community" in row:
            row["community"] = translate(row["community"])
        rows[node] = row
    for node, name, steps in _list_orders(graph, orders):
        pairs = [(rows[step.id]["id"], step.reason) for step in steps if step.id in rows]
        rows[node][name] = [(number, translate(clean(reason))) for number, reason in pairs]
    in_order = sorted(graph, key=lambda node: (-float(graph.nodes[node].get("rank", 0)), str(node)))
    for standing, node in enumerate(in_order):
        rows[node]["standing"] = standing
    return [*rows.values()]


def shorten_notes(nodes: Sequence[Row], most: int = MOST_NOTES) -> int:
    """Cut the notes of a page's nodes to so many characters in all, each to the same length; return it, or 0.

    Short notes leave room for long ones. A text is cut between two words where it can.
    """
    lengths = sorted(len(node["summary"]) for node in nodes if "summary" in node)
    room, share = most, 0
    for at, length in enumerate(lengths):
        share = room // (len(lengths) - at)
        if length > share:
            break
        room -= length
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
    """Return a value for JSON: texts without control characters, also in lists and objects; other values as text."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, dict):
        return {clean(name): _clean_value(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean_value(item) for item in value]
    return clean(value)


def build_edge_rows(graph: graphs.Graph, rows_of_nodes: Sequence[Row], translate: Translator) -> list[Row]:
    """Return a row per edge: ``from`` and ``to`` are the numbers of ``rows_of_nodes``, of the same graph.

    Evidence in notes that were cut off is left out.
    """
    number = {node: index for index, node in enumerate(graph)}
    rows = []
    for source, target, relation, attributes in graph.edges(keys=True, data=True):
        row: Row = {"from": number[source], "to": number[target], "relation": clean(relation)}
        length = len(rows_of_nodes[number[source]].get("summary", ""))
        notes = graph.nodes[source].get("summary")
        evidence = [
            _shorten_evidence(item, graph.nodes[source])
            for item in attributes.get("evidence", ())
            if item.get("end", 0) <= length or item.get("field", "notes") != "notes" or not notes
        ]
        if evidence:
            row["evidence"] = evidence
        weight = attributes.get("weight", 1)
        if weight != (len(evidence) or 1):
            row["weight"] = round(weight, 3)
        if attributes.get("boilerplate"):
            row["boilerplate"] = True
        if attributes.get("level") == "similar":
            row["similar"] = True
        reasons = [] if relation in _PLAIN else attributes.get("reasons", [])
        if reasons := [*filter(None, (graphs.role_of(attributes), *reasons))]:
            row["reasons"] = [translate(clean(reason)) for reason in reasons]
        rows.append(row)
    return rows


def _shorten_evidence(item: graphs.Evidence, source: graphs.NodeAttributes) -> Row:
    """Return a piece of evidence, without a quote that is in the text of its source."""
    row: Row = {name: _clean_value(value) for name in _EVIDENCE if (value := item.get(name))}
    field = item.get("field", "notes")
    text = str(source.get("summary" if field == "notes" else field, ""))
    if text[item.get("start", 0) : item.get("end", 0)] == item.get("quote"):
        row.pop("quote", None)
    return row


def compute_steps(edges: Sequence[Row]) -> Row:
    """Return the costs of a path's steps: by relation, and by the number of edges of an end."""
    degrees = Counter(end for edge in edges for end in (edge["from"], edge["to"]))
    hubs = {degree: graphs.compute_hub_cost(degree) for degree in sorted(set(degrees.values()))}
    return {"costs": graphs.PATH_COSTS, "other": graphs.PATH_COSTS[""], "hubs": hubs}


def select_first_data(data: Row) -> Row:
    """Return what the first drawing needs of a page's data: legend, areas, and rows of what it draws.

    A node without a place in the atlas has an empty row, so that all keep their numbers.
    """
    nodes = [_select(node, _FIRST_NODE if "wx" in node else ()) for node in data["nodes"]]
    edges = [_select(edge, _FIRST_EDGE) for edge in data["edges"] if edge["relation"] in _TIES]
    return {"legend": data["legend"], "areas": data["areas"], "nodes": nodes, "edges": edges}


def _select(row: Row, names: Sequence[str]) -> Row:
    return {name: row[name] for name in names if name in row}


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
    for heading, members, links, letter in lists:
        entries = []
        for node in members:
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
