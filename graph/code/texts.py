"""The episodes explaining a pasted text: a traceback, a log line, a flag, the title of a commit, an address.

Paths, names and numbers of the text lead to episodes by their own steps; so do the names of topics and symbols in it,
word by word. Inner frames count more than outer ones, and frames of other projects count nothing.
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
from ..questions.search import CITING, rarity_of
from ..questions.view import Key, View, label_of
from ..words import ASKING, WORD, fold, stem, with_parts
from .changes import Change, explain_change
from .leads import SIMILAR, STRONG

if TYPE_CHECKING:
    from podgraph.extractors import Index

    from .places import Places

_PATHS = 8  # with an episode
_NAMES = 12
_WORDS = 60  # the rarest
_TELLING, _ALIKE = 6, 3  # letters of a short name of a symbol, and the most symbols of the same name
_FRAME = 0.6  # weight of a frame, relative to the next inner one
_OF_PATH, _OF_MESSAGE, _OF_NAME, _OF_NUMBER = 30.0, 20.0, 40.0, 400.0  # the weights of a way
_TITLE, _NAME, _NOTES = 5.0, 2.0, 1.0  # weight of a word in an episode's title, in a name it mentions, in its notes
# Common words of logs and programs, not specific to a project.
_COMMON = frozenset(
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
_RARE = 7  # the least rarity of a word: half-bits
_ENOUGH = 70.0  # least weight of two words of names without other signs
_WORTH = 0.5  # of the best: an episode explaining less only touches the text
_AGAIN = 0.7  # of the weight, for each further word with the same reason
_MOST = 12
_REASONS = 3
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
# packages of an installation belonging to the repository, and others
_INSTALLED = re.compile(r"(?:site|dist)-packages/(.+)")


def is_reference(text: str) -> bool:
    """Return whether a text as a whole names a pull request, an issue or a commit."""
    return _REFERENCE.fullmatch(text.strip()) is not None


class PastedText:
    """A pasted text, and the ways from it to episodes."""

    def __init__(self, text: str, view: View, index: Index | None, places: Places) -> None:
        self._text, self._view, self._index, self._places = text, view, index, places
        # episode -> reason -> words -> weight
        self._leads: dict[str, dict[str, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))

    def explain(self) -> list[Row]:
        """Return the episodes, the best first, each with the words that lead to it."""
        self._follow_numbers()
        self._follow_files()
        self._follow_names()
        is_known = bool(self._leads)
        words = self._follow_words()
        # A reason counts less for each further word that leads to it.
        totals: dict[str, dict[str, float]] = {}  # episode -> reason -> weight
        for id_ in self._leads if is_known else words:
            totals[id_] = {}
            for reason, weights in self._leads[id_].items():
                descending = sorted(weights.values(), reverse=True)
                totals[id_][reason] = sum(weight * _AGAIN**place for place, weight in enumerate(descending))
        best = max((sum(reasons.values()) for reasons in totals.values()), default=0.0)
        rows = []
        for id_, reasons in totals.items():
            weight = sum(reasons.values())
            if weight >= best * _WORTH / 2:
                values = {"weight": round(weight, 2), "level": STRONG if weight >= best * _WORTH else SIMILAR}
                texts = sorted(reasons, key=lambda reason: -reasons[reason])[:_REASONS]
                rows.append(build_row(id_, self._view.node(id_) or {}, reasons=texts, **values))
        return sorted(newest_first(rows, self._view), key=lambda one: -one["weight"])[:_MOST]

    def _add(self, id_: str, weight: float, reason: str, words: str) -> None:
        """Note a way from some words of the text to an episode."""
        weights = self._leads[id_][reason]
        weights[words] = max(weights.get(words, 0.0), weight)

    def _follow_numbers(self) -> None:
        """Follow addresses and numbers: to the episodes citing them, and to those about the files they change."""
        for number in [self._text] if is_reference(self._text) else dict.fromkeys(_NUMBER.findall(self._text)):
            try:
                nodes = resolve_reference(number, self._view).nodes
            except QueryError:
                continue
            for id_ in nodes:
                for edge in self._view.edges_to(id_, "cites"):
                    self._add(edge.source, _OF_NUMBER, f"cites {label_of(id_, self._view)}", number)
                files = (self._view.node(edge.target) or {} for edge in self._view.edges_from(id_, "touches"))
                changes = [Change(node["path"]) for node in files if "path" in node]
                for row in explain_change(self._view, changes, self._places.leads).rows[:6]:
                    self._add(row["id"], _OF_PATH * row["weight"], row["reasons"][0], number)

    def _follow_files(self) -> None:
        """Collect the leads to episodes from the files named in the text, and from those that contain its messages.

        The innermost frame comes first, and counts most: Python prints it last, C++ first.
        """
        matches = list(_PATH.finditer(self._text))
        if not _INNERMOST_FIRST.search(self._text):
            matches.reverse()
        frames = [(_OF_PATH, path, match[0]) for match in matches if (path := self._find_in_repository(match[0]))]
        spans = self._index.messages.in_text(self._text) if self._index else ()
        messages = [(_OF_MESSAGE, path, self._text[start:end]) for path, start, end in spans]
        paths: set[str] = set()
        for worth, path, words in (*frames, *messages):
            if path not in paths and len(paths) < _PATHS:
                weight = worth * _FRAME ** len(paths)
                paths.add(path)
                for row in self._places.leads.of(path).episodes[:6]:
                    self._add(row["id"], weight * row["weight"], row["reasons"][0], words)

    def _find_in_repository(self, text: str) -> str:
        """Return the longest end of a path that is a file of the repository, else "".

        For a name without a folder, return the only file with this name.
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
        paths = self._index.paths.list_by_name(parts[-1]) if len(parts[-1]) > 5 else []  # "a.py" is in every repository
        return paths[0] if len(paths) == 1 else ""

    def _follow_names(self) -> None:
        """Follow the first ``_NAMES`` symbols in the text to the episodes about each. Its best episode counts most."""
        names: dict[str, str] = {}
        for words in _NAME_OF_CODE.findall(self._text):
            if name := self._find_symbol(words):
                names.setdefault(name, words)
        for name, words in [*names.items()][:_NAMES]:
            for position, row in enumerate(self._places.find(name).led.episodes[:5], 1):
                self._add(row["id"], _OF_NAME * min(row["weight"], 8) / position, row["reasons"][0], words)

    def _find_symbol(self, name: str) -> str:
        """Return the symbol of a dotted name, else the symbol with this member."""
        parts = re.split(r"(\.|::)", name)
        package = 1 if "::" in name else 2  # of Python, the first part alone is the package
        if not self._index:
            return ""
        for end in range(len(parts), package - 1, -2):
            whole = "".join(parts[:end])
            if symbol := self._index.symbol(whole):
                return symbol.name
            alike = self._index.candidates(whole) if "::" in name else ()
            if len(whole) >= _TELLING and 0 < len(alike) <= _ALIKE:
                return alike[0].name
        return ""

    def _follow_words(self) -> set[str]:
        """Follow the words of titles, names and notes. Return the episodes with enough names."""
        names: dict[str, dict[str, float]] = defaultdict(dict)
        for rarity, word, identifier in self._list_words():
            for id_, (worth, reason) in self._find_naming(word, identifier).items():
                self._add(id_, worth * rarity, reason, identifier)
                if worth > _NOTES:
                    names[id_][stem(word)] = worth * rarity
        return {id_ for id_, words in names.items() if sum(words.values()) >= _ENOUGH and len(words) > 1}

    def _list_words(self) -> list[tuple[int, str, str]]:
        """Return the rarest words of the text known to the graph: rarity, word, the identifier that it is a part of."""
        plain = _PATH.sub(self._keep_known, _NUMBER.sub(" ", self._text))
        identifiers: dict[str, str] = {}
        for identifier in re.findall(r"[^\W\d]\w*", plain):
            for word in WORD.findall(fold(with_parts(identifier))):
                identifiers.setdefault(word, identifier)
        size = self._view.count_nodes()
        words = []
        for word in identifiers.keys() - ASKING - _COMMON:
            holding = {key for keys in self._nodes_with(word).values() for key in keys}
            if len(word) > 1 and (rarity := rarity_of(size, len(holding))) >= _RARE:
                words.append((rarity, word, identifiers[word]))
        return sorted(words, key=lambda one: (-one[0], one[1]))[:_WORDS]

    def _nodes_with(self, word: str) -> dict[str, Collection[Key]]:
        """Return, for each field, the keys of the nodes with a word of the same stem."""
        root = stem(word)
        forms = [word, *(other for other in self._view.find_words_starting(root) if stem(other) == root)]
        return {field: self._view.find_words(field, forms) for field in ("label", "aliases", "notes")}

    def _find_naming(self, word: str, identifier: str) -> dict[str, tuple[float, str]]:
        """Return the weight of a word for each episode, with the reason.

        The word is in the episode's title, in its notes, or in the name of a node that the episode cites.
        """
        keys_by_field = self._nodes_with(word)
        names = {*keys_by_field["label"], *keys_by_field["aliases"]}
        best: dict[str, tuple[float, str]] = {}
        keys = sorted({*names, *keys_by_field["notes"]})
        for key, (id_, node) in zip(keys, self._view.read(keys), strict=True):
            if node.get("kind") in SOURCES:
                weight, field = (_TITLE, "title") if key in keys_by_field["label"] else (_NOTES, "notes")
                weight_and_reason = (weight, f"has “{identifier}” in its {field}")
                best[id_] = max(best.get(id_, weight_and_reason), weight_and_reason)
            elif key in names:
                for one in self._view.list_namings(id_, *CITING):
                    if not one.boilerplate:
                        weight = min(2.0, 0.5 + one.weight / 2)
                        weight_and_reason = (_NAME * weight, f"{_VERBS[one.relation]} {label_of(id_, self._view)}")
                        best[one.source] = max(best.get(one.source, weight_and_reason), weight_and_reason)
        return best

    def _keep_known(self, match: re.Match[str]) -> str:
        """Return the part of a path that is in the repository."""
        path = self._find_in_repository(match[0])
        return path if match[0].endswith(path) else " "
