"""Search over what the nodes of a graph are called, where they live, and what the notes say.

One ranking, written twice: here, and in the page's ``search.js``. Both read the tables below (the page gets them as
data), count in whole numbers, and so agree to the last place. A search goes through three rounds and ends at the first
that finds enough: every word as it was typed; words that nothing holds replaced by those a letter or two away; and
whatever holds the most of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cached_property
from itertools import islice, product
from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import QueryError

from ..kinds import KINDS, SOURCES
from .fields import with_day
from .keys import text_of, texts_of
from .moments import moments_of
from .resolve import resolve_reference
from .spellings import PLACE, spelled, spellings, stripped
from .which import First, Which

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ..attributes import NodeAttributes
    from .view import Key, View, Words

# The tables of the ranking. How much a word counts by where it stands and by how it is met:
FIELDS = {"label": 8, "aliases": 7, "id": 3, "url": 3, "notes": 2}
EQUAL, SAME_STEM, START, INSIDE = 4, 3, 2, 1
# What is added when the words asked for are the whole label, its beginning, or stand in it together:
WHOLE, BEGINNING, TOGETHER = 1000, 200, 100
TO_THE_LETTER = 100  # more for a label that has the very words, not only their stems
NAMED = 5000  # a node that the whole text is a reference to; the next one of several gets one less
INSIDE_FROM = 4  # letters that a word needs to be met inside another; two where they are not ASCII
BUDGET = 500  # the most nodes that a round of search reads from a view with an index of words
ENOUGH = 3  # hits that make a round of spelling mistakes needless
MISTAKES = ((8, 2), (4, 1))  # (from so many letters, so many may differ)
SPELLINGS = 3  # corrections of a word that are tried
OF_A_TOPIC = 4  # the episodes of a topic get this part of what the topic gets
# What is cut off a word: the longest of these that leaves a vowel and three letters. A stem is always a beginning.
SUFFIXES = (
    *("izations", "ization", "ations", "ation", "ators", "ator", "ments", "ment", "ities", "ings", "ions", "ing"),
    *("ion", "ity", "ies", "ers", "ed", "er", "es", "ly", "s", "e", "y"),
)
KEPT_ENDS = ("ss", "us", "is")  # no plural
# Words that count only in a whole label: where other words are asked for, these are not looked for.
SMALL_WORDS = frozenset(
    "a about an and are as at be by can do does for from how i in is it of on or so the to what when where which "
    "why with".split()
)
_KIND = {kind: place for place, kind in enumerate(dict.fromkeys(("episode", "topic", "blog", *KINDS)))}
_TWENTY = Which(limit=20)
_ROUND = 40  # characters of the notes shown on either side of what was found

# one word with a slash or an at sign
_REFERENCE = re.compile(r"\S*[/\\@]\S*")
_TERM = re.compile(r'"([^"]+)"|(\S+)')  # a phrase in double quotes, or what stands between spaces
_WORD = re.compile(r"[^\W_]+")  # letters and digits of any script
_MARKS = re.compile("[\u0300-\u036f]")  # accents that normalisation took off their letters
_VOWEL = re.compile("[aeiouy]|[^a-z]")


class Found(NamedTuple):
    """A node that a search found: where (``label``, ``aliases``, ``number``, ``topic``, …) and the words there.

    ``missing`` are the words of the question that it does not hold, ``instead`` what was searched in place of words
    that nothing holds. ``time`` is the second at which an episode says what was asked for (``where`` is ``said``, and
    the excerpt the quote), or speaks of the topic that brings it.
    """

    id: str
    attributes: NodeAttributes
    score: int
    where: str
    excerpt: str = ""
    missing: tuple[str, ...] = ()
    instead: str = ""
    time: int | None = None

    def record(self) -> dict[str, object]:
        """Return all fields of it; an excerpt, what is missing and what was searched instead where there are any."""
        more: dict[str, object] = {"excerpt": self.excerpt, "instead": self.instead, "missing": self.missing}
        more |= {"time": self.time} if self.time is not None else {}
        record: dict[str, object] = {
            **self.attributes,
            "id": self.id,
            "kind": self.attributes.get("kind", ""),
            "label": self.attributes.get("label", ""),
            "score": self.score,
            "where": self.where,
            **{name: value for name, value in more.items() if value or name == "time"},
        }
        return with_day(record)


class Hits(list[Found]):
    """The nodes that a search found, the best first; ``total`` is their number before a limit.

    ``is_cut`` means that the graph has more results: only the most promising nodes were read.
    """

    def __init__(self, found: Iterable[Found] = (), limit: int = 0, *, is_cut: bool = False, query: str = "") -> None:
        first = First(found, limit)
        super().__init__(first)
        self.total, self.is_cut, self.query = first.total, is_cut, query

    def to_dict(self) -> dict[str, object]:
        """Return the answer with all fields of each node, as JSON has it."""
        nodes = [one.record() for one in self]
        return {"query": self.query, "found": bool(self), "total": self.total, "nodes": nodes}


class _Entry(NamedTuple):
    id: str
    attributes: NodeAttributes
    texts: tuple[str, ...]  # folded, in the order of FIELDS


class _Met(NamedTuple):
    """What a term counts in a node, the field where it counts most, and whether a word is met from its start there."""

    worth: int
    field: str
    whole: bool


def fold(text: str) -> str:
    """Return text as it is compared: lower case, without accents.

    >>> fold("Straße Café")
    'strasse cafe'
    """
    if text.isascii():
        return text.lower()
    return _MARKS.sub("", unicodedata.normalize("NFKD", text)).lower().replace("ß", "ss")


def stem(word: str) -> str:
    """Return the beginning that the forms of a folded word share.

    >>> [stem(word) for word in ("fusion", "fuse", "libraries", "library", "mapping", "string", "class", "cuda")]
    ['fus', 'fus', 'librar', 'librar', 'map', 'string', 'class', 'cuda']
    """
    for suffix in SUFFIXES:
        root = word[: len(word) - len(suffix)]
        if len(root) >= 3 and word.endswith(suffix) and _VOWEL.search(root):
            if suffix == "s" and word.endswith(KEPT_ENDS):
                return word
            return root[:-1] if len(root) > 3 and root[-1] == root[-2] and root[-1] not in "lsz" else root
    return word


def search(text: str, view: View, kind: str = "", which: Which = _TWENTY) -> Hits:
    """Return the nodes that ``text`` asks for, as ``find_nodes`` has it, of the kind that ``kind`` names.

    ``which`` says which are wanted, by default the first twenty: of a podcast or of some days are its episodes and what
    they name. Raises ``QueryError`` for an empty text, and for a kind, podcast or day that there is none of.
    """
    check_search(text)
    kinds: tuple[str, ...] = ()
    if kind:
        from .listing import kinds_called  # noqa: PLC0415 - few searches are for a kind

        kinds = kinds_called(kind, view.kinds)
    found = find_nodes(text, view, 0, kinds)
    if which.podcast or which.group or which.since or which.until:
        from .listing import speaker_test  # noqa: PLC0415 - few searches are in one podcast, or in some days

        is_wanted = speaker_test(view, which)
        found = Hits((one for one in found if is_wanted(one.id)), is_cut=found.is_cut)
    return Hits(found[::-1] if which.reverse else found, which.limit, is_cut=found.is_cut, query=text)


def check_search(text: str) -> None:
    """Raise ``QueryError`` for an empty text."""
    if not text.strip(' "'):
        raise QueryError("an empty text is everywhere", remedy="give a word or a phrase")


def find_nodes(text: str, view: View, most: int = 20, kinds: tuple[str, ...] = (), repo: str = "") -> Hits:
    """Return the nodes that ``text`` asks for, the best first, ``most`` at most (0: all).

    Words match whole, by their stem, or from their beginning (``dispatch`` finds ``dispatcher``), longer ones inside
    others too; words in double quotes, or joined by signs (``torch.vmap``), as a phrase. Labels weigh most, then
    aliases, ids and URLs, then notes; rare words more than frequent ones; of equals the kind and the rank decide. A
    topic so called brings its episodes. What the whole text is a reference to (an address, a number of
    ``repo``, a path), as ``resolve_reference`` reads it, comes before all. Where a view has an index of words, at most
    ``BUDGET`` nodes are read for each round.
    """
    asked = [words for phrase, word in _TERM.findall(text) if (words := _WORD.findall(fold(phrase or word)))]
    terms = [term for term in asked if len(term) > 1 or term[0] not in SMALL_WORDS] or asked
    if not terms:
        return Hits()
    search = _Search(view, kinds, [word for term in asked for word in term])
    found = {one.id: one for one in _meant(text, view, repo) if not kinds or one.attributes.get("kind") in kinds}
    for one in (*search.all_of(terms), *search.said(terms)):
        found.setdefault(one.id, one)
    if len(found) < ENOUGH:
        for one in search.corrected(terms):
            found.setdefault(one.id, one)
    return Hits(list(found.values()) or search.most_of(terms), most, is_cut=search.is_cut)


def _meant(text: str, view: View, repo: str) -> list[Found]:
    told = stripped(text)
    if not (_REFERENCE.fullmatch(told) or spelled(told, repo) or (":" in told and view.node(told) is not None)):
        return []
    try:
        nodes = resolve_reference(text, view, repo).nodes
    except QueryError:  # a number of several repositories: the ranking has them all
        return []
    return [Found(id_, view.node(id_) or {}, NAMED - place, "reference") for place, id_ in enumerate(nodes)]


class _Search:
    """One question's look at a graph: its texts folded once."""

    def __init__(self, view: View, kinds: tuple[str, ...], words: Sequence[str]) -> None:
        self._view = view
        self._words = words
        self._kinds = kinds
        self._entries: dict[str, _Entry] = {}
        self._index = view.words()
        self._terms: dict[tuple[str, ...], _Term] = {}
        self.is_cut = False  # whether there were more nodes than may be read

    def all_of(self, terms: Sequence[Sequence[str]], instead: str = "") -> list[Found]:
        """Return the nodes that hold every term, and the episodes of topics that are called so."""
        asked = [self._term(term) for term in terms]
        words = instead.split() or self._words
        entries = self._read(set.intersection(*(term.keys for term in asked)), words)
        found = {
            entry.id: self._found(entry, asked, words, instead)
            for entry in entries
            if all(term.met(entry) for term in asked)
        }
        holding = frozenset(found)
        topics = [one for one in found.values() if one.attributes.get("kind") == "topic"]
        for topic in _in_order(one for one in topics if one.where in ("label", "aliases")):
            if self._index is not None and len(found) > 2 * BUDGET:
                self.is_cut = True
                break
            for edge in self._view.edges_to(topic.id, "about"):
                node = self._view.node(edge.source)
                if edge.source not in holding and node is not None:
                    score = topic.score // OF_A_TOPIC + int(4 * round(edge.attributes.get("weight", 1), 3))
                    before = found.get(edge.source)
                    if before is None or before.score < score:
                        label = str(topic.attributes.get("label", ""))
                        time = next(iter(moments_of(edge.attributes.get("evidence", ()))), None)
                        found[edge.source] = Found(edge.source, node, score, "topic", label, (), instead, time)
        return _in_order(one for one in found.values() if self._is_wanted(one.attributes))

    def said(self, terms: Sequence[Sequence[str]]) -> list[Found]:
        """Return the episodes that say every term in one of the quotes of their transcript, each with the first."""
        if not self._view.transcripts or (self._kinds and not SOURCES & set(self._kinds)):
            return []
        meets = [_Meets(tuple(term)) for term in terms]
        nodes = self._view.nodes(*SOURCES)
        if self._index is not None:
            keys = self._index.saying([word for one in meets for word in one.words(self._index)])
            self.is_cut |= len(keys) > BUDGET
            nodes = ((id_, self._view.node(id_) or {}) for id_ in map(self._view.id_of, sorted(keys)[:BUDGET]))
        found = []
        for id_, node in nodes:
            quotes = {
                (moments_of((item,)), item.get("quote", ""))
                for edge in self._view.edges_from(id_)
                for item in edge.attributes.get("evidence", ())
                if is_quote_of_transcript(item)
            }
            for moments, quote in sorted(quotes):
                if all(one.in_text(fold(quote)) for one in meets):
                    found.append(Found(id_, node, 1, "said", quote, time=next(iter(moments), None)))
                    break
        return _in_order(found)

    def corrected(self, terms: Sequence[Sequence[str]]) -> list[Found]:
        """Return what is found when words that nothing holds are replaced by words that are nearly the same."""
        words = list(dict.fromkeys(word for term in terms for word in term))
        unknown = [word for word in words if not self._is_known(word)]
        spellings = [_near(word, self._vocabulary(word))[:SPELLINGS] for word in unknown]
        found: dict[str, Found] = {}
        for choice in product(*spellings) if unknown else ():
            other = dict(zip(unknown, choice, strict=True))
            replaced = [[other.get(word, word) for word in term] for term in terms]
            for one in self.all_of(replaced, " ".join(word for term in replaced for word in term)):
                found.setdefault(one.id, one)
        return list(found.values())

    def most_of(self, terms: Sequence[Sequence[str]]) -> list[Found]:
        """Return the nodes that hold the most of the terms, told by how rare these are."""
        asked = [self._term(term) for term in terms]
        held: Counter[Key] = Counter()
        for term in asked:
            held.update(dict.fromkeys(term.keys, self._rarity(term)))
        best = max(held.values(), default=0)
        found = []
        known = [word for term in asked if term.keys for word in term.words]
        for entry in self._read({key for key in held if held[key] == best}, known) if best else ():
            there = [term for term in asked if term.met(entry)]
            if there and self._is_wanted(entry.attributes):
                words = [word for term in there for word in term.words]
                missing = tuple(" ".join(term.words) for term in asked if term not in there)
                found.append(self._found(entry, there, words, "")._replace(missing=missing))
        return _in_order(found)

    def _is_wanted(self, node: NodeAttributes) -> bool:
        return not self._kinds or node.get("kind") in self._kinds

    def _found(self, entry: _Entry, terms: Sequence[_Term], words: Sequence[str], instead: str) -> Found:
        """Return the result for a node that matches all terms, with its score and the field of the best match."""
        mets = [(term, met) for term in terms if (met := term.met(entry))]
        score = sum(met.worth * self._rarity(term) for term, met in mets)
        where = min(met for _, met in mets).field
        letters, stems = _WORD.findall(entry.texts[0]), [stem(word) for word in words]
        label = [stem(word) for word in letters]
        if label == stems or where == "number":
            score += WHOLE + (TO_THE_LETTER if letters == words else 0)
        elif label[: len(stems)] == stems:
            score += BEGINNING
        elif len(stems) > 1 and f" {' '.join(stems)} " in f" {' '.join(label)} ":
            score += TOGETHER
        excerpt = _excerpt(words, entry.attributes) if where == "notes" else ""
        return Found(entry.id, entry.attributes, score, where, excerpt, (), instead)

    def _rarity(self, term: _Term) -> int:
        """Return how rare a term is, from 1: the binary places of how many times fewer nodes hold it than there are."""
        return (self._size // len(term.keys)).bit_length() if term.keys else 0

    @cached_property
    def _size(self) -> int:
        return len(self._all) if self._index is None else self._index.size()

    @cached_property
    def _all(self) -> list[_Entry]:
        return self._entered(self._view.nodes())

    def _entered(self, nodes: Iterable[tuple[str, NodeAttributes]]) -> list[_Entry]:
        """Return the entries of nodes, each made once."""
        known = self._entries
        return [
            known.get(id_) or known.setdefault(id_, _Entry(id_, node, searched_texts(id_, node))) for id_, node in nodes
        ]

    def _read(self, keys: AbstractSet[Key], words: Sequence[str]) -> list[_Entry]:
        """Return the entries of nodes, sorted by id; if there are too many, only the most promising."""
        if self._index is None:
            return [self._entries[str(key)] for key in sorted(keys)]
        self.is_cut |= len(keys) > BUDGET
        kinds = (*self._kinds, "topic") if self._kinds else ()
        return sorted(self._entered(self._index.promising(keys, " ".join(words), BUDGET, kinds)))

    def _term(self, words: Sequence[str]) -> _Term:
        """Return a term with the keys of the nodes that match it; each term is looked up once."""
        if tuple(words) not in self._terms:
            term = self._terms[tuple(words)] = _Term(tuple(words))
            if self._index is None:
                term.keys = {entry.id for entry in self._all if term.met(entry)}
            else:
                term.keys = self._index.holding(term.meets.words(self._index), term.meets.inside) | self._numbered(term)
                if len(words) > 1 and len(term.keys) <= BUDGET:  # the index knows no phrases
                    found = self._entered(self._index.promising(term.keys, " ".join(words), BUDGET, ()))
                    term.keys = {self._view.key_of(entry.id) or "" for entry in found if term.met(entry)}
        return self._terms[tuple(words)]

    def _numbered(self, term: _Term) -> set[Key]:
        number = "" if term.meets.number is None else str(term.meets.number)
        nodes = self._view.keyed("number", number) if number else ()
        return {self._view.key_of(id_) or "" for id_, node in nodes if node.get("kind") == "episode"}

    def _is_known(self, word: str) -> bool:
        term = self._term((word,))
        if self._index is None:
            return any(met.whole for met in map(term.met, self._all) if met)
        begun = any(term.meets.begins(other) for other in self._index.words_from(term.meets.stems[0]))
        return begun or bool(self._numbered(term))

    def _vocabulary(self, like: str) -> Mapping[str, int]:
        """Return the words of names, at least those about like one, each with how many names hold it."""
        return self._words_of_names if self._index is None else self._index.words_like(like, _slips(like))

    @cached_property
    def _words_of_names(self) -> Mapping[str, int]:
        return names_words((entry.id, entry.attributes) for entry in self._all)


class _Term:
    """A term of a search, the keys of the nodes that match it, and how well each matches."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self.words = words
        self.meets = _Meets(words)
        self.keys: set[Key] = set()
        self._mets: dict[str, _Met | None] = {}

    def met(self, entry: _Entry) -> _Met | None:
        """Return the best match of the term in a node, ``None`` if there is none."""
        if entry.id not in self._mets:
            self._mets[entry.id] = self.meets.best(entry)
        return self._mets[entry.id]


class _Meets:
    """How a term is met in the fields of a node."""

    def __init__(self, term: tuple[str, ...]) -> None:
        self._term = term
        self.stems = [stem(word) for word in term]
        self._roots = frozenset(self.stems)
        self._first = re.compile(rf"(?<![^\W_]){self.stems[0]}[^\W_]*")  # a word that begins as the first one does
        last = term[-1]
        self.inside = last if len(term) == 1 and len(last) >= (INSIDE_FROM if last.isascii() else 2) else ""
        self.number = int(last) if len(term) == 1 and last.isascii() and last.isdigit() and len(last) < 10 else None

    def words(self, index: Words) -> list[tuple[str, list[str]]]:
        """Return each word of the term, with the words in an index that share its stem but not its beginning."""
        found = []
        for word, root in zip(self._term, self.stems, strict=True):
            forms = index.words_from(root) if root != word else ()
            found.append((word, [form for form in forms if not form.startswith(word) and stem(form) == root]))
        return found

    def begins(self, word: str) -> bool:
        """Tell whether a word has the stem of the term's first word, or begins with that."""
        return self._of_word(word, 0) > 0

    def best(self, entry: _Entry) -> _Met | None:
        """Return the match with the highest score among the fields of a node, ``None`` if there is none."""
        node, mets = entry.attributes, []
        if self.number is not None and node.get("number") == self.number and node.get("kind") == "episode":
            mets.append(_Met(FIELDS["label"] * EQUAL, "number", whole=True))
        for (field, weight), text in zip(FIELDS.items(), entry.texts, strict=True):
            if mets and weight * EQUAL < max(mets).worth:
                break  # the fields that follow have lower weights
            if (
                all(root in text for root in self._roots)
                and (grade := self._grade(text))
                and (grade > INSIDE or field != "notes")
            ):
                mets.append(_Met(weight * grade, field, grade > INSIDE))
        return max(mets, default=None)

    def in_text(self, text: str) -> bool:
        """Tell whether a folded text holds the term, its words from their beginnings."""
        return all(root in text for root in self._roots) and self._grade(text) > INSIDE

    def _grade(self, text: str) -> int:
        if len(self._term) > 1:
            starts = (found.start() for found in self._first.finditer(text))
            spans = [[word[0] for word in islice(_WORD.finditer(text, at), len(self._term))] for at in starts]
        else:
            spans = [[word] for word in set(self._first.findall(text))]
        best = max((self._of_span(span) for span in spans if len(span) == len(self._term)), default=0)
        return best or (INSIDE if self.inside and self.inside in text else 0)

    def _of_span(self, words: Sequence[str]) -> int:
        """Return how a phrase is met: by the same words, by the same stems, or its last word only from its start."""
        grades = []
        for at, word in enumerate(words):
            grades.append(self._of_word(word, at))
            if grades[-1] < (SAME_STEM if at < len(words) - 1 else START):
                return 0
        return min(grades)

    def _of_word(self, word: str, at: int) -> int:
        """Return how one word is met by another: the same, of the same stem, or from its start."""
        if not word.startswith(self.stems[at]):
            return 0
        if word == self._term[at]:
            return EQUAL
        return SAME_STEM if stem(word) == self.stems[at] else START if word.startswith(self._term[at]) else 0


def words_of(text: str) -> list[str]:
    """Return the words of a text, folded.

    >>> words_of("Straße, torch.vmap")
    ['strasse', 'torch', 'vmap']
    """
    return _WORD.findall(fold(text))


def is_quote_of_transcript(item: Mapping[str, object]) -> bool:
    """Tell whether a piece of evidence is a quote from a transcript."""
    return item.get("field") == "transcript" and "quote" in item


def told_words(text: str) -> frozenset[str]:
    """Return the stems of the words of a text, without the small words beside others.

    >>> sorted(told_words("the memory formats")), sorted(told_words("in-line"))
    (['format', 'memor'], ['lin'])
    """
    words = words_of(text)
    return frozenset(map(stem, [word for word in words if word not in SMALL_WORDS] or words))


def names_words(nodes: Iterable[tuple[str, NodeAttributes]]) -> Mapping[str, int]:
    """Return the words of what nodes are called, folded, each with how many names hold it."""
    return Counter(
        word for id_, node in nodes for text in searched_texts(id_, node)[:2] for word in {*_WORD.findall(text)}
    )


def searched_texts(id_: str, node: NodeAttributes) -> tuple[str, ...]:
    """Return the folded texts of a node that search reads, one for each of ``FIELDS``."""
    label = text_of(node, "title") or text_of(node, "label")
    names = "\n".join((*texts_of(node, "aliases"), *texts_of(node, "names")))
    return tuple(map(fold, (label, names, id_, text_of(node, "url"), text_of(node, "summary"))))


def _slips(word: str) -> int:
    """Return how many letters may differ from a word."""
    return next((allowed for size, allowed in MISTAKES if len(word) >= size), 0)


def _near(word: str, vocabulary: Mapping[str, int]) -> list[str]:
    """Return the words that differ from ``word`` by no more than a slip, the nearest and most frequent first."""
    most = _slips(word)
    letters = set(word)
    near = []
    for other in vocabulary if most else ():
        if abs(len(other) - len(word)) <= most and len(letters.symmetric_difference(other)) <= 2 * most:
            distance = _distance(word, other, most)
            if distance <= most:
                near.append((distance, -vocabulary[other], other))
    return [other for _, _, other in sorted(near)]


def _distance(one: str, other: str, most: int) -> int:
    """Return how many letters are missing, more, wrong or swapped (optimal string alignment); beyond ``most``: more."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        earlier, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if earlier and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]


def _in_order(found: Iterable[Found]) -> list[Found]:
    return sorted(
        found,
        key=lambda one: (
            -one.score,
            _KIND.get(str(one.attributes.get("kind")), len(_KIND)),
            -float(one.attributes.get("rank", 0)),
            one.id,
        ),
    )


def _excerpt(words: Iterable[str], node: NodeAttributes) -> str:
    notes = str(node.get("summary", ""))
    folded = notes.lower()
    place = min((at for at in (folded.find(stem(word)) for word in words) if at >= 0), default=0)
    begin, end = max(0, place - _ROUND), min(len(notes), place + 2 * _ROUND)
    shown = " ".join(notes[begin:end].split())
    return ("…" if begin else "") + shown + ("…" if end < len(notes) else "")


def ranking(repo: str = "") -> dict[str, object]:
    """Return the tables of the ranking as the page's script reads them."""
    return {
        "fields": FIELDS,
        "grades": {"equal": EQUAL, "stem": SAME_STEM, "start": START, "inside": INSIDE},
        "extra": {
            "whole": WHOLE,
            "beginning": BEGINNING,
            "together": TOGETHER,
            "letter": TO_THE_LETTER,
            "named": NAMED,
        },
        "insideFrom": INSIDE_FROM,
        "enough": ENOUGH,
        "mistakes": MISTAKES,
        "spellings": SPELLINGS,
        "ofTopic": OF_A_TOPIC,
        "suffixes": SUFFIXES,
        "keptEnds": KEPT_ENDS,
        "smallWords": sorted(SMALL_WORDS),
        "kinds": list(_KIND),
        "reference": _REFERENCE.pattern,
        "references": [(pattern.replace("(?P<", "(?<"), ids) for pattern, ids in spellings()],
        "place": PLACE,
        "repo": repo,
    }
