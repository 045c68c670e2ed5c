"""Everything outside becomes facts: bytes, then episodes, then mentions.

The public names of the room. They are loaded when first asked for, so that a question about a saved graph
never waits for a feed reader.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .errors import FeedError as FeedError
    from .errors import OutputError as OutputError
    from .errors import PodgraphError as PodgraphError
    from .errors import QueryError as QueryError
    from .errors import SourceError as SourceError
    from .model import Corpus as Corpus
    from .model import Episode as Episode
    from .model import Fact as Fact
    from .model import Feed as Feed
    from .model import Link as Link
    from .model import Mention as Mention
    from .model import Person as Person
    from .model import Ref as Ref

_HOME = {
    "Corpus": "model",
    "Episode": "model",
    "Fact": "model",
    "Feed": "model",
    "FeedError": "errors",
    "Link": "model",
    "Mention": "model",
    "OutputError": "errors",
    "Person": "model",
    "PodgraphError": "errors",
    "QueryError": "errors",
    "Ref": "model",
    "SourceError": "errors",
}

__all__ = sorted(_HOME)  # noqa: PLE0605


def __getattr__(name: str) -> object:
    try:
        home = _HOME[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    value: object = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value
