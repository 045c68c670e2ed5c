"""Links from one episode to another: which of them the notes want heard first."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from .model import Ref

if TYPE_CHECKING:
    from .model import Corpus, Episode, Mention

_BEFORE = 200  # how much of the line in front of a link says what the link is for
_FIRST = re.compile(
    r"\b(?:(?:listen(?:ing)?|start|begin|watch|hear|read)\b[^.!?\n]{0,40}\bfirst\b|prerequisites?\b|start(?:ing)? with\b|"
    r"(?:before|prior to) (?:listening to |hearing |watching )?this\b|first (?:listen|watch|hear)|builds? on\b|"
    r"listen(?:ing)? to before\b|should (?:have )?(?:hear|heard|listen(?:ed)?)\b)",
    re.IGNORECASE,
)
_THIS_FIRST = re.compile(
    r"\bthis (?:one|episode|podcast)?\s?(?:first,? )?before\b|\bbefore (?:listening to |hearing |the episode )|\bthen listen\b", re.IGNORECASE
)


def link_episodes(mentions: list[Mention], episode: Episode, corpus: Corpus) -> list[Mention]:
    """Turn mentions of an episode's or post's own page into mentions of that episode or post.

    ``mentions`` are those of ``episode``. One that leads to a page in ``corpus.pages`` comes back with that node
    as its reference and, for an episode, method ``crosslink`` and relation ``listen_first`` or ``see_also`` as
    the words before it say; one that leads to the episode itself is dropped.
    """
    linked = []
    for mention in mentions:
        target = corpus.pages.get(mention.ref.id)
        if target is None:
            linked.append(mention)
        elif target != episode.id:
            kind = target.partition(":")[0]
            ref = Ref(kind, target, mention.ref.label, mention.ref.url)
            if kind == "episode":
                relation = _relation(episode.notes, mention.start) if mention.field == "notes" else "see_also"
                linked.append(replace(mention, ref=ref, relation=relation, method="crosslink", extractor="crosslinks"))
            else:
                linked.append(replace(mention, ref=ref))
    return linked


def _relation(notes: str, start: int) -> str:
    line = notes[max(notes.rfind("\n", 0, start) + 1, start - _BEFORE) : start]
    sentence = re.split(r"(?<=[.!?])\s", line)[-1]
    if _THIS_FIRST.search(sentence):
        return "see_also"
    return "listen_first" if _FIRST.search(sentence) else "see_also"
