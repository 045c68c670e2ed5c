"""Search over the names of nodes, their addresses and their notes.

One ranking, written twice: here, and in the page's ``search.js``. Both read the tables below (the page gets them as
data) and count in whole numbers, so their answers are equal. Every word counts by its rarity, by the field with the
best match, and by the kind of match. A node whose whole name is part of the question counts more, and brings the
episodes citing it. Nodes without some of the words stay, ranked.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import QueryError, find_moment

from ..kinds import KINDS, SOURCES
from ..store import title_of
from ..words import ASKING, KEPT_ENDS, SUFFIXES, WORD, fold, stem, told_words
from .answer import Answer, build_row
from .keys import SEARCHED, is_quote_of_transcript, last_of_path, searched_texts, text_of, texts_of
from .listing import find_selected, kinds_called
from .moments import moments_of
from .resolve import resolve_reference
from .spellings import PLACE, spelled, spellings, stripped
from .which import Which

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..attributes import NodeAttributes
    from ..store import Edge
    from .view import Key, View

# The tables of the ranking: the weight of a word by its field, and by the kind of match.
FIELDS = dict(zip(SEARCHED, (8, 7, 3, 3), strict=True))
EQUAL, SAME_STEM, START, INSIDE = 4, 3, 2, 1
WHOLE, LETTERS = 1000, 100  # added for a label equal to the whole question; more if it has the very words
NAMED = 16  # times the rarity of a node's words, added if its whole name is part of the question
NUMBERED = 32  # times rarity, of an episode for its number
OF_NODE = 4  # the episodes citing a node get this part of its score, times how much they are about it
MOST_OF_NODE = 4  # the most of an edge's weight there
PARTLY = 4  # a node stays if its words count at least this part of those of the best
BRINGING = 20  # nodes bringing their episodes
ASKED = 2  # a question in plain words is for episodes: their scores are multiplied
REFERENCE = 10_000_000  # a node named by the whole text; the next one of several gets one less
BUDGET = 500  # the most nodes read by a search
INSIDE_FROM = 4  # letters of a word looked for inside others; two where they are not ASCII
MISTAKES = ((8, 2), (4, 1))  # (from so many letters, so many may differ)
SPELLINGS = 3  # corrections of a word to try
_KIND = {kind: place for place, kind in enumerate(dict.fromkeys(("episode", "topic", "blog", *KINDS)))}
CITING = ("about", "cites", "mentions")
_TWENTY = Which(limit=20)
_ROUND = 40  # characters of the notes shown on either side of a match

# one word with a slash or an at sign
_REFERENCE = re.compile(r"\S*[/\\@]\S*")
_PHRASE = re.compile(r'"([^"]+)"')


class Found(NamedTuple):
    """A hit of a search: the field of the best match (``label``, ``topic``, …) and its words.

    ``missing`` are the words of the question missing in the node, ``instead`` is the corrected question, if one of its
    words is unknown. ``time`` is the second of the spoken words in an episode (``where`` is ``said``, and the excerpt
    the quote), of its mention of the topic, or of the passage of its notes ("12:34 Salt").
    """

    id: str
    attributes: NodeAttributes
    score: int
    where: str
    excerpt: str = ""
    missing: tuple[str, ...] = ()
    instead: str = ""
    time: int | None = None


def find_nodes(text: str, view: View, kinds: tuple[str, ...] = ()) -> tuple[list[Found], bool]:
    """Return the nodes for ``text``, the best first, and whether there are more: at most ``BUDGET`` nodes are read.

    Words match whole, by their stem, from their beginning (``dispatch`` finds ``dispatcher``), and longer ones inside
    others; unknown words match the most similar words. A phrase in double quotes must occur unchanged. A node
    named by the whole text (an address, a number, a path) comes first.
    """
    folded = fold(text)
    words = list(dict.fromkeys(WORD.findall(folded)))
    quoted = [WORD.findall(phrase) for phrase in _PHRASE.findall(folded)]
    kept = {word for phrase in quoted for word in phrase}
    subject = [word for word in words if word in kept or word not in ASKING] or words
    named = _named_by_whole_text(text, view)
    found = {one.id: one for one in named if not kinds or one.attributes.get("kind") in kinds}
    one_search = _Search(view, subject, kinds, is_asked=len(subject) < len(words))
    ranked = [*one_search.ranked(quoted), *one_search.said(subject, quoted)] if subject else []
    for one in ranked:
        found.setdefault(one.id, one)
    return list(found.values()), one_search.is_cut


def _named_by_whole_text(text: str, view: View) -> list[Found]:
    """Return the nodes named by the whole text (an address, a number, a path, an id); none for other texts.

    They get the highest scores, one less for each further node.
    """
    reference = stripped(text)
    is_id = ":" in reference and view.node(reference) is not None
    if not (_REFERENCE.fullmatch(reference) or spelled(reference, "") or is_id):
        return []
    try:
        nodes = resolve_reference(text, view).nodes
    except QueryError:  # a number of several repositories: the ranking has them all
        return []
    return [Found(id_, view.node(id_) or {}, REFERENCE - place, "reference") for place, id_ in enumerate(nodes)]


class _Term:
    """A word of a question: the nodes containing it, each with weight and field."""

    def __init__(self, word: str, index: View) -> None:
        """Look up a word. If no node contains it, look up the most similar word instead."""
        self.word = word
        self.root = stem(word)
        forms = [other for other in index.words_from(self.root) if other != word and stem(other) == self.root]
        ways: list[tuple[int, list[str], str]] = [(EQUAL, [word], ""), (SAME_STEM, forms, ""), (START, [], word)]
        self.held = _find_best_matches(ways, index)
        self.instead = word
        if len(word) >= (INSIDE_FROM if word.isascii() else 2):
            inside = _find_best_matches([(INSIDE, index.words_inside(word), "")], index, SEARCHED[:3])
            self.held = inside | self.held
            if not self.held and (near := _similar_words(word, index)):
                self.instead = near[0]
                self.root = stem(near[0])
                self.held = _find_best_matches([(EQUAL, near[:1], ""), (SAME_STEM, near[1:], "")], index)
        self.rarity = 0  # among the nodes of the graph


def rarity_of(size: int, count: int) -> int:
    """Return the rarity of a word of ``count`` nodes of ``size``: the binary places of the square of the quotient.

    >>> rarity_of(900, 900), rarity_of(900, 3), rarity_of(900, 0)
    (1, 17, 0)
    """
    return (size * size // (count * count)).bit_length() if count else 0


def _find_best_matches(
    ways: Sequence[tuple[int, Sequence[str], str]], index: View, fields: Sequence[str] = SEARCHED
) -> dict[Key, tuple[int, str]]:
    """Return the nodes matching a word, each with the weight and the field of its best match.

    Each way is (weight of the kind of match, whole words, beginning of words).
    """
    found: dict[Key, tuple[int, str]] = {}
    by_worth = [(FIELDS[field] * way[0], field, way) for field in fields for way in ways]
    by_worth.sort(key=lambda one: one[0])
    for worth, field, (_, words, start) in by_worth:  # ascending: a better match replaces a worse one
        if words or start:
            found.update(dict.fromkeys(index.holding(field, words, start), (worth, field)))
    return found


class _Search:
    """One question to a graph."""

    def __init__(self, view: View, words: Sequence[str], kinds: tuple[str, ...], *, is_asked: bool) -> None:
        """Look up the words of a question. ``is_asked`` means it has further, grammatical words, as a sentence has."""
        self._view = view
        self._kinds = kinds
        self._is_asked = is_asked
        self._terms = [_Term(word, view) for word in words]
        for term in self._terms:
            numbered = view.nodes_with_key("number", term.word.lstrip("0")) if term.word.isdecimal() else ()
            for id_, node in numbered:
                if node.get("kind") == "episode":
                    term.held[view.key_of(id_) or 0] = (NUMBERED, "number")
            term.rarity = rarity_of(view.size(), len(term.held))
        self._roots = [term.root for term in self._terms]
        self._instead = " ".join(term.instead for term in self._terms)
        self._instead = "" if self._instead == " ".join(words) else self._instead
        self.is_cut = False  # whether there were more nodes than may be read

    def ranked(self, quoted: Sequence[Sequence[str]]) -> list[Found]:
        """Return the nodes containing a word, and the episodes citing a node with the right name."""
        scores: dict[Key, int] = {}
        for term in self._terms:
            for key, (worth, _) in term.held.items():
                scores[key] = scores.get(key, 0) + worth * term.rarity
        least = max(scores.values(), default=0) / PARTLY
        promising = (key for key in scores if scores[key] >= least)
        keys: Iterable[Key] = sorted(promising, key=lambda key: (-scores[key], key))
        if self._kinds:
            bringing = ("topic", "symbol") if SOURCES & set(self._kinds) else ()  # they bring the episodes citing them
            keys = self._view.of_kinds(keys, (*self._kinds, *bringing))
        keys = list(keys)
        self.is_cut = len(keys) > BUDGET
        found = [
            self._hit(id_, node, scores[key], [term.held.get(key) for term in self._terms], quoted)
            for key, (id_, node) in zip(keys[:BUDGET], self._view.read(keys[:BUDGET]), strict=True)
        ]
        ranked = {one.id: one for one in found if one is not None}
        for id_, (share, cited, edge) in self._brought(ranked.values()).items():
            if node := self._view.node(id_):
                ranked[id_] = self._with_share(ranked.get(id_), share, cited, edge, node)
        wanted = (one for one in ranked.values() if not self._kinds or one.attributes.get("kind") in self._kinds)
        return _in_order(map(self._with_whole, wanted))

    def _hit(
        self,
        id_: str,
        node: NodeAttributes,
        score: int,
        held: Sequence[tuple[int, str] | None],
        quoted: Sequence[Sequence[str]],
    ) -> Found | None:
        """Return the hit for a node; ``None`` if it lacks a quoted phrase.

        ``score`` is the sum over the words; ``held`` has, for each word, the weight and field of its match.
        """
        texts = searched_texts(id_, node)
        if quoted and not _holds(texts, quoted):
            return None
        where = max(one for one in held if one)[1]
        score += self._named(id_, node)
        if self._is_asked and node.get("kind") in SOURCES:
            score *= ASKED
        missing = tuple(term.word for term, one in zip(self._terms, held, strict=True) if not one)
        excerpt, time = _excerpt(self._roots, node) if where == "notes" else ("", None)
        return Found(id_, node, score, where, excerpt, missing, self._instead, time)

    def _named(self, id_: str, node: NodeAttributes) -> int:
        """Return the weight of a node whose whole name is part of the question; 0 for others."""
        best = 0
        for name in (*_names(id_, node), *texts_of(node, "aliases")):
            roots = told_words(name)
            if not roots:
                continue
            for at in range(len(self._roots) - len(roots) + 1):
                if self._roots[at : at + len(roots)] == roots:
                    best = max(best, NAMED * sum(term.rarity for term in self._terms[at : at + len(roots)]))
        return best

    def _brought(self, found: Iterable[Found]) -> dict[str, tuple[int, Found, Edge]]:
        """Return the weight of episodes for their cited nodes, and the best such node with its edge.

        The name of such a node has every word of the question, or is a part of it.
        """
        others = [one for one in found if one.attributes.get("kind") not in SOURCES]
        whole = (one for one in others if self._is_whole(one))
        best: dict[str, tuple[int, Found, Edge]] = {}
        for one in _in_order(whole)[:BRINGING]:
            for edge in self._view.edges_to(one.id, *CITING):
                weight = max(0.0, min(round(float(edge.attributes.get("weight", 1)), 3), MOST_OF_NODE))
                # in whole hundredths, as the page counts them
                share = one.score * int(100 * weight) // (100 * OF_NODE) * (ASKED if self._is_asked else 1)
                best_share = best[edge.source][0] if edge.source in best else 0
                if share > best_share and not edge.attributes.get("boilerplate"):
                    best[edge.source] = share, one, edge
        return best

    def _is_whole(self, one: Found) -> bool:
        """Return whether a node's name has every word of the question, or is a part of the question."""
        return (not one.missing and one.where in SEARCHED[:2]) or bool(self._named(one.id, one.attributes))

    def _with_share(self, hit: Found | None, share: int, cited: Found, edge: Edge, node: NodeAttributes) -> Found:
        """Return the hit for an episode with a share of the score of a node it cites.

        ``hit`` is the episode's own hit, if its texts match too; ``edge`` leads from the episode to the cited node.
        """
        if hit is not None:
            missing = tuple(word for word in hit.missing if word in cited.missing)
            return hit._replace(score=hit.score + share, missing=missing)
        time = next(iter(moments_of(edge.attributes.get("evidence", ()))), None)
        label = text_of(cited.attributes, "label")
        return Found(edge.source, node, share, "topic", label, cited.missing, self._instead, time)

    def _with_whole(self, one: Found) -> Found:
        """Return a node with more for a name equal to the whole question."""
        names = _names(one.id, one.attributes)
        if self._roots not in map(told_words, names) and one.where != "number":
            return one
        letters = [term.word for term in self._terms] in [WORD.findall(fold(name)) for name in names]
        score = one.score + WHOLE + (LETTERS if letters else 0)
        return one._replace(score=one.score if self._is_asked and one.attributes.get("kind") not in SOURCES else score)

    def said(self, words: Sequence[str], quoted: Sequence[Sequence[str]]) -> list[Found]:
        """Return the episodes with every word in one quote of their transcript, each with the first such quote."""
        if not self._view.transcripts or (self._kinds and not SOURCES & set(self._kinds)):
            return []
        keys = sorted(self._view.saying(words))
        self.is_cut |= len(keys) > BUDGET
        found = []
        for id_, node in self._view.read(keys[:BUDGET]):
            quotes = {
                (moments_of((item,)), item.get("quote", ""))
                for edge in self._view.edges_from(id_)
                for item in edge.attributes.get("evidence", ())
                if is_quote_of_transcript(item)
            }
            for moments, quote in sorted(quotes):
                spoken = WORD.findall(fold(quote))
                if all(any(other.startswith(word) for other in spoken) for word in words) and _holds(
                    [fold(quote)], quoted
                ):
                    found.append(Found(id_, node, 1, "said", quote, time=next(iter(moments), None)))
                    break
        return _in_order(found)


def _names(id_: str, node: NodeAttributes) -> tuple[str, ...]:
    """Return the title of a node, and the last part of a file's path."""
    return (title_of(node), last_of_path(id_)) if node.get("kind") == "file" else (title_of(node),)


def _holds(texts: Iterable[str], phrases: Iterable[Sequence[str]]) -> bool:
    """Return whether each phrase is in one of the texts, word for word. The last word may go on."""
    # A space before the text and the phrase: a phrase begins only at the beginning of a word.
    runs = [f" {' '.join(WORD.findall(text))}" for text in texts]
    return all(any(f" {' '.join(phrase)}" in run for run in runs) for phrase in phrases)


def topics_with(word: str, view: View) -> list[tuple[str, NodeAttributes]]:
    """Return the topics with a word of this stem in a name, sorted by id."""
    keys = {key for field in SEARCHED[:2] for key in view.holding(field, (), stem(word))}
    return view.read(view.of_kinds(sorted(keys), ("topic",)))


def _similar_words(word: str, index: View) -> list[str]:
    """Return at most ``SPELLINGS`` indexed words of which ``word`` may be a misspelling, the nearest first.

    Of equally near words, the most frequent comes first.
    """
    most = next((allowed for size, allowed in MISTAKES if len(word) >= size), 0)
    letters = set(word)
    near = []
    alike = index.words_like(word, most) if most and not word.isdecimal() else {}
    for other, count in alike.items():
        # Before the slow comparison: each mistake changes the set of letters by two at most.
        if abs(len(other) - len(word)) <= most and len(letters.symmetric_difference(other)) <= 2 * most:
            distance = _distance(word, other, most)
            if distance <= most:
                near.append((distance, -count, other))
    return [other for _, _, other in sorted(near)][:SPELLINGS]


def _distance(one: str, other: str, most: int) -> int:
    """Return the number of missing, added, wrong or swapped letters (optimal string alignment).

    Return ``most + 1`` as soon as the number is certain to exceed ``most``.
    """
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
    """Return hits by score, the highest first; of equal ones by kind, by rank in the graph, by id."""

    def sort_key(one: Found) -> tuple[int, int, float, str]:
        kind = _KIND.get(str(one.attributes.get("kind")), len(_KIND))
        return -one.score, kind, -float(one.attributes.get("rank", 0)), one.id

    return sorted(found, key=sort_key)


def _excerpt(roots: Iterable[str], node: NodeAttributes) -> tuple[str, int | None]:
    """Return the part of the notes with the words, and its second of the recording according to the notes."""
    notes = str(node.get("summary", ""))
    folded = notes.lower()
    place = min((at for at in map(folded.find, roots) if at >= 0), default=0)
    begin, end = max(0, place - _ROUND), min(len(notes), place + 2 * _ROUND)
    shown = " ".join(notes[begin:end].split())
    excerpt = ("…" if begin else "") + shown + ("…" if end < len(notes) else "")
    return excerpt, find_moment(notes, place, node.get("duration")) if node.get("kind") == "episode" else None


def ranking(repo: str = "") -> dict[str, object]:
    """Return the tables of the ranking as the page's script reads them."""
    return {
        "fields": FIELDS,
        "grades": {"equal": EQUAL, "stem": SAME_STEM, "start": START, "inside": INSIDE},
        "extra": {
            "whole": WHOLE, "letters": LETTERS, "named": NAMED, "numbered": NUMBERED, "ofNode": OF_NODE,
            "mostOfNode": MOST_OF_NODE, "partly": PARTLY, "bringing": BRINGING, "asked": ASKED, "reference": REFERENCE,
        },
        "budget": BUDGET,
        "insideFrom": INSIDE_FROM,
        "mistakes": MISTAKES,
        "spellings": SPELLINGS,
        "suffixes": SUFFIXES,
        "keptEnds": KEPT_ENDS,
        "asking": sorted(ASKING),
        "kinds": list(_KIND),
        "citing": CITING,
        "sources": sorted(SOURCES),
        "meant": _REFERENCE.pattern,
        "references": [(pattern.replace("(?P<", "(?<"), ids) for pattern, ids in spellings()],
        "place": PLACE,
        "repo": repo,
    }  # fmt: skip


def search_nodes(view: View, text: str, *, kind: str = "", which: Which = _TWENTY) -> Answer:
    """Answer with the nodes for a text, as ``find_nodes`` ranks them, each with where its words are.

    ``which`` selects them, by default the first twenty; a podcast or a period includes the citations of its episodes.
    Raises ``QueryError`` for an empty text, and for an unknown kind, podcast or day.
    """
    if not text.strip(' "'):
        raise QueryError("an empty text is everywhere", remedy="give a word or a phrase")
    found, is_cut = find_nodes(text, view, kinds_called(kind, view.kinds) if kind else ())
    selected = find_selected(view, which)
    found = [one for one in found if selected is None or one.id in selected]
    rows = []
    for one in (found[::-1] if which.reverse else found)[: which.limit or None]:
        where = "" if one.excerpt else _PLACES_OF_WORDS.get(one.where, one.where)
        rows.append(
            build_row(
                one.id, one.attributes, score=one.score, where=one.where, excerpt=one.excerpt, time=one.time,
                missing=list(one.missing), instead=one.instead, reasons=[one.excerpt or where],
            )
        )  # fmt: skip
    notes = []
    if rows and rows[0].instead:
        notes.append(f"nothing holds {text!r}: searched for {rows[0].instead!r}")
    if is_cut:
        notes.append("there are more results: narrow the question")
    if not rows:
        notes.append(f"nothing holds {text!r}")
    columns = ("kind", "date", "title", "reasons", "url")
    return Answer("search", text, columns, tuple(rows), len(found), notes=tuple(notes))


# Where a word is, for a person.
_PLACES_OF_WORDS = {
    "label": "in its name", "aliases": "in another name", "id": "in its id", "url": "in its address",
    "topic": "about the topic", "number": "its number",
}  # fmt: skip
