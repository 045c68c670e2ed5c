"""The episodes explaining a pasted text: a traceback, a log line, a flag, a name, the title of a commit, a diff.

Paths, names and numbers of the text lead to episodes as in ``where``; so do the names of topics and symbols in it, word
by word. Inner frames count more than outer ones, and frames of other projects count nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import QueryError

from ..kinds import SOURCES
from ..questions.answer import Answer, build_row
from ..questions.days import newest_first
from ..questions.resolve import resolve_reference
from ..questions.search import CITING, rarity_of
from ..questions.view import label_of
from ..questions.which import ALL
from ..words import ASKING, WORD, fold, stem, with_parts
from .leads import SIMILAR, STRONG
from .review import files_of, review_change
from .where import Asked

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from podgraph.extractors import Index

    from ..questions.answer import Row
    from ..questions.view import Key, View
    from ..questions.which import Which

_PATHS = 8  # with an episode
_NAMES = 12
_WORDS = 60  # the rarest
_TELLING, _ALIKE = 6, 3  # letters of a short name of a symbol, and the most symbols of the same name
_FRAME = 0.6  # weight of a frame, relative to the next inner one
_OF_PATH, _OF_MESSAGE, _OF_NAME, _OF_NUMBER = 30.0, 20.0, 40.0, 400.0  # the weights of a way
_TITLE, _NAME, _NOTES = 5.0, 2.0, 1.0  # weight of a word in an episode's title, in a name it mentions, in its notes
# Common words of logs and programs, not specific to a project.
_OF_LOGS = frozenset(
    "app application args assert assertion attribute call called cannot class code connect connection const container "
    "controller core could data default def denied description does error errors exception exceptions exist expected "
    "failed false fatal file files found function git github got home id import in index info init input instance int "
    "invalid item items kwargs last length lib line link list local log main map message method missing model module "
    "modules most mp name named none not null number object op option options os output package packages param path "
    "pip please process pull push python raise read recent reference request requests response return root run "
    "running runtime self set site status std str string strong sys test tests text time traceback train true try "
    "type typeerror types undefined update user users usr util utils value values var version void warning yes "
    "review error fix dist env opt tmp bin src cpp hpp py add added directory framework impl incompatible no open "
    "setting settings vs".split()
)
_RARE = 7  # the least rarity of a word: half-bits
_ENOUGH = 70.0  # least weight of two words of names without other signs
_WORTH = 0.5  # of the best: an episode explaining less only touches the text
_MOST = 12
_REASONS = 3
_VERBS = {"about": "is about", "cites": "cites", "mentions": "names"}

# a path with a suffix, and the line behind it
_PATH = re.compile(r"(?:[A-Za-z]:)?[\w.@+~/\\-]*\w\.(?:pyi?|[ch](?:c|pp|xx|u|uh)?|mm?|in|yaml|cmake|rst|toml)\b")
# `a.b`, `A::b`: a name in parts
_NAME_OF_CODE = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::)~?[A-Za-z_]\w*)+")
# an address, `owner/name#12`, `#12`
_NUMBER = re.compile(r"https?://[^\s<>\"')]+|(?:[\w.-]+/[\w.-]+)?#[1-9]\d{2,8}\b")
# noise: memory addresses, times, template arguments, numbers
_NOISE = re.compile(r"0x[0-9a-fA-F]+|<[^<>\s]{40,}>|\b\d+\b")
# a numbered frame of C++
_INNERMOST_FIRST = re.compile(r"^\s*(?:frame )?#\d+[: ]", re.MULTILINE)
# packages of an installation belonging to the repository, and others
_INSTALLED = re.compile(r"(?:site|dist)-packages/(.+)")


class _Lead(NamedTuple):
    """A way from the words of a text, from ``start`` to ``end``, to an episode."""

    weight: float
    reason: str
    start: int
    end: int


def explain_text(view: View, text: str, *, index: Index | None, which: Which = ALL) -> Answer:
    """Answer with the episodes that explain a pasted text, the best first, each with the words that lead to it."""
    rows, total = which.of(_Text(text, view, index).explained(), view)
    notes = () if rows else ("nothing in the text is known",)
    return Answer("explain", text, ("date", "title", "reasons", "url"), tuple(rows), total, notes=notes)


class _Text:
    """A pasted text, and the ways from it to episodes."""

    def __init__(self, text: str, view: View, index: Index | None) -> None:
        self._text = text
        self._view, self._index = view, index
        self._asked = Asked(view, index)
        self._leads: dict[str, list[_Lead]] = defaultdict(list)

    def explained(self) -> list[Row]:
        """Return the episodes, the best first."""
        self._by_numbers()
        self._by_files()
        self._by_names()
        is_known = bool(self._leads)
        words = self._by_words()
        totals = {id_: sum(_best(leads).values()) for id_, leads in self._leads.items()}
        if not is_known:
            totals = {id_: weight for id_, weight in totals.items() if id_ in words}
        best = max(totals.values(), default=0.0)
        found = [self._explaining(id_, weight, best) for id_, weight in totals.items() if weight >= best * _WORTH / 2]
        return sorted(newest_first(found, self._view), key=lambda one: -one["weight"])[:_MOST]

    def _explaining(self, id_: str, weight: float, best: float) -> Row:
        """Return an episode with its weight and best reasons. Its level compares the weight with the best one."""
        leads = sorted(self._leads[id_], key=lambda lead: -lead.weight)
        return build_row(
            id_,
            self._view.node(id_) or {},
            weight=round(weight, 2),
            level=STRONG if weight >= best * _WORTH else SIMILAR,
            reasons=list(dict.fromkeys(lead.reason for lead in leads))[:_REASONS],
            because=[
                {"quote": self._text[start:end], "start": start, "end": end}
                for start, end in _find_outermost({(lead.start, lead.end) for lead in leads[:_REASONS]})
            ],
        )

    def _add(self, id_: str, weight: float, reason: str, start: int, end: int) -> None:
        self._leads[id_].append(_Lead(weight, reason, start, end))

    def _by_numbers(self) -> None:
        """Follow addresses and numbers: to the episodes citing them, and to those about the files they change."""
        for match in _NUMBER.finditer(self._text):
            try:
                nodes = resolve_reference(match[0], self._view).nodes
            except QueryError:
                continue
            for id_ in nodes:
                for edge in self._view.edges_to(id_, "cites"):
                    self._add(edge.source, _OF_NUMBER, f"cites {label_of(id_, self._view)}", *match.span())
                for row in review_change(self._view, files_of(id_, self._view), index=self._index).rows[:6]:
                    self._add(row["id"], _OF_PATH * row["weight"], row["reasons"][0], *match.span())

    def _by_files(self) -> None:
        """Follow the files named in the text and those with its messages.

        The innermost frame comes first: Python prints it last, C++ first.
        """
        matches = list(_PATH.finditer(self._text))
        if not _INNERMOST_FIRST.search(self._text):
            matches.reverse()
        named = [(_OF_PATH, path, *match.span()) for match in matches if (path := self._path_in_repository(match[0]))]
        raised = self._index.messages.in_text(self._text) if self._index else ()
        seen: set[str] = set()
        places = [*named, *((_OF_MESSAGE, *message) for message in raised)]
        for worth, path, start, end in places:
            if path not in seen and len(seen) < _PATHS:
                weight = worth * _FRAME ** len(seen)
                seen.add(path)
                for row in self._asked.leads.of(path).episodes[:6]:
                    self._add(row["id"], weight * row["weight"], row["reasons"][0], start, end)

    def _path_in_repository(self, text: str) -> str:
        """Return the longest end of a path that is a file of the repository, else "".

        For a name without a folder, return the only file with this name.
        """
        if self._index is None:
            return ""
        # "./" of a shell and "a/" or "b/" of a diff are no folders of the repository.
        parts = re.sub(r"^(?:\./|[ab]/)", "", text.replace("\\", "/")).strip("/").split("/")
        if installed := _INSTALLED.search(text):
            return installed[1] if self._index.paths.known(installed[1]) else ""
        for at in range(len(parts) - 1):
            end = "/".join(parts[at:])
            if self._index.paths.known(end):
                return end
        named = self._index.paths.named(parts[-1]) if len(parts[-1]) > 5 else []  # "a.py" is in every repository
        return named[0] if len(named) == 1 else ""

    def _by_names(self) -> None:
        """Follow the first ``_NAMES`` symbols in the text to the episodes about each. Its best episode counts most."""
        seen: set[str] = set()
        for match in _NAME_OF_CODE.finditer(self._text):
            name = self._symbol(match[0])
            if not name or name in seen:
                continue
            seen.add(name)
            for position, row in enumerate(self._asked.where(name).episodes[:5], 1):
                self._add(row["id"], _OF_NAME * min(row["weight"], 8) / position, row["reasons"][0], *match.span())
            if len(seen) == _NAMES:
                return

    def _symbol(self, name: str) -> str:
        """Return the symbol of a dotted name, else the symbol with this member."""
        parts = re.split(r"(\.|::)", name)
        while self._index is not None and parts:
            whole = "".join(parts)
            if found := self._index.symbol(whole):
                return found.name
            alike = self._index.candidates(whole) if "::" in name else ()
            if len(whole) >= _TELLING and 0 < len(alike) <= _ALIKE:
                return alike[0].name
            parts = parts[:-2]
            if len(parts) == 1 and "::" not in name:  # the package
                return ""
        return ""

    def _by_words(self) -> set[str]:
        """Follow the words of titles, names and notes. Return the episodes with enough names."""
        names: dict[str, dict[str, float]] = defaultdict(dict)
        for rarity, word, span in self._words():
            for id_, (worth, reason) in self._naming(word).items():
                self._add(id_, worth * rarity, reason, *span)
                if worth > _NOTES:
                    names[id_][stem(word)] = worth * rarity
        return {id_ for id_, words in names.items() if sum(words.values()) >= _ENOUGH and len(words) > 1}

    def _words(self) -> list[tuple[int, str, tuple[int, int]]]:
        """Return the rarest words of the text known to the graph: rarity, word, place."""
        spans: dict[str, tuple[int, int]] = {}
        plain = _NUMBER.sub(_blank, self._text)
        for match in re.finditer(r"[^\W\d]\w*", _NOISE.sub(_blank, _PATH.sub(self._only_known, plain))):
            for word in WORD.findall(fold(with_parts(match[0]))):
                if len(word) > 1 and word not in ASKING and word not in _OF_LOGS:
                    spans.setdefault(word, match.span())
        size = self._view.size()
        rarities = ((rarity_of(size, self._count(word)), word, span) for word, span in spans.items())
        return sorted((one for one in rarities if one[0] >= _RARE), key=lambda one: (-one[0], one[1]))[:_WORDS]

    def _nodes_with(self, word: str) -> dict[str, Collection[Key]]:
        """Return, for each field, the keys of the nodes with a word of the same stem."""
        root = stem(word)
        forms = [word, *(other for other in self._view.words_from(root) if stem(other) == root)]
        return {field: self._view.holding(field, forms) for field in ("label", "aliases", "notes")}

    def _count(self, word: str) -> int:
        return len({key for keys in self._nodes_with(word).values() for key in keys})

    def _naming(self, word: str) -> dict[str, tuple[float, str]]:
        """Return the weight of a word for each episode, with the reason.

        The word is in the episode's title, in its notes, or in the name of a node that the episode cites.
        """
        keys_by_field = self._nodes_with(word)
        named = {*keys_by_field["label"], *keys_by_field["aliases"]}
        best: dict[str, tuple[float, str]] = {}
        keys = sorted({*named, *keys_by_field["notes"]})
        for key, (id_, node) in zip(keys, self._view.read(keys), strict=True):
            if node.get("kind") in SOURCES:
                titled = key in keys_by_field["label"]
                weight_and_reason = (_TITLE, "has it in its title") if titled else (_NOTES, "has it in its notes")
                best[id_] = max(best.get(id_, weight_and_reason), weight_and_reason)
            elif key in named:
                for one in self._view.namings(id_, *CITING):
                    if not one.boilerplate:
                        weight = min(2.0, 0.5 + one.weight / 2)
                        weight_and_reason = (_NAME * weight, f"{_VERBS[one.relation]} {label_of(id_, self._view)}")
                        best[one.source] = max(best.get(one.source, weight_and_reason), weight_and_reason)
        return best

    def _only_known(self, match: re.Match[str]) -> str:
        """Return a path with blanks for the part outside of the repository."""
        known = self._path_in_repository(match[0])
        return f"{known:>{len(match[0])}}" if known and match[0].endswith(known) else _blank(match)


def _find_outermost(spans: Collection[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans of a text in its order, without those inside of another."""
    every = sorted(spans, key=lambda span: (span[0], -span[1]))
    return [span for at, span in enumerate(every) if all(span[1] > end for _, end in every[:at])]


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _best(leads: Iterable[_Lead]) -> dict[tuple[int, int, str], float]:
    """Return the weight of each piece of the text for its best reason."""
    best: dict[tuple[int, int, str], float] = {}
    for lead in leads:
        key = (lead.start, lead.end, lead.reason)
        best[key] = max(best.get(key, 0.0), lead.weight)
    return best
