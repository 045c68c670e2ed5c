"""References without a URL: to GitHub, to PEPs, NEPs and RFCs, to papers and advisories."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..model import Mention
from ..ref import Ref
from ..sites import identify
from .github_references import find_full, find_numbers, joins, numbered

__all__ = ["find_reference", "find_references", "numbered"]

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..model import Episode, Link
    from .corpus import Corpus

_PROPOSAL = re.compile(r"(?<![\w/.-])(?P<series>PEP|NEP|RFC)(?P<gap>s\s|[ -]#?|\s?#|)(?P<number>\d{1,5})(?![\w-]|\.\d)")
_MORE = re.compile(r"(?:\s?[,;&/]\s?(?:and\s|or\s)?|\s(?:and|or)\s)(?P<number>\d{1,5})(?![\w-]|\.\d|\s?%)")
_PAPER = re.compile(
    r"(?<![\w/.])(?:arXiv\s?[: ]\s?\[?"
    r"(?P<arxiv>\d{4}\.\d{4,5}(?:v\d{1,2})?|[a-z-]{2,12}(?:\.[A-Za-z]{2})?/\d{7}(?:v\d{1,2})?)(?![\w/]|\.\d)"
    r"|doi\s?[: ]\s?(?P<doi>10\.\d{4,9}/[^\s<>\"'\u201c\u201d]{2,200}))",
    re.IGNORECASE,
)
_PAPER_WORD = re.compile("[Dd][Oo][Ii]|[Xx][Ii][Vv]")
_ADVISORY = re.compile(
    r"(?<![\w/-])(?:CVE-(?:19|20)\d{2}-\d{4,7}|GHSA(?:-[23456789cfghjmpqrvwx]{4}){3})(?![\w-])", re.IGNORECASE
)
_DIGIT = re.compile("[0-9]")
_NEAR = 200  # how far from a number its context reaches


def find_references(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find the references of an episode's title and notes that are no URLs.

    Yields one ``Mention`` (method ``reference``) each, none inside a URL and no two overlapping. A number that
    names no repository needs ``corpus.default_repo``, and is none behind which a hyperlink stands.
    """
    from .urls import episode_links  # noqa: PLC0415 - questions ask `find_reference` alone, and look for no links

    yield from _find(episode.notes, "notes", corpus.default_repo, episode_links(episode))
    # A number at the head of a title is the episode's own.
    title = re.sub(r"\A\W*#?\d+", lambda match: " " * len(match[0]), episode.title)
    yield from _find(title, "title", corpus.default_repo, ())


def find_reference(text: str, default_repo: str = "") -> Ref | None:
    """Return what ``text`` refers to when the whole of it is one reference, else ``None``.

    >>> find_reference("pytorch/rfcs#17").id, find_reference("PR 5", "o/r").id, find_reference("CVE-2022-45907").label
    ('github:pytorch/rfcs#17', 'github:o/r#5', 'CVE-2022-45907')
    """
    stripped = text.strip()[:300]
    candidates = list(_explicit(stripped, default_repo))
    if default_repo:
        candidates += find_numbers(stripped, default_repo, whole=True)
    return next((ref for start, end, ref in candidates if start == 0 and end == len(stripped)), None)


def _find(text: str, field: str, default_repo: str, links: Sequence[Link]) -> Iterator[Mention]:
    prose = _without_urls(text, links)
    found = [(start, -end, False, ref) for start, end, ref in _explicit(prose, default_repo)]
    if default_repo and _DIGIT.search(prose):
        found += [(start, -end, True, ref) for start, end, ref in find_numbers(prose, default_repo)]
    found.sort(key=lambda candidate: candidate[:3])
    index = free_from = 0
    for start, negative_end, implied, ref in found:
        end = -negative_end
        while index < len(links) and links[index].end <= start:
            index += 1
        if start < free_from or (index < len(links) and not _is_free(end, links[index], "" if implied else ref.id)):
            continue
        free_from = end
        if implied and index and text[start] == "#" and joins(text[links[index - 1].end : start]):
            yield _mention(_of_same_repository(ref, links[index - 1]), text, field, start, end)
        else:
            yield _mention(ref, text, field, start, end)


def _without_urls(text: str, links: Sequence[Link]) -> str:
    """Return ``text`` with each URL in it written over, so that nothing in one is taken for a reference."""
    parts, at = [], 0
    for link in links:
        if link.start >= at and (link.method == "url" or "://" in text[link.start : link.end]):
            parts += [text[at : link.start], "\ufffc" * (link.end - link.start)]
            at = link.end
    return "".join((*parts, text[at:])) if parts else text


def _mention(ref: Ref, text: str, field: str, start: int, end: int) -> Mention:
    return Mention(ref, field, start, end, text[start:end], "reference", "references")


def _is_free(end: int, link: Link, id_: str) -> bool:
    """Tell whether a reference that ends at ``end`` stands clear of ``link``, or in its words and says more than it."""
    if end <= link.start:
        return True
    known = identify(link.url) if link.method == "href" and id_ else None
    return known is not None and known[1].id != id_


def _of_same_repository(ref: Ref, link: Link) -> Ref:
    """Return a number that goes on a list begun by ``link`` as one of the link's repository."""
    known = identify(link.url)
    attrs = dict(known[1].attrs) if known else {}
    number = dict(ref.attrs).get("number")
    return numbered(str(attrs["repo"]), int(number), ref.kind) if number and "number" in attrs else ref


def _explicit(text: str, default_repo: str) -> Iterator[tuple[int, int, Ref]]:
    yield from find_full(text)
    if not _DIGIT.search(text):
        return
    for match in _PROPOSAL.finditer(text) if "EP" in text or "RFC" in text else ():
        series, end = match["series"], match.end()
        if ref := _proposal(text, match.start(), match, default_repo):
            yield match.start(), end, ref
            while match["gap"] == "s " and (more := _MORE.match(text, end)):
                end = more.end()
                if ref := _numbered_proposal(series, more["number"]):
                    yield more.start("number"), end, ref
    for match in _PAPER.finditer(text) if _PAPER_WORD.search(text) else ():
        name = match["arxiv"] or _without_punctuation(match["doi"])
        page = f"arxiv.org/abs/{name}" if match["arxiv"] else f"doi.org/{name}"
        if ref := _known(f"https://{page}"):
            yield match.start(), match.end() if match["arxiv"] else match.start("doi") + len(name), ref
    for match in _ADVISORY.finditer(text) if "-" in text else ():
        name = match[0].upper() if match[0][0] in "Cc" else f"GHSA{match[0][4:].lower()}"
        page = f"www.cve.org/CVERecord?id={name}" if name.startswith("CVE") else f"github.com/advisories/{name}"
        if ref := _known(f"https://{page}"):
            yield match.start(), match.end(), ref._replace(label=name)


def _proposal(text: str, start: int, match: re.Match[str], default_repo: str) -> Ref | None:
    series, number = match["series"], match["number"]
    if series != "RFC":
        return _numbered_proposal(series, number)
    # PyTorch numbers its own RFCs with four digits (RFC-0005); the IETF's have no zeros in front.
    near = text[max(0, start - _NEAR) : match.end() + _NEAR]
    ours = default_repo.startswith("pytorch/") or "pytorch" in near.lower()
    if ours and len(number) == 4 and number[0] == "0":
        return Ref(
            "docs", f"docs:pytorch-rfcs/rfc-{number}", f"PyTorch RFC-{number}", "https://github.com/pytorch/rfcs"
        )
    if ours and int(number) < 1000:
        return None
    return _numbered_proposal(series, number)


def _numbered_proposal(series: str, number: str) -> Ref | None:
    value = int(number)
    if series == "PEP":
        return _known(f"https://peps.python.org/pep-{value:04d}/") if len(number) < 5 else None
    if series == "NEP":
        return _known(f"https://numpy.org/neps/nep-{value:04d}.html") if value < 100 else None
    return _known(f"https://www.rfc-editor.org/rfc/rfc{value}") if 100 <= value < 10_000 else None


def _without_punctuation(name: str) -> str:
    """Return a DOI without what the sentence put behind it: brackets of its own stay."""
    while name:
        last = name[-1]
        opener = {")": "(", "]": "[", "}": "{"}.get(last)
        if last not in ".,;:!?*" and (opener is None or name.count(last) <= name.count(opener)):
            break
        name = name[:-1]
    return name


def _known(url: str) -> Ref | None:
    known = identify(url)
    return known[1] if known else None
