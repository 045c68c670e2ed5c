"""``podgraph topics --suggest FEED``: a vocabulary made of a feed's own words, for an editor to correct."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from podgraph.extractors import map_feed, read_sources, suggest_topics

from ..files import write_text
from ..json_text import toml_text
from ..terminal import note
from .shared.wording import counted

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from podgraph.extractors import Topic

EXAMPLES = """examples:
  podgraph topics --suggest feed.xml -o topics.toml
  podgraph build feed.xml --vocabulary topics.toml"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    said = "the feed whose categories, series, titles and notes are read"
    parser.add_argument("--suggest", metavar="SOURCE", required=True, help=said)
    parser.add_argument("--offline", action="store_true", help="use no network")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, default=Path("-"), help="default: standard output")


def run(arguments: argparse.Namespace) -> int:
    """Write the vocabulary; 1 when the feed's words make no topic."""
    read = read_sources(
        [arguments.suggest], offline=arguments.offline, stdin=getattr(sys.stdin, "buffer", None),
        notify=lambda line: note(line, quiet=arguments.quiet), done=lambda _read, _known: None,
    )  # fmt: skip
    for failure in read.failures:
        raise failure
    feeds = [map_feed(one, "", ())[0] for one in read.read]
    found = [(feed.title or feed.source, suggest_topics(feed)) for feed in feeds]
    write_text(arguments.output, (line for title, topics in found for line in vocabulary_lines(title, topics)))
    total = sum(len(topics) for _, topics in found)
    note(f"suggested {counted(total, 'topic')}; `podgraph build --vocabulary` takes the file", quiet=arguments.quiet)
    return 0 if total else 1


def vocabulary_lines(title: str, topics: Iterable[Topic]) -> Iterator[str]:
    """Yield the lines of a vocabulary file (``parse_vocabulary`` reads it) of suggested topics."""
    name = " ".join(title.split())
    yield f"# Topics suggested from the words of {name}: drop what is none, rename, join spellings as aliases.\n"
    for topic in topics:
        yield f"\n[[topic]]\nid = {toml_text(topic.id.rpartition('/')[2])}\nlabel = {toml_text(topic.label)}\n"
        spellings = {one.casefold(): one for one in topic.aliases if one.casefold() != topic.label.casefold()}
        if spellings:
            yield f"aliases = [{', '.join(map(toml_text, spellings.values()))}]\n"
