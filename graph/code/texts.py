"""Finding the episodes that explain a pasted text: a traceback, a log line, a flag, the title of a commit, an address.

Paths, names and numbers in the text lead to episodes in their own ways; so do the words of names of topics and symbols.
Inner frames of a traceback count more than outer ones, and frames of other projects do not count.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection
from typing import TYPE_CHECKING

from podgraph.extractors import QueryError

from ..kinds import SOURCES
from ..questions.answer import Row, build_row
from ..questions.days import newest_first
from ..questions.resolve import resolve_reference
from ..questions.search import CITING, compute_rarity
from ..questions.view import Key, View, label_of
from ..words import ASKING, WORD, fold, stem, with_parts
from .changes import Change, explain_change
from .leads import SIMILAR, STRONG

if TYPE_CHECKING:
    from podgraph.extractors import Index

    from .places import Places

_MAXIMUM_PATHS, _MAXIMUM_NAMES = 8, 12
_MAXIMUM_PER_PART = 6  # episodes for a path or number
_MAXIMUM_WORDS = 60  # the rarest
_MINIMUM_NAME_LENGTH, _MAXIMUM_NAMESAKES = 6, 3  # of a symbol without its package: letters, symbols of the same name
_OUTER_FRAME_FACTOR = 0.6  # of a frame of a traceback, relative to the next inner one
_PATH_WEIGHT, _MESSAGE_WEIGHT, _NAME_WEIGHT, _NUMBER_WEIGHT = 30.0, 20.0, 40.0, 400.0
# of a word in an episode's title, in the name of a node it mentions, in its notes
_IN_TITLE, _IN_NAME, _IN_NOTES = 5.0, 2.0, 1.0
# Common words of logs and programs, not specific to a project.
_COMMON_WORDS = frozenset(
    "add added app application args assert assertion attribute bin call called cannot class code compiled computation "
    "connect connection const container controller core could cpp data def default denied description directory dist "
    "does enabled env error errors exception exceptions exist expected failed false fatal file files fix found "
    "framework function functions gib git github got home hpp id impl import in incompatible index info init input "
    "instance int invalid item items kib kwargs last length lib line link list local log main map message method mi "
    "mib missing model module modules most mp name named needed no none not null number object one only op open "
    "operation opt option options os output package packages param path pip please process pull push py python raise "
    "read recent reference request requests response return review root run running runtime self set setting settings "
    "site src status std str string strong sys test tests text three time tmp traceback train true try two type "
    "typeerror types undefined update user users usr util utils value values var version void vs warning yes".split()
)
_MINIMUM_RARITY = 7  # of a word: see `compute_rarity`
_MINIMUM_NAMES_WEIGHT = 70.0  # of the words in names, where the text has no paths, names or numbers
_MINIMUM_SHARE = 0.5  # of the best weight: an episode with less only touches the text
_AGAIN_FACTOR = 0.7  # for each further word with the same reason
_MAXIMUM_EPISODES = 12
_MAXIMUM_REASONS = 3
_VERBS = {"about": "is about", "cites": "cites", "mentions": "names"}

# a path with a suffix, and the line behind it
_PATH = re.compile(r"(?:[A-Za-z]:)?[\w.@+~/\\-]*\w\.(?:pyi?|[ch](?:c|pp|xx|u|uh)?|mm?|in|yaml|cmake|rst|toml)\b")
# `a.b`, `A::b`: a name in parts
_NAME_OF_CODE = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::)~?[A-Za-z_]\w*)+")
# an address, `owner/name#12`, `#12`
_NUMBER = re.compile(r"https?://[^\s<>\"')]+|(?:[\w.-]+/[\w.-]+)?#[1-9]\d{2,8}\b")
# a text that is one reference
_REFERENCE = re.compile(
    r"\S*github\.com/\S+/(?:pull|issues|commit|discussions)/\S+|[\w./-]*#\d+|(?:PR|GH|pull|issue)?[ /-]*#?\d{2,9}"
    r"|[\w.-]+/[\w.-]+@[0-9a-f]{7,40}",
    re.IGNORECASE,
)
# a numbered frame of C++
_INNERMOST_FIRST = re.compile(r"^\s*(?:frame )?#\d+[: ]", re.MULTILINE)
# a path in an installation of Python packages
_INSTALLED = re.compile(r"(?:site|dist)-packages/(.+)")


def is_reference(text: str) -> bool:
    """Return whether a whole text is a reference to a pull request, an issue or a commit.

    >>> is_reference("PR 12345"), is_reference("owner/name#12"), is_reference("fix #12 at last")
    (True, True, False)
    """
    return _REFERENCE.fullmatch(text.strip()) is not None


class PastedText:
    """A pasted text, such as a traceback or an error message, and the ways from its parts to episodes."""

    def __init__(self, text: str, view: View, index: Index | None, places: Places) -> None:
        """Prepare a text for a graph (``view``).

        ``index`` has the subject's code (``None``: unknown), ``places`` finds its files.
        """
        self._text, self._view, self._index, self._places = text, view, index, places
        # episode -> reason -> words -> weight
        self._weights: dict[str, dict[str, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))

    def explain(self) -> list[Row]:
        """Return the rows of the episodes that explain the text, the best first.

        Each has a ``weight``, a ``level`` (``strong`` or ``similar``) and ``reasons``.
        """
        self._add_numbers()
        self._add_files()
        self._add_symbols()
        is_known = bool(self._weights)
        words = self._add_words()
        # A reason counts less for each further word that leads to it.
        totals: dict[str, dict[str, float]] = {}  # episode -> reason -> weight
        for id_ in self._weights if is_known else words:
            totals[id_] = {}
            for reason, weights in self._weights[id_].items():
                descending = sorted(weights.values(), reverse=True)
                totals[id_][reason] = sum(weight * _AGAIN_FACTOR**place for place, weight in enumerate(descending))
        best = max((sum(reasons.values()) for reasons in totals.values()), default=0.0)
        rows = []
        for id_, reasons in totals.items():
            weight = sum(reasons.values())
            if weight >= best * _MINIMUM_SHARE / 2:
                values = {"weight": round(weight, 2), "level": STRONG if weight >= best * _MINIMUM_SHARE else SIMILAR}
                texts = sorted(reasons, key=lambda reason: -reasons[reason])[:_MAXIMUM_REASONS]
                rows.append(build_row(id_, self._view.node(id_) or {}, reasons=texts, **values))
        return sorted(newest_first(rows, self._view), key=lambda row: -row["weight"])[:_MAXIMUM_EPISODES]

    def _add_weight(self, id_: str, weight: float, reason: str, words: str) -> None:
        """Store the weight of a way from ``words`` of the text to the episode ``id_``, with the ``reason`` to print.

        Of several weights for the same words and reason, the highest stays.
        """
        weights = self._weights[id_][reason]
        weights[words] = max(weights.get(words, 0.0), weight)

    def _add_numbers(self) -> None:
        """Add the episodes for addresses and numbers: those citing them, and those about the files they change."""
        for number in [self._text] if is_reference(self._text) else dict.fromkeys(_NUMBER.findall(self._text)):
            try:
                nodes = resolve_reference(number, self._view).nodes
            except QueryError:
                continue
            for id_ in nodes:
                for edge in self._view.edges_to(id_, "cites"):
                    self._add_weight(edge.source, _NUMBER_WEIGHT, f"cites {label_of(id_, self._view)}", number)
                files = (self._view.node(edge.target) or {} for edge in self._view.edges_from(id_, "touches"))
                changes = [Change(node["path"]) for node in files if "path" in node]
                for row in explain_change(self._view, changes, self._places.explainer).rows[:_MAXIMUM_PER_PART]:
                    self._add_weight(row["id"], _PATH_WEIGHT * row["weight"], row["reasons"][0], number)

    def _add_files(self) -> None:
        """Add the episodes for files named in the text, and for the files in whose code a message of the text is.

        The innermost frame comes first, and counts most: Python prints it last, C++ first.
        """
        matches = list(_PATH.finditer(self._text))
        if not _INNERMOST_FIRST.search(self._text):
            matches.reverse()
        frames = [(_PATH_WEIGHT, path, match[0]) for match in matches if (path := self._find_repository_path(match[0]))]
        spans = self._index.messages.find_sources(self._text) if self._index else ()
        messages = [(_MESSAGE_WEIGHT, path, self._text[start:end]) for path, start, end in spans]
        paths: set[str] = set()
        for full_weight, path, words in (*frames, *messages):
            if path not in paths and len(paths) < _MAXIMUM_PATHS:
                weight = full_weight * _OUTER_FRAME_FACTOR ** len(paths)
                paths.add(path)
                for row in self._places.explainer.explain_path(path).episodes[:_MAXIMUM_PER_PART]:
                    self._add_weight(row["id"], weight * row["weight"], row["reasons"][0], words)

    def _find_repository_path(self, text: str) -> str:
        """Return the longest end of a path in the text (``text``) that is a file of the repository, else "".

        For a name without a folder, return the path of the only file with this name.
        """
        if self._index is None:
            return ""
        # "./" of a shell and "a/" or "b/" of a diff are no folders of the repository.
        parts = re.sub(r"^(?:\./|[ab]/)", "", text.replace("\\", "/")).strip("/").split("/")
        if match := _INSTALLED.search(text):
            return match[1] if self._index.paths.find_state(match[1]) else ""
        for at in range(len(parts) - 1):
            end = "/".join(parts[at:])
            if self._index.paths.find_state(end):
                return end
        # A short name such as "a.py" may be in any repository.
        paths = self._index.paths.list_by_name(parts[-1]) if len(parts[-1]) > 5 else []
        return paths[0] if len(paths) == 1 else ""

    def _add_symbols(self) -> None:
        """Add the episodes about the first symbols in the text. The best episode for a symbol counts most."""
        names: dict[str, str] = {}
        for words in _NAME_OF_CODE.findall(self._text):
            if name := self._find_symbol(words):
                names.setdefault(name, words)
        for name, words in [*names.items()][:_MAXIMUM_NAMES]:
            # At most five episodes for a symbol; one in the title weighs up to 8.
            for position, row in enumerate(self._places.find(name).explanation.episodes[:5], 1):
                self._add_weight(row["id"], _NAME_WEIGHT * min(row["weight"], 8) / position, row["reasons"][0], words)

    def _find_symbol(self, name: str) -> str:
        """Return the full name of the symbol that a dotted ``name`` or its beginning means, "" for an unknown one.

        For "torch.vmap.cache" and no such symbol, "torch.vmap" is tried.
        """
        parts = re.split(r"(\.|::)", name)  # every second part is a separator
        package = 1 if "::" in name else 2  # of Python, the first part alone is the package
        if not self._index:
            return ""
        for end in range(len(parts), package - 1, -2):  # from the whole name to ever shorter beginnings
            whole = "".join(parts[:end])
            if symbol := self._index.symbol(whole):
                return symbol.name
            namesakes = self._index.list_candidates(whole) if "::" in name else ()
            if len(whole) >= _MINIMUM_NAME_LENGTH and 0 < len(namesakes) <= _MAXIMUM_NAMESAKES:
                return namesakes[0].name
        return ""

    def _add_words(self) -> set[str]:
        """Add the episodes for words in titles, names and notes.

        Return the ids of those with two or more words, of enough weight, in titles and names.
        """
        names: dict[str, dict[str, float]] = defaultdict(dict)
        for rarity, word, identifier in self._list_words():
            for id_, (weight, reason) in self._weigh_word(word, identifier).items():
                self._add_weight(id_, weight * rarity, reason, identifier)
                if weight > _IN_NOTES:
                    names[id_][stem(word)] = weight * rarity
        return {id_ for id_, words in names.items() if sum(words.values()) >= _MINIMUM_NAMES_WEIGHT and len(words) > 1}

    def _list_words(self) -> list[tuple[int, str, str]]:
        """Return (rarity, word, identifier) for the rarest words of the text that the graph has, the rarest first.

        The identifier is the name in the text that the word is a part of: "key" is in ``DispatchKey``.
        """
        plain = _PATH.sub(self._replace_path, _NUMBER.sub(" ", self._text))
        identifiers: dict[str, str] = {}
        for identifier in re.findall(r"[^\W\d]\w*", plain):
            for word in WORD.findall(fold(with_parts(identifier))):
                identifiers.setdefault(word, identifier)
        size = self._view.count_nodes()
        words = []
        for word in identifiers.keys() - ASKING - _COMMON_WORDS:
            nodes = {key for keys in self._find_nodes_with(word).values() for key in keys}
            if len(word) > 1 and (rarity := compute_rarity(size, len(nodes))) >= _MINIMUM_RARITY:
                words.append((rarity, word, identifiers[word]))
        # The highest rarity first.
        return sorted(words, key=lambda entry: (-entry[0], entry[1]))[:_MAXIMUM_WORDS]

    def _find_nodes_with(self, word: str) -> dict[str, Collection[Key]]:
        """Return {field: nodes with a word of the stem of ``word`` in it}; the fields are label, aliases and notes.

        Nodes are given by their numbers.
        """
        root = stem(word)
        forms = [word, *(other for other in self._view.find_words_starting(root) if stem(other) == root)]
        return {field: self._view.find_words(field, forms) for field in ("label", "aliases", "notes")}

    def _weigh_word(self, word: str, identifier: str) -> dict[str, tuple[float, str]]:
        """Return {episode id: (weight of ``word``, reason)} for the episodes that the word leads to.

        The word is in the episode's title, in its notes, or in the name of a node that it cites. ``identifier`` is the
        name in the pasted text that the word is a part of; it goes into the reason.
        """
        keys_by_field = self._find_nodes_with(word)
        names = {*keys_by_field["label"], *keys_by_field["aliases"]}
        best: dict[str, tuple[float, str]] = {}
        keys = sorted({*names, *keys_by_field["notes"]})
        for key, (id_, node) in zip(keys, self._view.read(keys), strict=True):
            if node.get("kind") in SOURCES:
                weight, field = (_IN_TITLE, "title") if key in keys_by_field["label"] else (_IN_NOTES, "notes")
                weight_and_reason = (weight, f"has “{identifier}” in its {field}")
                best[id_] = max(best.get(id_, weight_and_reason), weight_and_reason)
            elif key in names:
                for edge in self._view.list_namings(id_, *CITING):
                    if not edge.boilerplate:
                        weight = _IN_NAME * min(2.0, 0.5 + edge.weight / 2)
                        weight_and_reason = (weight, f"{_VERBS[edge.relation]} {label_of(id_, self._view)}")
                        best[edge.source] = max(best.get(edge.source, weight_and_reason), weight_and_reason)
        return best

    def _replace_path(self, match: re.Match[str]) -> str:
        """Return the replacement for a path in the text (``match``): its part in the repository, else a space."""
        path = self._find_repository_path(match[0])
        return path if match[0].endswith(path) else " "
