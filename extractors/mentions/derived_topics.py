"""Topics for a feed that no vocabulary is about: what its categories, series, titles and notes name.

A topic is a name that the feed itself gives a thing: in a title, in the opening of notes again and again, as a
category. Words of the language that name nothing, names of persons and what the feed repeats in every item are none.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from ..languages.language import first_names
from ..languages.language import language as known
from ..notes.addresses import without_addresses
from ..slugs import slugify
from ..subjects.vocabulary import Topic, Vocabulary
from .title_parts import in_order, introduced, person_names, split_titles

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from ..languages.language import Language
    from ..model import Episode, Feed
    from ..notes.asides import Aside
    from .corpus import KnownPeople
    from .title_parts import Title

_OTHER_SCRIPTS: Final = frozenset(("ru", "ja", "zh", "he"))  # where words in Latin letters are English
_SHORT_TITLE: Final = 5  # words of a title that is no sentence
_TOLD: Final = 80  # characters of notes that say something
_SMALL_SHOW: Final = 30  # items
_MOST_WORDS: Final = 4  # in a name
_READ: Final = 4000  # characters of notes
LEAD: Final = 320  # characters of notes that say what an item is about
_WIDE, _EVERYWHERE = 0.35, 0.5  # of the items: about it; naming it. More tell nothing apart
_FEW: Final = 8  # items: below, nothing is too wide
_ALONE: Final = 0.3  # of its places a word stands outside of longer names that hold it
_VERB: Final = 0.34  # of its places a word stands behind "to", "we", "can"
_LOWER: Final = 0.34  # of its places a German word without a capital: no noun
_MOST_KEYWORDS: Final = 8  # of an item on average; more are there to be found by machines
_KEYWORD_SHARE: Final = 0.5  # of the items at most
# What no name goes over: punctuation and the end of a line; a dot only at the end of a word.
_PUNCTUATION: Final = (
    r"\n,;:!?()\[\]{}\"\u201c\u201d\u201e\u00ab\u00bb|/\\\u2013\u2014\u2026\u2022\u00b7\u3001\u3002\uff01\uff1f\u300c\u300d\u300e\u300f"
    r"\uff08\uff09\u30fb\u3010\u3011#@*=<>~\u2192\uff0c\uff1a\uff5c"
)
_BREAK: Final = re.compile(rf"[{_PUNCTUATION}]+|\.+(?=\s|$)|\s-+\s")
# The same where no dash stands behind a space; it begins with one set of characters, from one of which to the next a
# search leaps.
_DASH: Final = re.compile(r"-(?<=\s-)")
_BREAK_WITHOUT_DASH: Final = re.compile(rf"[{_PUNCTUATION}.](?:(?<!\.)[{_PUNCTUATION}]*|(?<=\.)\.*(?=\s|$))")
# An hour, a mail address, a handle, a login in brackets behind a name.
_NOISE: Final = re.compile(r"\d{1,2}:\d\d(?::\d\d)?|(?<!\S)[^\s@]+@[^\s@]+\.\w+|(?<!\w)@\w+|(?<=\w )\(@?[a-z0-9-]+\)")
_HOUR: Final = re.compile(r"\d\d?:\d\d(?::\d\d)?")
_LOGIN: Final = re.compile(r"\((?<=\w \()[a-z0-9-]+\)")
_HIRAGANA: Final = re.compile("[\u3041-\u309f]+")
_POSSESSIVE: Final = frozenset(("'s", "\u2019s"))
_VERBS: Final = frozenset(
    "to we you i they can will could should would must may might don't let's he she who cannot".split()
)


class Derived(NamedTuple):
    """The topics of a feed, and by item id those that its categories file it under."""

    vocabulary: Vocabulary
    filed: Mapping[str, tuple[str, ...]]


# A place of a name: item, part of it, segment, begin and end in it; whether the segment begins with it or is no more,
# whether it is inside a longer name, whether it stands as a verb does. A tuple, for there are hundreds of thousands.
_Sight: TypeAlias = tuple[int, str, str, int, int, bool, bool, bool, bool]
# A word between two spaces: begin and end there, as it is written, stem, in small letters, whether it has a capital,
# whether it is of a person's name, and if it ends a name (``break``), stands only ``inside`` one, or names (``name``).
_Look: TypeAlias = tuple[int, int, str, str, str, bool, bool, str]
# A word: begin and end in its segment, stem, whether it names something, the word before it.
_Part: TypeAlias = tuple[int, int, str, bool, str]


@dataclass(slots=True)
class _Term:
    """A name and where it stands: by items in titles, in openings, as a whole line, anywhere (how often)."""

    words: int
    titles: set[int] = field(default_factory=set)
    whole: set[int] = field(default_factory=set)
    runs: set[int] = field(default_factory=set)  # titles of few words in which it stands between words of grammar
    leads: set[int] = field(default_factory=set)
    places: Counter[int] = field(default_factory=Counter)
    spellings: Counter[str] = field(default_factory=Counter)
    openings: Counter[str] = field(default_factory=Counter)  # spellings at the beginning of a sentence, or in a title
    first: tuple[int, str] = (1 << 30, "")
    inner: int = 0  # places inside a longer name
    verbs: int = 0
    names: int = 0  # places where it is written as a name in the middle of a sentence
    filed: set[int] = field(default_factory=set)
    series: set[int] = field(default_factory=set)
    total: int = 0  # places outside of titles

    def add(self, sight: _Sight) -> None:
        """Count a place."""
        item, where, segment, start, end, opens, whole, inner, verb = sight
        titled = where == "title"
        if titled:
            self.titles.add(item)
        else:
            self.places[item] = self.places.get(item, 0) + 1
            self.total += 1
            if where == "lead":
                self.leads.add(item)
        if whole:
            self.whole.add(item)
        surface = segment[start:end] if self.words == 1 else " ".join(segment[start:end].split())
        surface = surface.removesuffix("'s").removesuffix("\u2019s")
        begins = titled or opens
        spellings = self.openings if begins else self.spellings
        spellings[surface] = spellings.get(surface, 0) + 1
        if not surface.isalpha() or not (surface[1:] if begins else surface).islower():
            inside = surface[1:] if begins else surface
            self.names += any(map(str.isupper, inside)) or any(map(str.isdecimal, surface))
        self.inner += inner
        self.verbs += verb
        rank = 2 * item + (not titled)  # the title's spelling goes before others of an item: it is what most have
        if rank <= self.first[0]:
            self.first = min(self.first, (rank, surface))

    @property
    def about(self) -> set[int]:
        """The items that it says something of: in their title or opening, twice and more, or as their category."""
        often = {item for item, count in self.places.items() if count > 1}
        return self.titles | self.leads | often | self.filed | self.series


def derive_topics(
    feed: Feed, language: Language, asides: Mapping[str, Sequence[Aside]], people: KnownPeople
) -> Derived:
    """Return the topics of a feed; ids are ``<slug of the show>/<slug of the topic>``, marked ``derived``.

    ``asides`` are by item id the passages of the notes that the feed repeats; ``people`` are persons, who are none. The
    result does not depend on the order of the items. An id is made of the earliest spelling, so that it stays when
    items are added; the label is the commonest.
    """
    order = in_order((item.date.isoformat() if item.date else "", item.id) for item in feed.episodes)
    items = [feed.episodes[place] for place in order]
    titles = split_titles([item.title for item in items], feed.title, language)
    reader = _Reader(language, _person_keys(items, titles, people, language))
    for place, (item, title) in enumerate(zip(items, titles, strict=True)):
        reader.read(place, item, title, asides.get(item.id, ()))
    reader.file(_keywords(items, feed, reader))
    show = slugify(feed.id.partition(":")[2]) or "show"
    topics: dict[str, Topic] = {}
    filed: dict[str, list[str]] = defaultdict(list)
    bare = {reader.key(feed.title), ""}
    # Bare titles name too little to say what all of them are about.
    told = sum(len(item.notes) > sum(one.end - one.start for one in asides.get(item.id, ())) + _TOLD for item in items)
    for term in _chosen(reader, told or len(items), bare):
        id_ = f"{show}/{slugify(term.first[1])}"
        if not slugify(term.first[1]) or id_ in topics:
            continue
        label = _label(term)
        spellings = dict.fromkeys((*term.spellings, *term.openings))
        topics[id_] = Topic(id_, label, tuple(one for one in spellings if one != label), derived=True)
        for place in term.filed | term.series:
            filed[items[place].id].append(id_)
    return Derived(Vocabulary(topics.values()), {item: tuple(sorted(ids)) for item, ids in filed.items()})


def _label(term: _Term) -> str:
    """Return the commonest spelling; those in the middle of a sentence count, where there are any."""
    counts = Counter[str]()
    for one, count in (*term.spellings.items(), *term.openings.items()):
        counts[one.casefold()] += count
    best = min(counts, key=lambda one: (-counts[one], len(one), one))
    for spellings in (term.spellings, term.openings):
        if same := [one for one in spellings if one.casefold() == best]:
            return min(same, key=lambda one: (-spellings[one], one))
    return best


class _Reader:
    """Gathers the names of a feed's items; ``persons`` are stems of the words of persons' names."""

    def __init__(self, language: Language, persons: frozenset[str]) -> None:
        self.language = language
        self._persons = persons
        self._firsts = first_names()
        self._known: dict[str, tuple[str, str, bool, bool, str]] = {}  # by word
        self._looks: dict[str, list[_Look]] = {}  # by what stands between two spaces
        self._enders: dict[str, str] = {}  # what of that only ends names, and its last word: most of many notes
        self._english = known("en") if language.code in _OTHER_SCRIPTS else None
        self.terms: dict[str, _Term] = {}
        self._once: dict[str, _Sight] = {}  # what stands in one place alone, and in no title: most word sequences
        self._bare = False  # whether the item in hand has no notes: two words of its title may be a guest's name

    def read(self, item: int, episode: Episode, title: Title, asides: Sequence[Aside]) -> None:
        self._bare = len(episode.notes) < sum(one.end - one.start for one in asides) + _TOLD
        for part in title.parts:
            self._read(item, part, "title")
        for part in title.series:
            self._add_series(item, part)
        notes, last = [], 0
        for aside in asides:
            notes.append(episode.notes[last : aside.start])
            last = aside.end
        notes.append(episode.notes[last:])
        if notes[0].strip().startswith(episode.title.strip()):  # many notes begin with the title again
            notes[0] = notes[0].strip()[len(episode.title.strip()) :]
        text = _without_noise(without_addresses("\n".join(notes), "\n"))[:_READ]
        self._read(item, text[:LEAD], "lead")
        self._read(item, text[LEAD:], "body")

    def _read(self, item: int, text: str, where: str) -> None:
        for segment in (_BREAK if _DASH.search(text) else _BREAK_WITHOUT_DASH).split(text):
            if segment and not segment.isspace():
                begins, ends = len(segment) - len(segment.lstrip()), len(segment.rstrip())
                for run in self._runs(segment):
                    self._add_names(item, segment, run, where, begins, ends)

    def _runs(self, segment: str) -> Iterator[list[_Part]]:  # noqa: C901
        """Yield the words of a segment between those that end a name, where any of them names something."""
        run: list[_Part] = []
        names = person = False
        before, last = "", 0
        tokens, enders = segment.split(" ") if self.language.spaced else [segment], self._enders
        done, lengths = 0, [*accumulate(map(len, tokens), initial=0)]
        for place in [place for place, token in enumerate(tokens) if token not in enders]:
            if place > done:
                if names:
                    yield run
                if run:
                    run, names = [], False
                before, person = enders[tokens[place - 1]], False
            done, token, at = place + 1, tokens[place], lengths[place] + place
            looks = self._looks.get(token)
            for begin, end, word, key, small, capital, named, kind in self._look_at(token) if looks is None else looks:
                start = at + begin
                ends = kind == "break" or (person and capital)
                if run and (ends or (segment[last:start] != " " and segment[last:start].strip())):
                    if names:
                        yield run
                    run, names = [], False
                last = at + end
                if not ends:
                    run.append((start, last, key, kind == "name", before))
                    names = names or kind == "name"
                    if word[-2:] in _POSSESSIVE:  # what a thing has is another thing
                        if names:
                            yield run
                        run, names = [], False
                person, before = named, small
        if names:
            yield run

    def _look_at(self, token: str) -> list[_Look]:
        """Return the words of what stands between two spaces; note what only ends names."""
        looks = []
        for start, end, word in self.language.places(token):
            known = self._known.get(word)
            if known is None:
                small = word.lower().replace("\u2019", "'").removesuffix("'s")
                capital, key = word[0].isupper(), self.language.key(word)
                named = capital and (small in self._firsts or key in self._persons)
                kind = "break" if named else self._kind(word, key, small)
                known = self._known[word] = key, small, capital, named, kind
            looks.append((start, end, word, *known))
        if not self.language.spaced:
            return looks
        if looks and all(kind == "break" and not named for *_, named, kind in looks):
            self._enders[token] = looks[-1][4]
        else:
            self._looks[token] = looks
        return looks

    def _kind(self, word: str, key: str, small: str) -> str:
        """Return whether a word ends a name (``break``), stands only inside one (``inside``), or names (``name``)."""
        language = self.language
        if small in language.inside:
            return "inside"
        if not any(map(str.isalpha, small)) or small in language.stop or (len(small) < 2 and language.spaced):
            return "break"
        if small in language.generic or key in language.generic:
            return "inside"
        if small.endswith(language.actions) and small not in language.kept and not word[1:].isupper():
            return "break"
        if small.isascii() and self._english:  # names in Latin letters, and English between them
            return "break" if small in self._english.stop else "inside" if small in self._english.generic else "name"
        return "name"

    def _add_names(self, item: int, segment: str, run: Sequence[_Part], where: str, begins: int, ends: int) -> None:
        """Count the names in a run of words: what begins and ends with a word that names.

        ``begins`` and ``ends`` are where the words of the segment do.
        """
        terms, once, titled = self.terms, self._once, where == "title"
        last = len(run) - 1
        for begin, (start, _, _, begins_name, before) in enumerate(run):
            if not begins_name:
                continue
            opens, within, key = start <= begins, begin > 0 and run[begin - 1][3], ""
            for at in range(begin, min(begin + _MOST_WORDS, last + 1)):
                _, end, stem, ends_name, _ = run[at]
                key = f"{key} {stem}" if key else stem
                if not ends_name:
                    continue
                inner = within or (at < last and run[at + 1][3])
                verb = at == begin and before in _VERBS
                sight = item, where, segment, start, end, opens, opens and end >= ends, inner, verb
                if not titled and key not in terms and key not in once:
                    once[key] = sight
                    continue
                term = self._term(key, at - begin + 1)
                term.add(sight)
                all_of_it = titled and begin == 0 and at == last and not (self._bare and begin < at)
                if all_of_it and segment.count(" ") < _SHORT_TITLE:
                    term.runs.add(item)

    def _term(self, key: str, words: int) -> _Term:
        term = self.terms.get(key)
        if term is None:
            term = self.terms[key] = _Term(words)
            if key in self._once:
                term.add(self._once.pop(key))
        return term

    def _add_series(self, item: int, name: str) -> None:
        words = list(self.language.words(name))
        small = {word.text.lower() for word in words}
        keys = [word.key for word in words]
        if small - self.language.generic - self.language.alone - self.language.stop - {*self.language.numbering}:
            term = self._term(" ".join(keys), len(keys))
            term.series.add(item)
            term.titles.add(item)
            term.openings[name] += 1
            term.first = min(term.first, (2 * item, name))

    def key(self, text: str) -> str:
        return " ".join(word.key for word in self.language.words(text))

    def file(self, keywords: Iterable[tuple[int, str]]) -> None:
        """Take the categories of items as names."""
        for item, name in keywords:
            if key := self.key(name):
                term = self._term(key, key.count(" ") + 1)
                term.filed.add(item)
                term.openings[name] += 1
                term.first = min(term.first, (2 * item, name))


def _without_noise(text: str) -> str:
    if "@" in text:
        return _NOISE.sub("\n", text)
    text = _LOGIN.sub("\n", text) if "(" in text else text
    return _HOUR.sub("\n", text) if ":" in text else text


def _keywords(items: Sequence[Episode], feed: Feed, reader: _Reader) -> list[tuple[int, str]]:
    """Return (item, category) of the categories that tell items apart; [] where they are there for machines."""
    given = [(place, " ".join(word.split())) for place, item in enumerate(items) for word in item.keywords]
    given = [(place, word) for place, word in given if 1 < len(word) <= 40]
    if not given or len(given) > _MOST_KEYWORDS * len({place for place, _ in given}):
        return []
    spread = Counter(word.casefold() for _, word in given)
    most = max(_KEYWORD_SHARE * len(items), 2)
    own = feed.title.casefold()
    language = reader.language
    return [
        (place, word) for place, word in given
        if spread[word.casefold()] <= most and word.casefold() not in own
        and not all(part in language.generic or part in language.stop for part in word.casefold().split())
        and not _is_person(word)
    ]  # fmt: skip


def _is_person(text: str) -> bool:
    words = text.split()
    return len(words) in (2, 3) and words[0].casefold() in first_names() and bool(person_names(text))


def _person_keys(
    items: Sequence[Episode], titles: Sequence[Title], people: KnownPeople, language: Language
) -> frozenset[str]:
    """Return the stems of all words of names of persons: known ones, guests of titles, those in lines of credits."""
    names = [name for name in people.people if " " in name]
    names += [person.name for item in items for person in item.people]
    names += [guest for title in titles for guest in title.guests]
    for item in items:
        names += introduced(item.notes[:_READ], language)
    return frozenset(word.key for name in names for word in language.words(name) if len(word.text) > 1)


def _chosen(reader: _Reader, total: int, bare: Container[str]) -> list[_Term]:
    """Return the names that are topics, those that stand for most first; ``bare`` names the show itself."""
    language = reader.language
    most = _EVERYWHERE * total if total > _FEW else total
    wide = {
        key for key, term in reader.terms.items() if term.words == 1 and len(term.titles | term.places.keys()) > most
    }
    good = {
        key: term
        for key, term in reader.terms.items()
        if key not in bare and _is_topic(key, term, language, total, wide)
    }
    within: dict[str, list[_Term]] = defaultdict(list)
    for key, term in good.items():
        words = key.split()
        for size in range(1, len(words)):
            for start in range(len(words) - size + 1):
                part = " ".join(words[start : start + size])
                if part in good:
                    within[part].append(term)
    kept = []
    for key, term in good.items():
        longer = sum(other.total + len(other.titles) for other in within[key] if len(other.about) > 1)
        alone = term.total + len(term.titles) - longer
        if longer and alone < _ALONE * (term.total + len(term.titles)) and not (term.filed or term.series):
            continue  # "graph" where all say "knowledge graph"
        kept.append(term)
    kept.sort(key=lambda term: (-len(term.filed | term.series), -len(term.titles), -len(term.about), term.first))
    return kept


def _is_topic(key: str, term: _Term, language: Language, total: int, wide: Container[str]) -> bool:
    if term.filed or (term.series and len(term.series) > 2):
        return True
    about = term.about
    spread = len(term.titles | term.places.keys())
    if total > _FEW and (len(term.titles | term.leads) > _WIDE * total or spread > _EVERYWHERE * total):
        return False
    if term.words == 1 and not _names_alone(key, term, language):
        return False
    named = term.names / max(term.total + len(term.titles), 1) > 0.5
    if term.words > 1 and not _adds(key, term, language, wide, named=named):
        return False
    if (
        term.words > 1
        and language.spaced
        and language.code in _OTHER_SCRIPTS
        and len({word.isascii() for word in key.split()}) > 1
    ):
        return False  # a name and a word beside it: "Google закрывает"
    if len(about) > 1:
        spoken = len(term.titles) or (named and len(term.places) > 1) or len(term.whole) > 1
        opens = len(term.leads) > 1 and total <= _SMALL_SHOW
        return bool(spoken or opens or (term.words > 1 and len(about) > 2))
    # Of one item: what its title names and its notes take up, or what a short title is; a chapter that notes speak of.
    titled = bool(term.titles) and (bool(term.total) or bool(term.runs))
    return titled or (bool(term.whole) and term.total > 1)


def _adds(key: str, term: _Term, language: Language, wide: Container[str], *, named: bool) -> bool:
    """Tell whether a longer name says more than words that name nothing alone, or than what the whole show is about.

    Of a show on Rust, "Rust code" and "adopting Rust" say nothing, "Rust Foundation" does.
    """
    shown = next(iter(term.spellings or term.openings)).lower().split()
    if len(shown) != term.words:
        return True
    words = key.split()
    if all(word in language.alone or stem in language.alone for word, stem in zip(shown, words, strict=True)):
        return bool(term.titles)
    rest = [word for word, stem in zip(shown, words, strict=True) if stem not in wide]
    if len(rest) == len(words):
        return True
    if all(word in language.alone or (language.code == "en" and word.endswith("ing")) for word in rest):
        return False
    return bool(named or term.titles)


def _names_alone(key: str, term: _Term, language: Language) -> bool:
    """Tell whether a single word may name a thing: no verb, no adjective, as far as its places and ending tell."""
    spellings = term.spellings + term.openings
    shown = max(spellings, key=lambda one: (spellings[one], one))
    small = shown.lower()
    if (
        small in language.generic
        or small in language.alone
        or (language.spaced and len(small) < 3 and not shown.isupper())
    ):
        return False
    if small.endswith(language.endings) and small not in language.kept and not shown[1:].isupper():
        return False
    if _HIRAGANA.fullmatch(key) and not term.titles:
        return False  # words of grammar between names in Latin letters
    if term.verbs > _VERB * term.total + 1 or (term.verbs and term.verbs >= term.total and not term.titles):
        return False
    if language.nouns and term.spellings:
        lower = sum(count for one, count in term.spellings.items() if one[0].islower())
        if lower > _LOWER * term.spellings.total():
            return False
    places = term.total + len(term.titles)
    return term.inner <= (1 - _ALONE) * places or bool(term.whole & term.titles) or bool(term.runs)
