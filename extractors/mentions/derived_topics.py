"""Topics for a feed that has no vocabulary: the terms that tell its episodes apart, taken from the feed itself."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from ..slugs import slugify
from ..subjects.vocabulary import Topic, Vocabulary
from .topics import ADDRESS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..model import Episode

_PER_ITEM = 5
_LONGEST = 3  # words in a term
# A word: letters, then also digits and the marks of "C++", "don't".
_WORD = re.compile(r"[^\W\d_][\w'\u2019+#-]*")
# What no term goes over: punctuation, the end of a line.
_BREAK = re.compile(r"[^\w\s'\u2019+#-]+|\n+")
_STOP = frozenset(
    "a about after again all also although always am an and another any anyone are around as ask at available "
    "away back be because become been before being best better between big both but by call can cast check "
    "come conversation could day did discuss discusses do does doing don't done down each email enjoy enough "
    "episode episodes even ever every everyone few find first follow for from full further get gets getting "
    "give go goes going good got great had has have having he hear help her here him his host hosted hosts how "
    "i if in interview into is it it's its itself join joined joins just keep know last latest learn let let's "
    "life like link links listen listener listeners little ll long look lot made make makes making many may me "
    "might minutes more most much must my need never new newsletter next no not notes nothing now of off often "
    "old on one only or other our out over own part patreon people per please podcast podcasts put question "
    "questions re read really reading review right s said same say says see send series share she should show "
    "shows since so some something sponsor sponsors start still story subscribe such support t take takes talk "
    "talked talking talks tell than thank thanks that that's the their them then there these they thing things "
    "think this those through time times to today together too topic transcript try twitter two under up us "
    "use used using ve very via visit want was watch way ways we we're website week weekly welcome well went "
    "were what what's when where whether which while who why will with without work world would year years yet "
    "you you're your yourself".split()
)


def derive_vocabulary(items: Iterable[Episode]) -> Vocabulary:
    """Return the terms that are distinctive of some of ``items``, as topics marked ``derived``.

    A term is one to three words, stands in two items at least and in a fifth of them at most, and is among the
    five that say most (how rare it is, how often it stands, in the title above all) in one of them. The result
    does not depend on the order of the items.
    """
    counted = [_terms(item) for item in items]
    spread = Counter(term for terms in counted for term in terms)
    chosen = Counter(term for terms in counted for term in _distinctive(terms, spread, len(counted)))
    topics: dict[str, Topic] = {}
    for term in sorted(chosen, key=lambda term: (-chosen[term], term)):
        # A term that only one item chose would tie it to nothing but passing words.
        id_ = slugify(term)
        if id_ and chosen[term] > 1:
            topics.setdefault(id_, Topic(id_, term, derived=True))
    return Vocabulary(topics.values())


def _distinctive(terms: Mapping[str, float], spread: Mapping[str, int], total: int) -> list[str]:
    """Return the terms that say most of an item, of ``total`` items: ``spread`` says in how many a term stands."""
    most = max(2, total // 5)
    scored = sorted(
        (-count * math.log(total / spread[term]) * (1 + 0.4 * term.count(" ")), term)
        for term, count in terms.items()
        if 2 <= spread[term] <= most
    )
    kept: list[str] = []
    for _, term in scored:
        # Of "copper mine" and "mine" the one that says more is enough.
        if not any(f" {term} " in f" {other} " or f" {other} " in f" {term} " for other in kept):
            kept.append(term)
        if len(kept) == _PER_ITEM:
            break
    return kept


def _terms(item: Episode) -> dict[str, float]:
    """Count the one- to three-word terms of an item's title (three times) and notes."""
    counts: dict[str, float] = defaultdict(float)
    for text, weight in ((item.title, 3.0), (item.notes, 1.0)):
        for phrase in _BREAK.split(ADDRESS.sub("\n", text)):
            words = [word.lower().replace("\u2019", "'").removesuffix("'s") for word in _WORD.findall(phrase)]
            for term in _terms_of(words):
                counts[term] += weight
    return {term: 1 + math.log(count) for term, count in counts.items()}


def _terms_of(words: list[str]) -> Iterator[str]:
    """Yield words of four letters and more, and what begins and ends with words that say something."""
    ends = [at for at, word in enumerate(words) if word not in _STOP]
    for at, start in enumerate(ends):
        if len(words[start]) >= 4:
            yield words[start]
        for end in ends[at + 1 : at + _LONGEST]:
            if end - start < _LONGEST:
                yield " ".join(words[start : end + 1])
