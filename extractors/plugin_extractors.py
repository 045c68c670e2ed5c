"""Extractors of installed packages (entry points ``podgraph.extractors``): load them, and run them with a guard."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from . import plugins
from .model import Mention
from .ref import Ref

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from .model import Episode

Extractor: TypeAlias = "Callable[[Episode, Any], Iterable[Mention]]"
"""A function that gets an item of a feed and a ``Corpus``, and gives the mentions in the item's texts."""

Extractors: TypeAlias = "Sequence[tuple[str, Extractor]]"
"""Pairs of (name, extractor), in the order in which they run."""


def load_extractors() -> tuple[tuple[str, Extractor], ...]:
    """Load the extractors of installed packages, sorted by name.

    The command calls this, an import never does. An extractor that cannot be loaded is reported (``set_reporter``).
    """
    problem = "the extractor is not a function"
    functions = plugins.load_plugins(plugins.EXTRACTORS, lambda plugin: "" if callable(plugin) else problem)
    return tuple((name, cast("Extractor", function)) for name, function in functions)


def run_extractor(name: str, find: Extractor, episode: Episode, corpus: object) -> Iterator[Mention]:
    """Yield the mentions that one extractor finds in an item.

    A package's extractor has a limit of time; its failures and invalid mentions are reported and left out, and its
    mentions get its name.

    Args:
        name: the name of the extractor
        find: the extractor; one of this package runs without the guard
        episode: the item to read
        corpus: the ``Corpus`` of the item's feed, which ``find`` gets
    """
    if getattr(find, "__module__", "").startswith(f"{__package__}."):
        yield from find(episode, corpus)
        return
    try:
        for mention in cast("Iterable[Mention] | None", plugins.call_in_time(find, episode, corpus)) or ():
            if _is_valid(mention, episode):
                yield mention if mention.extractor else replace(mention, extractor=name)
            else:
                problem = f"gives {mention!r:.200}, which is not a valid Mention,"
                plugins.report_fault(plugins.EXTRACTORS, name, find, problem, episode.id)
    except plugins.FAILURES as error:
        plugins.report_fault(plugins.EXTRACTORS, name, find, error, episode.id)


def _is_valid(mention: object, episode: Episode) -> bool:
    """Return whether a package's extractor gives a mention with all its texts and numbers, and a true quote."""
    if not isinstance(mention, Mention) or not isinstance(mention.ref, Ref):
        return False
    ref, start, end = mention.ref, mention.start, mention.end
    texts = (ref.kind, ref.id, ref.label, mention.field, mention.quote, mention.method, mention.relation)
    if not all(isinstance(text, str) and text for text in texts) or not isinstance(start, int):
        return False
    text = {"notes": episode.notes, "title": episode.title}.get(mention.field)
    return ref.id.isprintable() and isinstance(end, int) and (text is None or text[start:end] == mention.quote)
