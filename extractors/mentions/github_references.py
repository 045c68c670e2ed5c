"""GitHub's references without a URL: ``owner/repo#12``, ``PR 123``, ``#1234``, ``GH-12``, ``owner/repo@sha``.

The forms are those of GitHub's page on autolinked references. A number alone is a reference only where the words round
it (``languages/tables/references.txt``) do not make it an episode, a rank or a colour.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..languages.trigger_phrases import alternatives
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
_REMOTE = re.compile(rf"(?<!\w)(?:git@|ssh://git@|git://)github\.com[:/]{_REPOSITORY}(?:\.git)?(?![\w/-]|\.\w)")
# "and/or #1", "CI/CD#2", "C/C#7", "docs/README.md#3".
_NO_REPOSITORY = re.compile(
    rf"(?i:{alternatives('pairs', 'references')})|[A-Z]{{1,5}}\d?/[A-Z]{{1,5}}\d?s?|.*/[A-Z]"
    r"|.*\.(?:py|md|rst|txt|c|cc|cpp|cu|cuh|h|hpp|java|kt|rs|go|sh|toml|ya?ml|json|cfg|ini)"
)
# Characters that exclude a reference after a number: 50%, 3x, 2nd, 1.5, 1,000.
_END = r"(?![\w%$-]|[.,:/]\d|\s?%|\s(?:x|st|nd|rd|th|stars?|times|points?|percent)\b)"
# "PR 12", "issues #3", "Fixes #4", "GH-5".
_WORDED = re.compile(
    r"(?<![\w/#&-])(?:(?P<pull>PRs?|[Pp]ull[ -][Rr]equests?|[Pp]ulls?|PULL)"
    r"|(?P<issue>[Ii]ssues?|[Bb]ugs?|[Tt]ickets?|ISSUES?)|(?P<gh>GH|gh)"
    r"|(?P<closes>(?:[Ff]ix(?:es|ed)?|[Cc]lose[sd]?|[Rr]esolve[sd]?|[Rr]everts?|[Rr]efs?|[Rr]elates to|[Pp]art of)))"
    rf"(?P<gap>:?\s?#|-#?|(?:\s(?:number|no\.?|num\.?))?\s#?|){_NUMBER}{_END}"
)
# The next number of a list: ", #12", " and 345".
_MORE = re.compile(rf"(?:\s?[,&/+]\s?(?:and\s|or\s|&\s)?|\s(?:and|or|to|through)\s)(?P<hash>#?){_NUMBER}{_END}")
_BARE = re.compile(rf"(?<![\w/#&.%-])#(?P<number>[1-9]\d{{2,8}}){_END}")  # "#1234" by itself
_COUNTED = re.compile(
    rf"(?i:(?:\b(?:{alternatives('counted', 'references')}|(?:seasons?|series)(?:\s\d+)?,?)|[:=]\s?[\"']?|[\"'])\s?)\Z"
)
_RANK_BEFORE = re.compile(rf"\b(?:{alternatives('rank', 'references')})\s?\Z", re.IGNORECASE)
_RANK_BEHIND = re.compile(rf"\s?(?:{alternatives('ranked', 'references')})\b", re.IGNORECASE)
# "commit 1a2b3c4", with a digit and a letter in it.
_COMMIT = re.compile(
    r"(?<![\w/-])(?:[Cc]ommits?|[Rr]evision|SHA)\s(?P<sha>(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40})(?![\w-]|\.\w)"
)


def find_full(text: str) -> Iterator[Candidate]:
    """Find the references that name their repository; yields (start, end, reference).

    >>> [ref.id for _, _, ref in find_full("pytorch/rfcs#17 and #19, docs/README.md#3, git@github.com:pytorch/xla.git")]
    ['github:pytorch/rfcs#17', 'github:pytorch/rfcs#19', 'github:pytorch/xla']
    """
    for match in _FULL.finditer(text) if "/" in text and _HEAD.search(text) else ():
        name, gap = f"{match['owner']}/{match['repo']}", match["gap"] or ""
        page = f"{gap.strip('/') if '/' in gap else 'issues'}/{match['number']}" if gap else f"commit/{match['sha']}"
        ref = None if _NO_REPOSITORY.fullmatch(name) else identify_page(f"github.com/{name}/{page}")
        if ref and ref.id.startswith("github:"):
            yield match.start(), match.end(), ref
            if gap:  # "owner/repo#17, #19" stays in the repository
                yield from _find_more(text, match.end(), name)
    for match in _REMOTE.finditer(text) if "github.com" in text else ():
        if ref := identify_page(f"github.com/{match['owner']}/{match['repo']}"):
            yield match.start(), match.end(), ref


def _find_more(text: str, end: int, repo: str, kind: str = "issue", *, bare: bool = False) -> Iterator[Candidate]:
    """Yield the further numbers of a list: "PRs #12, #34 and 567"; those without ``#`` only if ``bare``."""
    while (more := _MORE.match(text, end)) and (more["hash"] or (bare and _is_long(more["number"]))):
        end = more.end()
        yield more.start("hash"), end, to_ref(repo, int(more["number"]), kind)


def find_numbers(text: str, repo: str, *, whole: bool = False) -> Iterator[Candidate]:
    """Find the references to pull requests, issues and commits of ``repo``; yields (start, end, reference).

    A number without ``#`` needs a word such as ``PR`` and three digits, one without a word ``#`` and three digits. With
    ``whole`` the text is meant to be a reference, so that ``PR 5`` counts, too.

    >>> [ref.id for _, _, ref in find_numbers("PRs #1, #22 and 333, GH-4; #5 of the top 10", "o/r")]
    ['github:o/r#1', 'github:o/r#22', 'github:o/r#333', 'github:o/r#4']
    """
    for match in _WORDED.finditer(text):
        if whole or _is_worded_reference(text, match):
            kind = "pull" if match["pull"] else "issue"
            start = match.start("gap") + match["gap"].find("#") if match["closes"] else match.start()
            yield start, match.end(), to_ref(repo, int(match["number"]), kind)
            yield from _find_more(text, match.end(), repo, kind, bare=not match["closes"])
    for match in _BARE.finditer(text):
        if whole or not _is_counted(text, match):
            yield match.start(), match.end(), to_ref(repo, int(match["number"]))
    for match in _COMMIT.finditer(text):
        if ref := identify_page(f"github.com/{repo}/commit/{match['sha']}"):
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
    gap, word = match["gap"], (match["pull"] or match["issue"] or "").lower()
    if match["issue"] and text.startswith(" of ", match.end()):
        return False  # an issue of something: a magazine, a series
    if "#" in gap or match["gh"]:
        return "#" in gap or gap == "-"
    is_name = match["closes"] or gap == "-" or word in {"pull", "pulls", "bug", "bugs"}
    return not is_name and bool(gap or match["pull"]) and _is_long(match["number"])


def _is_counted(text: str, match: re.Match[str]) -> bool:
    """Return whether ``#1234`` is a count, a rank, a year or a colour by the words round it rather than a reference."""
    before, number = text[max(0, match.start() - 16) : match.start()], match["number"]
    is_rank = _RANK_BEHIND.match(text, match.end()) or (len(number) < 4 and _RANK_BEFORE.search(before))
    return bool(not _is_long(number) or _COUNTED.search(before) or is_rank)


def _is_long(number: str) -> bool:
    """Return whether a number has three digits or more and is no year."""
    return len(number) > 2 and not (len(number) == 4 and number[:2] in {"19", "20"})


def identify_page(page: str) -> Ref | None:
    """Return the artifact of an address without its scheme."""
    known = identify(f"https://{page}")
    return known[1] if known else None
