"""Topics from a show's own words, for a feed without a vocabulary.

Candidates are single words, and runs of up to four words. A candidate that is mostly written with capitals in the
middle of sentences is a name; any other one needs more evidence to become a topic. In each item, those with the largest
weights become topics: their number in the item, times their rarity in the show. Candidates in more than a third of the
items are left out, because they distinguish none.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ..languages.language import language
from ..languages.trigger_phrases import phrases
from ..model import Mention
from ..notes.word_table import ASIDE, BREAK, CAPITAL, INNER, LETTER, POSSESSIVE, STOP
from ..slugs import slugify
from ..subjects.subject import Topic
from ..subjects.vocabulary import Vocabulary
from .corpus import Derived
from .topics import topic_ref

if TYPE_CHECKING:
    from collections.abc import Callable, Container
    from typing import TypeAlias

    from numpy.typing import NDArray

    from ..model import Feed
    from ..notes.show_words import ShowWords
    from ..notes.word_table import Bools, Ints
    from .corpus import KnownPeople

    Floats: TypeAlias = NDArray[np.float64]

_LONGEST: Final = 4  # words in a candidate
_WIDE: Final = 1 / 3  # of the items at most contain a candidate
_NAMED, _SURELY = 0.5, 0.8  # share of the places of a name that are written as one
_PRIOR: Final = 0.2  # places that each word is granted with a capital, and twice as many without
_TOGETHER: Final = 0.15  # the least share of a candidate's places among those of its rarest word, unless it is a name
_HEADING, _LONG = 0.6, 4  # share of words of so many letters with a capital: a heading, in which capitals mean nothing
_TITLE, _LEAD, _OPENING = 3.0, 1.5, 320  # weights of a title that notes bear out, and of the first characters of notes
_PLAIN, _ONCE = 0.33, 0.5  # weights of a candidate that is not a name, and of one in a single item
_TINY: Final = 8  # items: too few to tell a name in passing from a topic
_TELLING_SHARE: Final = 0.5  # share of the titles' words that recur in the notes: the titles name topics
_SHORT_NOTES: Final = 20  # words
_RANKED, _SHARE = 3, 0.15  # topics of an item: so many, each of at least this share of the weight of the first
_MOST, _EXTRA_SHARE = 5, 0.6  # more topics, and the share that these need
# An article that sticks to its noun: "l'archet", "d'étain".
_ELISION: Final = re.compile(r"(?:[cdjlmnst]|qu|dell|all|un)['\u2019](?=\w\w)", re.IGNORECASE)
_CASELESS: Final = "\u3041"  # from here on, letters have no case
# Letters and a number that count the items: "KILN112", "A-001"; at one end of a title.
_CODE: Final = re.compile(r"(?P<letters>[^\W\d_]{1,8})-?\d{1,4}")
_CODE_AT_END: Final = re.compile(
    rf"\A[\W_]*{_CODE.pattern}(?!\w)|(?<!\w){_CODE.pattern.replace('letters', 'last')}[\W_]*\Z"
)
_INITIALS: Final = re.compile(r"[^\W\d_](?:\.[^\W\d_])+")  # "C.H"


class _Candidates(NamedTuple):
    """The places of candidates: first word, number of words, number of the candidate.

    ``is_name`` is true where the candidate is a name; ``spread`` is the number of items with the candidate.
    """

    places: Ints
    sizes: Ints
    terms: Ints
    is_name: Bools
    spread: Ints

    def select(self, rows: Ints | Bools) -> _Candidates:
        """Return some of the places."""
        return _Candidates._make(column[rows] for column in self)


class _Spelling(NamedTuple):
    """One place of a candidate: the number of the item, the field, where it begins and ends there, its words.

    ``is_topic`` is true where the candidate is a topic of the item.
    """

    item: int
    field: str
    start: int
    end: int
    text: str
    is_topic: bool


def derive_topics(feed: Feed, words: ShowWords, people: KnownPeople, vocabulary_ids: Container[str] = ()) -> Derived:
    """Return the topics of a feed's items; ids are the slugs of their first spellings, and they are ``derived``.

    ``people`` are persons, whose names are not topics. Ids of a subject's vocabulary are ``vocabulary_ids``: Vulkan is
    not PyTorch's backend in a show about Linux. The result does not depend on the order of the items. An id
    comes from the earliest spelling, so that it stays when items are added; the label is the commonest spelling.
    """
    show = _Show(feed, words, people)
    candidates = show.find_candidates()
    topics_of_items = show.choose(candidates)
    terms = {term for _, term in topics_of_items}
    places_by_term: dict[int, list[_Spelling]] = defaultdict(list)
    for place, size, term in zip(*(column.tolist() for column in candidates[:3]), strict=True):
        if term in terms:
            places_by_term[term].append(show.spell(place, size, term, topics_of_items))
    dates = [(one.date is None, one.date.isoformat() if one.date else "", one.id) for one in feed.episodes]
    places_by_id: dict[str, list[_Spelling]] = defaultdict(list)
    for places in places_by_term.values():
        first = min(places, key=lambda place: (dates[place.item], place.field != "title", place.start, place.text))
        id_ = topic_id(first.text)
        places_by_id[f"word/{id_}" if id_ in vocabulary_ids else id_] += places
    topics: dict[str, Topic] = {}
    for id_, places in sorted(places_by_id.items()):
        counts = Counter(place.text for place in places)
        label, *aliases = sorted(counts, key=lambda text: (-counts[text], len(text), text))
        topics[id_] = Topic(id_, label, tuple(sorted(aliases)), derived=True)
    vocabulary = Vocabulary(topics)
    mentions: dict[str, list[Mention]] = defaultdict(list)
    for id_, places in places_by_id.items():
        ref = topic_ref(topics[id_], vocabulary)
        for item, field, start, end, _, is_topic in places:
            if is_topic:
                episode, method = feed.episodes[item], "title" if field == "title" else "alias"
                quote = (episode.title if field == "title" else episode.notes)[start:end]
                mention = Mention(ref, field, start, end, quote, method, "topics", relation="about")
                mentions[episode.id].append(mention)
    for of_item in mentions.values():
        of_item.sort(key=lambda mention: (mention.field != "title", mention.start))
    return Derived(vocabulary, mentions)


def topic_id(label: str) -> str:
    """Return the id of a topic by a spelling of it, the same for a plural in "s".

    >>> topic_id("Salt Pits"), topic_id("C++"), topic_id("C#"), topic_id("Glass")
    ('salt-pit', 'c-plus-plus', 'c-sharp', 'glass')
    """
    slug = slugify(label.replace("+", " plus ").replace("#", " sharp "))
    is_plural = len(slug) > 3 and slug.endswith("s") and not slug.endswith(("ss", "us", "is", "js", "os"))
    return slug[:-1] if is_plural and not label.isupper() else slug


class _Show:
    """The words of a show as columns, one entry a word; ``keys`` are numbers, one for all forms of a word."""

    def __init__(self, feed: Feed, words: ShowWords, people: KnownPeople) -> None:
        """Compute the columns that the other steps share."""
        self.table, self.language, self.count = words.table, words.language, len(feed.episodes)
        table, own, lexicon = self.table, self.language, words.table.lexicon
        # Each item has two rows in the table: its title and its notes.
        self.items, self.is_title = table.rows // 2, table.rows % 2 == 0
        stems = {stem: number for number, stem in enumerate(sorted(set(lexicon.fold_stems)))}
        self.keys = np.array([stems[stem] for stem in lexicon.fold_stems], np.int64)[lexicon.fold_of[table.ids]]
        # The shape of the word: its capitals and letters. Scripts without case count as written with capitals.
        shapes = lexicon.shapes[table.ids]
        self.inner, self.letter = (shapes & INNER) > 0, (shapes & LETTER) > 0
        self.capital = ((shapes & (CAPITAL | INNER)) > 0) | self._where(lambda fold: fold >= _CASELESS)
        # The kind of the word: without meaning, allowed inside a name, a number, never a topic by itself.
        english = language("en")
        numbering = own.numbering | english.numbering
        never = (own.dates | english.dates).union(word.rstrip(".") for word in phrases("titles"))
        code = self._find_codes(feed)
        self.generic = self._where(own.generic.__contains__)
        self.weak = self.generic | self._where(own.alone.__contains__)
        self.inside = self._where(own.inside.__contains__)
        self.stop = ((shapes & STOP) > 0) | self._where(lambda fold: len(fold) < 2 and fold < _CASELESS)
        self.never = self._where(lambda fold: fold in never or _INITIALS.fullmatch(fold) is not None)
        self.number = code | self._where(
            lambda fold: fold in numbering or (fold[:1].isdigit() and 4 * sum(map(str.isdigit, fold)) >= len(fold))
        )
        # Whether the word may belong to the same name as the word before it.
        self.is_joined = (table.flags & BREAK) == 0
        self.is_joined[1:] &= (table.flags[:-1] & POSSESSIVE) == 0  # a thing that another thing has is apart from it
        # Words that belong to no topic: boilerplate, item numbers, and first or last names of persons.
        self.is_excluded = ((table.flags & ASIDE) > 0) | code
        names = [name.split() for name in people.people]
        names += [person.name.casefold().split() for item in feed.episodes for person in item.people]
        parts = {part for name in names if len(name) > 1 for part in (name[0], name[-1])}
        parts |= phrases("first names", of="first_names")
        self.person = self._where(parts.__contains__) & self.capital & ~self.inner
        # Capitals have no meaning at the beginning of a segment, and in one where most words have them.
        segments = np.cumsum(~self.is_joined)
        is_long = self._where(lambda fold: len(fold) >= _LONG) & self.is_joined
        long_words = np.bincount(segments, is_long)
        prose = (long_words >= 3) & (np.bincount(segments, is_long & self.capital) < _HEADING * long_words)
        self.prose = prose[segments] & ~self.is_title
        self.title_share = self._weigh_titles()

    def _where(self, test: Callable[[str], bool]) -> Bools:
        return self.table.lexicon.where(test)[self.table.ids]

    def _find_codes(self, feed: Feed) -> Bools:
        """Return which words count the items: letters and a number at one end of more than a third of the titles."""
        ends = [_CODE_AT_END.search(episode.title.casefold()) for episode in feed.episodes]
        letters = Counter(match["letters"] or match["last"] for match in ends if match)
        codes = letters if 3 * letters.total() > self.count else Counter[str]()
        return self._where(lambda fold: (code := _CODE.fullmatch(fold)) is not None and codes[code["letters"]] > 1)

    def _weigh_titles(self) -> float:
        """Return the share of the titles' words that recur in the notes of their items: small where titles are puns.

        Short notes do not count; without longer ones the share is 1.
        """
        has_notes = np.bincount(self.items[~self.is_title & ~self.is_excluded], minlength=self.count) >= _SHORT_NOTES
        title_words = self.is_title & self.letter & ~(self.stop | self.generic | self.number) & has_notes[self.items]
        words = self.keys * self.count + self.items
        titles = np.unique(words[title_words])
        return float(np.isin(titles, words[~self.is_title]).mean()) if len(titles) else 1.0

    def find_candidates(self) -> _Candidates:
        """Return the places of candidates, the longest where several overlap."""
        middle = self.prose & self.is_joined
        # A stop word with a capital inside a sentence may be part of a name: "New Mexico".
        strong = self.capital & middle
        keys = np.where(self.stop & ~self.inside & ~strong, -1, self.keys)
        grams = [*self.table.grams(keys, _LONGEST, self.is_joined)]
        places = np.concatenate([of_size for _, of_size, _ in grams])
        sizes = np.concatenate([np.full(len(of_size), size) for size, of_size, _ in grams])
        terms = np.concatenate([numbers * _LONGEST + size - 1 for size, _, numbers in grams])
        is_single = sizes == 1
        no_edge = self.number | (self.stop & ~strong)
        last = places + sizes - 1
        fits = np.where(is_single, ~(self.number | self.stop)[places], ~(no_edge[places] | no_edge[last]))
        places, sizes, terms, last, is_single = (one[fits] for one in (places, sizes, terms, last, is_single))
        is_capital = _count_between(self.capital | self.inside, places, sizes) == sizes
        # The share of a candidate's places in prose that are written as a name. Without such places, and for a single
        # word, that of the word that is least often written so.
        within = [np.minimum(places + step, last) for step in range(_LONGEST)]
        word_shares = self._measure_words(middle)
        name_share = np.min([word_shares[word] for word in within], axis=0)
        prose = self.prose[places] & ~is_single
        in_prose, as_name = np.bincount(terms, prose)[terms], np.bincount(terms, prose & is_capital)[terms]
        name_share = np.where(in_prose > 0, as_name / np.maximum(in_prose, 1), name_share)
        is_name = name_share >= _NAMED
        # The words of a candidate belong together if it is frequent among the places of its rarest word.
        counts = np.bincount(self.keys)[self.keys]
        rarest, total = np.min([counts[word] for word in within], axis=0), np.bincount(terms)[terms]
        is_together = (total > 1) & (total >= _TOGETHER * rarest)
        pairs = np.unique(terms * self.count + self.items[places])
        spread = np.bincount(pairs // max(self.count, 1))[terms]
        # A name counts only where it is written as one; a noun, too, where all nouns have capitals.
        fits = (is_name | is_together | is_single) & (is_capital | ~(is_name | self.language.nouns))
        fits &= ~is_single | ~(self.never[places] | (self.weak[places] & (name_share < _SURELY)))
        fits &= (spread <= max(_WIDE * self.count, 4)) & (_count_between(self.is_excluded, places, sizes) == 0)
        return self._keep_longest(_Candidates(places, sizes, terms, is_name, spread).select(fits))

    def _measure_words(self, middle: Bools) -> Floats:
        """Return, for each word, the share of its places at which it is written as a name."""
        if not self.language.has_spaces:
            return np.full(len(self.keys), _NAMED)
        # Where all nouns have capitals, only those inside a word are a sign of a name.
        sign = self.inner if self.language.nouns else self.capital
        as_name, small = sign & (middle | self.inner), ~sign
        names, others = (np.bincount(self.keys[where], minlength=len(self.keys)) for where in (as_name, small))
        shares: Floats = ((names + _PRIOR) / (names + others + 3 * _PRIOR))[self.keys]
        return shares

    def _keep_longest(self, candidates: _Candidates) -> _Candidates:
        """Return the candidates that overlap no longer one and contain no name of a person."""
        occupied_places, rows = bytearray(len(self.table)), []
        order = np.lexsort((candidates.places, -candidates.sizes))
        for row, place, size in zip(
            order.tolist(), candidates.places[order].tolist(), candidates.sizes[order].tolist(), strict=True
        ):
            if not any(occupied_places[place : place + size]):
                occupied_places[place : place + size] = b"\1" * size
                rows.append(row)
        longest = candidates.select(np.array(sorted(rows), np.int64))
        return longest.select(_count_between(self.person, longest.places, longest.sizes) == 0)

    def choose(self, candidates: _Candidates) -> set[tuple[int, int]]:
        """Return (item, term) of the candidates that weigh most in each item."""
        places, in_titles = candidates.places, self.is_title[candidates.places]
        pairs, examples, pair_of = np.unique(
            candidates.terms * self.count + self.items[places], return_index=True, return_inverse=True
        )
        terms, items = np.divmod(pairs, max(self.count, 1))

        def count_in_items(flags: Bools) -> Ints:
            return np.bincount(pair_of, flags, len(pairs))

        notes_count, in_title = count_in_items(~in_titles), count_in_items(in_titles) > 0
        in_opening = count_in_items(~in_titles & (self.table.starts[places] < _OPENING)) > 0
        in_one_item = np.bincount(terms, minlength=1)[terms] == 1
        ends = np.append(~self.is_joined[1:], True)[places + candidates.sizes - 1]
        is_title_part = count_in_items(in_titles & ~self.is_joined[places] & ends) > 0
        is_name = candidates.is_name[examples]
        is_borne_out = in_title & ((notes_count > 0) | (is_title_part & (self.title_share > _TELLING_SHARE)))
        rarity = np.sqrt(np.log(1 + self.count / candidates.spread[examples]))
        weight = (_TITLE * self.title_share * in_title + notes_count) * rarity
        for factor, flags in ((_PLAIN, ~is_name), (_ONCE, in_one_item & ~is_borne_out), (_LEAD, in_opening)):
            weight[flags] *= factor
        # A candidate that is not a name needs a sign: it is repeated, or in titles of several items, or of one whose
        # notes have it, too.
        is_shared = ~in_one_item & (in_title | self.language.nouns | (self.count < _TINY))
        weight[~(is_name | (notes_count > 1) | is_shared | np.isin(terms, terms[is_borne_out]))] = 0
        weight[in_one_item & ~is_borne_out & (self.count < _TINY)] = 0
        best = np.zeros(self.count)
        np.maximum.at(best, items, weight)
        topics_of_items: set[tuple[int, int]] = set()
        ranks = Counter[int]()
        used: set[tuple[int, int]] = set()  # (item, word): two topics of an item share none
        for pair in np.lexsort((terms, -weight, items)).tolist():
            item, place = int(items[pair]), int(places[examples[pair]])
            share = _SHARE if ranks[item] < _RANKED else _EXTRA_SHARE
            if ranks[item] < _MOST and weight[pair] > 0 and weight[pair] >= best[item] * share:
                part = slice(place, place + int(candidates.sizes[examples[pair]]))
                own = {(item, word) for word in self.keys[part][~self.inside[part]].tolist()}
                if used.isdisjoint(own):
                    topics_of_items.add((item, int(terms[pair])))
                    ranks[item] += 1
                    used |= own
        return topics_of_items

    def spell(self, place: int, size: int, term: int, topics_of_items: Container[tuple[int, int]]) -> _Spelling:
        """Return the words at a place of a candidate, and where they are in the item."""
        table, last = self.table, place + size - 1
        row, start = int(table.rows[last]), int(table.starts[place])
        end = int(table.ends[last]) - len("'s") * bool(table.flags[last] & POSSESSIVE)
        text = table.texts[row][start:end]
        if self.language.code in {"fr", "it"} and (article := _ELISION.match(text)):
            start, text = start + article.end(), text[article.end() :]
        item, field = row // 2, "notes" if row % 2 else "title"
        return _Spelling(item, field, start, end, " ".join(text.split()), (item, term) in topics_of_items)


def _count_between(flags: Bools, places: Ints, sizes: Ints) -> Ints:
    """Return how many flags are set in the runs of words that begin at some places."""
    running = np.concatenate(([0], np.cumsum(flags)))
    counts: Ints = running[places + sizes] - running[places]
    return counts
