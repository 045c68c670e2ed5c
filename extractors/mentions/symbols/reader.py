"""Reading a text for names of code: phrases, dotted names, paths, CamelCase and snake_case words.

The text is cut into words once; a word counts only if it looks like code or begins a curated phrase. Time grows
linearly with the length of any text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from .lexicon import CAMEL, DTYPE, ORDINARY, PHRASE, SNAKE, is_file_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .lexicon import Lexicon, Phrase

# How much is read: only fully qualified names; also names that can mean nothing else; everything.
QUALIFIED, COINED, ALL = range(3)

_WORD = re.compile(r"[A-Za-z_]\w*")  # an identifier
_SPACE = re.compile(r"\s")  # where an address ends
_URL = re.compile(r"://|\bwww\.|\.(?:com|org|io|net|dev|ai|edu)\b", re.IGNORECASE)  # the mark of an address
_PHRASE_GAP = re.compile(r"[\s\-'\"\u2010\u2011\u2018\u2019\u201c\u201d`]{1,3}\Z")  # between words of a phrase
_LONGEST_NAME = 300  # characters: longer text is not a name, and must not cost more than its length
_LONGEST_CHAIN = 24  # dots or ``::`` in a name: of a longer one only the beginning is looked up
_LONGEST_TITLE = 60  # words
_SENTENCE_MARKS = ("\n", ". ", "? ", "! ")
_JOINS = frozenset((".", "::", "/"))
_GOES_ON = frozenset("./:(")


class Found(NamedTuple):
    """A place in a field, and the names it may mean; ``sure`` when it needs no context.

    A name that begins with ``/`` is a path of the repository, a folder's ends with ``/``.
    """

    field: str
    start: int
    end: int
    names: tuple[str, ...]
    method: str
    sure: bool = True


class Reader:
    """Reads the fields of one text; remembers its names, to settle the ambiguous ones."""

    def __init__(self, lexicon: Lexicon, level: int = ALL) -> None:
        self._lexicon = lexicon
        self._code = code = lexicon.index.subject.code
        # How a name in full begins: with a root and a dot, or with a namespace.
        self._in_full = (*(f"{root}." for root in code.roots), *(f"{space}::" for space in code.namespaces))
        self._level = level
        self._found: list[Found] = []
        self._field = self._text = ""
        self._words: list[tuple[str, int, int]] = []
        self._is_path = False
        self._run_end = -1  # the last word of the dotted run in hand, so that its end is looked for once

    def read(self, field: str, text: str) -> None:
        """Find the names in one field; URLs are skipped."""
        self._field, self._text = field, f"{_without_urls(text)} "
        text = self._text
        self._words = words = [(match[0], *match.span()) for match in _WORD.finditer(text)]
        marks = self._lexicon.marks
        at, self._run_end = 0, -1
        while at < len(words):
            word, start, end = words[at]
            mark = marks[word]
            if not mark and text[end] not in _GOES_ON and text[start - 1] != "/":
                at += 1
            else:
                at = (mark & PHRASE and self._read_phrase(at)) or self._read_compound(at) or self._read_word(at)

    def settle(self) -> Iterator[tuple[Found, str]]:
        """Yield each find with its one meaning; ambiguous ones are left out."""
        sure = {found.names[0] for found in self._found if found.sure}
        near = (sure | {owner(name) for name in sure}) - self._code.everywhere - {""}
        ambiguous = {found.names for found in self._found if not found.sure}
        settled = {names: _only_near(names, sure, near) for names in ambiguous}
        for found in self._found:
            name = found.names[0] if found.sure else settled[found.names]
            if name:
                yield found, name

    def _add(self, start: int, end: int, names: Iterable[str], method: str = "symbol", *, sure: bool = True) -> bool:
        """Note the possible meanings of a place, the likeliest first; empty names are skipped."""
        names = tuple(filter(None, names))
        if names:
            self._found.append(Found(self._field, start, end, names, method, sure))
        return bool(names)

    def _add_candidates(self, start: int, end: int, names: tuple[str, ...]) -> None:
        """Note the possible meanings of a place: as sure if it is a single one, or the two faces of one."""
        self._add(start, end, names, sure=len(names) == 1 or _are_twins(names))

    def _gap(self, at: int) -> str:
        """Return the text between a word and the next."""
        return self._text[self._words[at][2] : self._words[at + 1][1]] if at + 1 < len(self._words) else ""

    # Phrases

    def _read_phrase(self, at: int) -> int:
        """Read a curated phrase; return where to go on, 0 for none."""
        first, start, _ = self._words[at]
        for phrase in self._lexicon.phrases[first.lower()]:
            last = at + len(phrase.words) - 1
            if last < len(self._words) and self._is_phrase(phrase, at, last):
                self._add(start, self._words[last][2], self._sort_by_language(phrase.names, start), "alias")
                for word, begin, end in self._words[at : last + 1] if last > at else ():
                    # An acronym within a phrase has its own meaning, too: the FX of "post-grad FX passes".
                    own = (one.names for one in self._lexicon.phrases.get(word.lower(), ()) if one.spelling == word)
                    self._add(begin, end, next(own, ()), "alias")
                return last + 1
        return 0

    def _is_phrase(self, phrase: Phrase, at: int, last: int) -> bool:
        """Return whether the words from ``at`` to ``last`` are a curated phrase.

        Below level ``ALL``, only phrases with a word that the project coined count.
        """
        if any(self._words[at + n][0].lower() != word for n, word in enumerate(phrase.words)):
            return False
        if phrase.spelling and self._text[self._words[at][1] : self._words[last][2]] != phrase.spelling:
            return False
        if self._level < ALL and not any(mark in word for word in phrase.words for mark in self._code.coinages):
            return False
        return all(_PHRASE_GAP.match(self._gap(n)) for n in range(at, last))

    # Names of several parts

    def _read_compound(self, at: int) -> int:
        """Read a dotted, ``::`` or path-like name; return the next place, 0 for a single word."""
        is_head = at >= self._run_end
        last, in_path = self._end_of_compound(at)
        if last == at:
            return self._read_sibling(at)
        start, end = self._words[at][1], self._words[last][2]
        if in_path:
            if is_head and self._read_path(start, end):
                return last + 1
            last = at  # no path: names with a slash between them, such as Tensor/Storage
            while self._gap(last) in {".", "::"}:
                last += 1
            return self._read_qualified(at, last) if last > at else self._read_word(at)
        if end - start > _LONGEST_NAME or not is_file_name(text := self._text[start:end]):
            return self._read_qualified(at, last)
        if self._level == ALL and (path := self._lexicon.file(text)):
            self._add(start, end, (f"/{path}",))
        return last + 1

    def _read_sibling(self, at: int) -> int:
        """Read the word behind a slash behind a qualified name: the ``load`` of ``torch.save/load``."""
        word, start, end = self._words[at]
        before = self._found[-1] if self._found and self._text[start - 1 : start] == "/" else None
        is_next = before and before.end == start - 1 and "." in self._text[before.start : before.end]
        name = f"{owner(before.names[0])}.{word}" if before and is_next else ""
        return (at + 1) * self._add(start, end, (name and self._lexicon.qualified(name),))

    def _end_of_compound(self, at: int) -> tuple[int, bool]:
        """Return the last of the words that dots, ``::`` and slashes join to a word; whether they look like a path."""
        if at < self._run_end:  # within a run: it ends where it did for the word before
            return self._run_end, self._is_path
        in_path = False
        while (gap := self._gap(at)) in _JOINS or (gap == "-" and in_path):
            in_path = in_path or gap == "/"
            at += 1
        self._run_end, self._is_path = at, in_path
        return at, in_path

    def _read_path(self, start: int, end: int) -> bool:
        """Read a path from a top folder of the repository, or the end of one that only one file has."""
        if self._level < ALL or end - start > _LONGEST_NAME:
            return False
        text, paths = self._text[start:end], self._lexicon.index.paths
        if start and self._text[start - 1] == "." and not self._text[max(0, start - 2)].isalnum():
            start, text = start - 1, f".{text}"
        known = paths.status(text) if text.partition("/")[0] in self._code.top_folders else None
        if known is not None and known.status in {"ok", "moved"}:
            mark = "/" if paths.is_folder(known.path) else ""
            return self._add(start, end + (self._text[end] == mark), (f"/{text}{mark}",))
        if is_file_name(text.rpartition("/")[2]) and (path := self._lexicon.file(text) or (text if known else "")):
            return self._add(start, end, (f"/{path}",))
        return False

    def _read_qualified(self, first: int, last: int) -> int:
        """Read the longest known beginning of a dotted or ``::`` name; failing that, the words in it."""
        start = self._words[first][1]
        if self._level == QUALIFIED and not self._text.startswith(self._in_full, start):
            return last + 1
        for at in range(min(last, first + _LONGEST_CHAIN), first, -1):
            end = self._words[at][2]
            if end - start <= _LONGEST_NAME and self._add(
                start, end, (self._lexicon.qualified(self._text[start:end]),)
            ):
                return at + 1
        return last + 1

    # Single words

    def _read_word(self, at: int) -> int:
        """Read a single word; return the next place."""
        word, start, end = self._words[at]
        mark, lexicon = self._lexicon.marks[word], self._lexicon
        is_code = self._text.startswith("()", end) or self._text[start - 1 : start] == "`"
        if self._level == QUALIFIED:
            pass
        elif mark & SNAKE:
            self._read_snake(word, start, end)
        elif mark & CAMEL:
            self._add_candidates(start, end, lexicon.bare(word) or lexicon.bare(word.removesuffix("s")))
        elif self._level == ALL and mark & ORDINARY:  # a capitalised everyday word: code or a context must speak
            names = tuple(lexicon.words[word])
            if self._text.startswith(("& ", "* "), end) or self._text.endswith("const ", 0, start):  # of C++
                self._add(start, end, sorted(names, key=lambda name: "::" not in name)[:1])
            elif is_code or self._has_class_beside(at):
                self._add_candidates(start, end, names)
            else:
                self._add(start, end, self._sort_by_language(names, start), sure=self._stands_out(start))
        elif self._level == ALL and (mark & DTYPE or self._text.startswith("()", end)):
            self._add(start, end, (f"{self._code.roots[0]}.{word}" if mark & DTYPE else lexicon.called(word),))
        return at + 1

    def _has_class_beside(self, at: int) -> bool:
        """Return whether the other side of a slash is a class too."""
        sides = [n for n, gap in ((at - 1, at - 1), (at + 1, at)) if gap >= 0 and self._gap(gap) == "/"]
        return any(self._lexicon.marks[self._words[n][0]] & (ORDINARY | CAMEL) for n in sides)

    def _stands_out(self, start: int) -> bool:
        """Return whether a word is capitalised against the sentence case of the title, behind its first word."""
        if self._field != "title" or not start or len(self._words) > _LONGEST_TITLE:
            return False
        others = [word for word, place, _ in self._words[1:] if place != start]
        return len(others) > 1 and all(word.islower() for word in others)

    def _sort_by_language(self, names: tuple[str, ...], at: int) -> tuple[str, ...]:
        """Put the C++ names first where the sentence speaks of C++."""
        if len(names) < 2:
            return names
        start = max(self._text.rfind(mark, max(0, at - 500), at) for mark in _SENTENCE_MARKS)
        ends = [end for mark in _SENTENCE_MARKS if (end := self._text.find(mark, at, at + 500)) >= 0]
        sentence = self._text[max(start, 0, at - 500) : min(ends, default=at + 500)]
        return tuple(sorted(names, key=lambda name: "::" not in name)) if "C++" in sentence else names

    def _read_snake(self, word: str, start: int, end: int) -> None:
        """Read a word with underscores or in capitals: a special method, a constant, a private member, a function."""
        lexicon = self._lexicon
        if dunder := lexicon.dunder(word):
            self._add(start, end, (dunder,), "symbol" if word == f"__{word.strip('_')}__" else "alias")
        elif word.isupper():
            self._add(start, end, (lexicon.capitals(word),))
        elif word.startswith("_") or word.endswith("__"):
            self._add(start, end, lexicon.members(word) if self._level == ALL else (), sure=False)
        else:
            self._add_candidates(start, end, lexicon.bare(word))


def owner(name: str) -> str:
    """Return the class, module or namespace a name is in.

    >>> owner("torch.nn.Module"), owner("c10::intrusive_ptr")
    ('torch.nn', 'c10')
    """
    return name.rpartition("::" if "::" in name else ".")[0]


def _only_near(names: tuple[str, ...], sure: set[str], near: set[str]) -> str:
    """Return the one of ``names`` that occurs elsewhere, else the one with such an owner; "" for several or none."""
    close = [name for name in names if name in sure] or [name for name in names if owner(name) in near]
    return close[0] if len(close) == 1 else ""


def _are_twins(names: tuple[str, ...]) -> bool:
    """Return whether two names are the Python and the C++ face of one thing."""
    return len(names) == 2 and ("::" in names[0]) != ("::" in names[1])


def _without_urls(text: str) -> str:
    """Blank every run of characters that holds a URL or a host's name, so that offsets stay."""
    pieces: list[str] = []
    last = 0
    for match in _URL.finditer(text):
        if match.start() < last:
            continue
        start = match.start()
        while start > last and not text[start - 1].isspace():
            start -= 1
        space = _SPACE.search(text, match.end())
        end = space.start() if space else len(text)
        pieces += [text[last:start], " " * (end - start)]
        last = end
    return "".join([*pieces, text[last:]]) if pieces else text
