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
# Every reference with its repository contains one of these.
_HEAD = re.compile(r"[#@][1-9a-f]|/(?:pull|issues|discussions)/")
_MARKS = ("#", "@", "/pull/", "/issues/", "/discussions/")  # and so one of these, which are found faster
# An address of git's own: "git@github.com:owner/repo.git".
_REMOTE = re.compile(
    rf"(?<!\w)(?:git@github\.com:|ssh://git@github\.com/|git://github\.com/){_REPOSITORY}(?:\.git)?(?![\w/-]|\.\w)"
)
# The end of a file's name.
_FILE = re.compile(r"\.(?:py|md|rst|txt|c|cc|cpp|cu|cuh|h|hpp|java|kt|rs|go|sh|toml|ya?ml|json|cfg|ini)\Z")
_PAIRS = frozenset(
    "and/or he/she his/her him/her she/her they/them tcp/ip client/server input/output read/write n/a w/o yes/no "
    "on/off frontend/backend true/false pass/fail and/und".split()
)

# "CI/CD", "TCP/UDP": two short words in capitals; owners with such names write the repository in small letters.
_ACRONYMS = re.compile(r"[A-Z]{1,5}\d?/[A-Z]{1,5}\d?s?")

# Characters that exclude a reference after a number: 50%, 3x, 2nd, 1.5, 1,000.
_END = r"(?![\w%$-]|[.,:/]\d|\s?%|\s(?:x|st|nd|rd|th|stars?|times|points?|percent)\b)"
# "PR 12", "issues #3", "Fixes #4", "GH-5".
_WORDED = re.compile(
    r"(?<![\w/#&-])(?:(?P<pull>PRs?|[Pp]ull[ -][Rr]equests?|[Pp]ulls?|PULL)"
    r"|(?P<issue>[Ii]ssues?|[Bb]ugs?|[Tt]ickets?|ISSUES?)"
    r"|(?P<closes>(?:[Ff]ix(?:es|ed)?|[Cc]lose[sd]?|[Rr]esolve[sd]?|[Rr]everts?|[Rr]efs?|[Rr]elates to|[Pp]art of))"
    rf"|(?P<gh>GH|gh))(?P<gap>:?\s?#|-#?|(?:\s(?:number|no\.?|num\.?))?\s#?|){_NUMBER}"
)
# Every number after a word contains one of these.
_WORD_AND_NUMBER = re.compile(r"[A-Za-z.][ :-]?[ #]?[1-9]")
# The next number of a list: ", #12", " and 345".
_MORE = re.compile(rf"(?:\s?[,&/+]\s?(?:and\s|or\s|&\s)?|\s(?:and|or|to|through)\s)(?P<hash>#?){_NUMBER}{_END}")
# Separators between the members of a list.
_JOIN = re.compile(r"\s?[,&/+]\s?(?:and\s|or\s|&\s)?|\s(?:and|or)\s")
# "#1234" by itself.
_BARE = re.compile(r"(?<![\w/#&.%-])#(?P<number>[0-9]{1,9})")
_ENDS = re.compile(_END)
_COUNTED = r"""
episodes? eps?\.? parts? chapters? numbers? lessons? no\.? vol(?:ume)?\.? room suite apt\.? gate bus track day week
level page item question tip rule step figure fig\.? table version colou?rs? background fill stroke hex
(?:seasons?|series)(?:\s\d+)?,?
"""
_RANKED = "top rank ranked ranks ranking at the my your our his her their is was we.re be hit".split()
# Counted nouns before a number: "episode #12", "colour: #123".
_NO_REFERENCE_BEFORE = re.compile(rf"(?:\b(?:{'|'.join(_COUNTED.split())})|[:=]\s?[\"']?|[\"'])\s?\Z", re.IGNORECASE)
# Words before a number that make it a rank: "at #1", "top #100".
_RANK_BEFORE = re.compile(rf"\b(?:{'|'.join(_RANKED)})\s?\Z", re.IGNORECASE)
# Words after it that do: "#1 in the charts", "#123 fan".
_NO_REFERENCE_BEHIND = re.compile(
    r"\s?(?:(?:on|in) (?:the |its |our )?(?:charts?|lists?|rankings?|category|world|country|podcast)"
    r"|(?:podcast|show|fan|song|bestseller|spot|hit)\b)",
    re.IGNORECASE,
)
# Every sha after a word contains one of these.
_SHA = re.compile(r"(?:SHA|on|it|ts) (?=[0-9a-f]{7})")
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
    may_be = "/" in text and any(map(text.__contains__, _MARKS)) and _HEAD.search(text)
    for match in _FULL.finditer(text) if may_be else ():
        name = f"{match['owner']}/{match['repo']}"
        ref = None if _is_no_repository(name, match["gap"] or "") else _full_reference(name, match)
        if ref is not None:
            yield match.start(), match.end(), ref
            if match["number"]:  # "owner/repo#17, #19" stays in the repository
                yield from _more(text, match.end(), name)
    if "github.com" not in text:
        return
    for match in _REMOTE.finditer(text):
        if ref := _github(f"{match['owner']}/{match['repo']}"):
            yield match.start(), match.end(), ref


def _is_no_repository(name: str, gap: str) -> bool:
    """Return whether a name is not a repository's: "and/or #1", "CI/CD#2", "docs/README.md#3", "I/O #2"."""
    pair = "#" in gap and (name.lower() in _PAIRS or _ACRONYMS.fullmatch(name) is not None)
    return pair or _FILE.search(name) is not None or (name[-2] == "/" and name[-1].isupper())


def _full_reference(name: str, match: re.Match[str]) -> Ref | None:
    """Return the commit, issue, pull request or discussion that a match names in full, such as ``owner/repo#17``."""
    if not match["number"]:
        return _github(f"{name}/commit/{match['sha']}")
    word = match["gap"].strip("/") if "/" in match["gap"] else "issues"
    return _github(f"{name}/{word}/{match['number']}")


def _more(text: str, end: int, repo: str, kind: str = "issue", *, bare: bool = False) -> Iterator[Candidate]:
    """Yield the further numbers of a list: "PRs #12, #34 and 567".

    Those without ``#`` count only if ``bare``, with three digits or more, and not if they may be a year.
    """
    while more := _MORE.match(text, end):
        if not more["hash"] and not (bare and len(more["number"]) > 2 and not _is_year(more["number"])):
            break
        end = more.end()
        yield more.start("hash"), end, numbered(repo, int(more["number"]), kind)


def find_numbers(text: str, repo: str, *, whole: bool = False) -> Iterator[Candidate]:
    """Find the references to pull requests, issues and commits of ``repo``; yields (start, end, reference).

    A number without ``#`` needs a word such as ``PR`` and three digits, one without a word ``#`` and three digits. With
    ``whole`` the text is meant to be a reference, so that ``PR 5`` counts, too.

    >>> [ref.id for _, _, ref in find_numbers("PRs #1, #22 and 333, GH-4; #5 of the top 10", "o/r")]
    ['github:o/r#1', 'github:o/r#22', 'github:o/r#333', 'github:o/r#4']
    """
    if _WORD_AND_NUMBER.search(text):
        yield from _worded(text, repo, whole=whole)
    for match in _BARE.finditer(text):
        reason = _malformed(text, match) or ("" if whole else _counted(text, match))
        if not reason:
            yield match.start(), match.end(), numbered(repo, int(match["number"]))
    if not _SHA.search(text):
        return
    for match in _COMMIT.finditer(text):
        if ref := _github(f"{repo}/commit/{match['sha']}"):
            yield match.start(), match.end(), ref


def _worded(text: str, repo: str, *, whole: bool) -> Iterator[Candidate]:
    """Find numbers behind a word, and those that go on the list."""
    for match in _WORDED.finditer(text):
        reason = "" if _ENDS.match(text, match.end()) else _QUANTITY
        if not reason and not whole:
            reason = _no_reference(text, match)
        if not reason:
            kind = "pull" if match["pull"] else "issue"
            start = match.start("gap") + match["gap"].find("#") if match["closes"] else match.start()
            yield start, match.end(), numbered(repo, int(match["number"]), kind)
            yield from _more(text, match.end(), repo, kind, bare=not match["closes"])


def joins(between: str) -> bool:
    """Return whether ``between`` only joins the members of a list: ``, `` or `` and ``."""
    return len(between) < 8 and _JOIN.fullmatch(between) is not None


def numbered(repo: str, number: int, kind: str = "issue") -> Ref:
    """Return the pull request or issue ``number`` of ``repo``; its kind stays open until a mention decides.

    >>> numbered("PyTorch/pytorch", 12).id
    'github:pytorch/pytorch#12'
    """
    name = repo.lower()
    page = "pull" if kind == "pull" else "issues"
    url = f"https://github.com/{name}/{page}/{number}"
    return Ref(kind, f"github:{name}#{number}", f"{name}#{number}", url, (("repo", name), ("number", number)))


# The reasons why a number is not a reference, in words for users.
_QUANTITY = "what stands behind the number makes it a quantity, a version or a part of a word"
_YEAR = "the number reads as a year"
_NO_MARK = "a word that stands before all kinds of numbers: one of ours would have a #"
_SHORT = "a number of one or two digits may count anything: with a # or a repository it would be a reference"


def _no_reference(text: str, match: re.Match[str]) -> str:
    """Return why a word and a number are no reference but a quantity, year or name; "" where they are one."""
    if match["issue"] and text.startswith(" of ", match.end()):
        return "an issue of something: a magazine, a series"
    gap, number = match["gap"], match["number"]
    if "#" in gap:
        return ""
    if match["gh"]:
        return "" if gap == "-" else "GH needs a hyphen and a number"
    if match["closes"] or gap == "-" or match[0].lower().startswith(("bug", "pull ", "pulls")):
        requests = match[0].lower().startswith(("pull request", "pull-request"))
        return "" if requests and len(number) > 2 else _NO_MARK
    if not gap and not match["pull"]:
        return "the word and the number are one word"
    return (_SHORT if len(number) < 3 else "") or (_YEAR if _is_year(number) else "")


def _malformed(text: str, match: re.Match[str]) -> str:
    """Return why ``#`` and digits are not a number of ours whatever the words round it, or ""."""
    number = match["number"]
    if number[0] == "0":
        return "no number of GitHub's begins with 0"
    if len(number) < 3:
        return _SHORT
    return "" if _ENDS.match(text, match.end()) else _QUANTITY


def _counted(text: str, match: re.Match[str]) -> str:
    """Return why ``#1234`` is a count by the words round it rather than a reference, or ""."""
    before, behind = text[max(0, match.start() - 16) : match.start()], text[match.end() : match.end() + 24]
    if _is_year(match["number"]):
        return _YEAR
    if counted := _NO_REFERENCE_BEFORE.search(before):
        return f"{counted[0].strip()!r} in front of it says that something else is counted"
    if _NO_REFERENCE_BEHIND.match(behind):
        return "the words behind it make it a rank"
    if len(match["number"]) < 4 and (rank := _RANK_BEFORE.search(before)):
        return f"{rank[0].strip()!r} in front of it makes it a rank"
    return ""


def _is_year(number: str) -> bool:
    return len(number) == 4 and number[:2] in {"19", "20"}


def _github(path: str) -> Ref | None:
    known = identify(f"https://github.com/{path}")
    return known[1] if known and known[0] == "github" else None
