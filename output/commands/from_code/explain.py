"""``podgraph explain [TEXT | -]``: the episodes explaining a pasted text."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from podgraph.extractors import QueryError
from podgraph.graph import title_of

from ...terminal import note, print_table
from ..shared.arguments import add_question, given
from ..shared.asked import standard_input
from ..shared.metadata import add_look_up_arguments, look_up_pulls
from ..shared.playlists import answered
from ..shared.saved import open_saved
from ..shared.wording import note_total

if TYPE_CHECKING:
    import argparse

    from podgraph.graph import Explaining

# the address of a pull request, `owner/name#12`, `#12`
_PULL = re.compile(r"https?://github\.com/[\w.-]+/[\w.-]+/pull/\d+|(?:[\w.-]+/[\w.-]+)?#[1-9]\d{2,8}\b")
EXAMPLES = """examples:
  python train.py 2>&1 | podgraph explain
  podgraph explain 'TORCH_LOGS=+dynamo'
  git log -1 --format=%s | podgraph explain -

A path, a name or a number that is known counts most, inner frames more than outer ones; frames of other projects count
nothing. A pull request stands for its files: those in the graph, else from --checkout or --github. The status is 1
when nothing in the text is known.
Piped: date, title, the words that led there, why, page."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add_question(parser, "explain")
    add_look_up_arguments(parser, titles=False)


def run(arguments: argparse.Namespace) -> int:
    """Print the answer. Return 1 when nothing is known."""
    text = _text(arguments.text)
    graph = open_saved(arguments)
    files = look_up_pulls(_PULL.findall(text), arguments, graph.view)
    text = "\n".join((text, *files))
    answer = graph.explain(**given(arguments, "explain") | {"text": text})
    if answered(arguments, [answer], graph.view, "explain a text"):
        return 0 if answer else 1
    episodes = answer.raw.episodes
    if not episodes:
        note("nothing in the text is known", quiet=arguments.quiet)
        return 1
    note_total(len(episodes), episodes.total, "episode", quiet=arguments.quiet)
    print_table(("date", "title", "words", "why", "page"), list(map(_row, episodes)), wide=(1, 2, 3, 4), below=(3, 4))
    return 0


def _text(words: list[str]) -> str:
    """Return the text of the command line, or of standard input."""
    if not words and sys.stdin is not None and sys.stdin.isatty():
        raise QueryError("nothing was asked", remedy="give a text, or `python train.py 2>&1 | podgraph explain`")
    return standard_input() if words in ([], ["-"]) else " ".join(words)


def _row(episode: Explaining) -> tuple[str, ...]:
    """Return the cells of an episode: date, title, words of the text, reasons, page."""
    words = dict.fromkeys(" ".join(words.quote.split()) for words in episode.because)
    return (
        str(episode.attributes.get("date", ""))[:10],
        title_of(episode.attributes),
        ", ".join(words),
        "; ".join(episode.reasons),
        episode.attributes.get("url", "") or episode.id,
    )
