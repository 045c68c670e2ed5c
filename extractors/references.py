"""References without a URL: ``owner/repo#N``, ``#N``, ``PR 123``, ``GH-123``, ``PEP 8``, ``arXiv:…``, ``CVE-…``.

GitHub's own forms are those of its page on autolinked references; the words before a number are English.
A bare number means something only where the corpus has a default repository.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .model import Mention, Ref
from .sites import identify
from .urls import episode_links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .model import Corpus, Episode

_REPOSITORY = r"(?P<owner>[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38})/(?P<repo>[A-Za-z0-9_.-]{1,100}?)"
_FULL = re.compile(rf"(?<![\w/.@#:&-]){_REPOSITORY}(?:#(?P<number>[1-9]\d{{0,8}})|@(?P<sha>[0-9a-f]{{7,40}}))(?![\w-]|\.\w)")
_REMOTE = re.compile(rf"(?<![\w])(?:git@github\.com:|ssh://git@github\.com/|git://github\.com/){_REPOSITORY}(?:\.git)?(?![\w./-])")
_WORDED = re.compile(
    r"(?<![\w/#&-])(?P<word>PRs?|pull[ -]requests?|pull|issues?|bugs?|fix(?:es|ed)?|close[sd]?|resolve[sd]?|see|in|and|or|,|GH)"
    r"(?P<gap>\s?#|\s(?=\d)|-(?=\d)|(?<=[Rs])(?=\d))(?P<number>[1-9]\d{0,8})(?![\w%-]|[.,:]\d|\s?(?:%|x\b|st\b|nd\b|rd\b|th\b))",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w/#&.-])#(?P<number>[1-9]\d{2,8})(?![\w%-]|[.,:]\d)")
_PULL_WORDS = ("pr", "prs", "pull", "pull request", "pull requests", "pull-request", "pull-requests")
_ISSUE_WORDS = ("issue", "issues", "bug", "bugs")
_LIST_WORDS = ("and", "or", ",")
_NOT_A_REFERENCE = re.compile(r"(?:episodes?|eps?\.?|parts?|chapters?|seasons?|numbers?|lessons?|no\.?|vol(?:ume)?\.?|rank(?:ed)?|the|top|my|your|room|suite|apt\.?)\s*\Z", re.IGNORECASE)
_PROPOSAL = re.compile(r"(?<![\w/-])(?P<series>PEP|NEP|RFC)(?:[ -]#?|\s?#)?(?P<number>\d{1,5})(?![\w-]|\.\d)")
_PAPER = re.compile(
    r"(?<![\w/])(?:(?P<arxiv>arXiv)\s?[: ]\s?(?P<paper>\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7}(?:v\d+)?)(?![\w.]*\d)"
    r"|doi\s?[: ]\s?(?P<doi>10\.\d{4,9}/[^\s<>\"']{2,200}))",
    re.IGNORECASE,
)
_CVE = re.compile(r"(?<![\w/-])CVE-(?P<year>(?:19|20)\d{2})-(?P<number>\d{4,7})(?![\w-])", re.IGNORECASE)


def find_references(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find the references of an episode's title and notes that are no URLs.

    Yields one ``Mention`` (method ``reference``) each, none inside a link's URL and no two overlapping. A bare
    number needs ``corpus.default_repo``; ``#12`` with fewer than three digits also needs a word such as ``PR``,
    ``issue`` or ``fixes`` before it.
    """
    notes = episode.notes
    taken = [
        (link.start, link.end)
        for link in episode_links(episode)
        if link.method == "url" or "://" in notes[link.start : link.end]
    ]
    yield from _find(notes, "notes", corpus, taken)
    yield from _find(episode.title, "title", corpus, [])


def _find(text: str, field: str, corpus: Corpus, taken: list[tuple[int, int]]) -> Iterator[Mention]:
    found = sorted(_candidates(text, corpus.default_repo), key=lambda candidate: (candidate[0], -candidate[1]))
    index = free_from = 0
    for start, end, ref in found:
        while index < len(taken) and taken[index][1] <= start:
            index += 1
        if start < free_from or (index < len(taken) and taken[index][0] < end):
            continue
        free_from = end
        yield Mention(ref, field, start, end, text[start:end], "reference", "references")


def _candidates(text: str, default_repo: str) -> Iterator[tuple[int, int, Ref]]:
    for match in _FULL.finditer(text):
        repo = f"{match['owner']}/{match['repo']}"
        ref = numbered(repo, int(match["number"])) if match["number"] else _known(f"https://github.com/{repo}/commit/{match['sha']}")
        if ref:
            yield match.start(), match.end(), ref
    for match in _REMOTE.finditer(text):
        if ref := _known(f"https://github.com/{match['owner']}/{match['repo']}"):
            yield match.start(), match.end(), ref
    if default_repo:
        yield from _bare_numbers(text, default_repo)
    for match in _PROPOSAL.finditer(text):
        if ref := _proposal(match["series"], match["number"], default_repo):
            yield match.start(), match.end(), ref
    for match in _PAPER.finditer(text):
        target = f"https://arxiv.org/abs/{match['paper']}" if match["paper"] else f"https://doi.org/{match['doi'].rstrip('.,;:)]}')}"
        end = match.end() if match["paper"] else match.start("doi") + len(match["doi"].rstrip(".,;:)]}"))
        if ref := _known(target):
            yield match.start(), end, ref
    for match in _CVE.finditer(text):
        if ref := _known(f"https://www.cve.org/CVERecord?id={match[0].upper()}"):
            yield match.start(), match.end(), Ref(ref.kind, ref.id, match[0].upper(), ref.url, ref.attrs)


def _bare_numbers(text: str, repo: str) -> Iterator[tuple[int, int, Ref]]:
    word_before = ""
    end_before = -1
    for match in _WORDED.finditer(text):
        word = " ".join(match["word"].lower().split())
        hashed = "#" in match["gap"]
        if word in _LIST_WORDS:
            # "PRs #12, #34 and 56" goes on what came right before; elsewhere "and 56" is a number like any other.
            if match.start() - end_before > 2 or not word_before or not text[end_before : match.start()].strip(" ,") == "":
                continue
            word = word_before
        elif word in ("see", "in") or word.startswith(("fix", "close", "resolve")):
            if not hashed:
                continue
        elif word == "gh" and "-" not in match["gap"]:
            continue
        elif word in ("pull", "bug", "bugs") and not hashed:
            continue
        word_before, end_before = word, match.end()
        start = match.start("gap") if hashed and word not in (*_PULL_WORDS, *_ISSUE_WORDS, "gh") else match.start()
        if match["word"].lower() in _LIST_WORDS:
            start = match.start("number") - (1 if hashed else 0)
        start += len(text[start : match.end()]) - len(text[start : match.end()].lstrip())
        yield start, match.end(), numbered(repo, int(match["number"]), "pull" if word in _PULL_WORDS else "issue")
    for match in _NUMBER.finditer(text):
        if not _NOT_A_REFERENCE.search(text[max(0, match.start() - 12) : match.start()]):
            yield match.start(), match.end(), numbered(repo, int(match["number"]))


def numbered(repo: str, number: int, kind: str = "issue") -> Ref:
    """Return the pull request or issue ``number`` of ``repo``; which of both stays open until a mention says pull.

    >>> numbered("PyTorch/pytorch", 12).id
    'github:pytorch/pytorch#12'
    """
    name = repo.lower()
    page = "pull" if kind == "pull" else "issues"
    return Ref(kind, f"github:{name}#{number}", f"{name}#{number}", f"https://github.com/{name}/{page}/{number}", (("repo", name), ("number", number)))


def _proposal(series: str, number: str, default_repo: str) -> Ref | None:
    if series == "PEP":
        return _known(f"https://peps.python.org/pep-{int(number):04d}/")
    if series == "NEP":
        return _known(f"https://numpy.org/neps/nep-{int(number):04d}.html")
    # PyTorch writes its own RFCs with four digits (RFC-0005); the IETF's have none in front.
    if default_repo == "pytorch/pytorch" and (number.startswith("0") or int(number) < 1000):
        if len(number) != 4:
            return None
        return Ref("docs", f"docs:pytorch-rfcs/rfc-{number}", f"PyTorch RFC-{number}", "https://github.com/pytorch/rfcs")
    return _known(f"https://www.rfc-editor.org/rfc/rfc{int(number)}") if not number.startswith("0") else None


def _known(url: str) -> Ref | None:
    known = identify(url)
    return known[1] if known else None


def find_reference(text: str, default_repo: str = "") -> Ref | None:
    """Return what ``text`` refers to when the whole of it is one reference, else ``None``.

    >>> find_reference("pytorch/rfcs#17").id
    'github:pytorch/rfcs#17'
    """
    stripped = text.strip()
    for start, end, ref in _candidates(stripped, default_repo):
        if start == 0 and end == len(stripped):
            return ref
    return None
