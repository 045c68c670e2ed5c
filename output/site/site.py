"""A static site with the map as start page, and one page for each episode, topic, person, route and shared source.

The pages need no script and no server. They use the words, the order and the reasons of the commands. Links between
pages are relative; canonical addresses, the sitemap and the feed need ``site_url``. An update leaves unchanged pages as
they are, and removes our own pages of lost nodes.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from contextlib import suppress
from importlib.resources import files
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from podgraph.extractors import OutputError
from podgraph.graph import (
    SOURCES,
    View,
    checked_edge,
    checked_node,
    kinds_of,
    listen_at,
    order_all,
    order_topic,
    orders_of,
    relatives_of,
    role_of,
    title_of,
)

from ..files import output_errors, publish_all
from ..formats.shared.days import newest_first
from ..formats.shared.slug import slug
from ..formats.shared.weblink import web_link
from ..page.content import clean, page_title
from ..page.host import described, read_host
from ..page.page import json_text, to_html

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jinja2 import Environment
    from markupsafe import Markup

    from podgraph.graph import Edge, EdgeAttributes, Graph, NodeAttributes, Order, OrderStep

    Pages = dict[str, str]
    Context = dict[str, Any]

MARK = "podgraph site"  # in each file, to recognise it as ours
_FOLDERS = {"topic": "topics", "person": "people"} | dict.fromkeys(SOURCES, "episodes")
_LISTS = {"topics": "Topics", "people": "People", "sources": "Sources"}
_NAMING = ("cites", "mentions", "about", "listen_first", "see_also")
_ADDRESS = re.compile(r"https?://[^\s<>\"]*[^\s<>\".,;:!?)\]}'»”]", re.IGNORECASE)
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d|)\Z")  # names of devices, and none
_OTHER = re.compile(r"[^a-z0-9]+")
_UNNAMED = re.compile(r"Area \d+")
_TOPICS = 3  # of a route
_NEWEST, _TOP = 20, 24  # episodes in the feed, names of a kind on the page of contents
_ON_A_PAGE = 500  # entries of a list
# In the head of our pages, also in the map's.
_HEAD = b'<meta name="referrer" content="no-referrer">\n<meta name="color-scheme" content="light dark">'
_ASSETS = ("site.css", "search.js")
_LARGEST_CSS = 1_000_000  # bytes
_MOST_BEFORE = 10  # prerequisites on the page of an episode


def to_site(
    graph: Graph, *, css: str = "", templates: str = "", publish_private: bool = False, **options: Any
) -> Pages:
    """Return the files of the site by their paths. The same graph gives the same text.

    ``css`` is a style sheet read after ours, ``templates`` a folder of templates to replace ours by name.
    ``options`` are those of ``to_html``. Raises ``OutputError`` for a private feed without ``publish_private``.
    """
    private = [one for one in graph.graph.get("sources", ()) if isinstance(one, dict) and one.get("private")]
    if private and not publish_private:
        titles = ", ".join(str(one.get("title") or one.get("source")) for one in private)
        raise OutputError("is private", source=titles, remedy="if its owner agrees, add --publish-private")
    graph = _sorted(graph)
    from jinja2 import TemplateError  # noqa: PLC0415 - only a site needs it

    pages = {"index.html": to_html(graph, **{**options, "contents": "contents.html"})}
    try:
        pages |= _Site(graph, templates, options).pages()
    except TemplateError as error:
        problem = f"the template {getattr(error, 'name', None) or ''} fails: {error}"
        raise OutputError(problem, source="--templates", remedy="correct it, or remove it") from error
    for name in _ASSETS:
        pages[name] = files(__package__).joinpath("templates", name).read_text("utf-8").replace("\r\n", "\n")
    pages["site.css"] += _accented(options) + (_read_style_sheet(css, "--css") if css else "")
    return pages


def write_site(graph: Graph, path: str | os.PathLike[str], **options: Any) -> None:
    """Write, or update, the site in the folder ``path``: all of it is made first. Raises ``OutputError``."""
    folder = Path(os.path.realpath(path))
    texts = to_site(graph, **options)
    # One text after another is freed, since those of a long show are 100 MB.
    pages = {folder / name: texts.pop(name).encode("utf-8", "replace") for name in [*texts]}
    with output_errors(os.fspath(path)):
        files_there = (file for name in ("*.*", "*/*.html") for file in folder.glob(name) if file.is_file())
        there = {file: file.read_bytes() for file in files_there}
        ours = {file for file, data in there.items() if MARK.encode() in data[:4000] or _HEAD in data}
        if others := sorted((pages.keys() & there.keys()) - ours):
            problem = "is there, and podgraph did not write it"
            raise OutputError(problem, source=str(others[0]), remedy="name another folder")
        changed = {file: data for file, data in pages.items() if there.get(file) != data}
        mark = f'content="{MARK}"'.encode()
        gone = [file for file, data in there.items() if file not in pages and mark in data[:4000]]
        publish_all(changed, sorted(gone), inside=folder)


def _sorted(graph: Graph) -> Graph:
    """Return the nodes and edges of a graph in order, without those against the contract.

    A graph from one of our files is in order, and is returned as it is: a copy takes 70 MB for 10,000 episodes.
    """
    all_nodes: list[Any] = [*graph.nodes(data=True)]
    all_edges: list[Any] = [*graph.edges(keys=True, data=True)]
    nodes = sorted((node for node in all_nodes if _is_allowed(checked_node, node[1], id=node[0])), key=itemgetter(0))
    kept = {id_ for id_, _ in nodes}
    inside = (edge for edge in all_edges if edge[0] in kept and edge[1] in kept)
    edges = [edge for edge in inside if _is_allowed(checked_edge, edge[3], source=edge[0], target=edge[1], key=edge[2])]
    edges.sort(key=itemgetter(0, 1, 2))
    if nodes == all_nodes and edges == all_edges:
        return graph
    found = type(graph)(**graph.graph)
    found.add_nodes_from(nodes)
    add_keyed: Any = found.add_edges_from  # the stubs know nothing of keys
    add_keyed(edges)
    return found


def _is_allowed(check: Callable[[Any], object], attributes: Any, **names: object) -> bool:
    with suppress(ValueError):
        check({**attributes, **names})
        return all(isinstance(name, str) for name in names.values())
    return False


def _read_style_sheet(path: str, option: str) -> str:
    """Return the text of a style sheet. Raises ``OutputError``. ``option`` is the option that named the file."""
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(_LARGEST_CSS + 1)
        if len(data) > _LARGEST_CSS:
            raise OutputError(f"{path!r} is larger than 1 MB", source=option, remedy="give a style sheet")
        return data.decode("utf-8").replace("\r\n", "\n")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not text in UTF-8"
        raise OutputError(f"cannot read {path!r} ({why})", source=option, remedy="check the path") from error


def _accented(options: Context) -> str:
    light, dark = read_host(options).accent  # type: ignore[arg-type]
    return f":root {{ --accent: light-dark({light}, {dark}); }}\n" if light else ""


class _Route(NamedTuple):
    """The route of an area: its name, its characteristic topics, its steps."""

    name: str
    topics: list[str]
    steps: list[OrderStep]


class _Site:
    """Makes the pages of a graph."""

    def __init__(self, graph: Graph, templates: str, options: Context) -> None:
        """Collect the data of all pages: episodes, who cites each artifact, paths, routes."""
        self._view = View.from_networkx(graph)
        self._kinds = kinds_of(graph.graph)
        self._host = read_host(options)  # type: ignore[arg-type]
        self._items = {id_: node for id_, node in self._view.nodes(*SOURCES) if self._is_read(id_)}
        self._newest = newest_first(self._items)
        self._naming = {
            id_: self._edges_to(id_) for kind in self._kinds_with_pages(graph) for id_, _ in self._view.nodes(kind)
        }
        self._paths = self._named()
        self._show = page_title(graph, self._host.title)
        self._told = described(self._host, graph)
        self._routes = self._by_area()
        self._places: dict[str, list[tuple[str, int]]] = defaultdict(list)  # episode -> route, place
        for path, route in self._routes.items():
            for place, step in enumerate(route.steps):
                self._places[step.id].append((path, place))
        self._environment = _environment(templates)
        self._environment.globals.update(
            show=self._show, host=self._host, base=self._base(), mark=MARK,
            lists={name: title for name, title in _LISTS.items() if self._in_folder(name)}, about=self._told,
        )  # fmt: skip

    def _is_read(self, id_: str) -> bool:
        return any(True for _ in self._view.edges_from(id_, "part_of", *_NAMING))

    def _kinds_with_pages(self, graph: Graph) -> list[str]:
        kinds = {str(kind) for _, kind in graph.nodes(data="kind")}
        return sorted(kinds - {"podcast", *SOURCES})

    def _edges_to(self, id_: str) -> list[Edge]:
        """Return the edges from episodes to something they name, of each episode one, the newest episode first."""
        found = {edge.source: edge for edge in self._view.edges_to(id_, *_NAMING) if edge.source in self._items}
        return [found[source] for source in self._newest if source in found] if len(found) > 1 else [*found.values()]

    def _base(self) -> str:
        url = self._host.site_url
        return url if not url or url.endswith("/") else f"{url}/"

    def _named(self) -> dict[str, str]:
        """Return the path of each page by the id of its node: the end of the id, or the whole id where two share it."""
        wanted = dict.fromkeys(self._items, "episodes")
        for id_, edges in self._naming.items():
            kind = (self._view.node(id_) or {}).get("kind", "")
            told = [edge for edge in edges if not edge.attributes.get("boilerplate")]
            if (kind in _FOLDERS and (told or kind == "topic" or self._hosts(id_))) or len(told) > 1:
                wanted[id_] = _FOLDERS.get(kind, "sources")
        short = {id_: _short(id_.rpartition("/")[2].rpartition(":")[2]) for id_ in wanted}
        spread = Counter((wanted[id_], short[id_]) for id_ in wanted)
        plain = {id_ for id_, folder in wanted.items() if spread[folder, short[id_]] == 1}
        plain -= {id_ for id_ in plain if _RESERVED.match(short[id_])}
        return {id_: f"{folder}/{short[id_] if id_ in plain else slug(id_)}.html" for id_, folder in wanted.items()}

    def _hosts(self, id_: str) -> list[str]:
        return list((self._view.node(id_) or {}).get("hosts", ()))

    def _by_area(self) -> dict[str, _Route]:
        """Return the routes by their paths. An area without a name is called by its topics."""
        areas: dict[str, list[OrderStep]] = defaultdict(list)
        for step in order_all(self._view).steps:
            areas[step.area].append(step)
        found = {}
        for area, steps in areas.items():
            topics, name = self._topics_of(steps), clean(area) or "All episodes"
            path = f"routes/{_short(area or name) or slug(area)}.html"
            if topics and _UNNAMED.fullmatch(area):
                topics, name = [], ", ".join(map(self._name, topics))
            found[path] = _Route(name, topics, steps)
        return found

    def _topics_of(self, steps: Iterable[OrderStep]) -> list[str]:
        """Return the characteristic topics of some episodes: many of them have these topics, and few others do."""
        ids = {step.id for step in steps}
        told = Counter(edge.target for id_ in ids for edge in self._view.edges_from(id_, "about"))
        many = {id_: count for id_, count in told.items() if count > 1}
        worth = {id_: count * count / max(len(self._naming.get(id_, ())), 1) for id_, count in many.items()}
        return sorted(worth, key=lambda id_: (-worth[id_], id_))[:_TOPICS]

    def _in_folder(self, folder: str) -> list[str]:
        """Return the nodes with a page in a folder, those named most often first."""
        ids = [id_ for id_, path in self._paths.items() if path.startswith(f"{folder}/")]
        return sorted(ids, key=lambda id_: (-len(self._naming.get(id_, ())), self._name(id_).casefold(), id_))

    def _name(self, id_: str) -> str:
        return clean(title_of(self._view.node(id_) or {}, id_)) or id_

    def pages(self) -> Iterator[tuple[str, str]]:
        """Yield the path and the text of each page."""
        yield self._page("contents.html", "contents.html", self._show, **self._contents())
        yield self._page("search.html", "search.html", "Search")
        yield "titles.js", self._titles()
        yield from self._list_pages()
        yield from self._route_pages()
        befores = orders_of(self._newest, self._view, _MOST_BEFORE)
        for id_, before in zip(self._newest, befores, strict=True):
            yield self._episode(id_, before)
        for id_, path in self._paths.items():
            if not path.startswith("episodes/"):
                yield self._other(id_, path)
        if base := self._base():
            dated = [id_ for id_ in self._newest if "date" in self._items[id_]][:_NEWEST]
            yield self._page("feed.xml", "new.xml", self._show, entries=self._entries(dated, ""))
            names = ["", "contents.html", *(path for path in (*self._paths.values(), *self._routes))]
            yield self._page("sitemap.xml", "sitemap.xml", self._show, names=names)
            yield "robots.txt", f"# {MARK}\nUser-agent: *\nAllow: /\nSitemap: {base}sitemap.xml\n"

    def _page(self, template: str, path: str, title: str, **context: Any) -> tuple[str, str]:
        root = "../" * path.count("/")
        canonical = self._base() + path if self._base() else ""
        return path, self._environment.get_template(template).render(
            path=path, root=root, title=title, canonical=canonical, **context
        )  # fmt: skip

    def _entry(self, id_: str, root: str, **more: Any) -> Context:
        """Return a node for a list: name, address, date, minutes, kind, number of episodes."""
        node = self._view.node(id_) or {}
        path = self._paths.get(id_)
        kind = self._kinds[str(node.get("kind", "web"))]
        return {
            "id": id_, "name": self._name(id_), "href": f"{root}{path}" if path else web_link(node.get("url")),
            "date": str(node.get("date", ""))[:10], "minutes": round(int(node.get("duration") or 0) / 60),
            "kind": kind.singular, "count": len(self._naming.get(id_, ())),
            **more,
        }  # fmt: skip

    def _entries(self, ids: Iterable[str], root: str) -> list[Context]:
        return [self._entry(id_, root) for id_ in ids]

    def _steps(self, steps: Iterable[OrderStep], root: str) -> list[Context]:
        return [self._entry(step.id, root, reason=clean(step.reason), sentence=clean(step.sentence)) for step in steps]

    def _contents(self) -> Context:
        """Return the data of the front page."""
        kinds = Counter(str(node["kind"]) for node in self._items.values())
        return {
            "routes": [self._route_entry(path, "") for path in self._routes],
            "newest": self._entries(self._newest[:_NEWEST], ""),
            "years": self._years(),
            "top": {title: self._entries(self._in_folder(name)[:_TOP], "") for name, title in _LISTS.items()},
            "total": ", ".join(f"{count} {self._kinds[kind].plural}" for kind, count in kinds.items()),
        }

    def _route_entry(self, path: str, root: str) -> Context:
        name, topics, steps = self._routes[path]
        told = {"count": len(steps), "minutes": _minutes(steps), "topics": self._entries(topics, root)}
        return {"name": name, "href": root + path, **told}

    def _years(self) -> dict[str, list[str]]:
        """Return the episodes of each year, newest first. Those without a date are of the year ""."""
        found: dict[str, list[str]] = defaultdict(list)
        for id_ in self._newest:
            found[str(self._items[id_].get("date", ""))[:4]].append(id_)
        return dict(sorted(found.items(), reverse=True))

    def _list_pages(self) -> Iterator[tuple[str, str]]:
        """Yield (path, text) of the pages with lists: the episodes of each year, the artifacts of each kind."""
        lists = {year or "undated": (f"Episodes of {year}" if year else "Episodes without a date", ids)
                 for year, ids in self._years().items()}  # fmt: skip
        lists |= {name: (title, self._in_folder(name)) for name, title in _LISTS.items()}
        for name, (title, ids) in lists.items():
            parts = [ids[at : at + _ON_A_PAGE] for at in range(0, len(ids), _ON_A_PAGE)]
            links = [f"{name}{f'-{number}' if number else ''}.html" for number in range(len(parts))]
            for link, part in zip(links, parts, strict=True):
                yield self._page("list.html", link, title, entries=self._entries(part, ""), links=links)

    def _route_pages(self) -> Iterator[tuple[str, str]]:
        for path, route in self._routes.items():
            entry = self._route_entry(path, "../")
            yield self._page("route.html", path, route.name, route=entry, steps=self._steps(route.steps, "../"))

    def _episode(self, id_: str, before: Order) -> tuple[str, str]:
        """Return (path, text) of an episode's page. ``before`` is the listening order that ends with it."""
        node, path = self._items[id_], self._paths[id_]
        near = [
            self._entry(one["id"], "../", reason="; ".join(map(clean, one.reasons or ())), level=one.level)
            for one in relatives_of(id_, self._view)
        ]
        named = self._named_by(id_, node)
        return self._page(
            "episode.html", path, self._name(id_),
            node=node, data=self._data(id_), audio=web_link(node.get("audio_url")), url=web_link(node.get("url")),
            date=str(node.get("date", ""))[:10], minutes=round(int(node.get("duration") or 0) / 60),
            before=self._steps(before.steps[:-1], "../"),
            sentence=clean(before.steps[-1].sentence),
            topics=named.pop("Topics", []),
            strong=[one for one in near if one["level"] == "strong"],
            similar=[one for one in near if one["level"] != "strong"],
            named=named, notes=_paragraphs(node.get("summary", "")), routes=self._on_routes(id_),
        )  # fmt: skip

    def _data(self, id_: str) -> Context:
        """Return an episode in the words of schema.org."""
        node = self._items[id_]
        known = {
            "url": self._base() + self._paths[id_] if self._base() else web_link(node.get("url")),
            "datePublished": str(node.get("date", ""))[:10],
            "timeRequired": f"PT{round(int(node['duration']) / 60)}M" if node.get("duration") else "",
            "associatedMedia": {"@type": "MediaObject", "contentUrl": audio}
            if (audio := web_link(node.get("audio_url")))
            else "",
        }
        data = {"@context": "https://schema.org", "@type": "PodcastEpisode", "name": self._name(id_)}
        return {
            **data,
            **{name: value for name, value in known.items() if value},
            "partOfSeries": {"@type": "PodcastSeries", "name": self._show},
        }

    def _named_by(self, id_: str, node: NodeAttributes) -> dict[str, list[Context]]:
        """Return the mentions of an episode by the heading of their relation or kind, without boilerplate."""
        found: dict[str, list[Context]] = defaultdict(list)
        for edge in self._view.edges_from(id_, *_NAMING):
            if edge.attributes.get("boilerplate"):
                continue
            moment = self._moment(edge.attributes, node)
            entry = self._entry(edge.target, "../", **moment, role=role_of(edge.attributes))
            kind = str((self._view.node(edge.target) or {}).get("kind", "web"))
            found["See also" if kind in SOURCES else self._kinds[kind].heading].append(entry)
        return dict(sorted(found.items(), key=lambda pair: (pair[0] != "People", pair[0])))

    def _moment(self, edge: EdgeAttributes, node: NodeAttributes) -> Context:
        """Return the first moment of a mention in an episode, and the address to listen from there."""
        times = [evidence["time"] for evidence in edge.get("evidence", ()) if "time" in evidence]
        if not times:
            return {}
        second = int(min(times))
        return {"moment": f"{second // 60}:{second % 60:02}", "listen": web_link(listen_at(node, second))}

    def _on_routes(self, id_: str) -> list[Context]:
        """Return the routes with an episode, each with its place, and the episodes before and after it."""
        routes = []
        for path, position in self._places[id_]:
            steps = self._routes[path].steps
            ends = {"previous": position - 1, "next": position + 1}
            neighbours = {name: self._entry(steps[at].id, "../") for name, at in ends.items() if 0 <= at < len(steps)}
            routes.append({**self._route_entry(path, "../"), "place": position + 1, **neighbours})
        return routes

    def _other(self, id_: str, path: str) -> tuple[str, str]:
        """Return the page of a topic, a person or a source."""
        node = self._view.node(id_) or {}
        folder = path.partition("/")[0]
        context: Context = {
            "node": node,
            "url": web_link(node.get("url")),
            "kind": self._kinds[str(node.get("kind", "web"))].singular,
        }
        if folder == "topics":
            route = order_topic(id_, self._view)
            context |= {
                "steps": self._steps(route.steps, "../"), "minutes": _minutes(route.steps),
                "wholes": self._entries((edge.target for edge in self._view.edges_from(id_, "subtopic_of")), "../"),
                "pieces": self._entries((edge.source for edge in self._view.edges_to(id_, "subtopic_of")), "../"),
                "covers": self._entries((edge.target for edge in self._view.edges_from(id_, "covers")), "../"),
            }  # fmt: skip
        else:
            context["episodes"] = [
                self._entry(
                    edge.source,
                    "../",
                    role=role_of(edge.attributes),
                    quote=_quote(edge.attributes),
                    **self._moment(edge.attributes, self._items[edge.source]),
                )
                for edge in self._naming[id_]
            ]
            context["presents"] = [self._name(podcast) for podcast in self._hosts(id_)]
        return self._page(f"{folder}.html", path, self._name(id_), **context)

    def _titles(self) -> str:
        """Return the script with the titles for the search, by folder: title, date, name of the file.

        A file called as its title is left out.
        """
        rows: dict[str, list[list[str]]] = {"episodes": [], "routes": [], **{name: [] for name in _LISTS}}
        found = [(path, route.name, "") for path, route in self._routes.items()]
        dates = {id_: str(self._items[id_].get("date", ""))[:10] for id_ in self._newest}
        found += [(self._paths[id_], self._name(id_), date) for id_, date in dates.items()]
        found += [(self._paths[id_], self._name(id_), "") for name in _LISTS for id_ in self._in_folder(name)]
        for path, title, date in found:
            folder, _, file = path.removesuffix(".html").partition("/")
            called = title.isascii() and _short(title) == file
            rows[folder].append([title, date, *([] if called else [file])] if date or not called else [title])
        return f"// {MARK}\nconst titles = {json_text(rows)};\n"


def _short(text: str) -> str:
    return _OTHER.sub("-", text.lower()).strip("-")


def _minutes(steps: Iterable[OrderStep]) -> int:
    return round(sum(step.attributes.get("duration") or 0 for step in steps) / 60)


def _length(minutes: int) -> str:
    """Return minutes as hours and minutes.

    >>> _length(79), _length(5)
    ('1 h 19 min', '5 min')
    """
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if hours else f"{rest} min"


def _quote(edge: EdgeAttributes) -> str:
    """Return the words of an episode for something it names; "" for an address alone."""
    quotes = (clean(str(evidence.get("quote", ""))) for evidence in edge.get("evidence", ()))
    return next((quote for quote in quotes if quote and "//" not in quote), "")


def _paragraphs(text: str) -> list[Markup]:
    """Return the lines of notes, with their addresses as links."""
    from markupsafe import Markup, escape  # noqa: PLC0415 - jinja2's own, loaded with it

    found = []
    for line in filter(None, map(str.strip, clean(text).splitlines())):
        html, at = Markup(), 0
        for match in _ADDRESS.finditer(line):
            html += escape(line[at : match.start()]) + Markup('<a href="{0}">{0}</a>').format(match[0])
            at = match.end()
        found.append(html + escape(line[at:]))
    return found


def _environment(folder: str) -> Environment:
    """Return the environment of the templates: those of ``folder`` ("": none) replace the built-in ones."""
    from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader  # noqa: PLC0415 - only a site needs it

    built_in = {
        file.name: file.read_text("utf-8")
        for file in files(__package__).joinpath("templates").iterdir()
        if file.name.endswith((".html", ".xml"))
    }
    if folder and not Path(folder).is_dir():
        raise OutputError(f"{folder!r} is not a folder", source="--templates", remedy="check the path")
    loaders = [FileSystemLoader(folder)] if folder else []
    environment = Environment(
        loader=ChoiceLoader([*loaders, DictLoader(built_in)]), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["json"] = json_text
    environment.filters["duration"] = _length
    return environment
