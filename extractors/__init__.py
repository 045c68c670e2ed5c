"""Everything outside becomes facts: bytes, then episodes, then mentions.

The public names of the room. They are loaded when first asked for, so that a question about a saved graph
never waits for what it does not need.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .copies import fall_back as fall_back
    from .errors import FeedError as FeedError
    from .errors import NotFoundError as NotFoundError
    from .errors import OutputError as OutputError
    from .errors import PodgraphError as PodgraphError
    from .errors import QueryError as QueryError
    from .errors import SourceError as SourceError
    from .extraction import EXTRACTORS as EXTRACTORS
    from .extraction import Extraction as Extraction
    from .extraction import extract as extract
    from .extraction import plugins as plugins
    from .feed import parse_feed as parse_feed
    from .fetch import fetch_url as fetch_url
    from .index import Index as Index
    from .index import read_index as read_index
    from .index.build import index_from_wheel as index_from_wheel
    from .index.build import parse_inventory_option as parse_inventory_option
    from .index_facts import look_up as look_up
    from .links import find_links as find_links
    from .model import Corpus as Corpus
    from .model import Episode as Episode
    from .model import Fact as Fact
    from .model import Feed as Feed
    from .model import KnownEdge as KnownEdge
    from .model import Link as Link
    from .model import Mention as Mention
    from .model import Person as Person
    from .ref import Ref as Ref
    from .references import find_reference as find_reference
    from .sample import SNAPSHOT_DATE as SNAPSHOT_DATE
    from .sample import sample_feed as sample_feed
    from .sample import sample_posts as sample_posts
    from .sites import identify as identify
    from .slugs import slugify as slugify
    from .source import DEFAULT_FEED as DEFAULT_FEED
    from .source import Source as Source
    from .sources import read_sources as read_sources
    from .symbol_places import Location as Location
    from .symbol_places import locate as locate
    from .symbols import find_symbols as find_symbols
    from .symbols import symbol_finder as symbol_finder
    from .text import to_text as to_text
    from .url import with_scheme as with_scheme
    from .vocabulary import Topic as Topic
    from .vocabulary import Vocabulary as Vocabulary
    from .vocabulary import builtin_vocabulary as builtin_vocabulary
    from .vocabulary import parse_vocabulary as parse_vocabulary

_HOME = {
    "Corpus": "model",
    "DEFAULT_FEED": "source",
    "EXTRACTORS": "extraction",
    "Episode": "model",
    "Extraction": "extraction",
    "Fact": "model",
    "Feed": "model",
    "FeedError": "errors",
    "Index": "index",
    "KnownEdge": "model",
    "Link": "model",
    "Location": "symbol_places",
    "Mention": "model",
    "NotFoundError": "errors",
    "OutputError": "errors",
    "Person": "model",
    "PodgraphError": "errors",
    "QueryError": "errors",
    "Ref": "ref",
    "SNAPSHOT_DATE": "sample",
    "Source": "source",
    "SourceError": "errors",
    "Topic": "vocabulary",
    "Vocabulary": "vocabulary",
    "builtin_vocabulary": "vocabulary",
    "extract": "extraction",
    "fall_back": "copies",
    "fetch_url": "fetch",
    "find_links": "links",
    "find_reference": "references",
    "find_symbols": "symbols",
    "identify": "sites",
    "index_from_wheel": "index.build",
    "locate": "symbol_places",
    "look_up": "index_facts",
    "parse_feed": "feed",
    "parse_inventory_option": "index.build",
    "parse_vocabulary": "vocabulary",
    "plugins": "extraction",
    "read_index": "index",
    "read_sources": "sources",
    "sample_feed": "sample",
    "sample_posts": "sample",
    "slugify": "slugs",
    "symbol_finder": "symbols",
    "to_text": "text",
    "with_scheme": "url",
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
