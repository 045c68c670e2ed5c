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

from ..languages.language import SMALL_WORDS, first_names, language
from ..languages.trigger_phrases import phrases
from ..notes.word_table import ASIDE, BREAK, CAPITAL, INNER, LETTER, LINE, POSSESSIVE, STOP, UPPER, find_phrases
from ..slugs import slugify
from ..subjects.subject import Topic
from ..subjects.vocabulary import Vocabulary
from .corpus import Derived, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from ..model import Feed
    from ..notes.show_words import ShowWords
    from ..notes.word_table import Bools, Ints
    from .corpus import KnownPeople

    Floats: TypeAlias = NDArray[np.float64]

_LONGEST: Final = 4  # words in a term
_WIDE, _FEW = 1 / 3, 12  # of the items at most contain a term; the rule holds from so many items on
_TINY: Final = 8  # items
_RANKED, _SHARE = 3, 0.15  # topics of an item: so many, each of at least this share of the weight of the first
_MOST, _EXTRA_SHARE = 5, 0.6  # more topics, and the share that these need
_TITLE, _LEAD, _OPENING = 3.0, 1.5, 320  # weights of a title that notes bear out, and of the first characters of notes
_TITLE_WORDS, _SPEAKING = 3, 0.6  # words of a title that is one term, where notes bear out this share of all titles
_PLAIN, _ONCE = 0.33, 0.5  # weights of a term that is not a name, and of one in a single item
_NAMED, _SURELY = 0.5, 0.8  # share of the places of a term at which it is written as a name
_TOGETHER: Final = 0.15  # the least share of a term's places among those of its rarest word, unless it is a name
_PRIOR: Final = 0.2  # places that each word is granted with a capital, and twice as many without
_HEADING: Final = 0.6  # of the longer words have a capital: a heading, in which capitals mean nothing
_LONG: Final = 4  # letters of a longer word
# An article that sticks to its noun: "l'archet", "d'étain".
_ELISION: Final = re.compile(r"(?:[cdjlmnst]|qu|dell|all|un)['\u2019](?=\w\w)", re.IGNORECASE)
_CASELESS: Final = "\u3041"  # from here on, letters have no case
_LANGUAGES: Final = ("en", "de", "fr", "es", "pt", "ru", "ja", "zh", "he")
# Letters and a number that count the items: "KILN112", "A-001".
_CODE: Final = re.compile(r"(?P<letters>[^\W\d_]{1,8})-?\d{1,4}")
# A number, an ordinal, a part of a date: "2024", "3rd", "1.", "5年".
_NUMBER: Final = re.compile(r"\W*\d[\d\W]*(?:st|nd|rd|th|er|e|ème|º|ª|[年月日回話]|-?[\u0430-\u044f]{1,2})?")
_TITLES: Final = frozenset(word.rstrip(".") for word in phrases("titles"))  # "Prof."
_INITIALS: Final = re.compile(r"[^\W\d_](?:\.[^\W\d_])+")  # "C.H"


class _Terms(NamedTuple):
    """Terms found in a show, one entry a place: its first word, the number of its words, the number of the term.

    By term: the share of its places at which it is written as a name, and the number of items that contain it.
    """

    places: Ints
    sizes: Ints
    terms: Ints
    named: Floats
    spread: Ints


def derive_topics(feed: Feed, words: ShowWords, people: KnownPeople, reserved: Container[str] = ()) -> Derived:
    """Return the topics of a feed's items; ids are the slugs of their first spellings, and they are ``derived``.

    ``people`` are persons, whose names are not topics. Ids of a subject's vocabulary are ``reserved``: Vulkan is not
    PyTorch's backend in a show about Linux. The result does not depend on the order of the items. An id
    comes from the earliest spelling, so that it stays when items are added; the label is the commonest spelling.
    """
    show = _Show(feed, words, people)
    found = show.find_terms()
    chosen = show.choose(found)
    spelled: dict[int, list[tuple[int, bool, int, int, str]]] = defaultdict(list)
    items_of = Counter(term for _, term in chosen)
    for at in np.flatnonzero(np.isin(found.terms, [*items_of])).tolist():
        spelled[int(found.terms[at])].append(show.spell(int(found.places[at]), int(found.sizes[at])))
    dates = {
        item: (one.date is None, one.date.isoformat() if one.date else "", one.id)
        for item, one in enumerate(feed.episodes)
    }
    topics: dict[str, Topic] = {}
    places: dict[str, list[Place]] = defaultdict(list)
    spread: Counter[str] = Counter()
    for term, of_term in spelled.items():
        first = min(of_term, key=lambda place: (dates[place[0]], not place[1], place[2], place[4]))
        id_ = topic_id(first[-1])
        id_ = f"word/{id_}" if id_ in reserved else id_
        counts = Counter(text for *_, text in of_term)
        label = min(counts, key=lambda text: (-counts[text], len(text), text))
        twin = topics.get(id_)
        aliases = {*counts, *((twin.label, *twin.aliases) if twin else ())}
        label = twin.label if twin else label
        topics[id_] = Topic(id_, label, tuple(sorted(aliases - {label})), derived=True)
        for item, titled, start, end, _ in of_term:
            if (item, term) in chosen:
                places[feed.episodes[item].id].append(Place("title" if titled else "notes", start, end, id_))
        spread[id_] += items_of[term]
    return Derived(
        Vocabulary(dict(sorted(topics.items(), key=lambda item: (-spread[item[0]], item[0])))),
        {id_: tuple(sorted(some, key=lambda place: (place.field != "title", place))) for id_, some in places.items()},
    )


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
        """Compute the columns that the other steps share. Each has one entry for each word of the show."""
        self.table, self.language, self.count = words.table, words.language, len(feed.episodes)
        table, own = self.table, self.language
        english = own if own.code == "en" else language("en")
        # Each item has two rows in the table: its title and its notes.
        self.items, self.titled = table.rows // 2, table.rows % 2 == 0
        stems = {stem: number for number, stem in enumerate(sorted(set(table.lexicon.fold_stems)))}
        of_folds = np.array([stems[stem] for stem in table.lexicon.fold_stems], np.int64)
        self.keys, self.size = of_folds[table.lexicon.fold_of[table.ids]], len(stems)
        # The shape of the word: its capitals and letters. Scripts without case count as written with capitals.
        shapes = table.lexicon.shapes[table.ids]
        cased = self._where(lambda fold: fold < _CASELESS)
        self.inner = (shapes & INNER) > 0
        self.capital = ((shapes & (CAPITAL | INNER)) > 0) | ~cased
        self.letter = (shapes & LETTER) > 0
        # The kind of the word: without meaning, allowed inside a name, a number, weak as a topic.
        self.generic = self._where(own.generic.__contains__)
        self.inside = self._where(own.inside.__contains__)
        foreign = english.stop if own.code in {"ru", "ja", "zh", "he"} else frozenset()
        self.stop = ((shapes & STOP) > 0) | self._where(
            lambda fold: (len(fold) < 2 and fold < _CASELESS) or fold in foreign
        )
        small = frozenset().union(*SMALL_WORDS.values())
        self.small = self.stop & self._where(small.__contains__)
        self.code = self._find_codes(feed)
        numbering = {*own.numbering, *english.numbering}
        self.number = self.code | self._where(
            lambda fold: fold in numbering or (not fold.isalpha() and _NUMBER.fullmatch(fold) is not None)
        )
        dates = frozenset().union(own.dates, *(language(code).dates for code in _LANGUAGES))
        weak = own.alone | english.alone | english.generic
        self.weak = self.generic | self._where(weak.__contains__)
        self.never = self._where(dates.__contains__) | self._where(
            lambda fold: fold in _TITLES or _INITIALS.fullmatch(fold) is not None
        )
        self.never |= self._where(small.__contains__) & ((shapes & UPPER) == 0)
        # Whether the word may belong to the same name as the word before it.
        self.joined = (table.flags & BREAK) == 0
        self.joined[1:] &= (table.flags[:-1] & POSSESSIVE) == 0  # a thing that another thing has is apart from it
        if not own.spaced:  # a space ends a name
            self.joined[1:] &= (table.starts[1:] == table.ends[:-1]) | (cased[1:] & cased[:-1])
        # Words that belong to no topic: names of persons, boilerplate, item numbers.
        self.person, in_name = self._find_persons(feed, people)
        self.barred = ((table.flags & ASIDE) > 0) | in_name | self.code
        # Capitals have no meaning at the beginning of a segment, and in one where most words have them.
        segments = np.cumsum(~self.joined)
        is_long = self._where(lambda fold: len(fold) >= _LONG) & self.joined
        long_words = np.bincount(segments, is_long)
        prose = (long_words >= 3) & (np.bincount(segments, is_long & self.capital) < _HEADING * long_words)
        self.prose = prose[segments] & ~self.titled
        self.borne_out = self._weigh_titles()
        # The first and the last word of each part of a title and of each line of notes, but for stop words and persons.
        begins = np.where(self.titled, ~self.joined, (table.flags & LINE) > 0)
        self.heads, self.tails = begins.copy(), np.append(begins[1:], True)
        skipped = self.stop | self.person | in_name | self.number
        for _ in range(_LONGEST):  # each round moves the ends past one more skipped word
            self.heads[1:] |= self.heads[:-1] & skipped[:-1] & ~begins[1:]
            self.tails[:-1] |= self.tails[1:] & skipped[1:] & ~begins[1:]

    def _where(self, test: Callable[[str], bool]) -> Bools:
        return self.table.lexicon.where(test)[self.table.ids]

    def _find_codes(self, feed: Feed) -> Bools:
        """Return which words count the items: letters and a number at one end of more than a third of the titles."""
        letters: Counter[str] = Counter()
        for episode in feed.episodes:
            words = episode.title.casefold().split() or [""]
            codes = (_CODE.fullmatch(word.strip(":|.,()[]#-")) for word in (words[0], words[-1]))
            letters.update({code["letters"] for code in codes if code})
        if 3 * letters.total() <= self.count:
            return np.zeros(len(self.table), np.bool_)
        return self._where(lambda fold: (code := _CODE.fullmatch(fold)) is not None and letters[code["letters"]] > 1)

    def _find_persons(self, feed: Feed, people: KnownPeople) -> tuple[Bools, Bools]:
        """Return two masks of the words: first or last names of persons, and words inside a whole name."""
        table, lexicon = self.table, self.table.lexicon
        names = [name.split() for name in people.people]
        names += [person.name.casefold().split() for item in feed.episodes for person in item.people]
        full = [name for name in names if len(name) > 1]
        parts = {part for name in full for part in (name[0], name[-1])}
        last = {name[-1] for name in full if len(name[-1]) > 3}  # grammar adds up to three letters
        single = self._where(lambda fold: fold in parts or not last.isdisjoint((fold[:-1], fold[:-2], fold[:-3])))
        single |= self._where(first_names().__contains__)
        phrases = filter(None, (lexicon.number(" ".join(name)) for name in names))
        inside = np.zeros(len(table), np.bool_)
        for place, count in find_phrases(lexicon.fold_of[table.ids], (table.flags & BREAK) == 0, phrases):
            inside[place : place + count] |= self.capital[place]
        return single & self.capital & ~self.inner, inside

    def _weigh_titles(self) -> float:
        """Return the share of the titles' words that recur in the notes of their items: small where titles are puns.

        Short notes do not count; without longer ones the share is 1.
        """
        noted = np.bincount(self.items[~self.titled & ~self.barred], minlength=self.count) >= 20
        titled = self.titled & self.letter & ~(self.stop | self.generic | self.number) & noted[self.items]
        words = self.keys * self.count + self.items
        titles = np.unique(words[titled])
        return float(np.isin(titles, words[~self.titled]).mean()) if len(titles) else 1.0

    def find_terms(self) -> _Terms:
        """Return the places of terms, the longest where several overlap, none in a passage that counts for nothing.

        All runs of one size are judged at once. Some columns have an entry for each place of a term, others one for
        each term; ``numbers`` has the term of each place.
        """
        middle = self.prose & self.joined
        strong = self.capital & middle & ~self.small  # also a stop word: "New Mexico"
        namings, counts = self._measure_words(middle)
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
            first, final = example, example + size - 1
            capital = written[last + 1] - written[places] == size  # all its words have capitals
            # The share of a term's places in prose at which it is written as a name. Without such places, that of the
            # word that is least often written so.
            prose = self.prose[places] & (self.joined[places] | (size > 1))
            in_prose, as_name = (np.bincount(numbers, flags, len(example)) for flags in (prose, prose & capital))
            naming, rarest = (
                np.min([column[first + step] for step in range(size)], axis=0) for column in (namings, counts)
            )
            if size > 1:
                shares = np.where(as_name > _NAMED * in_prose, as_name / np.maximum(in_prose, 1), 0)
                naming[in_prose > 0] = shares[in_prose > 0]
            pairs = np.unique(numbers * self.count + self.items[places]) // max(self.count, 1)
            items = np.bincount(pairs, minlength=len(example))  # that contain each term
            # The words of a term belong together if it is frequent among the places of its rarest word, or a title.
            whole = self.titled[places] & self.heads[places] & self.tails[last] & (self.borne_out > _SPEAKING)
            often = np.bincount(numbers, minlength=len(example))
            together = (often > 1) & (often >= _TOGETHER * rarest) & ~(self.generic[first] | self.generic[final])
            if size <= _TITLE_WORDS:
                together |= np.bincount(numbers, whole, len(example)) > 0
            name = naming >= _NAMED
            fits = ~(self.number[first] | self.number[final]) & (name | together | (size == 1))
            fits &= items <= (_WIDE * self.count if self.count >= _FEW else self.count)
            good = fits[numbers] & (capital | ~name[numbers])  # a name counts only where it is written as one
            if size == 1:
                good &= ~(self.weak[places] & (naming[numbers] < _SURELY)) & ~self.never[places]
            levels.append((size, places[good], numbers[good] + base))
            named.append(naming)
            spread.append(items)
            base += len(example)
        return self._keep_longest(levels, np.concatenate(named), np.concatenate(spread))

    def _measure_words(self, middle: Bools) -> tuple[Floats, Ints]:
        """Return, for each word, the share of its places at which it is written as a name, and their number."""
        namings: Floats = np.full(len(self.keys), _NAMED)
        if self.language.spaced and not self.language.nouns:
            capital = np.bincount(self.keys[self.capital & (middle | self.inner)], minlength=self.size)
            small = np.bincount(self.keys[~self.capital], minlength=self.size)
            namings = ((capital + _PRIOR) / (capital + small + 3 * _PRIOR))[self.keys]
        return namings, np.bincount(self.keys, minlength=self.size)[self.keys]

    def _keep_longest(self, levels: Sequence[tuple[int, Ints, Ints]], named: Floats, spread: Ints) -> _Terms:
        """Return the places of terms that overlap no longer one and contain no name of a person."""
        taken = bytearray(self.barred.tobytes())
        persons = _running(self.person)
        rows = []
        for size, every, numbers in reversed(levels):
            kept = np.frombuffer(taken, np.bool_)[every] ^ True
            kept &= (persons[every + size] == persons[every]) | (size > 1)
            for place, term in zip(every[kept].tolist(), numbers[kept].tolist(), strict=True):
                if size == 1 or not any(taken[place : place + size]):
                    taken[place : place + size] = b"\1" * size
                    if size == 1 or persons[place + size] == persons[place]:
                        rows.append((place, size, term))
        first, sizes, terms = np.array(sorted(rows), np.int64).reshape(-1, 3).T
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
        again = ~alone & (in_title | (early & (self.count < _TINY)))
        # A term that is not a name needs a sign: it is repeated, a line of its own, or in a title that notes confirm.
        weight[~(name | both | whole | (often > 1) | proven[terms] | again)] = 0
        if self.count < _TINY:  # too few items to distinguish a name in passing from a topic
            weight[alone & ~both & ~(whole & in_title)] = 0
        weight[alone & ~in_title & ~name & ~(early & (often > 1))] = 0
        best = np.zeros(self.count)
        np.maximum.at(best, items, weight)
        chosen: set[tuple[int, int]] = set()
        ranks = Counter[int]()
        used: set[tuple[int, int]] = set()  # (item, word): two topics of an item share none
        for pair in np.lexsort((terms, -weight, items)).tolist():
            item, place = int(items[pair]), int(found.places[one[pair]])
            share = _SHARE if ranks[item] < _RANKED else _EXTRA_SHARE
            if ranks[item] < _MOST and weight[pair] > 0 and weight[pair] >= best[item] * share:
                part = slice(place, place + int(found.sizes[one[pair]]))
                own = {(item, word) for word in self.keys[part][~self.inside[part]].tolist()}
                if used.isdisjoint(own):
                    chosen.add((item, int(terms[pair])))
                    ranks[item] += 1
                    used |= own
        return chosen

    def spell(self, place: int, size: int) -> tuple[int, bool, int, int, str]:
        """Return (item, whether it is in the title, start, end, spelling) of the words at a place."""
        table, last = self.table, place + size - 1
        row, start = int(table.rows[last]), int(table.starts[place])
        end = int(table.ends[last]) - len("'s") * bool(table.flags[last] & POSSESSIVE)
        text = table.texts[row][start:end]
        if self.language.code in {"fr", "it"} and (article := _ELISION.match(text)):
            start, text = start + article.end(), text[article.end() :]
        return row // 2, row % 2 == 0, start, end, " ".join(text.split())


def _running(flags: Bools) -> Ints:
    """Return how many flags are set before each place, and in all."""
    return np.concatenate(([0], np.cumsum(flags)))
