"""What people paste, and the nodes they mean by it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from podgraph.extractors import NotFoundError, QueryError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .view import View

NUMBER = re.compile(r"(?:#|GH-|PR\s*#?|pull(?:\s+request)?\s*#?|issue\s*#?)?\s*([1-9]\d{0,8})", re.IGNORECASE)
_FULL_NUMBER = re.compile(r"([A-Za-z0-9][A-Za-z0-9-]*/[\w.-]+)\s*#\s*([1-9]\d{0,8})")
_REPOSITORY = re.compile(r"[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}/[A-Za-z0-9_.-]+")
_ADDRESS = re.compile(
    r"(?:https?:)?//|(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?(?:[/?#]|\Z)|(?:git@|ssh://|git://|git\+)",
    re.IGNORECASE,
)
_PLACE = re.compile(r"[:#]L?\d+(?:-L?\d+)?\Z")
_FILE = re.compile(r"[\w./+@ -]+")
_TELLING = 3  # characters of a slug that are more than any id holds: that of `C++` is `c`


class Target(NamedTuple):
    """What a query means: the canonical ``id``, and the ids of the nodes it stands for (none: not in the graph).

    A folder stands for everything in it, a short sha for the commits it begins, a name for the symbols so called.
    """

    query: str
    id: str
    nodes: tuple[str, ...]


def resolve_reference(query: str, view: View, repo: str = "pytorch/pytorch") -> Target:
    """Find what a pasted reference (``REF``) means in a graph.

    ``query`` may be a URL in any spelling, ``owner/repo#N``, ``#N``, ``N``, ``PR N``, ``GH-N``,
    ``owner/repo@sha``, a path in a repository, a symbol, a topic, or a node's id; bare numbers and paths are of
    ``repo``. Raises ``QueryError`` for an empty one.
    """
    text = query.strip().strip("<>\"'`").strip()
    if not text:
        raise QueryError(
            "an empty reference names nothing",
            remedy="give a URL, owner/repo#N, a path, a symbol or a node id",
        )
    if view.node(text) is not None:
        return _target(query, text, view)
    candidates = list(dict.fromkeys(_candidates(text, repo)))
    for id_ in candidates:
        target = _target(query, id_, view)
        if target.nodes:
            return target
    number = NUMBER.fullmatch(text)
    if number and view.node(f"github:{repo.lower()}") is None:
        return _elsewhere(query, int(number[1]), candidates[0], view)
    named = _named(text, view)
    if named:
        return Target(query, named[0], tuple(named))
    # A bare word that nothing is called is no path: say what was asked for.
    if not candidates or (candidates[0].endswith(f":{text}") and not {"/", "."} & set(text)):
        return Target(query, text, ())
    return Target(query, candidates[0], ())


def resolve_topic(query: str, view: View) -> str:
    """Return the id of the topic that ``query`` is the id (whole or behind ``topic:``) or a name of; "" for none."""
    text = query.strip()
    for id_ in (text, f"topic:{text.lower()}"):
        if (view.node(id_) or {}).get("kind") == "topic":
            return id_
    folded = " ".join(text.casefold().split())
    found = [id_ for id_, node in view.nodes("topic") if _is_called(folded, node)]
    labelled = [id_ for id_ in found if str((view.node(id_) or {}).get("label", "")).casefold() == folded]
    return next(iter(labelled or found), "")


def resolve_episode(query: str, view: View) -> str:
    """Return the id of the one episode (or post) that ``query`` means.

    ``query`` is an id, the episode's page (with or without the host's hash), a number, a title, or a part of
    one. Raises ``QueryError`` when it means none, or several: then the message lists them.
    """
    text = query.strip()
    if not text:
        raise QueryError("an empty name means no episode", remedy="give a title, a number, a URL or an id")
    attributes = view.node(text)
    if attributes is not None and attributes.get("kind") in ("episode", "blog"):
        return text
    found = _episodes(text, view)
    if len(found) == 1:
        return found[0]
    if not found:
        raise NotFoundError(f"no episode is called {query!r}", remedy="`podgraph list episodes` shows all")
    names = "; ".join(f"{_name(view.node(id_))} ({id_})" for id_ in found[:8])
    more = f" and {len(found) - 8} more" if len(found) > 8 else ""
    raise QueryError(f"{query!r} may mean any of: {names}{more}", remedy="give more of the title, or the id")


def _episodes(text: str, view: View) -> list[str]:
    # A post without a title was never read: it is a page that others cite.
    all_ = [(id_, node) for id_, node in view.nodes("episode", "blog") if node["kind"] == "episode" or "title" in node]
    if _ADDRESS.match(text) and "/" in text:
        page = _page(text)
        return [id_ for id_, node in all_ if page and _page(node.get("url", "")) == page]
    number = text.removeprefix("#")
    if number.isascii() and number.isdigit():
        numbered_ = [id_ for id_, node in all_ if str(node.get("number", "")) == number.lstrip("0")]
        if numbered_:
            return numbered_
    from podgraph.extractors import slugify  # noqa: PLC0415 - numbers and ids need none of it

    slug = slugify(text)
    folded = " ".join(text.casefold().split())
    exact = [id_ for id_, node in all_ if _name(node).casefold() == folded]
    exact = exact or [id_ for id_, _ in all_ if slug and id_.rpartition("/")[2] == slug]
    telling = len(slug) >= _TELLING
    return exact or [
        id_ for id_, node in all_ if folded in _name(node).casefold() or (telling and slug in id_.rpartition("/")[2])
    ]


def _candidates(text: str, repo: str) -> list[str]:
    """Return the ids that ``text`` may be a spelling of, the likeliest first."""
    if match := NUMBER.fullmatch(text):
        return [f"github:{repo.lower()}#{match[1]}"]
    if match := _FULL_NUMBER.fullmatch(text):
        return [f"github:{match[1].lower()}#{match[2]}"]
    found = []
    if _ADDRESS.match(text):
        from podgraph.extractors import identify, with_scheme  # noqa: PLC0415 - the rules of all sites

        known = identify(text if text.startswith(("git", "ssh")) else with_scheme(text))
        if known:
            found.append(known[1].id)
            if "://" in text:
                return found
    from podgraph.extractors import find_reference  # noqa: PLC0415 - addresses need none of it

    reference = find_reference(text, repo)
    if reference:
        found.append(reference.id)
    if _REPOSITORY.fullmatch(text):
        found.append(f"github:{text.lower().removesuffix('.git')}")
    if _FILE.fullmatch(text.partition(":")[0]) and (" " not in text or "/" in text):
        path = _PLACE.sub("", text).strip("/")
        found.append(f"github:{repo.lower()}:{path.removeprefix('./')}")
    return found


def _elsewhere(query: str, number: int, id_: str, view: View) -> Target:
    """Find a bare number in a graph that knows nothing of the default repository: it can mean only one of its own."""
    found = [other for other, node in view.nodes("pull", "issue") if node.get("number") == number]
    if len(found) > 1:
        raise QueryError(f"{query!r} may mean any of: {', '.join(found)}", remedy="give owner/repo#N, or --repo")
    return Target(query, found[0] if found else id_, tuple(found))


def _target(query: str, id_: str, view: View) -> Target:
    node = view.node(id_)
    if node is not None and node.get("kind") in ("episode", "blog"):
        return Target(query, id_, (id_,))
    matched = [id_] if node is not None else []
    if id_.startswith("github:") and "@" in id_:
        # A short sha stands for the commits it begins, a whole one for the short spelling of it.
        home = id_.partition("@")[0]
        matched += [
            other
            for other in view.under(f"{home}@")
            if other != id_ and (other.startswith(id_) or id_.startswith(other))
        ]
    elif id_.startswith("github:") and id_.count(":") > 1:
        matched += [other for other in view.under(f"{id_.rstrip('/')}/") if other != id_]
        if len(matched) > 1 or (node is not None and node.get("kind") == "folder"):
            into = (edge for place in matched for edge in view.edges_to(place))
            matched = list(dict.fromkeys((*matched, *(edge.source for edge in into if edge.relation == "defined_in"))))
    elif node is None and id_.startswith(("web:", "blog:")):
        matched += [other for other, data in view.nodes("episode", "blog") if _page(data.get("url", "")) == id_]
    return Target(query, matched[0] if node is None and len(matched) == 1 else id_, tuple(matched))


def _named(text: str, view: View) -> list[str]:
    """Return the symbols, topics and other nodes that are called exactly ``text``."""
    bare = text.removesuffix("()")
    folded = " ".join(text.casefold().split())
    symbols, topics, others = [], [], []
    for id_, node in view.nodes():
        kind = node.get("kind")
        if kind == "symbol":
            name = id_.partition(":")[2]
            if name == bare or name.endswith((f".{bare}", f"::{bare}")):
                symbols.append(id_)
        elif kind == "topic":
            if _is_called(folded, node):
                topics.append(id_)
        elif kind in ("file", "folder"):
            # A bare word is no path: `dispatch` means an episode before it means a folder called so.
            if ("/" in text or "." in text) and f"/{node.get('path', '')}".endswith(f"/{text}"):
                others.append(id_)
        elif str(node.get("label", "")).casefold() == folded and kind not in ("episode", "podcast"):
            others.append(id_)
    exact = [id_ for id_ in symbols if id_ == f"symbol:{bare}"]
    return exact or symbols or topics or others


def _is_called(folded: str, topic: Mapping[str, Any]) -> bool:
    return folded in (str(name).casefold() for name in (topic.get("label", ""), *topic.get("aliases", ())))


def _page(url: str) -> str:
    from podgraph.extractors import identify, with_scheme  # noqa: PLC0415 - the rules of all sites

    known = identify(with_scheme(url)) if url else None
    return known[1].id if known else ""


def _name(node: Mapping[str, Any] | None) -> str:
    return str((node or {}).get("title") or (node or {}).get("label", ""))
