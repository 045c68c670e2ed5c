"""How often two topics are spoken of together: in one paragraph of the docstrings and comments of a wheel.

Measured as normalised pointwise mutual information (Bouma, 2009): 1 for what stands only together, 0 for chance.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from podgraph.extractors.subjects.vocabulary import Vocabulary

    from .wheel import Wheel

_LEAST_TIMES = 3  # paragraphs: fewer are chance
_LEAST = 0.15  # below this, two topics have little to do with each other
_MOST_NAMED = 8  # a paragraph that names more topics lists them
# docstrings, and runs of lines of comment: of Python and YAML, of C++
_OF_PYTHON = re.compile(r'"""(.*?)"""|\'\'\'(.*?)\'\'\'|((?:^[ \t]*#[^\n]*\n)+)', re.DOTALL | re.MULTILINE)
_OF_CPP = re.compile(r"/\*(.*?)\*/|((?:^[ \t]*//[^\n]*\n)+)", re.DOTALL | re.MULTILINE)
_MARKS = re.compile(r"^[ \t]*(?://+|#+|\*+)", re.MULTILINE)  # of a comment, ahead of its lines
_EMPTY_LINE = re.compile(r"\n[ \t]*\n")
_WORD = re.compile(r"[A-Za-z_][\w+#]*|\d+\w*")  # a word or a name of code
_ANY_CASE = 7  # as in the extractor of topics: shorter names with capitals count as they are written


def pack_together(wheel: Wheel, vocabulary: Vocabulary) -> bytes:
    """Return a line for each two topics that are spoken of together: their ids, how much, the file where most often."""
    names = _names(vocabulary)
    longest: dict[str, int] = defaultdict(int)
    for words in names:
        longest[words[0]] = max(longest[words[0]], len(words))
    single: Counter[str] = Counter()
    pairs: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    total = 0
    for path, text in wheel.texts(""):
        for paragraph in _paragraphs(path, text):
            found = sorted(_named(_WORD.findall(paragraph), names, longest))
            total += bool(found)
            single.update(found)
            if len(found) <= _MOST_NAMED:
                for place, one in enumerate(found):
                    for other in found[place + 1 :]:
                        pairs[one, other][path] += 1
    lines = []
    for (one, other), files in sorted(pairs.items()):
        times = files.total()
        if times < _LEAST_TIMES or one in vocabulary.above(other) or other in vocabulary.above(one):
            continue
        value = math.log(times * total / (single[one] * single[other])) / -math.log(times / total)
        if value >= _LEAST:
            most = min(files, key=lambda path: (-files[path], path))
            lines.append(f"{one} {other} {value:.2f} {most}")
    return "\n".join(lines).encode()


def _names(vocabulary: Vocabulary) -> dict[tuple[str, ...], list[tuple[str, str]]]:
    """Return the sure names of all topics, as words in small letters: (topic, as it must be written or nothing)."""
    names: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
    for topic in vocabulary.topics.values():
        for name in (topic.name, *topic.aliases) if topic.id not in vocabulary.roots else ():
            words = tuple(word.lower() for word in _WORD.findall(name))
            if name.lower() in vocabulary.ordinary or len("".join(words)) < 2:
                continue
            exact = len(words) == 1 and any(map(str.isupper, name[1:])) and (name.isupper() or len(name) < _ANY_CASE)
            names[words].append((topic.id, name if exact else ""))
            if words[-1].endswith("s") and len(words[-1]) > 3 and not exact:
                names[*words[:-1], words[-1][:-1]].append((topic.id, ""))
    return names


def _named(words: list[str], names: dict[tuple[str, ...], list[tuple[str, str]]], longest: dict[str, int]) -> set[str]:
    """Return the topics that some words name, of names that begin alike the longest."""
    small = [word.lower() for word in words]
    found: set[str] = set()
    at = 0
    while at < len(small):
        for length in range(longest.get(small[at], 0), 0, -1):
            owners = names.get(tuple(small[at : at + length]), ())
            if hits := [topic for topic, exact in owners if not exact or words[at] == exact]:
                found.update(hits)
                at += length - 1
                break
        at += 1
    return found


def _paragraphs(path: str, text: str) -> Iterator[str]:
    """Yield the paragraphs of the docstrings and comments of a source file, or of a text."""
    pattern = _OF_PYTHON if path.endswith((".py", ".pyi", ".yaml")) else _OF_CPP
    blocks: Iterable[str] = [text]
    if not path.endswith(".md"):
        blocks = (next(filter(None, match.groups()), "") for match in pattern.finditer(text))
    for block in blocks:
        yield from _EMPTY_LINE.split(_MARKS.sub("", block))
