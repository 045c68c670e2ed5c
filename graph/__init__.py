"""Facts become the graph, and questions are answered on it. Pure: no network, no files, no clock.

The public names of the room. They are loaded when first asked for, so that a question about a saved graph
never waits for what it does not need.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .build import build_graph as build_graph
    from .citations import Citation as Citation
    from .citations import citing as citing
    from .citations import inferred_days as inferred_days
    from .community import communities as communities
    from .community import find_ties as find_ties
    from .community import ranks as ranks
    from .diff import Difference as Difference
    from .diff import compare as compare
    from .enrich import enrich_graph as enrich_graph
    from .explain import Explanation as Explanation
    from .explain import explaining as explaining
    from .layout import place as place
    from .order import Order as Order
    from .order import OrderStep as OrderStep
    from .order import order_all as order_all
    from .order import order_episode as order_episode
    from .order import order_topic as order_topic
    from .overview import Stats as Stats
    from .overview import stats as stats
    from .part import narrow as narrow
    from .paths import Step as Step
    from .paths import find_paths as find_paths
    from .query import LISTS as LISTS
    from .query import LinkHealth as LinkHealth
    from .query import link_health as link_health
    from .query import listing as listing
    from .query import neighbours as neighbours
    from .relate import find_related as find_related
    from .relatives import Relative as Relative
    from .relatives import relatives_of as relatives_of
    from .resolve import Target as Target
    from .resolve import resolve_episode as resolve_episode
    from .resolve import resolve_reference as resolve_reference
    from .resolve import resolve_topic as resolve_topic
    from .schema import KINDS as KINDS
    from .schema import RELATIONS as RELATIONS
    from .schema import SCHEMA as SCHEMA
    from .schema import check as check
    from .search import Found as Found
    from .search import find_nodes as find_nodes
    from .series import find_series as find_series
    from .view import Adjacency as Adjacency
    from .view import Edge as Edge
    from .view import View as View

_HOME = {
    "Adjacency": "view",
    "Citation": "citations",
    "Difference": "diff",
    "Edge": "view",
    "Explanation": "explain",
    "Found": "search",
    "KINDS": "schema",
    "LISTS": "query",
    "LinkHealth": "query",
    "Order": "order",
    "OrderStep": "order",
    "RELATIONS": "schema",
    "Relative": "relatives",
    "SCHEMA": "schema",
    "Stats": "overview",
    "Step": "paths",
    "Target": "resolve",
    "View": "view",
    "build_graph": "build",
    "check": "schema",
    "citing": "citations",
    "communities": "community",
    "compare": "diff",
    "enrich_graph": "enrich",
    "explaining": "explain",
    "find_nodes": "search",
    "find_paths": "paths",
    "find_related": "relate",
    "find_series": "series",
    "find_ties": "community",
    "inferred_days": "citations",
    "link_health": "query",
    "listing": "query",
    "narrow": "part",
    "neighbours": "query",
    "order_all": "order",
    "order_episode": "order",
    "order_topic": "order",
    "place": "layout",
    "ranks": "community",
    "relatives_of": "relatives",
    "resolve_episode": "resolve",
    "resolve_reference": "resolve",
    "resolve_topic": "resolve",
    "stats": "overview",
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
