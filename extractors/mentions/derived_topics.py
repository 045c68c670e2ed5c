"""Topics from a show's own words, for a feed without a vocabulary.

A term is a word, or up to four in a row. A run of words with capitals in the middle of a sentence is a name; any other
term must be repeated to count. Each item gets the few terms with the largest weights: the term's count in the item,
times its rarity in the show. Terms in more than a third of the items are left out, because they distinguish none.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ..languages.language import first_names
from ..languages.language import language as known_language
from ..notes.word_table import ASIDE, BREAK, CAPITAL, INNER, LETTER, LINE, POSSESSIVE, STOP, Phrases
from ..slugs import slugify
from ..subjects.vocabulary import Topic, Vocabulary
from .corpus import Derived, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from ..model import Episode, Feed
    from ..notes.show_words import ShowWords
    from ..notes.word_table import Bools, Ints
    from .corpus import KnownPeople

    Floats: TypeAlias = NDArray[np.float64]
    Spelled: TypeAlias = Mapping[int, Sequence[tuple[int, bool, int, int, str]]]

_LONGEST: Final = 4  # words in a term
_WIDE, _FEW = 1 / 3, 12  # of the items at most contain a term; the rule holds from so many items on
_TINY: Final = 8  # items
_RANKED, _SHARE = 3, 0.15  # topics of an item: so many, each of at least this share of the weight of the first
_MOST, _EXTRA_SHARE = 5, 0.6  # more topics, and the share that these need
_TITLE, _LEAD, _OPENING = 3.0, 1.5, 320  # weights of a title that notes bear out, and of the first characters of notes
_TITLE_WORDS, _SPEAKING = 3, 0.6  # words of a title that is one term, where notes bear out this share of all titles
_TELLING: Final = 20  # words of notes that may bear out a title
_PLAIN, _ONCE = 0.33, 0.5  # weights of a term that is not a name, and of one in a single item
_NAMED, _SURELY = 0.5, 0.8  # share of the places of a term at which it is written as a name
_TOGETHER: Final = 0.15  # the least share of a term's places among those of its rarest word, unless it is a name
_PRIOR: Final = 0.2  # places that each word is granted with a capital, and twice as many without
_HEADING: Final = 0.6  # of the longer words have a capital: a heading, in which capitals mean nothing
_LONG: Final = 4  # letters of a longer word
_ENDING: Final = 3  # letters that grammar adds to a person's name
# An article that sticks to its noun: "l'archet", "d'étain".
_ELISION: Final = re.compile(r"(?:[cdjlmnst]|qu|dell|all|un)['\u2019](?=\w\w)", re.IGNORECASE)
_ELIDING: Final = frozenset(("fr", "it"))
_CASELESS: Final = "\u3041"  # from here on, letters have no case
_DIGITS: Final = "0123456789"
# Letters and a number at the beginning of a title.
_CODE: Final = re.compile(r"[^\W\d_]{1,8}\d{1,4}\b")
_OTHER_SCRIPTS: Final = frozenset(("ru", "ja", "zh", "he"))
# A number, an ordinal, a part of a date: "2024", "3rd", "1.", "5年".
_NUMBER: Final = re.compile(r"\W*\d[\d\W]*(?:st|nd|rd|th|er|e|ème|º|ª|[年月日回話]|-?[\u0430-\u044f]{1,2})?")


class _Terms(NamedTuple):
    """Terms found in a show, one entry a place: its first word, the number of its words, the number of the term.

    By term: the share of its places at which it is written as a name, and the number of items that contain it.
    """

    places: Ints
    sizes: Ints
    terms: Ints
    named: Floats
    spread: Ints


def derive_topics(feed: Feed, words: ShowWords, people: KnownPeople) -> Derived:
    """Return the topics of a feed's items; ids are ``<slug of the show>/<slug of the topic>``, marked ``derived``.

    ``people`` are persons, whose names are not topics. The result does not depend on the order of the items. An id
    comes from the earliest spelling, so that it stays when items are added; the label is the commonest spelling.
    """
    show = _Show(feed, words, people)
    found = show.terms()
    chosen = show.choose(found)
    spelled = show.spellings(found, {term for _, term in chosen})
    topics, ids = _named_topics(feed, spelled)
    places: dict[str, list[Place]] = defaultdict(list)
    for term, found_at in spelled.items():
        for item, titled, start, end, _ in found_at:
            if (item, term) in chosen:
                places[feed.episodes[item].id].append(Place("title" if titled else "notes", start, end, ids[term]))
    spread = Counter(id_ for of_item in places.values() for id_ in {place.topic for place in of_item})
    return Derived(
        Vocabulary(sorted(topics.values(), key=lambda topic: (-spread[topic.id], topic.id))),
        {
            id_: tuple(sorted(listed, key=lambda place: (place.field != "title", place)))
            for id_, listed in places.items()
        },
    )


class _Show:
    """The words of a show as columns, one entry a word; ``keys`` are numbers, one for all forms of a word."""

    def __init__(self, feed: Feed, words: ShowWords, people: KnownPeople) -> None:
        """Compute the columns that the other steps share. Each has one entry for each word of the show."""
        self.feed, self.table, self.language = feed, words.table, words.language
        self.count = len(feed.episodes)
        table, language = self.table, self.language
        ids = table.ids
        # Each item has two rows in the table: its title and its notes.
        self.items, self.titled = table.rows // 2, table.rows % 2 == 0
        stems = {stem: number for number, stem in enumerate(sorted(set(table.lexicon.fold_stems)))}
        of_folds = np.array([stems[stem] for stem in table.lexicon.fold_stems], np.int64)
        self.keys = of_folds[table.lexicon.fold_of[ids]]
        self.size = len(stems)
        # The shape of the word: its capitals and letters. Scripts without case count as written with capitals.
        shapes = table.lexicon.shapes[ids]
        cased = self._where(lambda fold: fold < _CASELESS)
        self.inner = (shapes & INNER) > 0
        self.capital = ((shapes & (CAPITAL | INNER)) > 0) | ~cased
        self.letter = (shapes & LETTER) > 0
        # The kind of the word: allowed inside a name, without meaning, a number, weak as a topic, part of a date.
        self.generic = self._where(language.generic.__contains__)
        self.inside = self._where(language.inside.__contains__)
        # Where another script is written, words in Latin letters are mostly English.
        english = known_language("en") if language.code in _OTHER_SCRIPTS else language
        self.stop = ((shapes & STOP) > 0) | self._where(lambda fold: len(fold) < 2 and fold < _CASELESS)
        self.stop |= self._where(english.stop.__contains__)
        numbering = {*language.numbering, *known_language("en").numbering}
        codes = self._codes()
        code = self._where(lambda fold: fold not in codes and fold.rstrip(_DIGITS) in codes)
        self.number = code | self._where(
            lambda fold: fold in numbering or (not fold.isalpha() and _NUMBER.fullmatch(fold) is not None)
        )
        self.weak = self.generic | self._where((language.alone | english.alone | english.generic).__contains__)
        self.date = self._where((language.dates | english.dates).__contains__)
        # Whether the word may belong to the same name as the word before it.
        self.joined = (table.flags & BREAK) == 0
        self.joined[1:] &= (table.flags[:-1] & POSSESSIVE) == 0  # a thing that another thing has is apart from it
        if not language.spaced:  # a space ends a name
            self.joined[1:] &= (table.starts[1:] == table.ends[:-1]) | (cased[1:] & cased[:-1])
        # Words that belong to no topic: names of persons, boilerplate, the title repeated in the notes, item numbers.
        self.person, in_name = self._persons(people)
        self.barred = ((table.flags & ASIDE) > 0) | in_name | code
        # Capitals have no meaning at the beginning of a segment, and in one where most words have them.
        segments = np.cumsum(~self.joined)
        is_long = self._where(lambda fold: len(fold) >= _LONG) & self.joined
        long_words = np.bincount(segments, is_long)
        prose = (long_words >= 3) & (np.bincount(segments, is_long & self.capital) < _HEADING * long_words)
        self.prose = prose[segments] & ~self.titled
        self.middle = self.prose & self.joined
        self.borne_out = self._borne_out()
        # The first and the last word of each part of a title and of each line of notes, but for stop words and persons.
        begins = np.where(self.titled, ~self.joined, (table.flags & LINE) > 0)
        self.heads, self.tails = begins.copy(), np.append(begins[1:], True)
        skipped = self.stop | self.person | in_name | self.number
        for _ in range(_LONGEST):  # each round moves the ends past one more skipped word
            self.heads[1:] |= self.heads[:-1] & skipped[:-1] & ~begins[1:]
            self.tails[:-1] |= self.tails[1:] & skipped[1:] & ~begins[1:]

    def _where(self, test: Callable[[str], bool]) -> Bools:
        return self.table.lexicon.where(test)[self.table.ids]

    def _codes(self) -> frozenset[str]:
        """Return the letters before the item's number at the beginning of most titles ("ep12", "KILN112")."""
        words = [match[0].casefold() for item in self.feed.episodes if (match := _CODE.match(item.title))]
        counts = Counter(word.rstrip(_DIGITS) for word in words)
        return frozenset(code for code, count in counts.items() if 2 * count > self.count)

    def _persons(self, people: KnownPeople) -> tuple[Bools, Bools]:
        """Return two masks of the words: first or last names of persons, and words inside a whole name."""
        table, known = self.table, self.table.lexicon
        names = [name.split() for name in people.people if not name.startswith("@")]
        names += [person.name.casefold().split() for item in self.feed.episodes for person in item.people]
        full = [name for name in names if len(name) > 1]
        ends = {part for name in full for part in (name[0], name[-1])} | first_names()
        last = {name[-1] for name in full if len(name[-1]) > _ENDING}
        single = self._where(
            lambda fold: fold in ends or fold[:-1] in last or fold[:-2] in last or fold[:-_ENDING] in last
        )
        phrases = Phrases(filter(None, (known.number(" ".join(name)) for name in names)), len(known.folds))
        inside = np.zeros(len(table), np.bool_)
        for place, count, _ in phrases.find(known.fold_of[table.ids], (table.flags & BREAK) == 0):
            inside[place : place + count] |= self.capital[place]
        return single & self.capital & ~self.inner, inside

    def _borne_out(self) -> float:
        """Return the share of the titles' words that recur in the notes of their items: small where titles are puns.

        Short notes do not count; without longer ones the share is 1.
        """
        noted = np.bincount(self.items[~self.titled & ~self.barred], minlength=self.count) >= _TELLING
        titled = self.titled & self.letter & ~(self.stop | self.generic | self.number) & noted[self.items]
        words = self.keys * self.count + self.items
        titles = np.unique(words[titled])
        return float(np.isin(titles, words[~self.titled]).mean()) if len(titles) else 1.0

    def _namings(self) -> Floats:
        """Return, for each word, the share of its places at which it is written as a name."""
        if self.language.nouns or not self.language.spaced:
            return np.full(len(self.keys), _NAMED)
        capital = np.bincount(self.keys[self.capital & (self.middle | self.inner)], minlength=self.size)
        small = np.bincount(self.keys[~self.capital], minlength=self.size)
        return ((capital + _PRIOR) / (capital + small + 3 * _PRIOR))[self.keys]

    def terms(self) -> _Terms:
        """Return the places of terms, the longest where several overlap, none in a passage that counts for nothing.

        All runs of one size are judged at once. Some columns have an entry for each place of a term, others one for
        each term; ``numbers`` has the term of each place.
        """
        strong = self.capital & self.middle  # also a stop word: "New Mexico", "The Who"
        namings = np.where(self.inside, np.inf, self._namings())
        counts = np.where(self.inside, np.inf, np.bincount(self.keys, minlength=self.size)[self.keys])
        written = _running(self.capital | self.inside)
        levels, named, spread = [], [], []
        base = 0  # the number of terms of smaller sizes
        # A negative key ends every run: no term contains a stop word, except where that may be part of a name.
        keys = np.where(self.stop & ~self.inside & ~strong, -1, self.keys)
        for size, every, numbered in self.table.grams(keys, _LONGEST, self.joined):
            stop, last = self.stop & ~(strong & (size > 1)), every + size - 1
            kept = ~(stop[every] | stop[last]) & (self.letter[every] | (size > 1))
            places, last, numbers = every[kept], last[kept], numbered[kept]
            example = np.zeros(int(numbered.max(initial=-1)) + 1, np.int64)
            example[numbers] = places  # one place of each term
            capital = written[last + 1] - written[places] == size  # all its words have capitals
            # The share of a term's places in prose at which it is written as a name. Without such places, that of the
            # word that is least often written so.
            prose = self.prose[places] & (self.joined[places] | (size > 1))
            in_prose, as_name = (np.bincount(numbers, flags, len(example)) for flags in (prose, prose & capital))
            naming, rarest = (_least(column, example, size) for column in (namings, counts))
            if size > 1:
                shares = np.where(as_name > _NAMED * in_prose, as_name / np.maximum(in_prose, 1), 0)
                naming[in_prose > 0] = shares[in_prose > 0]
            # The number of items that contain each term.
            pairs = np.unique(numbers * self.count + self.items[places]) // max(self.count, 1)
            items = np.bincount(pairs, minlength=len(example))
            # The words of a term belong together if it is frequent among the places of its rarest word, or a title.
            whole = self.titled[places] & self.heads[places] & self.tails[last] & (self.borne_out > _SPEAKING)
            often = np.bincount(numbers, minlength=len(example))
            together = (often > 1) & (often >= _TOGETHER * rarest)
            together &= ~(self.generic[example] | self.generic[example + size - 1])
            if size <= _TITLE_WORDS:
                together |= np.bincount(numbers, whole, len(example)) > 0
            good = self._fits(example, example + size - 1, naming, items, together)[numbers]
            good &= capital | (naming[numbers] < _NAMED)  # a name counts only where it is written as one
            if size == 1:
                good &= ~(self.weak[places] & (naming[numbers] < _SURELY)) & ~self.date[places]
            levels.append((size, places[good], numbers[good] + base))
            named.append(naming)
            spread.append(items)
            base += len(example)
        return self._apart(levels, np.concatenate(named), np.concatenate(spread))

    def _fits(self, first: Ints, last: Ints, named: Floats, spread: Ints, together: Bools) -> Bools:
        """Return which terms may be topics, by the place of the first and last word of one of their places each."""
        rare = spread <= (_WIDE * self.count if self.count >= _FEW else self.count)
        numbered = self.number[first] | self.number[last]
        single = first == last
        name = named >= _NAMED
        fits: Bools = rare & (
            (~numbered & (name | together | single))
            | (name & ~single & (spread > 1) & ~(self.generic[first] | self.generic[last]))
        )
        return fits

    def _apart(self, levels: Sequence[tuple[int, Ints, Ints]], named: Floats, spread: Ints) -> _Terms:
        """Return the places of terms that overlap no longer one and contain no name of a person."""
        taken = bytearray(self.barred.tobytes())
        kept = []
        for size, places, terms in reversed(levels):
            free = np.frombuffer(taken, np.bool_)[places] ^ True
            rows = np.flatnonzero(free if size > 1 else ())
            for at, place in zip(rows.tolist(), places[rows].tolist(), strict=True):
                if any(taken[place : place + size]):
                    free[at] = False
                else:
                    taken[place : place + size] = b"\1" * size
            kept.append(np.stack((places[free], np.full(np.count_nonzero(free), size), terms[free])))
        columns = np.concatenate(kept, axis=1)
        columns = columns[:, np.argsort(columns[0])]
        persons = _running(self.person)
        first, sizes, terms = columns[:, persons[columns[0] + columns[1]] == persons[columns[0]]]
        return _Terms(first, sizes, terms, named, spread)

    def choose(self, found: _Terms) -> set[tuple[int, int]]:
        """Return (item, term) of the terms that weigh most in each item."""
        titled, last = self.titled[found.places], found.places + found.sizes - 1
        numbers = found.terms * self.count + self.items[found.places]
        pairs, one, where = np.unique(numbers, return_index=True, return_inverse=True)
        terms, items = np.divmod(pairs, max(self.count, 1))
        often = np.bincount(where, ~titled, len(pairs))
        in_title = np.bincount(where, titled, len(pairs)) > 0
        early = np.bincount(where, ~titled & (self.table.starts[found.places] < _OPENING), len(pairs)) > 0
        whole = np.bincount(where, self.heads[found.places] & self.tails[last], len(pairs)) > 0
        alone = np.bincount(terms, minlength=len(found.spread))[terms] == 1
        name = found.named[terms] >= _NAMED
        both = in_title & ((often > 0) | (whole & (self.borne_out > _SPEAKING)))
        weight = (_TITLE * self.borne_out * in_title + often) * np.sqrt(np.log(1 + self.count / found.spread[terms]))
        for factor, flags in ((_PLAIN, ~name), (_ONCE, alone & ~both), (_LEAD, early)):
            weight[flags] *= factor
        proven = np.zeros(len(found.spread), np.bool_)
        proven[terms[both]] = True
        # A term that is not a name needs a sign: it is repeated, a line of its own, or in a title confirmed by its
        # notes.
        again = ~alone & (in_title | (early & (self.count < _TINY)))
        weight[~(name | both | whole | (often > 1) | proven[terms] | again)] = 0
        if self.count < _TINY:  # too few items to distinguish a name in passing from a topic
            weight[alone & ~both & ~(whole & in_title)] = 0
        best = np.zeros(self.count)
        np.maximum.at(best, items, weight)
        chosen: set[tuple[int, int]] = set()
        ranks = Counter[int]()
        used: set[tuple[int, int]] = set()  # (item, word): two topics of an item share none
        order = np.lexsort((terms, -weight, items))
        for pair in order[((weight > 0) & (weight >= best[items] * _SHARE))[order]].tolist():
            item = int(items[pair])
            share = _SHARE if ranks[item] < _RANKED else _EXTRA_SHARE
            if ranks[item] < _MOST and weight[pair] >= best[item] * share > 0:
                place = int(found.places[one[pair]])
                part = slice(place, place + int(found.sizes[one[pair]]))
                own = {(item, word) for word in self.keys[part][~self.inside[part]].tolist()}
                if used.isdisjoint(own):
                    chosen.add((item, int(terms[pair])))
                    ranks[item] += 1
                    used |= own
        return chosen

    def spellings(self, found: _Terms, wanted: set[int]) -> Spelled:
        """Return the places of the ``wanted`` terms, by term: (item, whether in its title, start, end, spelling)."""
        table, spelled = self.table, defaultdict(list)
        elides = self.language.code in _ELIDING
        at = np.isin(found.terms, [*wanted])
        last = found.places[at] + found.sizes[at] - 1
        ends = table.ends[last] - len("'s") * ((table.flags[last] & POSSESSIVE) > 0)
        columns = (found.terms[at], table.rows[last], table.starts[found.places[at]], ends)
        for term, row, start, end in zip(*(column.tolist() for column in columns), strict=True):
            text = table.texts[row][start:end]
            if elides and (article := _ELISION.match(text)):
                start, text = start + article.end(), text[article.end() :]  # noqa: PLW2901
            spelled[term].append((row // 2, row % 2 == 0, start, end, " ".join(text.split())))
        return spelled


def _running(flags: Bools) -> Ints:
    """Return how many flags are set before each place, and in all."""
    return np.concatenate(([0], np.cumsum(flags)))


def _least(column: Floats, places: Ints, size: int) -> Floats:
    """Return the least entry of a column at each place and the next ones, ``size`` in all."""
    least: Floats = np.min([column[places + step] for step in range(size)], axis=0)
    return least


def _named_topics(feed: Feed, spelled: Spelled) -> tuple[dict[str, Topic], dict[int, str]]:
    """Return the topics by id, and the id of each term, from these spellings."""
    ages = {item: age for age, item in enumerate(_by_age(feed.episodes))}
    first = {
        term: min((ages[item], not titled, start, text) for item, titled, start, _, text in places)
        for term, places in spelled.items()
    }
    topics: dict[str, Topic] = {}
    ids: dict[int, str] = {}
    for term in sorted(first, key=first.__getitem__):
        id_ = stem = f"{_slug(feed)}/{slugify(first[term][-1])}"
        number = 1
        while id_ in topics:  # "C", "C++"
            number += 1
            id_ = f"{stem}-{number}"
        counts = Counter(text for *_, text in spelled[term])
        label = min(counts, key=lambda text: (-counts[text], len(text), text))
        topics[id_] = Topic(id_, label, tuple(sorted(counts.keys() - {label})), derived=True)
        ids[term] = id_
    return topics, ids


def _slug(feed: Feed) -> str:
    return slugify(feed.id.partition(":")[2]) or "show"


def _by_age(episodes: Iterable[Episode]) -> list[int]:
    """Return the places of items, the oldest first, those without a date last."""
    listed = [(item.date is None, item.date.isoformat() if item.date else "", item.id) for item in episodes]
    return sorted(range(len(listed)), key=listed.__getitem__)
