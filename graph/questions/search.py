"""The question ``search``: nodes by words in their names, addresses and notes.

The ranking is written twice: here, and in the page's ``search.js``. Both read the tables below (the page gets them as
data) and count in whole numbers, so their answers are equal. A word counts by its rarity, by the field with the best
match, and by the kind of match. A node whose whole name is part of the question counts more, and adds to the scores of
the episodes citing it. A node without some of the words may stay, with a lower score.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import QueryError, find_moment

from ..kinds import KINDS, SOURCES
from ..store import Edge, title_of
from ..words import ASKING, KEPT_ENDS, SUFFIXES, WORD, fold, list_subject_stems, stem, words_of
from .answer import Answer, build_row
from .days import Selection
from .keys import SEARCHED, is_quote_of_transcript, last_of_path, searched_texts, text_of, texts_of
from .listing import find_kinds_called, find_selected_ids
from .moments import moments_of
from .resolve import resolve_reference
from .spellings import PLACE, list_ids, read_spellings, strip_quotes

if TYPE_CHECKING:
    from ..attributes import NodeAttributes
    from .view import Key, View

# The tables of the ranking: the weight of a word by its field, and by the kind of match.
FIELD_WEIGHTS = dict(zip(SEARCHED, (8, 7, 3, 3), strict=True))
EQUAL, SAME_STEM, START, INSIDE = 4, 3, 2, 1
# Added for a name equal to the whole question by its stems, for one by its very words too, and for an episode: what is
# called so comes first, then the episodes, then other nodes.
WHOLE_EXTRA, LETTERS_EXTRA, EPISODE_EXTRA = 2_000_000, 100, 1_000_000
NAME_FACTOR = 16  # times the rarity of the words of a name, added if the whole name is part of the question
NUMBER_WEIGHT = 32  # times rarity, of an episode for its number
SHARE_DIVISOR = 4  # an episode citing a node gets its score divided by this, times the weight of the edge
MAXIMUM_EDGE_WEIGHT = 4  # of the weight in such a share
BEST_DIVISOR = 4  # a node stays if its words score at least the best node's score divided by this
MAXIMUM_SHARING_NODES = 20  # that add to the scores of the episodes citing them
EPISODE_FACTOR = 2  # times the score of episodes for a question in plain words, as it asks for these
REFERENCE_SCORE = 10_000_000  # of a node named by the whole text; each further one gets one less
MAXIMUM_NODES = 500  # that a search reads
MINIMUM_INSIDE_LETTERS = 4  # of a word to look for inside others; two for a word that is not ASCII
MAXIMUM_MISTAKES = ((8, 2), (4, 1))  # (from so many letters on, so many may differ)
MAXIMUM_SPELLINGS = 3  # corrections of a word to try
_KIND_ORDER = {kind: place for place, kind in enumerate(dict.fromkeys(("episode", "topic", "blog", *KINDS)))}
CITING = ("about", "cites", "mentions")
_FIRST_TWENTY = Selection(limit=20)
_EXCERPT_MARGIN = 40  # characters of the notes shown before a match; twice as many after its beginning

# one word with a slash or an at sign
_REFERENCE = re.compile(r"\S*[/\\@]\S*")
_PHRASE = re.compile(r'"([^"]+)"')


class Hit(NamedTuple):
    """A node that a search found: ``where`` is the field of its best match (``label``, ``topic``, ``said``, …).

    ``excerpt`` is the text around the words, if it is more than a name. ``missing`` are the question's words that the
    node lacks. ``instead`` is the corrected question if a word of it is unknown, else "". ``time`` is a second of the
    recording: of the spoken words (``where`` is ``said``), of the mention of the topic, or of the passage of the notes
    ("12:34 Salt").
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
    """Return the hits for ``text``, the best first, and whether there may be more: a search reads at most 500 nodes.

    ``kinds`` limits the kinds of nodes (none: all). Words match whole, by their stem, from their beginning
    (``dispatch`` finds ``dispatcher``), and longer ones inside others; a word that no node has matches the most similar
    words. A phrase in double quotes must occur unchanged. A node that the whole text names (an address, a number, a
    path) comes first, then those called as the text, then the episodes, then other nodes.
    """
    hits = {hit.id: hit for hit in _find_reference(text, view) if not kinds or hit.attributes.get("kind") in kinds}
    search = _Search(view, text, kinds)
    for hit in _sort_hits([*search.list_node_hits(), *search.list_quotes()]) if search.words else []:
        hits.setdefault(hit.id, hit)
    return list(hits.values()), search.is_cut


def _find_reference(text: str, view: View) -> list[Hit]:
    """Return hits for the nodes that the whole text names: an address, a number, a path or an id; [] for other texts.

    They get the highest scores: ``REFERENCE_SCORE``, then one less for each further node.
    """
    reference = strip_quotes(text)
    is_id = ":" in reference and view.node(reference) is not None
    if not (_REFERENCE.fullmatch(reference) or list_ids(reference, "") or is_id):
        return []
    try:
        nodes = resolve_reference(text, view).nodes
    except QueryError:  # a number of several repositories: the ranking has them all
        return []
    return [Hit(id_, view.node(id_) or {}, REFERENCE_SCORE - place, "reference") for place, id_ in enumerate(nodes)]


class _Match(NamedTuple):
    """The best match of a word in a node: its weight, and the field with the word (one of ``SEARCHED``)."""

    weight: int
    field: str


class _Way(NamedTuple):
    """A way of matching: its weight, and the whole words or the beginning of words to find ("": none)."""

    weight: int
    words: Sequence[str]
    start: str = ""


class _Term(NamedTuple):
    """A word of a question and its matches: {node: its best match}.

    ``root`` is the stem of the word, ``instead`` the word that replaces it if no node has it (else the word itself).
    ``rarity`` grows as fewer nodes have the word.
    """

    word: str
    root: str
    instead: str
    matches: dict[Key, _Match]
    rarity: int


def _find_term(word: str, view: View) -> _Term:
    """Return a word of a question with its matches in the graph; without any, with those of the most similar word."""
    root, instead = stem(word), word
    # A later dict of matches replaces an earlier one: a word inside of others counts least.
    forms = [other for other in view.find_words_starting(root) if other != word and stem(other) == root]
    matches = _find_best_matches([_Way(EQUAL, [word]), _Way(SAME_STEM, forms), _Way(START, [], word)], view)
    if len(word) >= (MINIMUM_INSIDE_LETTERS if word.isascii() else 2):
        names_and_ids = SEARCHED[:3]  # not the notes
        inside = _find_best_matches([_Way(INSIDE, view.find_words_containing(word))], view, names_and_ids)
        matches = inside | matches
        if not matches and (similar := _list_similar_words(word, view)):
            instead, root = similar[0], stem(similar[0])
            matches = _find_best_matches([_Way(EQUAL, similar[:1]), _Way(SAME_STEM, similar[1:])], view)
    for id_, node in view.nodes_with_key("number", word.lstrip("0")) if word.isdecimal() else ():
        if node.get("kind") == "episode":
            matches[view.key_of(id_) or 0] = _Match(NUMBER_WEIGHT, "number")
    return _Term(word, root, instead, matches, compute_rarity(view.count_nodes(), len(matches)))


def compute_rarity(size: int, count: int) -> int:
    """Return the rarity of a word that ``count`` of the ``size`` nodes of a graph have.

    It is about twice the binary logarithm of size / count: the number of binary digits of the square of the quotient.
    This is an integer, so that the page computes the same. It is 0 without such a node.

    >>> compute_rarity(900, 900), compute_rarity(900, 3), compute_rarity(900, 0)
    (1, 17, 0)
    """
    return (size * size // (count * count)).bit_length() if count else 0


def _find_best_matches(ways: Sequence[_Way], view: View, fields: Sequence[str] = SEARCHED) -> dict[Key, _Match]:
    """Return {node: its best match} for the nodes with a word, by any of the ``ways``.

    ``fields`` are some of ``SEARCHED``. The weight of a match is that of its way times that of its field.
    """
    matches: dict[Key, _Match] = {}
    matches_and_ways = [(_Match(FIELD_WEIGHTS[field] * way.weight, field), way) for field in fields for way in ways]
    # Ascending weights: a better match replaces a worse one.
    for match, way in sorted(matches_and_ways, key=lambda match_and_way: match_and_way[0].weight):
        if way.words or way.start:
            matches.update(dict.fromkeys(view.find_words(match.field, way.words, way.start), match))
    return matches


class _Search:
    """The search for one question in a graph.

    ``words`` are the words of the question that count: without small words such as "which", outside of phrases.
    """

    def __init__(self, view: View, text: str, kinds: tuple[str, ...]) -> None:
        """Look up the words of the question ``text`` in the graph. ``kinds`` limits the hits (none: all kinds)."""
        self._view, self._kinds = view, kinds
        words = list(dict.fromkeys(words_of(text)))
        self._phrases = [words_of(phrase) for phrase in _PHRASE.findall(text)]
        phrase_words = {word for phrase in self._phrases for word in phrase}
        self.words = [word for word in words if word in phrase_words or word not in ASKING] or words
        # Small words make a sentence, and a sentence asks for episodes.
        self._factor = EPISODE_FACTOR if len(self.words) < len(words) else 1
        self._terms = [_find_term(word, view) for word in self.words]
        self._roots = [term.root for term in self._terms]
        self._instead = " ".join(term.instead for term in self._terms)
        self._instead = "" if self._instead == " ".join(self.words) else self._instead
        # Whether more nodes matched than may be read.
        self.is_cut = False

    def list_node_hits(self) -> list[Hit]:
        """Return the hits for nodes containing a word, and for the episodes citing a node that the question names.

        They have their final scores, but are not sorted.
        """
        scores: dict[Key, int] = {}
        for term in self._terms:
            for key, match in term.matches.items():
                scores[key] = scores.get(key, 0) + match.weight * term.rarity
        minimum = max(scores.values(), default=0) / BEST_DIVISOR
        keys = sorted((key for key in scores if scores[key] >= minimum), key=lambda key: (-scores[key], key))
        if self._kinds:
            # Topics and symbols add to the scores of the episodes citing them.
            sharing = ("topic", "symbol") if SOURCES & set(self._kinds) else ()
            keys = self._view.select_kinds(keys, (*self._kinds, *sharing))
        self.is_cut = len(keys) > MAXIMUM_NODES
        hits: dict[str, Hit] = {}
        for key, (id_, node) in zip(keys[:MAXIMUM_NODES], self._view.read(keys[:MAXIMUM_NODES]), strict=True):
            if not self._phrases or _has_phrases(searched_texts(id_, node), self._phrases):
                hits[id_] = self._build_hit(key, id_, node, scores[key])
        for id_, (share, target, edge) in self._find_shares(hits.values()).items():
            hits[id_] = self._build_episode_hit(hits.get(id_), share, target, edge)
        right_hits = (hit for hit in hits.values() if not self._kinds or hit.attributes.get("kind") in self._kinds)
        return [self._add_extras(hit) for hit in right_hits]

    def _build_hit(self, key: Key, id_: str, node: NodeAttributes, score: int) -> Hit:
        """Return the hit for a node that has words of the question.

        ``key`` is the node's number, ``id_`` its id, ``node`` its attributes, and ``score`` the sum of weight times
        rarity over its words.
        """
        where = max(term.matches[key] for term in self._terms if key in term.matches).field
        score += self._score_name(id_, node)
        if node.get("kind") in SOURCES:
            score *= self._factor
        missing = tuple(term.word for term in self._terms if key not in term.matches)
        excerpt, time = _find_excerpt(self._roots, node) if where == "notes" else ("", None)
        return Hit(id_, node, score, where, excerpt, missing, self._instead, time)

    def _score_name(self, id_: str, node: NodeAttributes) -> int:
        """Return the extra score of a node (id, attributes) with a name that is wholly part of the question; else 0."""
        best = 0
        for name in (*_list_names(id_, node), *texts_of(node, "aliases")):
            roots = list_subject_stems(name)  # stems, without words such as "how" and "do"
            for at in range(len(self._roots) - len(roots) + 1 if roots else 0):
                if self._roots[at : at + len(roots)] == roots:
                    best = max(best, NAME_FACTOR * sum(term.rarity for term in self._terms[at : at + len(roots)]))
        return best

    def _find_shares(self, hits: Iterable[Hit]) -> dict[str, tuple[int, Hit, Edge]]:
        """Return {episode id: (share of a score, hit of the cited node, edge)} for the episodes citing a node of a hit.

        Only one of ``hits`` that has every word of the question in its name, or whose name is part of the question,
        gives a share of its score. An episode citing several gets the largest share.
        """
        targets = [
            hit for hit in hits if hit.attributes.get("kind") not in SOURCES and (
                (not hit.missing and hit.where in ("label", "aliases")) or self._score_name(hit.id, hit.attributes)
            )
        ]  # fmt: skip
        best: dict[str, tuple[int, Hit, Edge]] = {}
        for hit in _sort_hits(targets)[:MAXIMUM_SHARING_NODES]:
            for edge in self._view.edges_to(hit.id, *CITING):
                weight = max(0.0, min(round(float(edge.attributes.get("weight", 1)), 3), MAXIMUM_EDGE_WEIGHT))
                # The weight in whole hundredths, as the page counts.
                share = hit.score * int(100 * weight) // (100 * SHARE_DIVISOR) * self._factor
                best_share = best[edge.source][0] if edge.source in best else 0
                if share > best_share and not edge.attributes.get("boilerplate"):
                    best[edge.source] = share, hit, edge
        return best

    def _build_episode_hit(self, hit: Hit | None, share: int, target: Hit, edge: Edge) -> Hit:
        """Return the hit for an episode that gets a ``share`` of the score of ``target``, a node that it cites.

        ``hit`` is the episode's own hit if its texts match too, else ``None``. ``edge`` leads from the episode to the
        target.
        """
        if hit is not None:
            # The words of the question that neither the episode nor the node has.
            missing = tuple(word for word in hit.missing if word in target.missing)
            return hit._replace(score=hit.score + share, missing=missing)
        time = next(iter(moments_of(edge.attributes.get("evidence", ()))), None)
        label, node = text_of(target.attributes, "label"), self._view.node(edge.source) or {}
        return Hit(edge.source, node, share, "topic", label, target.missing, self._instead, time)

    def _add_extras(self, hit: Hit) -> Hit:
        """Return a hit with a higher score if it is an episode, or if a name of it is equal to the whole question."""
        names = (*_list_names(hit.id, hit.attributes), *texts_of(hit.attributes, "aliases"))
        is_source = hit.attributes.get("kind") in SOURCES
        score = hit.score + (EPISODE_EXTRA if is_source else 0)
        is_whole = self._roots in map(list_subject_stems, names) or (hit.where == "number" and len(self._terms) == 1)
        if is_whole and (is_source or self._factor == 1):
            has_letters = [term.word for term in self._terms] in map(words_of, names)
            score += WHOLE_EXTRA + (LETTERS_EXTRA if has_letters else 0)
        return hit._replace(score=score)

    def list_quotes(self) -> list[Hit]:
        """Return a hit for each episode with every word in one quote of its transcript, with the first such quote.

        It sets ``is_cut`` if more episodes matched than may be read.
        """
        if not self._view.transcripts or (self._kinds and not SOURCES & set(self._kinds)):
            return []
        keys = sorted(self._view.find_quoted(self.words))
        self.is_cut |= len(keys) > MAXIMUM_NODES
        hits = []
        for id_, node in self._view.read(keys[:MAXIMUM_NODES]):
            evidence = [item for edge in self._view.edges_from(id_) for item in edge.attributes.get("evidence", ())]
            quotes = {(moments_of((item,)), item.get("quote", "")) for item in evidence if is_quote_of_transcript(item)}
            for moments, quote in sorted(quotes):
                starts = [[word] for word in self.words]  # each word as a phrase of its own
                if _has_phrases([fold(quote)], [*starts, *self._phrases]):
                    hits.append(Hit(id_, node, EPISODE_EXTRA, "said", quote, time=next(iter(moments), None)))
                    break
        return hits


def _list_names(id_: str, node: NodeAttributes) -> tuple[str, ...]:
    """Return the title of a node; for a file, also the last part of its path."""
    return (title_of(node), last_of_path(id_)) if node.get("kind") == "file" else (title_of(node),)


def _has_phrases(texts: Iterable[str], phrases: Iterable[Sequence[str]]) -> bool:
    """Return whether each phrase (a list of words) is in one of ``texts``. The last word of a phrase may go on.

    >>> _has_phrases(["the new kernel"], [["new", "ker"]]), _has_phrases(["the new kernel"], [["ew", "kernel"]])
    (True, False)
    """
    # A space before the text and the phrase: a phrase begins only at the beginning of a word.
    texts = [f" {' '.join(WORD.findall(text))}" for text in texts]
    return all(any(f" {' '.join(phrase)}" in text for text in texts) for phrase in phrases)


def find_topics_with_word(word: str, view: View) -> list[tuple[str, NodeAttributes]]:
    """Return (id, attributes) of the topics with a word of the same stem in their label or aliases, sorted by id."""
    beginning = stem(word)  # a stem is the beginning of all forms of a word
    keys = {key for field in ("label", "aliases") for key in view.find_words(field, words=(), start=beginning)}
    return view.read(view.select_kinds(sorted(keys), ("topic",)))


def _list_similar_words(word: str, view: View) -> list[str]:
    """Return at most three words of the graph that ``word`` may be a misspelling of, the nearest first.

    Of equally near words, the most frequent comes first. A word of less than four letters, or a number, has none.
    """
    maximum = next((mistakes for size, mistakes in MAXIMUM_MISTAKES if len(word) >= size and not word.isdecimal()), 0)
    counts = view.find_similar_words(word, maximum) if maximum else {}
    similar = sorted((_count_mistakes(word, other), -count, other) for other, count in counts.items())
    return [other for mistakes, _, other in similar if mistakes <= maximum][:MAXIMUM_SPELLINGS]


def _count_mistakes(word: str, other: str) -> int:
    """Return the number of letters that are missing, added, wrong or swapped between two words.

    This is the distance of optimal string alignment: https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance.

    >>> [_count_mistakes("kernel", other) for other in ("kernels", "kernal", "kenrel", "ekrnel")]
    [1, 1, 1, 1]
    """
    # Rows of a table: the distances of the first i letters of the word to each beginning of the other word. Only the
    # last three rows are needed: `row` is being filled, `before` and `earlier` are the two above it.
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(word, 1):
        earlier, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if earlier and j > 1 and a == other[j - 2] and word[i - 2] == b:  # two letters are swapped
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
    return row[-1]


def _sort_hits(hits: Iterable[Hit]) -> list[Hit]:
    """Return hits sorted by score, the highest first.

    Equal scores are sorted by kind, then by the node's rank in the graph (the highest first), then by id.
    """

    def sort_key(hit: Hit) -> tuple[int, int, float, str]:
        """Return the values that hits are sorted by, ascending: minus the score, kind, minus the rank, id."""
        kind = _KIND_ORDER.get(str(hit.attributes.get("kind")), len(_KIND_ORDER))
        return -hit.score, kind, -float(hit.attributes.get("rank", 0)), hit.id

    return sorted(hits, key=sort_key)


def _find_excerpt(stems: Iterable[str], node: NodeAttributes) -> tuple[str, int | None]:
    """Return the part of a node's notes around the first of the word ``stems``, and its second in the recording.

    The second is the last time before the passage in the notes ("12:34 Salt"); ``None`` for other nodes than episodes.
    """
    notes = str(node.get("summary", ""))
    place = min((at for at in map(notes.lower().find, stems) if at >= 0), default=0)
    begin, end = max(0, place - _EXCERPT_MARGIN), place + 2 * _EXCERPT_MARGIN
    text = " ".join(notes[begin:end].split())
    excerpt = ("…" if begin else "") + text + ("…" if end < len(notes) else "")
    return excerpt, find_moment(notes, place, node.get("duration")) if node.get("kind") == "episode" else None


def describe_ranking(repo: str = "") -> dict[str, object]:
    """Return the weights, patterns and small words of the search by their names, for the script of the page.

    With this table, the script ranks hits as this module does. ``repo`` (owner/name) is the repository that a bare
    number belongs to on the page.
    """
    return {
        "fields": FIELD_WEIGHTS,
        "grades": {"equal": EQUAL, "stem": SAME_STEM, "start": START, "inside": INSIDE},
        "extra": {
            "whole": WHOLE_EXTRA, "letters": LETTERS_EXTRA, "episode": EPISODE_EXTRA, "named": NAME_FACTOR,
            "numbered": NUMBER_WEIGHT, "ofNode": SHARE_DIVISOR, "mostOfNode": MAXIMUM_EDGE_WEIGHT,
            "partly": BEST_DIVISOR, "bringing": MAXIMUM_SHARING_NODES, "asked": EPISODE_FACTOR,
            "reference": REFERENCE_SCORE,
        },
        "budget": MAXIMUM_NODES,
        "insideFrom": MINIMUM_INSIDE_LETTERS,
        "mistakes": MAXIMUM_MISTAKES,
        "spellings": MAXIMUM_SPELLINGS,
        "suffixes": SUFFIXES,
        "keptEnds": KEPT_ENDS,
        "asking": sorted(ASKING),
        "kinds": list(_KIND_ORDER),
        "citing": CITING,
        "sources": sorted(SOURCES),
        "meant": _REFERENCE.pattern,
        "references": [(pattern.replace("(?P<", "(?<"), ids) for pattern, ids in read_spellings()],
        "place": PLACE,
        "repo": repo,
    }  # fmt: skip


def search_nodes(view: View, text: str, *, kind: str = "", selection: Selection = _FIRST_TWENTY) -> Answer:
    """Answer with the nodes for a text, the best first, each with the place of its words in ``reasons``.

    ``kind`` is a name of kinds, such as ``pulls`` ("": all). ``selection`` limits the nodes, by default to the first
    twenty; a podcast or a period also keeps the nodes that its episodes name. Raises ``QueryError`` for an empty text,
    and for an unknown kind or day, ``NotFoundError`` for an unknown podcast.
    """
    if not text.strip(' "'):
        raise QueryError("an empty text is everywhere", remedy="give a word or a phrase")
    hits, is_cut = find_nodes(text, view, find_kinds_called(kind, view.kinds) if kind else ())
    ids = find_selected_ids(view, selection)
    hits = [hit for hit in hits if ids is None or hit.id in ids]
    rows = []
    for hit in (hits[::-1] if selection.reverse else hits)[: selection.limit or None]:
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
    columns = ("kind", "date", "duration", "title", "reasons", "url")
    return Answer("search", text, columns, tuple(rows), len(hits), notes=tuple(notes))


# Where a word is, for a person.
_PLACES_OF_WORDS = {
    "label": "in its name", "aliases": "in another name", "id": "in its id", "url": "in its address",
    "topic": "about the topic", "number": "its number",
}  # fmt: skip
