"""Facts become the graph, and questions are answered on it. Pure: no network, no files, no clock.

The public names of the room. They are loaded when first asked for, so that a question about a saved graph
never waits for what it does not need.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .build import build_graph as build_graph
    from .explain import Explanation as Explanation
    from .explain import explaining as explaining
    from .layout import place as place
    from .query import LISTS as LISTS
    from .query import Citation as Citation
    from .query import LinkHealth as LinkHealth
    from .query import citing as citing
    from .query import link_health as link_health
    from .query import listing as listing
    from .query import neighbours as neighbours
    from .query import stats as stats
    from .resolve import Target as Target
    from .resolve import resolve_episode as resolve_episode
    from .resolve import resolve_reference as resolve_reference
    from .schema import KINDS as KINDS
    from .schema import RELATIONS as RELATIONS
    from .schema import SCHEMA as SCHEMA
    from .schema import check as check
    from .view import Adjacency as Adjacency
    from .view import Edge as Edge
    from .view import View as View

_HOME = {
    "Adjacency": "view",
    "Citation": "query",
    "Edge": "view",
    "Explanation": "explain",
    "KINDS": "schema",
    "LISTS": "query",
    "LinkHealth": "query",
    "RELATIONS": "schema",
    "SCHEMA": "schema",
    "Target": "resolve",
    "View": "view",
    "build_graph": "build",
    "check": "schema",
    "citing": "query",
    "explaining": "explain",
    "link_health": "query",
    "listing": "query",
    "neighbours": "query",
    "place": "layout",
    "resolve_episode": "resolve",
    "resolve_reference": "resolve",
    "stats": "query",
}

__all__ = sorted(_HOME)  # noqa: PLE0605 - one list, not two


def __getattr__(name: str) -> object:
    try:
        home = _HOME[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    value: object = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value
