"""Symbols in notes and titles: what an episode names in PyTorch's code, without a link.

Exact names of the index and curated spellings of them, nothing fuzzy. A name that may mean several things is
settled by what else the episode names (its class, its module) or left alone; ordinary words that happen to be
classes (``Parameter``, ``Buffer``, ``Tensor``) count only with evidence that the class is meant.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from .index import read_index
from .model import Mention, Ref
from .sites import identify
from .symbol_lexicon import Lexicon, is_camel, is_file_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .index import Index
    from .model import Corpus, Episode

_REPO = "pytorch/pytorch"
_WORD = re.compile(r"[A-Za-z_]\w*")
_URL = re.compile(r"(?:[a-z][a-z0-9+.-]*://|www\.)\S+|(?<![\w.@-])(?:[\w-]+\.)+(?:com|org|io|net|dev|ai|edu)\b(?:/\S*)?", re.IGNORECASE)
_ABOUT_PYTORCH = re.compile(r"\bpytorch\b|\btorch[.:]", re.IGNORECASE)
_QUALIFIED = re.compile(r"\b(?:torch|functorch)\.[A-Za-z_]|\b(?:at|c10|c10d|torch|aten)::[A-Za-z_]")
_PHRASE_GAP = re.compile(r"[\s\-'\"\u2010\u2011\u2018\u2019\u201c\u201d`]{1,3}\Z")
_SENTENCE_END = re.compile(r"(?:[.?!:]\s+|\n\s*)\Z")
_JOINS = frozenset((".", "::", "/"))
_NAMESPACES = ("at::", "c10::", "c10d::", "torch::", "aten::")
# Everyone's topics that are also someone's folders.
_TOP_FOLDERS = frozenset("aten benchmarks binaries c10 caffe2 cmake docs functorch scripts test tools torch torchgen .ci .github".split())


class _Word(NamedTuple):
    text: str
    start: int
    end: int


class _Found(NamedTuple):
    """A place in a text and the names it may mean; ``sure`` when no context is needed."""

    field: str
    start: int
    end: int
    names: tuple[str, ...]
    method: str
    sure: bool = True


def find_symbols(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find the symbols and files of PyTorch that an episode's title and notes name, in the order of reading.

    In a corpus about PyTorch (its ``default_repo`` says so) all rules apply; in an episode that merely mentions
    PyTorch, only names that could be nothing else; elsewhere, fully qualified names (``torch.vmap``) alone. Text
    that is a URL is never read.
    """
    return _finder()(episode, corpus)


@lru_cache(maxsize=1)
def _finder() -> Callable[[Episode, Corpus], Iterator[Mention]]:
    return symbol_finder(read_index())


def symbol_finder(index: Index) -> Callable[[Episode, Corpus], Iterator[Mention]]:
    """Return ``find_symbols`` for another index: that of another version of PyTorch, say."""
    lexicon: list[Lexicon] = []

    def find(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
        full = corpus.default_repo.lower() == _REPO
        text = f"{episode.title}\n{episode.notes}"
        if not full and not _ABOUT_PYTORCH.search(text) and not _QUALIFIED.search(text):
            return
        if not lexicon:
            lexicon.append(Lexicon(index))
        level = 2 if full else 1 if _ABOUT_PYTORCH.search(text) else 0
        reader = _Reader(lexicon[0], level)
        for field, content in (("title", episode.title), ("notes", episode.notes)):
            reader.read(field, _without_urls(content, episode if field == "notes" else None))
        for found, name in reader.settle():
            content = episode.title if found.field == "title" else episode.notes
            yield Mention(
                _ref(index, name),
                found.field,
                found.start,
                found.end,
                content[found.start : found.end],
                found.method,
                "symbols",
                1.0 if found.sure else 0.9,
                relation="mentions",
            )

    return find


def _without_urls(text: str, episode: Episode | None) -> str:
    """Blank what is a URL, so that offsets stay; the words of a hyperlink are words."""
    for link in episode.links if episode else ():
        if link.method == "url" or link.truncated:
            text = text[: link.start] + " " * (link.end - link.start) + text[link.end :]
    return _URL.sub(lambda match: " " * len(match[0]), text)


@lru_cache(maxsize=4096)
def _ref(index: Index, name: str) -> Ref:
    """Return the identity of a symbol, or of a file or folder (its path begins with ``/``)."""
    if name.startswith("/"):
        path = name.strip("/")
        kind = "tree" if name.endswith("/") else "blob"
        known = identify(f"https://github.com/{index.repo}/{kind}/main/{path}")
        assert known is not None
        return known[1]
    symbol = index.symbol(name)
    assert symbol is not None
    place = index.source(name)
    attrs: list[tuple[str, str | int]] = [("language", symbol.language)]
    if symbol.module:
        attrs.append(("module", symbol.module))
    return Ref("symbol", f"symbol:{name}", name, index.docs_url(name) or (place.url if place else ""), tuple(attrs))


class _Reader:
    """Reads the fields of one episode; remembers what was named, to settle what is not clear."""

    def __init__(self, lexicon: Lexicon, level: int) -> None:
        self._lexicon = lexicon
        self._level = level
        self._found: list[_Found] = []
        self._field = self._text = ""
        self._words: list[_Word] = []

    def read(self, field: str, text: str) -> None:
        """Find the names in one field."""
        self._field, self._text = field, text
        self._words = [_Word(match[0], match.start(), match.end()) for match in _WORD.finditer(text)]
        at = 0
        while at < len(self._words):
            at = self._read_phrase(at) or self._read_compound(at) or self._read_word(at)

    def settle(self) -> Iterator[tuple[_Found, str]]:
        """Yield what was found with the one name it means; what stays open is left out."""
        sure = {found.names[0] for found in self._found if found.sure}
        near = sure | {_owner(name) for name in sure}
        for found in self._found:
            if found.sure:
                yield found, found.names[0]
                continue
            close = [name for name in found.names if name in sure] or [
                name for name in found.names if _owner(name) in near and _owner(name) not in _EVERYWHERE
            ]
            if len(close) == 1:
                yield found, close[0]

    def _add(self, start: int, end: int, names: Iterable[str], method: str, *, sure: bool = True) -> None:
        self._found.append(_Found(self._field, start, end, tuple(names), method, sure))

    def _gap(self, at: int) -> str:
        """Return what stands between a word and the next."""
        if at + 1 >= len(self._words):
            return ""
        return self._text[self._words[at].end : self._words[at + 1].start]

    def _read_phrase(self, at: int) -> int:
        """Read a curated phrase; return where to go on, 0 for none."""
        first = self._words[at]
        for phrase in self._lexicon.phrases.get(first.text.lower(), ()):
            last = at + len(phrase.words) - 1
            if last >= len(self._words):
                continue
            if any(self._words[at + n].text.lower() != word for n, word in enumerate(phrase.words)):
                continue
            if any(not _PHRASE_GAP.match(self._gap(n)) for n in range(at, last)):
                continue
            end = self._words[last].end
            if phrase.spelling and self._text[first.start : end] != phrase.spelling:
                continue
            if self._level < 2 and not _is_coined(phrase.words):
                continue
            if self._glued(at, last):
                continue
            self._add(first.start, end, self._by_language(phrase.names, first.start), "alias")
            if last > at:
                self._read_acronyms(at, last)
            return last + 1
        return 0

    def _read_acronyms(self, first: int, last: int) -> None:
        """Read the names of one word within a phrase: the FX of "post-grad FX passes"."""
        for at in range(first, last + 1):
            word = self._words[at]
            for phrase in self._lexicon.phrases.get(word.text.lower(), ()):
                if phrase.spelling == word.text:
                    self._add(word.start, word.end, phrase.names, "alias")

    def _glued(self, first: int, last: int) -> bool:
        """Tell whether words are part of a dotted name or path, which then says what is meant."""
        before = self._text[: self._words[first].start][-2:]
        after = self._text[self._words[last].end :][:2]
        joined_before = before.endswith("::") or (before.endswith(".") and before[:1].isalnum())
        joined_after = after.startswith("::") or (after[:1] == "." and after[1:].isidentifier()) or (after[:1] == "/" and after[1:].islower())
        return joined_before or joined_after

    def _read_compound(self, at: int) -> int:
        """Read a dotted, ``::`` or path-like name; return where to go on, 0 when the word stands alone."""
        last = at
        while self._gap(last) in _JOINS or (self._gap(last) == "-" and self._in_path(at, last)):
            last += 1
        if last == at:
            return 0
        start = self._words[at].start
        text = self._text[start : self._words[last].end]
        if "/" in text:
            if self._read_path(start, self._words[last].end, text):
                return last + 1
            return self._read_alternatives(at, last)
        if is_file_name(text):
            path = self._lexicon.file(text) if self._level == 2 else ""
            if path:
                self._add(start, self._words[last].end, (f"/{path}",), "symbol")
            return last + 1
        return self._read_qualified(at, last)

    def _in_path(self, first: int, last: int) -> bool:
        return "/" in self._text[self._words[first].start : self._words[last].end]

    def _read_path(self, start: int, end: int, text: str) -> bool:
        if start and self._text[start - 1] == "." and self._text[:start][-2:].strip(".") == "":
            start, text = start - 1, f".{text}"
        if self._level < 2:
            return False
        slash = self._text[end : end + 1] == "/"
        top = text.partition("/")[0]
        paths = self._lexicon.index.paths
        if top in _TOP_FOLDERS:
            status = paths.status(text)
            if is_file_name(text.rpartition("/")[2]):
                self._add(start, end, (f"/{text}",), "symbol")
                return True
            if status.status in {"ok", "moved"}:
                mark = "/" if paths.is_folder(status.path) else ""
                self._add(start, end + slash, (f"/{text}{mark}",), "symbol")
                return True
        elif is_file_name(text.rpartition("/")[2]):
            path = self._lexicon.file(text)
            if path:
                self._add(start, end, (f"/{path}",), "symbol")
                return True
        return False

    def _read_alternatives(self, first: int, last: int) -> int:
        """Read ``torch.save/load`` and ``Tensor/Storage``: names with a slash between them."""
        at = first
        owner = ""
        while at <= last:
            end = at
            while end < last and self._gap(end) in {".", "::"}:
                end += 1
            word = self._words[at]
            before = len(self._found)
            if end > at:
                self._read_qualified(at, end)
                if len(self._found) > before and self._found[-1].sure:
                    owner = _owner(self._found[-1].names[0])
            elif owner and (sibling := self._lexicon.dotted(f"{owner}.{word.text}")):
                self._add(word.start, word.end, (sibling,), "symbol")
            elif not self._read_phrase_inside(at):
                self._read_word(at, joined=True)
            at = end + 1
        return last + 1

    def _read_phrase_inside(self, at: int) -> bool:
        """Read a phrase of one word between slashes."""
        word = self._words[at]
        for phrase in self._lexicon.phrases.get(word.text.lower(), ()):
            if len(phrase.words) == 1 and phrase.spelling in {"", word.text} and (self._level == 2 or _is_coined(phrase.words)):
                self._add(word.start, word.end, self._by_language(phrase.names, word.start), "alias")
                return True
        return False

    def _read_qualified(self, first: int, last: int) -> int:
        """Read the longest known beginning of a dotted or ``::`` name; the rest is read as words."""
        start = self._words[first].start
        whole = self._text[start : self._words[last].end]
        if self._level == 0 and not whole.startswith(("torch.", "functorch.", *_NAMESPACES)):
            return last + 1
        for end in range(last, first, -1):
            text = self._text[start : self._words[end].end]
            name = self._lexicon.dotted(text)
            if name and (end == last or name.count(".") + name.count("::") >= 1):
                self._add(start, self._words[end].end, (name,), "symbol")
                return end + 1
        if self._level == 2 and self._words[first].text not in {"std", "np", "numpy", "jax", "jnp", "tf"}:
            for at in range(first, last + 1):
                if not self._read_phrase_inside(at) and is_camel(self._words[at].text):
                    self._read_word(at)
        return last + 1

    def _read_word(self, at: int, *, joined: bool = False) -> int:
        """Read a word that stands alone; return where to go on."""
        word = self._words[at]
        text = word.text
        if self._level == 0 or len(text) < 3:
            return at + 1
        if "_" in text:
            self._read_snake(word)
        elif is_camel(text):
            names = self._lexicon.bare(text) or (self._lexicon.bare(text[:-1]) if text.endswith("s") else ())
            if names:
                names = self._by_language(names, word.start)
                self._add(word.start, word.end, names, "symbol", sure=len(names) == 1 or _are_twins(names))
        elif (dtype := self._lexicon.dtype(text)) and self._level == 2:
            self._add(word.start, word.end, (dtype,), "symbol")
        elif text in self._lexicon.words and self._level == 2:
            self._read_ordinary(word, joined=joined)
        elif self._level == 2 and self._text[word.end : word.end + 2] == "()" and (name := self._lexicon.called(text)):
            self._add(word.start, word.end, (name,), "symbol")
        return at + 1

    def _read_snake(self, word: _Word) -> None:
        text = word.text
        dunder = self._lexicon.dunder(text)
        if dunder:
            self._add(word.start, word.end, (dunder,), "symbol" if text == f"__{text.strip('_')}__" else "alias")
        elif text.startswith("__"):
            return  # Python's own
        elif text.isupper():
            if name := self._lexicon.capitals(text):
                self._add(word.start, word.end, (name,), "symbol")
        elif text.startswith("_") or text.endswith("__"):
            if self._level == 2 and (names := self._lexicon.members(text)):
                self._add(word.start, word.end, names, "symbol", sure=False)
        elif names := self._lexicon.bare(text):
            sure = len(names) == 1
            if self._level == 2 or sure:
                self._add(word.start, word.end, names, "symbol", sure=sure)
        elif self._level == 2 and (names := self._lexicon.phrase_of(text)):
            self._add(word.start, word.end, self._by_language(names, word.start), "alias")

    def _read_ordinary(self, word: _Word, *, joined: bool) -> None:
        """Read a capitalised everyday word: code marks, a slash, a sentence-case title or a context must speak."""
        names = self._lexicon.words[word.text]
        after = self._text[word.end : word.end + 2]
        pointer = after[:1] in {"&", "*"} and not after[1:].isspace() or self._text[: word.start].endswith("const ")
        if pointer:
            names = [name for name in names if "::" in name] or names
            self._add(word.start, word.end, names[:1], "symbol")
        elif after == "()" or self._text[word.start - 1 : word.start] == "`":
            self._add(word.start, word.end, names[:1], "symbol", sure=len(names) == 1)
        elif self._stands_out(word):
            self._add(word.start, word.end, self._by_language(names, word.start), "symbol", sure=True)
        elif not _SENTENCE_END.search(self._text[: word.start]) and word.start:
            if joined and self._has_named_neighbour(word):
                self._add(word.start, word.end, names, "symbol", sure=len(names) == 1 or _are_twins(names))
            else:
                self._add(word.start, word.end, names, "symbol", sure=False)

    def _has_named_neighbour(self, word: _Word) -> bool:
        """Tell whether the other side of a slash is a class too."""
        pair = re.compile(r"([A-Za-z]\w*)/(?=[A-Za-z])|/([A-Za-z]\w*)")
        around = self._text[max(0, word.start - 60) : word.end + 60]
        sides = {side for match in pair.finditer(around) for side in match.groups() if side}
        others = sides - {word.text}
        return any(other in self._lexicon.words or (is_camel(other) and self._lexicon.bare(other)) for other in others)

    def _stands_out(self, word: _Word) -> bool:
        """Tell whether a word is capitalised against the sentence case of the title, behind its first word."""
        if self._field != "title" or not word.start:
            return False
        others = [other.text for other in self._words[1:] if other.start != word.start]
        return len(others) > 1 and all(other.islower() for other in others)

    def _by_language(self, names: Iterable[str], at: int) -> tuple[str, ...]:
        """Put the C++ names first where the sentence speaks of C++."""
        names = tuple(names)
        if len(names) < 2:
            return names
        start = max(self._text.rfind(mark, 0, at) for mark in ("\n", ". ", "? ", "! "))
        ends = [end for mark in ("\n", ". ", "? ", "! ") if (end := self._text.find(mark, at)) >= 0]
        sentence = self._text[max(start, 0) : min(ends, default=len(self._text))]
        return tuple(sorted(names, key=lambda name: "::" not in name)) if "C++" in sentence else names


# Owners of too much to say anything about one of their members.
_EVERYWHERE = frozenset(("", "torch", "at", "c10", "torch._inductor", "torch._dynamo"))


def _owner(name: str) -> str:
    """Return the class, module or namespace a name is in."""
    return name.rpartition("::" if "::" in name else ".")[0]


def _are_twins(names: tuple[str, ...]) -> bool:
    """Tell whether two names are the Python and the C++ face of one thing."""
    return len(names) == 2 and ("::" in names[0]) != ("::" in names[1])


def _is_coined(words: tuple[str, ...]) -> bool:
    """Tell whether a phrase is PyTorch's own coinage, which means nothing else anywhere."""
    return any(mark in word for word in words for mark in ("torch", "autograd", "inductor", "dtensor", "symint", "fsdp"))
