"""GitHub's references without a URL: ``owner/repo#12``, ``PR 123``, ``#1234``, ``GH-12``, ``owner/repo@sha``.

The forms are those of GitHub's page on autolinked references; the words before a number are English. A number
alone is a reference only where the words round it do not make it something else: an episode, a rank, a colour.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..ref import Ref
from ..sites import identify

if TYPE_CHECKING:
    from collections.abc import Iterator

    Candidate = tuple[int, int, Ref]

_REPOSITORY = r"(?P<owner>[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38})/(?P<repo>[A-Za-z0-9_.-]{1,100}?)"
_NUMBER = r"(?P<number>[1-9]\d{0,8})"
# "owner/repo#12", "owner/repo/pull/12", "owner/repo@1a2b3c4".
_FULL = re.compile(
    rf"(?<![\w/.@#:&%+-]){_REPOSITORY}"
    rf"(?:(?P<gap>\s?#|/(?:pull|issues|discussions)/){_NUMBER}|@(?P<sha>[0-9a-f]{{7,40}}))(?![\w-]|\.\w)"
)
_HEAD = re.compile(r"[#@][1-9a-f]|/(?:pull|issues|discussions)/")  # in every reference with its repository
# An address of git's own: "git@github.com:owner/repo.git".
_REMOTE = re.compile(
    rf"(?<!\w)(?:git@github\.com:|ssh://git@github\.com/|git://github\.com/){_REPOSITORY}(?:\.git)?(?![\w/-]|\.\w)"
)
# "and/or #1", "CI/CD#2", "I/O #2", "docs/README.md#3": owners called so write the repository in small letters.
_NO_REPOSITORY = re.compile(
    r"(?i:and/or|she/her|he/she|his/her|him/her|they/them|tcp/ip|client/server|input/output|read/write|n/a|w/o|yes/no"
    r"|on/off|frontend/backend|true/false|pass/fail|and/und)|[A-Z]{1,5}\d?/[A-Z]{1,5}\d?s?"
)
_FILE = re.compile(r"\.(?:py|md|rst|txt|c|cc|cpp|cu|cuh|h|hpp|java|kt|rs|go|sh|toml|ya?ml|json|cfg|ini)\Z")

# Characters that exclude a reference after a number: 50%, 3x, 2nd, 1.5, 1,000.
_END = r"(?![\w%$-]|[.,:/]\d|\s?%|\s(?:x|st|nd|rd|th|stars?|times|points?|percent)\b)"
# "PR 12", "issues #3", "Fixes #4", "GH-5".
_WORDED = re.compile(
    r"(?<![\w/#&-])(?:(?P<pull>PRs?|[Pp]ull[ -][Rr]equests?|[Pp]ulls?|PULL)"
    r"|(?P<issue>[Ii]ssues?|[Bb]ugs?|[Tt]ickets?|ISSUES?)"
    r"|(?P<closes>(?:[Ff]ix(?:es|ed)?|[Cc]lose[sd]?|[Rr]esolve[sd]?|[Rr]everts?|[Rr]efs?|[Rr]elates to|[Pp]art of))"
    rf"|(?P<gh>GH|gh))(?P<gap>:?\s?#|-#?|(?:\s(?:number|no\.?|num\.?))?\s#?|){_NUMBER}{_END}"
)
_WORD_AND_NUMBER = re.compile(r"[A-Za-z.][ :-]?[ #]?[1-9]")  # in every number after a word
# The next number of a list: ", #12", " and 345".
_MORE = re.compile(rf"(?:\s?[,&/+]\s?(?:and\s|or\s|&\s)?|\s(?:and|or|to|through)\s)(?P<hash>#?){_NUMBER}{_END}")
_BARE = re.compile(rf"(?<![\w/#&.%-])#(?P<number>[1-9]\d{{2,8}}){_END}")  # "#1234" by itself
_COUNTED = (
    r"episodes?|eps?\.?|parts?|chapters?|numbers?|lessons?|no\.?|vol(?:ume)?\.?|room|suite|apt\.?|gate|bus|track|day"
    r"|week|level|page|item|question|tip|rule|step|figure|fig\.?|table|version|colou?rs?|background|fill|stroke|hex"
    r"|(?:seasons?|series)(?:\s\d+)?,?"
)
# Counted nouns before a number ("episode #12", "colour: #123"), and words that make it a rank ("at #1", "top #100").
_NO_REFERENCE_BEFORE = re.compile(rf"(?:\b(?:{_COUNTED})|[:=]\s?[\"']?|[\"'])\s?\Z", re.IGNORECASE)
_RANK_BEFORE = re.compile(
    r"\b(?:top|rank(?:ed|s|ing)?|at|the|my|your|our|his|her|their|is|was|we.re|be|hit)\s?\Z", re.IGNORECASE
)
# Words after it that do: "#1 in the charts", "#123 fan".
_NO_REFERENCE_BEHIND = re.compile(
    r"\s?(?:(?:on|in) (?:the |its |our )?(?:charts?|lists?|rankings?|category|world|country|podcast)"
    r"|(?:podcast|show|fan|song|bestseller|spot|hit)\b)",
    re.IGNORECASE,
)
# "commit 1a2b3c4", with a digit and a letter in it.
_COMMIT = re.compile(
    r"(?<![\w/-])(?:[Cc]ommits?|[Rr]evision|SHA)\s"
    r"(?P<sha>(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,40})(?![\w-]|\.\w)"
)


def find_full(text: str) -> Iterator[Candidate]:
    """Find the references that name their repository; yields (start, end, reference).

    >>> [ref.id for _, _, ref in find_full("pytorch/rfcs#17 and #19, docs/README.md#3, git@github.com:pytorch/xla.git")]
    ['github:pytorch/rfcs#17', 'github:pytorch/rfcs#19', 'github:pytorch/xla']
    """
    for match in _FULL.finditer(text) if "/" in text and _HEAD.search(text) else ():
        name, gap = f"{match['owner']}/{match['repo']}", match["gap"] or ""
        if (
            ("#" in gap and _NO_REPOSITORY.fullmatch(name))
            or _FILE.search(name)
            or (name[-2] == "/" and name[-1].isupper())
        ):
            continue
        page = f"{gap.strip('/') if '/' in gap else 'issues'}/{match['number']}" if gap else f"commit/{match['sha']}"
        if ref := _identify(f"{name}/{page}"):
            yield match.start(), match.end(), ref
            if gap:  # "owner/repo#17, #19" stays in the repository
                yield from _find_more(text, match.end(), name)
    for match in _REMOTE.finditer(text) if "github.com" in text else ():
        if ref := _identify(f"{match['owner']}/{match['repo']}"):
            yield match.start(), match.end(), ref


def _find_more(text: str, end: int, repo: str, kind: str = "issue", *, bare: bool = False) -> Iterator[Candidate]:
    """Yield the further numbers of a list: "PRs #12, #34 and 567".

    Those without ``#`` count only if ``bare``, with three digits or more, and not if they may be a year.
    """
    while more := _MORE.match(text, end):
        if not more["hash"] and not (bare and len(more["number"]) > 2 and not _is_year(more["number"])):
            break
        end = more.end()
        yield more.start("hash"), end, to_ref(repo, int(more["number"]), kind)


def find_numbers(text: str, repo: str, *, whole: bool = False) -> Iterator[Candidate]:
    """Find the references to pull requests, issues and commits of ``repo``; yields (start, end, reference).

    A number without ``#`` needs a word such as ``PR`` and three digits, one without a word ``#`` and three digits. With
    ``whole`` the text is meant to be a reference, so that ``PR 5`` counts, too.

    >>> [ref.id for _, _, ref in find_numbers("PRs #1, #22 and 333, GH-4; #5 of the top 10", "o/r")]
    ['github:o/r#1', 'github:o/r#22', 'github:o/r#333', 'github:o/r#4']
    """
    for match in _WORDED.finditer(text) if _WORD_AND_NUMBER.search(text) else ():
        if whole or _is_worded_reference(text, match):
            kind = "pull" if match["pull"] else "issue"
            start = match.start("gap") + match["gap"].find("#") if match["closes"] else match.start()
            yield start, match.end(), to_ref(repo, int(match["number"]), kind)
            yield from _find_more(text, match.end(), repo, kind, bare=not match["closes"])
    for match in _BARE.finditer(text) if "#" in text else ():
        if whole or not _is_counted(text, match):
            yield match.start(), match.end(), to_ref(repo, int(match["number"]))
    for match in _COMMIT.finditer(text):
        if ref := _identify(f"{repo}/commit/{match['sha']}"):
            yield match.start(), match.end(), ref


def to_ref(repo: str, number: int, kind: str = "issue") -> Ref:
    """Return the pull request or issue ``number`` of ``repo``; its kind stays open until a mention decides.

    >>> to_ref("PyTorch/pytorch", 12).id
    'github:pytorch/pytorch#12'
    """
    name = repo.lower()
    url = f"https://github.com/{name}/{'pull' if kind == 'pull' else 'issues'}/{number}"
    return Ref(kind, f"github:{name}#{number}", f"{name}#{number}", url, (("repo", name), ("number", number)))


def _is_worded_reference(text: str, match: re.Match[str]) -> bool:
    """Return whether a word and a number are a reference, and not a quantity, a year or a name."""
    if match["issue"] and text.startswith(" of ", match.end()):
        return False  # an issue of something: a magazine, a series
    gap, number, word = match["gap"], match["number"], match[0].lower()
    if "#" in gap:
        return True
    if match["gh"]:
        return gap == "-"
    if match["closes"] or gap == "-" or word.startswith(("bug", "pull ", "pulls")):
        return word.startswith(("pull request", "pull-request")) and len(number) > 2
    return (bool(gap) or bool(match["pull"])) and len(number) > 2 and not _is_year(number)


def _is_counted(text: str, match: re.Match[str]) -> bool:
    """Return whether ``#1234`` is a count, a rank, a year or a colour by the words round it rather than a reference."""
    before = text[max(0, match.start() - 16) : match.start()]
    return bool(
        _is_year(match["number"])
        or _NO_REFERENCE_BEFORE.search(before)
        or _NO_REFERENCE_BEHIND.match(text, match.end())
        or (len(match["number"]) < 4 and _RANK_BEFORE.search(before))
    )


def _is_year(number: str) -> bool:
    return len(number) == 4 and number[:2] in {"19", "20"}


def _identify(path: str) -> Ref | None:
    known = identify(f"https://github.com/{path}")
    return known[1] if known and known[0] == "github" else None
