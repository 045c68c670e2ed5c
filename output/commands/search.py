"""``podgraph search TEXT``: nodes by label, id, URL, notes."""

from __future__ import annotations

import re
import shlex
import sys
from typing import TYPE_CHECKING

from podgraph.graph import ASKING, check_search

from ..terminal import note, print_table
from .shared.arguments import given
from .shared.playlists import answered
from .shared.saved import open_saved
from .shared.wording import PodcastColumn, day, kind_name, note_total, with_moment

if TYPE_CHECKING:
    import argparse

    from podgraph.graph import Found, Kinds

EXAMPLES = """examples:
  podgraph search dispatcher
  podgraph search '"caching allocator"'    a phrase
  podgraph search functional --kind topic

Piped: kind, label, words of its notes (where they hold the text), id; in a graph of several podcasts the podcast
of an episode too."""

# questions with a better answer from another command
_BETTER = {
    "order": re.compile(r"\b(?:before|first|prerequisites?|order)\b", re.IGNORECASE),
    "related": re.compile(r"\b(?:related|similar) to\b", re.IGNORECASE),
    "where": re.compile(r"\b(?:defined|implemented)\b", re.IGNORECASE),
}


# Where a word is, for a person.
_WHERE = {
    "label": "in its name",
    "aliases": "in another name",
    "id": "in its id",
    "url": "in its address",
    "topic": "about the topic",
    "number": "its number",
}


def run(arguments: argparse.Namespace) -> int:
    """Answer; 1 when nothing is found."""
    text = " ".join(arguments.text)
    check_search(text)  # before a graph is opened
    graph = open_saved(arguments)
    answer = graph.search(**given(arguments, "search") | {"text": text})
    found = answer.raw
    if found and (instead := found[0].instead):
        note(f"nothing holds {text!r}: searched for {instead!r}", quiet=arguments.quiet)
    note_total(len(found), found.total, "result", quiet=arguments.quiet, is_cut=found.is_cut)
    if found and (better := _better(text)):
        note(f"try: {better}", quiet=arguments.quiet)
    if answered(arguments, [answer], graph.view, f"search for {text}"):
        return 0 if found else 1
    if found:
        podcast = PodcastColumn(graph.view)
        person = sys.stdout.isatty()
        rows = [
            (
                _kind(one.attributes.get("kind", ""), graph.view.kinds),
                *((day(one.attributes, marked=False),) if person else ()),
                one.attributes.get("label", ""),
                _why(one) if person else _said(one),
                one.attributes.get("url", "") if person else one.id,
                *podcast.cell(one.attributes),
            )
            for one in found
        ]
        headers = ("kind", "date", "label", "why", "page", *podcast.header)
        print_table(headers, rows, wide=(2, 3, 4, 5), below=(3, 4))
    else:
        note(f"nothing holds {text!r}", quiet=arguments.quiet)
    return 0 if found else 1


def _said(one: Found) -> str:
    """Return the words of a hit, and the moments of an episode with them."""
    return with_moment(one.excerpt, one.attributes, () if one.time is None else (one.time,))


def _why(one: Found) -> str:
    """Return where the words are: the notes' own words, else the name of the field."""
    return _said(one) or _WHERE.get(one.where, one.where)


def _kind(kind: str, kinds: Kinds) -> str:
    """Return a kind in words for a terminal, and its name for a pipe."""
    return kind_name(kind, 1, kinds) if sys.stdout.isatty() and kind in kinds else kind


def _better(text: str) -> str:
    """Return the command with a better answer than a search; "" for none."""
    for command, pattern in _BETTER.items():
        subject = [word for word in pattern.sub("", text).split() if word.lower().strip("?,.") not in ASKING]
        if pattern.search(text) and subject and len(subject) < len(text.split()) - 1:
            return f"podgraph {command} {shlex.quote(' '.join(subject).rstrip('?.'))}"
    return ""
