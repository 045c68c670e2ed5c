"""Search over the names of nodes, their addresses and their notes.

One ranking, written twice: here, and in the page's ``search.js``. Both read the tables below (the page gets them as
data) and count in whole numbers, so their answers are equal. Every word counts by its rarity, by the field with the
best match, and by the kind of match. A node whose whole name is part of the question counts more, and brings the
episodes citing it. Nodes without some of the words stay, ranked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import QueryError, find_moment

from ..kinds import KINDS, SOURCES
from ..store import Edge, title_of
from ..words import ASKING, KEPT_ENDS, SUFFIXES, WORD, fold, stem, told_words, words_of
from .answer import Answer, build_row
from .days import Which
from .keys import SEARCHED, is_quote_of_transcript, last_of_path, searched_texts, text_of, texts_of
from .listing import find_selected, kinds_called
from .moments import moments_of
from .resolve import resolve_reference
from .spellings import PLACE, list_ids, spellings, strip_quotes

if TYPE_CHECKING:
    from ..attributes import NodeAttributes
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


class Hit(NamedTuple):
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


def find_nodes(text: str, view: View, kinds: tuple[str, ...] = ()) -> tuple[list[Hit], bool]:
    """Return the nodes for ``text``, the best first, and whether there are more: at most ``BUDGET`` nodes are read.

    Words match whole, by their stem, from their beginning (``dispatch`` finds ``dispatcher``), and longer ones inside
    others; unknown words match the most similar words. A phrase in double quotes must occur unchanged. A node
    named by the whole text (an address, a number, a path) comes first.
    """
    hits = {hit.id: hit for hit in _find_reference(text, view) if not kinds or hit.attributes.get("kind") in kinds}
    search = _Search(view, text, kinds)
    for hit in [*search.rank(), *search.list_quotes()] if search.words else []:
        hits.setdefault(hit.id, hit)
    return list(hits.values()), search.is_cut


def _find_reference(text: str, view: View) -> list[Hit]:
    """Return the nodes named by the whole text (an address, a number, a path, an id); none for other texts.

    They get the highest scores, one less for each further node.
    """
    reference = strip_quotes(text)
    is_id = ":" in reference and view.node(reference) is not None
    if not (_REFERENCE.fullmatch(reference) or list_ids(reference, "") or is_id):
        return []
    try:
        nodes = resolve_reference(text, view).nodes
    except QueryError:  # a number of several repositories: the ranking has them all
        return []
    return [Hit(id_, view.node(id_) or {}, REFERENCE - place, "reference") for place, id_ in enumerate(nodes)]


class _Term(NamedTuple):
    """A word of a question, the word taken instead if no node has it, and the nodes with it: weight and field."""

    word: str
    root: str
    instead: str
    matches: dict[Key, tuple[int, str]]
    rarity: int


def _find_term(word: str, view: View) -> _Term:
    """Return the nodes with a word; if there are none, those with the most similar word."""
    root, instead = stem(word), word
    forms = [other for other in view.words_from(root) if other != word and stem(other) == root]
    matches = _find_best_matches([(EQUAL, [word], ""), (SAME_STEM, forms, ""), (START, [], word)], view)
    if len(word) >= (INSIDE_FROM if word.isascii() else 2):
        inside = _find_best_matches([(INSIDE, view.words_inside(word), "")], view, SEARCHED[:3])
        matches = inside | matches
        if not matches and (near := _list_similar_words(word, view)):
            instead, root = near[0], stem(near[0])
            matches = _find_best_matches([(EQUAL, near[:1], ""), (SAME_STEM, near[1:], "")], view)
    for id_, node in view.nodes_with_key("number", word.lstrip("0")) if word.isdecimal() else ():
        if node.get("kind") == "episode":
            matches[view.key_of(id_) or 0] = (NUMBERED, "number")
    return _Term(word, root, instead, matches, rarity_of(view.size(), len(matches)))


def rarity_of(size: int, count: int) -> int:
    """Return the rarity of a word of ``count`` nodes of ``size``: the binary places of the square of the quotient.

    >>> rarity_of(900, 900), rarity_of(900, 3), rarity_of(900, 0)
    (1, 17, 0)
    """
    return (size * size // (count * count)).bit_length() if count else 0


def _find_best_matches(
    ways: Sequence[tuple[int, Sequence[str], str]], view: View, fields: Sequence[str] = SEARCHED
) -> dict[Key, tuple[int, str]]:
    """Return the nodes matching a word, each with the weight and the field of its best match.

    Each way is (weight of the kind of match, whole words, beginning of words).
    """
    matches: dict[Key, tuple[int, str]] = {}
    by_weight = [(FIELDS[field] * way[0], field, way) for field in fields for way in ways]
    by_weight.sort(key=lambda one: one[0])
    for weight, field, (_, words, start) in by_weight:  # ascending: a better match replaces a worse one
        if words or start:
            matches.update(dict.fromkeys(view.find_words(field, words, start), (weight, field)))
    return matches


class _Search:
    """One question to a graph."""

    def __init__(self, view: View, text: str, kinds: tuple[str, ...]) -> None:
        """Look up the words of a question."""
        self._view, self._kinds = view, kinds
        words = list(dict.fromkeys(words_of(text)))
        self._phrases = [words_of(phrase) for phrase in _PHRASE.findall(text)]
        phrase_words = {word for phrase in self._phrases for word in phrase}
        self.words = [word for word in words if word in phrase_words or word not in ASKING] or words
        self._factor = ASKED if len(self.words) < len(words) else 1  # for episodes, as a sentence asks for these
        self._terms = [_find_term(word, view) for word in self.words]
        self._roots = [term.root for term in self._terms]
        self._instead = " ".join(term.instead for term in self._terms)
        self._instead = "" if self._instead == " ".join(self.words) else self._instead
        self.is_cut = False  # whether there were more nodes than may be read

    def rank(self) -> list[Hit]:
        """Return the nodes containing a word, and the episodes citing a node with the right name."""
        scores: dict[Key, int] = {}
        for term in self._terms:
            for key, (weight, _) in term.matches.items():
                scores[key] = scores.get(key, 0) + weight * term.rarity
        least = max(scores.values(), default=0) / PARTLY
        keys = sorted((key for key in scores if scores[key] >= least), key=lambda key: (-scores[key], key))
        if self._kinds:
            bringing = ("topic", "symbol") if SOURCES & set(self._kinds) else ()  # they bring the episodes citing them
            keys = self._view.of_kinds(keys, (*self._kinds, *bringing))
        self.is_cut = len(keys) > BUDGET
        hits: dict[str, Hit] = {}
        for key, (id_, node) in zip(keys[:BUDGET], self._view.read(keys[:BUDGET]), strict=True):
            if not self._phrases or _has_phrases(searched_texts(id_, node), self._phrases):
                hits[id_] = self._build_hit(key, id_, node, scores[key])
        for id_, (share, target, edge) in self._find_citing(hits.values()).items():
            hits[id_] = self._add_share(hits.get(id_), share, target, edge)
        right_hits = (hit for hit in hits.values() if not self._kinds or hit.attributes.get("kind") in self._kinds)
        return _sort_hits(map(self._add_whole, right_hits))

    def _build_hit(self, key: Key, id_: str, node: NodeAttributes, score: int) -> Hit:
        """Return the hit for a node; ``score`` is the sum over the words."""
        where = max(term.matches[key] for term in self._terms if key in term.matches)[1]
        score += self._weigh_name(id_, node)
        if node.get("kind") in SOURCES:
            score *= self._factor
        missing = tuple(term.word for term in self._terms if key not in term.matches)
        excerpt, time = _excerpt(self._roots, node) if where == "notes" else ("", None)
        return Hit(id_, node, score, where, excerpt, missing, self._instead, time)

    def _weigh_name(self, id_: str, node: NodeAttributes) -> int:
        """Return the weight of a node whose whole name is part of the question; 0 for others."""
        best = 0
        for name in (*_names(id_, node), *texts_of(node, "aliases")):
            roots = told_words(name)
            for at in range(len(self._roots) - len(roots) + 1 if roots else 0):
                if self._roots[at : at + len(roots)] == roots:
                    best = max(best, NAMED * sum(term.rarity for term in self._terms[at : at + len(roots)]))
        return best

    def _find_citing(self, hits: Iterable[Hit]) -> dict[str, tuple[int, Hit, Edge]]:
        """Return the weight of episodes for the nodes that they cite, and the best such node with its edge.

        The name of such a node has every word of the question, or is a part of it.
        """
        targets = [
            hit for hit in hits if hit.attributes.get("kind") not in SOURCES and (
                (not hit.missing and hit.where in SEARCHED[:2]) or self._weigh_name(hit.id, hit.attributes)
            )
        ]  # fmt: skip
        best: dict[str, tuple[int, Hit, Edge]] = {}
        for hit in _sort_hits(targets)[:BRINGING]:
            for edge in self._view.edges_to(hit.id, *CITING):
                weight = max(0.0, min(round(float(edge.attributes.get("weight", 1)), 3), MOST_OF_NODE))
                # in whole hundredths, as the page counts them
                share = hit.score * int(100 * weight) // (100 * OF_NODE) * self._factor
                best_share = best[edge.source][0] if edge.source in best else 0
                if share > best_share and not edge.attributes.get("boilerplate"):
                    best[edge.source] = share, hit, edge
        return best

    def _add_share(self, hit: Hit | None, share: int, target: Hit, edge: Edge) -> Hit:
        """Return the hit for an episode with a share of the score of a node it cites.

        ``hit`` is the episode's own hit, if its texts match too; ``edge`` leads from the episode to the target.
        """
        if hit is not None:
            missing = tuple(word for word in hit.missing if word in target.missing)
            return hit._replace(score=hit.score + share, missing=missing)
        time = next(iter(moments_of(edge.attributes.get("evidence", ()))), None)
        label, node = text_of(target.attributes, "label"), self._view.node(edge.source) or {}
        return Hit(edge.source, node, share, "topic", label, target.missing, self._instead, time)

    def _add_whole(self, hit: Hit) -> Hit:
        """Return a hit with more for a name equal to the whole question."""
        names = _names(hit.id, hit.attributes)
        is_whole = self._roots in map(told_words, names) or hit.where == "number"
        if not is_whole or (self._factor > 1 and hit.attributes.get("kind") not in SOURCES):
            return hit
        has_letters = [term.word for term in self._terms] in map(words_of, names)
        return hit._replace(score=hit.score + WHOLE + (LETTERS if has_letters else 0))

    def list_quotes(self) -> list[Hit]:
        """Return the episodes with every word in one quote of their transcript, each with the first such quote."""
        if not self._view.transcripts or (self._kinds and not SOURCES & set(self._kinds)):
            return []
        keys = sorted(self._view.find_quotes(self.words))
        self.is_cut |= len(keys) > BUDGET
        hits = []
        for id_, node in self._view.read(keys[:BUDGET]):
            evidence = [item for edge in self._view.edges_from(id_) for item in edge.attributes.get("evidence", ())]
            quotes = {(moments_of((item,)), item.get("quote", "")) for item in evidence if is_quote_of_transcript(item)}
            for moments, quote in sorted(quotes):
                starts = [[word] for word in self.words]
                if _has_phrases([fold(quote)], [*starts, *self._phrases]):
                    hits.append(Hit(id_, node, 1, "said", quote, time=next(iter(moments), None)))
                    break
        return _sort_hits(hits)


def _names(id_: str, node: NodeAttributes) -> tuple[str, ...]:
    """Return the title of a node, and the last part of a file's path."""
    return (title_of(node), last_of_path(id_)) if node.get("kind") == "file" else (title_of(node),)


def _has_phrases(texts: Iterable[str], phrases: Iterable[Sequence[str]]) -> bool:
    """Return whether each phrase is in one of the texts, word for word. The last word may go on."""
    # A space before the text and the phrase: a phrase begins only at the beginning of a word.
    runs = [f" {' '.join(WORD.findall(text))}" for text in texts]
    return all(any(f" {' '.join(phrase)}" in run for run in runs) for phrase in phrases)


def topics_with(word: str, view: View) -> list[tuple[str, NodeAttributes]]:
    """Return the topics with a word of this stem in a name, sorted by id."""
    keys = {key for field in SEARCHED[:2] for key in view.find_words(field, (), stem(word))}
    return view.read(view.of_kinds(sorted(keys), ("topic",)))


def _list_similar_words(word: str, view: View) -> list[str]:
    """Return at most ``SPELLINGS`` indexed words of which ``word`` may be a misspelling, the nearest first.

    Of equally near words, the most frequent comes first.
    """
    most = next((mistakes for size, mistakes in MISTAKES if len(word) >= size and not word.isdecimal()), 0)
    counts = view.words_like(word, most) if most else {}
    near = sorted((_distance(word, other), -count, other) for other, count in counts.items())
    return [other for distance, _, other in near if distance <= most][:SPELLINGS]


def _distance(one: str, other: str) -> int:
    """Return the number of missing, added, wrong or swapped letters (optimal string alignment)."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        earlier, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if earlier and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
    return row[-1]


def _sort_hits(hits: Iterable[Hit]) -> list[Hit]:
    """Return hits by score, the highest first; of equal ones by kind, by rank in the graph, by id."""

    def sort_key(hit: Hit) -> tuple[int, int, float, str]:
        kind = _KIND.get(str(hit.attributes.get("kind")), len(_KIND))
        return -hit.score, kind, -float(hit.attributes.get("rank", 0)), hit.id

    return sorted(hits, key=sort_key)


def _excerpt(roots: Iterable[str], node: NodeAttributes) -> tuple[str, int | None]:
    """Return the part of the notes with the words, and its second of the recording according to the notes."""
    notes = str(node.get("summary", ""))
    place = min((at for at in map(notes.lower().find, roots) if at >= 0), default=0)
    begin, end = max(0, place - _ROUND), place + 2 * _ROUND
    text = " ".join(notes[begin:end].split())
    excerpt = ("…" if begin else "") + text + ("…" if end < len(notes) else "")
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
    hits, is_cut = find_nodes(text, view, kinds_called(kind, view.kinds) if kind else ())
    ids = find_selected(view, which)
    hits = [hit for hit in hits if ids is None or hit.id in ids]
    rows = []
    for hit in (hits[::-1] if which.reverse else hits)[: which.limit or None]:
        reason = hit.excerpt or _PLACES_OF_WORDS.get(hit.where, hit.where)
        values = {**hit._asdict(), "missing": list(hit.missing), "reasons": [reason]}
        rows.append(build_row(values.pop("id"), values.pop("attributes"), **values))
    notes = []
    if rows and rows[0].instead:
        notes.append(f"nothing holds {text!r}: searched for {rows[0].instead!r}")
    if is_cut:
        notes.append("there are more results: narrow the question")
    if not rows:
        notes.append(f"nothing holds {text!r}")
    columns = ("kind", "date", "title", "reasons", "url")
    return Answer("search", text, columns, tuple(rows), len(hits), notes=tuple(notes))


# Where a word is, for a person.
_PLACES_OF_WORDS = {
    "label": "in its name", "aliases": "in another name", "id": "in its id", "url": "in its address",
    "topic": "about the topic", "number": "its number",
}  # fmt: skip
