"""References without a URL: to GitHub, to PEPs, NEPs and RFCs, to papers and advisories."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from ..model import Mention
from ..ref import Ref
from ..sites import identify
from ..subjects.default import default_subject
from .corpus import ShownRfcs
from .github_references import find_full, find_numbers, identify_page, to_ref

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..model import Episode, Link
    from ..subjects.subject import Subject
    from .corpus import Corpus, Extraction
    from .github_references import Candidate

# "PEP 8", "NEP-29", "RFCs 7230". The lookbehind follows the first letter, so that a search leaps from one to the next.
_PROPOSAL = re.compile(
    r"(?P<series>[NPR](?<![\w/.-].)(?:(?<!R)EP|(?<=R)FC))(?P<gap>s\s|[ -]#?|\s?#|)(?P<number>\d{1,5})(?![\w-]|\.\d)"
)
# The next number of a list: ", 12", " and 13".
_MORE = re.compile(r"(?:\s?[,;&/]\s?(?:and\s|or\s)?|\s(?:and|or)\s)(?P<number>\d{1,5})(?![\w-]|\.\d|\s?%)")
# "arXiv:2104.00001", "doi: 10.1000/xyz", "10.1000/xyz"; DOIs of journals before 2000 have "<1::AID-X>" inside.
_PAPER = re.compile(
    r"(?<![\w/.])(?:arXiv\s?[: ]\s?\[?"
    r"(?P<arxiv>\d{4}\.\d{4,5}(?:v\d{1,2})?|[a-z-]{2,12}(?:\.[A-Za-z]{2})?/\d{7}(?:v\d{1,2})?)(?![\w/]|\.\d)"
    r"|(?:doi\s?[: ]\s?|(?<![\w./=&?%#+-]))"
    r"(?P<doi>10\.\d{4,9}/(?:[^\s<>\"'\u201c\u201d]|<\d+::[^\s<>]{1,40}>){2,200}))",
    re.IGNORECASE,
)
# "CVE-2022-45907", "GHSA-…".
_ADVISORY = re.compile(
    r"(?<![\w/-])(?:(?P<cve>CVE)-(?:19|20)\d{2}-\d{4,7}|GHSA(?:-[23456789cfghjmpqrvwx]{4}){3})(?![\w-])", re.IGNORECASE
)
_JOIN = re.compile(r"\s?[,&/+]\s?(?:and\s|or\s|&\s)?|\s(?:and|or)\s")  # between the members of a list
_OWN_NUMBER = re.compile(r"\A\W*#?\d+")  # at the head of a title
_PAGES = re.compile(r"web:([a-z0-9-]+)\.github\.io/([\w.-]+)/")  # a page of a repository
_IETF = "docs:ietf/"  # how the ids of the IETF's RFCs begin
_GUESS = 0.6  # an RFC in a show without evidence for its series
_NEAR = 200  # how far from a number its context reaches
_CLOSING = {")": "(", "]": "[", "}": "{"}


def find_shown_rfcs(episodes: Iterable[Episode]) -> ShownRfcs:
    """Return the targets of a show's links named like "RFC 1931", by number, and the series of most of them."""
    refs: dict[str, Counter[Ref]] = defaultdict(Counter)
    series: Counter[str] = Counter()
    for episode in episodes:
        for link in episode.links if "RFC" in episode.notes else ():
            words = _PROPOSAL.search(episode.notes, link.start, min(link.end, link.start + 80))
            found = identify(link.url) if words and words["gap"] != "s " and not link.truncated else None
            if words and words["series"] == "RFC" and found:
                ref = found[1]._replace(rev="", lines="", time="")
                refs[words["number"].lstrip("0")][ref] += 1
                page = _PAGES.match(ref.id)
                repo = f"{page[1]}/{page[2]}" if page else str(dict(ref.attrs).get("repo", ""))
                series[_IETF if ref.id.startswith(_IETF) else repo] += 1
    del series[""]
    most = max(series, key=series.__getitem__, default="")
    by_number = {number: min(counts, key=lambda ref: (-counts[ref], ref.id)) for number, counts in refs.items()}
    return ShownRfcs(by_number, most if 2 * series[most] > series.total() else "")


def find_references(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find the references other than URLs in an episode's title and notes.

    Yields one ``Mention`` (method ``reference``) each, outside URLs and without overlaps. A number without a repository
    needs ``corpus.default_repo``; a number with a hyperlink behind it is left out.
    """
    from .urls import list_links  # noqa: PLC0415 - questions ask `find_reference` alone, and look for no links

    yield from _find(episode.notes, "notes", corpus, list_links(episode))
    # A number at the head of a title is the episode's own.
    title = _OWN_NUMBER.sub(lambda match: " " * len(match[0]), episode.title)
    yield from _find(title, "title", corpus, ())


def find_reference(text: str, default_repo: str = "") -> Ref | None:
    """Return the reference if the whole ``text`` is one, else ``None``.

    >>> find_reference("pytorch/rfcs#17").id, find_reference("PR 5", "o/r").id, find_reference("CVE-2022-45907").label
    ('github:pytorch/rfcs#17', 'github:o/r#5', 'CVE-2022-45907')
    """
    stripped = text.strip()[:300]
    candidates = list(_find_explicit(stripped, default_repo, (default_subject(),)))
    if default_repo:
        candidates += find_numbers(stripped, default_repo, whole=True)
    return next((ref for start, end, ref in candidates if start == 0 and end == len(stripped)), None)


def join_proposals(results: Sequence[Extraction], subjects: Sequence[Subject]) -> list[Extraction]:
    """Turn mentions of a subject's own RFC, known by its number, into mentions of its file, if just one is named."""
    refs = {mention.ref.id: mention.ref for result in results for mention in result.mentions}
    files: dict[str, Ref] = {}
    for own in (subject.proposals for subject in subjects if subject.proposals):
        for id_ in (id_ for id_ in refs if id_.startswith(own.id_prefix)):
            prefix = f"{own.file_prefix}{id_.removeprefix(own.id_prefix)}"
            found = [ref._replace(rev="", lines="", time="") for other, ref in refs.items() if other.startswith(prefix)]
            if len(found) == 1:
                files[id_] = found[0]
    new_results = []
    for result in results:
        mentions = (replace(mention, ref=files.get(mention.ref.id, mention.ref)) for mention in result.mentions)
        new_results.append(replace(result, mentions=tuple(mentions)))
    return new_results


def _find(text: str, field: str, corpus: Corpus, links: Sequence[Link]) -> Iterator[Mention]:
    """Yield the references in one field of an episode, without overlaps and outside links.

    A number without a repository in a list after a link to a number, such as "#12, #13", is one of that link's
    repository.
    """
    repo, parts, at = corpus.default_repo, [], 0
    for link in links:
        if link.start >= at and (link.method == "url" or "://" in text[link.start : link.end]):
            parts += [text[at : link.start], "\ufffc" * (link.end - link.start)]  # nothing in a URL is a reference
            at = link.end
    prose = "".join((*parts, text[at:]))
    found = [(start, -end, False, ref) for start, end, ref in _find_explicit(prose, repo, corpus.subjects, corpus.rfcs)]
    if repo and any(map(prose.__contains__, "0123456789")):
        found += [(start, -end, True, ref) for start, end, ref in find_numbers(prose, repo)]
    at = free_from = 0
    for start, minus_end, is_bare, ref in sorted(found, key=lambda candidate: candidate[:3]):
        end = -minus_end
        while at < len(links) and links[at].end <= start:
            at += 1
        if start < free_from or (at < len(links) and not _is_free(end, links[at], "" if is_bare else ref.id)):
            continue
        free_from = end
        if is_bare and at and text[start] == "#" and _JOIN.fullmatch(text, links[at - 1].end, start):
            known = identify(links[at - 1].url)
            attrs = dict(known[1].attrs) if known else {}
            if "number" in attrs:
                ref = to_ref(str(attrs["repo"]), int(text[start + 1 : end]), ref.kind)  # noqa: PLW2901
        is_guess = corpus.rfcs is not None and not corpus.rfcs.series and ref.id.startswith(f"{_IETF}rfc")
        yield Mention(ref, field, start, end, text[start:end], "reference", "references", _GUESS if is_guess else 1.0)


def _is_free(end: int, link: Link, id_: str) -> bool:
    """Return whether a reference that ends at ``end`` is outside of ``link``, or in its text and more specific."""
    if end <= link.start:
        return True
    if link.method != "href" or not id_ or id_.startswith(f"{_IETF}rfc"):  # the link decides the series of the RFC
        return False
    known = identify(link.url)
    return known is not None and known[1].id != id_


def _find_explicit(
    text: str, repo: str, subjects: Sequence[Subject], rfcs: ShownRfcs | None = None
) -> Iterator[Candidate]:
    """Find the references that need no repository, also for "PEPs 8 and 20"; yields (start, end, reference)."""
    yield from find_full(text)
    for match in _PROPOSAL.finditer(text) if "EP" in text or "RFC" in text else ():
        series, end = match["series"], match.end()
        ref = _find_rfc(text, match, repo, subjects, rfcs) if series == "RFC" else _to_proposal(series, match["number"])
        if ref:
            yield match.start(), end, ref
            while match["gap"] == "s " and (more := _MORE.match(text, end)):
                end = more.end()
                if ref := _to_proposal(series, more["number"]):
                    yield more.start("number"), end, ref
    for match in _PAPER.finditer(text) if "10." in text or "xiv" in text.lower() else ():
        name = match["arxiv"] or _strip_punctuation(match["doi"])
        if ref := identify_page(f"arxiv.org/abs/{name}" if match["arxiv"] else f"doi.org/{name}"):
            yield match.start(), match.end() if match["arxiv"] else match.start("doi") + len(name), ref
    for match in _ADVISORY.finditer(text):
        name = match[0].upper() if match["cve"] else f"GHSA{match[0][4:].lower()}"
        if ref := identify_page(
            f"www.cve.org/CVERecord?id={name}" if match["cve"] else f"github.com/advisories/{name}"
        ):
            yield match.start(), match.end(), ref._replace(label=name)


def _find_rfc(
    text: str, match: re.Match[str], repo: str, subjects: Sequence[Subject], rfcs: ShownRfcs | None
) -> Ref | None:
    """Return the RFC of that number: of a subject near by that has such, else one of the show's, else the IETF's."""
    number = match["number"]
    near = text[max(0, match.start() - _NEAR) : match.end() + _NEAR]
    for subject in subjects:
        own = subject.proposals
        if own is None or not subject.concerns(near, repo=repo):
            continue
        # A subject's own are numbered with zeros in front, which the IETF's never are.
        if len(number) == own.digits and number[0] == "0":
            label, url = f"{subject.name} RFC-{number}", f"https://github.com/{own.repo}"
            return Ref("docs", f"{own.id_prefix}{number}", label, url)
        if int(number) < own.least:
            return None
    if rfcs and (ref := rfcs.refs.get(number.lstrip("0"))):
        return ref
    if rfcs and rfcs.series not in {"", _IETF}:
        return to_ref(rfcs.series, int(number), "pull")
    return _to_proposal("RFC", number)


def _to_proposal(series: str, number: str) -> Ref | None:
    """Return the page of a PEP, NEP or RFC, or ``None`` for a number that the series does not reach."""
    value = int(number)
    if series == "PEP":
        return identify_page(f"peps.python.org/pep-{value:04d}/") if len(number) < 5 else None
    if series == "NEP":
        return identify_page(f"numpy.org/neps/nep-{value:04d}.html") if value < 100 else None
    return identify_page(f"www.rfc-editor.org/rfc/rfc{value}") if 100 <= value < 10_000 else None


def _strip_punctuation(name: str) -> str:
    """Return a DOI without the sentence's punctuation after it: brackets of its own stay."""
    while name.endswith(tuple(".,;:!?*")) or (
        name[-1:] in _CLOSING and name.count(name[-1]) > name.count(_CLOSING[name[-1]])
    ):
        name = name[:-1]
    return name
