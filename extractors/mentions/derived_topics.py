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

from ..languages.language import SMALL_WORDS, language
from ..languages.trigger_phrases import alternatives, phrases
from ..model import Mention
from ..notes.word_table import ASIDE, BOILERPLATE, BREAK, CAPITAL, INNER, POSSESSIVE, STOP, UPPER
from ..slugs import slugify
from ..subjects.subject import Topic
from ..subjects.vocabulary import Vocabulary
from .corpus import Derived
from .guests import find_guests
from .topics import OPENING_LENGTH, make_topic_ref

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator

    from ..model import Feed
    from ..notes.show_words import ShowWords
    from ..notes.word_table import Bools, Ints
    from .corpus import KnownPeople

_MAXIMUM_WORDS: Final = 4  # of a candidate
_WIDE_SHARE: Final = 1 / 3  # a candidate in more of the items, and in more than four, distinguishes none
_NAME_SHARE, _SURE_NAME_SHARE = 0.5, 0.8  # the least share of the places of a name that are written as one
_TOGETHER_SHARE: Final = 0.15  # of the places of its rarest word belong to a candidate that is not a name
# A segment is a heading, in which capitals mean nothing, if so many of its words of so many letters have a capital.
_HEADING_SHARE, _LONG_WORD = 0.6, 4
# Factors of the weight: of a title, of a place in the opening of the notes, of a candidate that is
# not a name, of one in a single item.
_TITLE_FACTOR, _OPENING_FACTOR, _PLAIN_FACTOR, _SINGLE_FACTOR = 2.0, 1.5, 0.33, 0.5
_FEW_ITEMS: Final = 8  # of a show: too few to tell a name in passing from a topic
# The least share of the weight of an item's first topic that its first three topics need, and each further one.
_MINIMUM_SHARES: Final = (0.15, 0.15, 0.15, 0.6, 0.6)
# An article that sticks to its noun: "l'archet", "d'étain".
_ELISION: Final = re.compile(r"(?:[cdjlmnst]|qu|dell|all|un)['\u2019](?=\w\w)", re.IGNORECASE)
_CASELESS: Final = "\u3041"  # from here on, letters have no case
# Letters and a number that count the items: "KILN112", "A-001".
_CODE: Final = re.compile(r"\b(?P<letters>[^\W\d_]{1,8})-?\d{1,4}\b")
# A handle; or a line of the notes, not the first one, that begins with a name and soon has a phrase like "lives".
_LIFE: Final = re.compile(rf"(?<!\w)@\w+|(?<=\n)(\w+)(?: \S+){{0,3}}? (?:{alternatives('life')})\b.*")
# The ends of Spanish and Portuguese verbs and adverbs, which alone name nothing: "abrir", "utilizando".
_VERB: Final = re.compile(r"\w{2,}(?:[ai]r|[aei]ndo|mente)")
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
    """One place of a candidate: the number of the item, the field, start and end in it, the words as they are there."""

    item: int
    field: str
    start: int
    end: int
    quote: str
    term: int


def derive_topics(feed: Feed, words: ShowWords, people: KnownPeople, vocabulary_ids: Container[str] = ()) -> Derived:
    """Return the topics of a feed's items; ids are the slugs of their first spellings, and they are ``derived``.

    ``people`` are persons, whose names are not topics. Ids of a subject's vocabulary are ``vocabulary_ids``: Vulkan is
    not PyTorch's backend in a show about Linux. The result does not depend on the order of the items. An id
    comes from the earliest spelling, so that it stays when items are added; the label is the commonest spelling.
    """
    show = _Show(feed, words, people)
    candidates = show.find_candidates()
    topics_of_items = show.choose_topics(candidates)
    terms = {term for _, term in topics_of_items}
    rows = zip(*(column.tolist() for column in candidates[:3]), strict=True)  # place, number of words, term
    spellings = [show.spell(*row) for row in rows if row[2] in terms]
    # "~" is behind all dates.
    dates = [(episode.date.isoformat() if episode.date else "~", episode.id) for episode in feed.episodes]
    spellings.sort(key=lambda one: (dates[one.item], one.field != "title", one.start, one.quote))
    ids: dict[int, str] = {}
    texts: dict[str, Counter[str]] = defaultdict(Counter)
    for spelling in spellings:
        if spelling.term not in ids:
            id_ = make_topic_id(spelling.quote)
            ids[spelling.term] = f"word/{id_}" if id_ in vocabulary_ids else id_
        texts[ids[spelling.term]][" ".join(spelling.quote.split())] += 1
    topics: dict[str, Topic] = {}
    for id_, counts in sorted(texts.items()):
        label, *aliases = sorted(counts, key=lambda text: (-counts[text], len(text), text))
        topics[id_] = Topic(id_, label, tuple(sorted(aliases)), derived=True)
    vocabulary = Vocabulary(topics)
    mentions: dict[str, list[Mention]] = defaultdict(list)
    for item, field, start, end, quote, term in spellings:
        if (item, term) in topics_of_items:
            ref, method = make_topic_ref(topics[ids[term]], vocabulary), "title" if field == "title" else "alias"
            mention = Mention(ref, field, start, end, quote, method, "topics", relation="about")
            mentions[feed.episodes[item].id].append(mention)
    return Derived(vocabulary, mentions)


def make_topic_id(label: str) -> str:
    """Return the id of a topic by a spelling of it, the same for a plural in "s".

    >>> make_topic_id("Salt Pits"), make_topic_id("C++"), make_topic_id("C#"), make_topic_id("Glass")
    ('salt-pit', 'c-plus-plus', 'c-sharp', 'glass')
    """
    slug = slugify(label.replace("+", " plus ").replace("#", " sharp "))
    is_plural = len(slug) > 3 and slug.endswith("s") and not slug.endswith(("ss", "us", "is", "js", "os"))
    return slug[:-1] if is_plural and not label.isupper() else slug


class _Show:
    """The words of a show as columns, one entry a word; ``keys`` are numbers, one for all forms of a word."""

    def __init__(self, feed: Feed, words: ShowWords, people: KnownPeople) -> None:
        """Compute the columns that the other steps share."""
        self.table, self.language, self.count = words.table, words.language, max(len(feed.episodes), 1)
        table, own, english, lexicon = self.table, self.language, language("en"), words.table.lexicon
        # Each item has two rows in the table: its title and its notes.
        self.items, self.is_title = table.rows // 2, table.rows % 2 == 0
        stems = {stem: number for number, stem in enumerate(sorted(set(lexicon.fold_stems)))}
        self.keys = np.array([stems[stem] for stem in lexicon.fold_stems], np.int64)[lexicon.fold_of[table.ids]]
        # The shape of the word: its capitals. Scripts without case count as written with capitals.
        shapes = lexicon.shapes[table.ids]
        self.inner, is_small = (shapes & INNER) > 0, (shapes & UPPER) == 0  # not in capitals, as IT
        self.capital = ((shapes & (CAPITAL | INNER)) > 0) | self._where(lambda fold: fold >= _CASELESS)
        # The kind of the word: without meaning, allowed inside a name, a topic by itself only as a sure name, or never.
        # In another language, English function words are only inside names ("Welcome to the Django"), and common ones
        # are weak, too ("Interview").
        foreign = SMALL_WORDS["en"] if own.code != "en" else frozenset()
        self.inside = self._where((own.inside | foreign).__contains__)
        self.stop = ((shapes & STOP) > 0) | (self._where(foreign.__contains__) & is_small)
        self.weak = self._where(own.generic.union(own.alone, english.generic, english.alone, english.stop).__contains__)
        self.weak |= self._where(lambda fold: own.code in {"es", "pt"} and _VERB.fullmatch(fold) is not None)
        never = (own.dates | english.dates).union(word.rstrip(".") for word in phrases("titles"))
        self.never = self._where(lambda fold: fold in never or _INITIALS.fullmatch(fold) is not None)
        self.never |= self._where(frozenset().union(*SMALL_WORDS.values()).__contains__) & is_small
        # Letters with a number are no name where more than a sixth of the titles have such a code.
        codes = Counter(code["letters"] for item in feed.episodes if (code := _CODE.search(item.title.casefold())))
        series = {letters for letters, count in codes.items() if count > 1 and 6 * codes.total() > self.count}
        is_code = self._where(lambda fold: (code := _CODE.fullmatch(fold)) is not None and code["letters"] in series)
        numbering = own.numbering | english.numbering
        self.number = is_code | self._where(lambda fold: fold.rpartition("-")[2] in numbering)  # "Podcast-Episode"
        self.number |= self._where(lambda fold: fold[:1].isdigit() and 4 * sum(map(str.isdigit, fold)) >= len(fold))
        # Words that belong to no topic: first and last names, boilerplate, what is said of persons, and codes.
        names = [name.split() for name in people.people]
        # A step of the length minus one picks the first and the last word.
        parts = phrases("first names", of="first_names").union(*(name[:: len(name) - 1] for name in names if name[1:]))
        self.person = self._where(parts.__contains__) & self.capital & ~self.inner
        spans = [[*_find_asides_on_persons(text, parts, title=not row % 2)] for row, text in enumerate(table.texts)]
        self.is_excluded = ((table.set_flag(BOILERPLATE, spans).flags & ASIDE) > 0) | is_code
        # Whether the word may belong to the same name as the word before it: not if that one has it ("Ann's kiln").
        self.is_joined = (table.flags & BREAK) == 0
        self.is_joined[1:] &= (table.flags[:-1] & POSSESSIVE) == 0
        # Whether "in" or a word like it is right before the word.
        self.is_located = np.append(False, self._where(phrases("in").__contains__)[:-1]) & self.is_joined
        # Capitals have no meaning at the beginning of a segment, and in one where most words have them.
        segments = np.cumsum(~self.is_joined)
        is_long = self._where(lambda fold: len(fold) >= _LONG_WORD) & self.is_joined
        long_words = np.bincount(segments, is_long)
        prose = (long_words >= 3) & (np.bincount(segments, is_long & self.capital) < _HEADING_SHARE * long_words)
        self.prose = prose[segments] & ~self.is_title

    def _where(self, test: Callable[[str], bool]) -> Bools:
        """Return, for each word, whether its small letters pass a test."""
        return self.table.lexicon.test_words(test)[self.table.ids]

    def find_candidates(self) -> _Candidates:
        """Return the places of candidates, the longest where several overlap."""
        middle = self.prose & self.is_joined
        # A stop word with a capital inside a sentence may be part of a name: "New Mexico".
        is_empty = self.stop & ~(self.capital & middle)
        keys = np.where(is_empty & ~self.inside, -1, self.keys)
        grams = self.table.list_sequences(keys, _MAXIMUM_WORDS, self.is_joined)
        columns = [(of, np.full(len(of), size), ids * _MAXIMUM_WORDS + size - 1) for size, of, ids in grams]
        places, sizes, terms = map(np.concatenate, zip(*columns, strict=True))
        no_edge, last = self.number | self.never | is_empty, places + sizes - 1
        fits = np.where(sizes == 1, ~(self.number | self.stop)[places], ~(no_edge[places] | no_edge[last]))
        places, sizes, terms, last = (column[fits] for column in (places, sizes, terms, last))
        is_single = sizes == 1
        is_capital = _count_between(self.capital | self.inside, places, sizes) == sizes
        # The share of a candidate's places in prose that are written as a name. Without such places, and for a single
        # word, that of the word that is least often written so.
        keys_within = self.keys[np.minimum(places + np.arange(_MAXIMUM_WORDS)[:, None], last)]
        # Where all nouns have capitals, only those inside a word are a sign of a name.
        sign = self.inner if self.language.nouns else self.capital
        names, others = np.bincount(self.keys, sign & (middle | self.inner)), np.bincount(self.keys, ~sign)
        shares = names / np.maximum(names + others, 1) if self.language.has_spaces else np.full(len(names), _NAME_SHARE)
        name_share = shares[keys_within].min(axis=0)
        prose = self.prose[places] & ~is_single
        # Where all nouns have capitals, two of them with a small word between them are no sign of a name.
        small_count = _count_between(self._where(self.language.inside.__contains__), places, sizes)
        is_run = is_capital & ~(self.language.nouns & (small_count > 0))
        in_prose, as_name = np.bincount(terms, prose)[terms], np.bincount(terms, prose & is_run)[terms]
        name_share = np.where(in_prose > 0, as_name / np.maximum(in_prose, 1), name_share)
        is_name = name_share >= _NAME_SHARE
        # The words of a candidate belong together if it is frequent among the places of its rarest word.
        rarest, total = np.bincount(self.keys)[keys_within].min(axis=0), np.bincount(terms)[terms]
        is_together = (total > 1) & (total >= _TOGETHER_SHARE * rarest)
        # Without counts numpy would load its masked arrays, which takes .01 s.
        pairs, _ = np.unique(terms * self.count + self.items[places], return_counts=True)
        spread = np.bincount(pairs // self.count)[terms]
        # A name counts only where it is written as one; a noun, too, where all nouns have capitals.
        fits = (is_name | is_together | is_single) & (is_capital | ~(is_name | self.language.nouns))
        fits &= ~is_single | ~(self.never[places] | (self.weak[places] & (name_share < _SURE_NAME_SHARE)))
        fits &= (spread <= max(_WIDE_SHARE * self.count, 4)) & (_count_between(self.is_excluded, places, sizes) == 0)
        return self._keep_longest(_Candidates(places, sizes, terms, is_name, spread).select(fits))

    def _keep_longest(self, candidates: _Candidates) -> _Candidates:
        """Return the first and longest of candidates that overlap, without those that contain a name of a person."""
        last_end, rows = 0, []
        for row in np.lexsort((-candidates.sizes, candidates.places)).tolist():
            if candidates.places[row] >= last_end:
                rows.append(row)
                last_end = candidates.places[row] + candidates.sizes[row]
        longest = candidates.select(np.array(rows, np.int64))
        return longest.select(_count_between(self.person, longest.places, longest.sizes) == 0)

    def choose_topics(self, candidates: _Candidates) -> set[tuple[int, int]]:
        """Return (item, term) of the candidates that weigh most in each item."""
        places, in_titles = candidates.places, self.is_title[candidates.places]
        in_items = candidates.terms * self.count + self.items[places]
        pairs, examples, pair_of = np.unique(in_items, return_index=True, return_inverse=True)
        terms, items = np.divmod(pairs, self.count)
        notes_count, in_title = np.bincount(pair_of, ~in_titles), np.bincount(pair_of, in_titles) > 0
        in_opening = np.bincount(pair_of, ~in_titles & (self.table.starts[places] < OPENING_LENGTH)) > 0
        in_one_item = np.bincount(terms, minlength=1)[terms] == 1
        # A name in a title needs the notes, or is a whole part of it: "Elan: slip".
        ends = np.append(~self.is_joined[1:], True)[places + candidates.sizes - 1]
        is_title_part = np.bincount(pair_of, in_titles & ~self.is_joined[places] & ends) > 0
        is_name, is_borne_out = candidates.is_name[examples], in_title & ((notes_count > 0) | is_title_part)
        rarity = np.sqrt(np.log(1 + self.count / candidates.spread[examples]))
        weight = (_TITLE_FACTOR * in_title + notes_count) * rarity
        weight[~is_name] *= _PLAIN_FACTOR
        weight[in_one_item & ~is_borne_out] *= _SINGLE_FACTOR if self.count >= _FEW_ITEMS else 0
        weight[in_opening] *= _OPENING_FACTOR
        # A candidate that is not a name needs a sign: it is repeated, or in titles of several items, or of one whose
        # notes have it, too. A single word of the show's prose, in many items but hardly in titles, needs a better one.
        is_shared = ~in_one_item & (in_title | self.language.nouns | (self.count < _FEW_ITEMS))
        is_likely = is_shared | (notes_count > 1) | (np.bincount(terms, is_borne_out)[terms] > 0)
        is_rare = self.language.nouns | (candidates.sizes[examples] > 1) | (candidates.spread[examples] < 3)
        is_rare |= 10 * np.bincount(terms, in_title)[terms] > candidates.spread[examples]
        weight[~(is_name | is_borne_out | (notes_count > 3) | (is_likely & is_rare))] = 0
        # A candidate that stands behind "in" more than once, and mostly there, says where something is.
        located_count = np.bincount(candidates.terms, self.is_located[places])
        is_place = (located_count > 1) & (2 * located_count > np.bincount(candidates.terms))
        weight[is_place[terms] & ~in_title] = 0
        best = np.zeros(self.count)
        np.maximum.at(best, items, weight)
        topics_of_items: set[tuple[int, int]] = set()
        ranks = Counter[int]()
        used_words: set[tuple[int, int]] = set()  # (item, word): two topics of an item share none
        for pair in np.lexsort((terms, -weight, items)).tolist():
            item, place = int(items[pair]), int(places[examples[pair]])
            if ranks[item] < len(_MINIMUM_SHARES) and weight[pair] >= best[item] * _MINIMUM_SHARES[ranks[item]] > 0:
                words = {(item, key) for key in self.keys[place : place + candidates.sizes[examples[pair]]].tolist()}
                if used_words.isdisjoint(words):
                    topics_of_items.add((item, int(terms[pair])))
                    ranks[item] += 1
                    used_words |= words
        return topics_of_items

    def spell(self, place: int, size: int, term: int) -> _Spelling:
        """Return the words at a place of a candidate, and where they are in the item."""
        table, last = self.table, place + size - 1
        row, start = int(table.rows[last]), int(table.starts[place])
        end = int(table.ends[last]) - len("'s") * bool(table.flags[last] & POSSESSIVE)
        if self.language.code in {"fr", "it"} and (article := _ELISION.match(table.texts[row], start, end)):
            start = article.end()
        return _Spelling(row // 2, "notes" if row % 2 else "title", start, end, table.texts[row][start:end], term)


def _find_asides_on_persons(text: str, names: Container[str], *, title: bool) -> Iterator[tuple[int, int]]:
    """Yield the (start, end) of the parts of a text that say who somebody is: handles, lives, affiliations of guests.

    ``names`` are the first and last names of persons, in small letters. ``title`` says whether the text is a title.
    Spans may overlap or be empty.
    """
    yield from (life.span() for life in _LIFE.finditer(text) if not life[1] or life[1].casefold() in names)
    yield from ((guest.end, guest.reach) for guest in find_guests(text, title=title))


def _count_between(flags: Bools, places: Ints, sizes: Ints) -> Ints:
    """Return how many flags are set in the runs of words that begin at some places."""
    running = np.concatenate(([0], np.cumsum(flags)))
    counts: Ints = running[places + sizes] - running[places]
    return counts
