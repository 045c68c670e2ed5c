"""Links from one episode to another: which of them the notes want heard first."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ..languages.trigger_phrases import alternatives
from ..ref import Ref

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .corpus import Extraction

_BEFORE = 200  # characters of the line before a link that may give its purpose
_BEHIND = 60  # and how much behind it
_LISTEN = r"(?:listen(?:ed|ing)?|hear(?:d|ing)?|watch(?:ed|ing)?|start(?:ing)?|begin|read|check out|see|go through)"
# The links are wanted first.
_FIRST = re.compile(
    rf"\b{_LISTEN}\b[^.!?\n]{{0,40}}\bfirst\b|\bprerequisites?\b"
    r"|\b(?:start(?:ing)? with|builds? (?:up)?on|follow[ -]?up (?:to|on|of|for)|continu(?:es|ation of)|picks up)\b"
    rf"|\b(?:before|prior to) (?:(?:you )?(?:{_LISTEN} )?(?:to )?this|that)\b"
    rf"|\b(?:should|must|need to|make sure you)(?:['\u2019 ]?(?:already|have|ve))* {_LISTEN}(?: to)?\b(?! this)"
    rf"|(?<!\w)(?:{alternatives('needed', 'episodes')})(?!\w)",
    re.IGNORECASE,
)
# Prerequisites: this episode should come before the linked one.
_AFTER = re.compile(
    rf"\bthis (?:one|episode|podcast)?,? ?before\b|\bthen {_LISTEN}\b|\b(?:sequel|next (?:episode|week))\b",
    re.IGNORECASE,
)
# The same, after the link: "(listen first)", "is a prerequisite".
_FIRST_BEHIND = re.compile(
    rf"\W*(?:{_LISTEN}\b(?: to)?(?: this| that| it)? )?(?:first\b(?! \w)|before this\b)|\W*prerequisite", re.IGNORECASE
)
_SENTENCES = re.compile(r"(?<=[.!?])\s")  # the space between two sentences


def link_episodes(result: Extraction, pages: Mapping[str, str]) -> Extraction:
    """Turn mentions of an episode's or post's own page into mentions of that episode or post.

    A link to a page in ``pages`` gets that node as its reference and, for an episode, method ``crosslink`` and
    relation ``listen_first`` or ``see_also`` by the words round it; a link to the episode that contains it is dropped.
    """
    mentions = []
    for mention in result.mentions:
        target = pages.get(mention.ref.id)
        if target is None or mention.method == "transcript":
            mentions.append(mention)
        elif target != result.episode.id:
            kind = target.partition(":")[0]
            linked = replace(mention, ref=Ref(kind, target, mention.ref.label, mention.ref.url))
            if kind == "episode":
                first = mention.field == "notes" and is_wanted_first(result.episode.notes, mention.start, mention.end)
                relation = "listen_first" if first else "see_also"
                linked = replace(linked, relation=relation, method="crosslink", extractor="crosslinks")
            mentions.append(linked)
    return replace(result, mentions=tuple(mentions))


def is_wanted_first(notes: str, start: int, end: int) -> bool:
    """Return whether the words round ``notes[start:end]``, a link, or the heading over it, want it heard first."""
    line_start = notes.rfind("\n", 0, start) + 1
    sentence = _SENTENCES.split(notes[max(line_start, start - _BEFORE) : start])[-1]
    behind = notes[end : end + _BEHIND].partition("\n")[0]
    if _AFTER.search(sentence):
        return False
    if _FIRST.search(sentence) or _FIRST_BEHIND.match(behind):
        return True
    above = notes[max(0, line_start - _BEFORE) : line_start].rstrip().rpartition("\n")[2]
    return above.endswith(":") and _FIRST.search(above) is not None
