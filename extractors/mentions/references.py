"""References without a URL: to GitHub, to PEPs, NEPs and RFCs, to papers and advisories."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ..model import Mention
from ..ref import Ref
from ..sites import identify
from ..subjects.default import default_subject
from .github_references import find_full, find_numbers, joins, numbered
from .proposals import IETF

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ..model import Episode, Link
    from ..subjects.subject import Proposals, Subject
    from .corpus import Corpus, Extraction
    from .github_references import Candidate
    from .proposals import ShownRfcs

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
    r"(?<![\w/-])(?:CVE[-\u2010-\u2015\u2212](?:19|20)\d{2}[-\u2010-\u2015\u2212]\d{4,7}"
    r"|GHSA(?:-[23456789cfghjmpqrvwx]{4}){3})(?![\w-])",
    re.IGNORECASE,
)
_HYPHEN = re.compile("[\u2010-\u2015\u2212]")
_OWN_NUMBER = re.compile(r"\A\W*#?\d+")  # at the head of a title
_UNCERTAIN = 0.6  # an RFC in a show without evidence for its series
_NEAR = 200  # how far from a number its context reaches
# The reasons why a text is not a reference, in words for users.


def find_references(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find the references other than URLs in an episode's title and notes.

    Yields one ``Mention`` (method ``reference``) each, outside URLs and without overlaps. A number without a repository
    needs ``corpus.default_repo``; a number with a hyperlink behind it is left out.
    """
    from .urls import episode_links  # noqa: PLC0415 - questions ask `find_reference` alone, and look for no links

    context = _Context(corpus.default_repo, corpus.subjects, corpus.proposals)
    yield from _find(episode.notes, "notes", context, episode_links(episode))
    own = _OWN_NUMBER.match(episode.title)
    # A number at the head of a title is the episode's own.
    title = " " * own.end() + episode.title[own.end() :] if own else episode.title
    yield from _find(title, "title", context, ())


def join_proposals(results: Iterable[Extraction], corpus: Corpus) -> Callable[[Extraction], Extraction] | None:
    """Turn mentions of a subject's own RFC, known by its number, into mentions of its file, if just one is named."""
    series = [subject.proposals for subject in corpus.subjects if subject.proposals]
    starts = tuple(start for own in series for start in (own.id_prefix, own.file_prefix))
    mentions = (mention for result in results for mention in result.mentions)
    refs = {mention.ref.id: mention.ref for mention in mentions if mention.ref.id.startswith(starts)}
    joined = {id_: ref for own in series for id_, ref in _proposal_files(refs, own)}
    if not joined:
        return None
    return lambda result: replace(
        result, mentions=tuple(_with_ref(mention, joined.get(mention.ref.id)) for mention in result.mentions)
    )


def _proposal_files(refs: Mapping[str, Ref], own: Proposals) -> Iterator[tuple[str, Ref]]:
    """Yield the id of each RFC of a series that is known by its number, and its file, where just one is named."""
    for id_ in refs:
        if id_.startswith(own.id_prefix):
            prefix = f"{own.file_prefix}{id_.removeprefix(own.id_prefix)}"
            files = [ref for other, ref in refs.items() if other.startswith(prefix)]
            if len(files) == 1:
                yield id_, files[0]._replace(rev="", lines="", time="")


def _with_ref(mention: Mention, ref: Ref | None) -> Mention:
    return replace(mention, ref=ref) if ref else mention


def find_reference(text: str, default_repo: str = "") -> Ref | None:
    """Return the reference if the whole ``text`` is one, else ``None``.

    >>> find_reference("pytorch/rfcs#17").id, find_reference("PR 5", "o/r").id, find_reference("CVE-2022-45907").label
    ('github:pytorch/rfcs#17', 'github:o/r#5', 'CVE-2022-45907')
    """
    stripped = text.strip()[:300]
    candidates = list(_find_explicit(stripped, _Context(default_repo, (default_subject(),))))
    if default_repo:
        candidates += find_numbers(stripped, default_repo, whole=True)
    return next((ref for start, end, ref in candidates if start == 0 and end == len(stripped)), None)


class _Context(NamedTuple):
    """The context of a reference: the repository of bare numbers, the known subjects."""

    repo: str
    subjects: tuple[Subject, ...]
    proposals: ShownRfcs | None = None


def _find(text: str, field: str, context: _Context, links: Sequence[Link]) -> Iterator[Mention]:
    """Yield the references in one field of an episode, without overlaps and outside links.

    A number without a repository in a list after a link to a number, such as "#12, #13", is one of that link's
    repository.
    """
    neighbours = _Neighbours(links)
    free_from = 0
    for start, end, implied, ref in _candidates(_without_urls(text, links), context):
        before, behind = neighbours.of(start)
        if start >= free_from and _is_free(end, behind, "" if implied else ref.id):
            free_from = end
            if implied and before and text[start] == "#" and joins(text[before.end : start]):
                ref = _of_same_repository(ref, before)  # noqa: PLW2901 - the same number, of another repository
            yield _mention(ref, text, field, start, end, context)


def _candidates(prose: str, context: _Context) -> list[tuple[int, int, bool, Ref]]:
    """Return (start, end, whether the repository is implied, reference) in order; at one place the longer first."""
    found = [(start, end, False, ref) for start, end, ref in _find_explicit(prose, context)]
    if context.repo and _has_digit(prose):
        found += [(start, end, True, ref) for start, end, ref in find_numbers(prose, context.repo)]
    return sorted(found, key=lambda candidate: (candidate[0], -candidate[1], candidate[2]))


class _Neighbours:
    """The links beside places that are asked for from left to right."""

    def __init__(self, links: Sequence[Link]) -> None:
        self._links, self._at = links, 0

    def of(self, start: int) -> tuple[Link | None, Link | None]:
        """Return the last link that ends before a place, and the next one."""
        while self._at < len(self._links) and self._links[self._at].end <= start:
            self._at += 1
        before = self._links[self._at - 1] if self._at else None
        return before, self._links[self._at] if self._at < len(self._links) else None


def _without_urls(text: str, links: Sequence[Link]) -> str:
    """Return ``text`` with each URL in it written over, so that nothing in one is taken for a reference."""
    parts, at = [], 0
    for link in links:
        if link.start >= at and (link.method == "url" or "://" in text[link.start : link.end]):
            parts += [text[at : link.start], "\ufffc" * (link.end - link.start)]
            at = link.end
    return "".join((*parts, text[at:])) if parts else text


def _mention(ref: Ref, text: str, field: str, start: int, end: int, context: _Context) -> Mention:
    uncertain = context.proposals is not None and ref.id.startswith(f"{IETF}rfc") and not context.proposals.series
    confidence = _UNCERTAIN if uncertain else 1.0
    return Mention(ref, field, start, end, text[start:end], "reference", "references", confidence)


def _is_free(end: int, link: Link | None, id_: str) -> bool:
    """Return whether a reference that ends at ``end`` is outside of ``link``, or in its text and more specific."""
    if link is None or end <= link.start:
        return True
    if link.method == "href" and id_.startswith(f"{IETF}rfc"):
        return False  # the link decides the series of the RFC
    known = identify(link.url) if link.method == "href" and id_ else None
    return known is not None and known[1].id != id_


def _of_same_repository(ref: Ref, link: Link) -> Ref:
    """Return a number that goes on a list begun by ``link`` as one of the link's repository."""
    known = identify(link.url)
    attrs = dict(known[1].attrs) if known else {}
    number = dict(ref.attrs).get("number")
    return numbered(str(attrs["repo"]), int(str(number)), ref.kind) if number and "number" in attrs else ref


def _find_explicit(text: str, context: _Context) -> Iterator[Candidate]:
    """Find the references that need no repository; yields (start, end, reference)."""
    yield from find_full(text)
    if _has_digit(text):
        small = text.lower()
        yield from _find_proposals(text, context)
        yield from _find_papers(text) if "10." in text or "xiv" in small else ()
        yield from _find_advisories(text) if "cve" in small or "ghsa" in small else ()


def _has_digit(text: str) -> bool:
    """Return whether a text has a digit: every reference has one, and no expression tests this as fast."""
    return any(map(text.__contains__, "0123456789"))


def _find_proposals(text: str, context: _Context) -> Iterator[Candidate]:
    """Find PEPs, NEPs and RFCs by their numbers; yields (start, end, reference), also for "PEPs 8 and 20"."""
    if "EP" not in text and "RFC" not in text:
        return
    for match in _PROPOSAL.finditer(text):
        series, end = match["series"], match.end()
        ref = _rfc(text, match, context) if series == "RFC" else _numbered_proposal(series, match["number"])
        if ref:
            yield match.start(), end, ref
            while match["gap"] == "s " and (more := _MORE.match(text, end)):
                end = more.end()
                if ref := _numbered_proposal(series, more["number"]):
                    yield more.start("number"), end, ref


def _find_papers(text: str) -> Iterator[Candidate]:
    """Find arXiv numbers and DOIs; yields (start, end, reference)."""
    for match in _PAPER.finditer(text):
        name = match["arxiv"] or _without_punctuation(match["doi"])
        page = f"arxiv.org/abs/{name}" if match["arxiv"] else f"doi.org/{name}"
        if ref := _known(f"https://{page}"):
            yield match.start(), match.end() if match["arxiv"] else match.start("doi") + len(name), ref


def _find_advisories(text: str) -> Iterator[Candidate]:
    """Find security advisories (CVE, GHSA) by their ids; yields (start, end, reference)."""
    for match in _ADVISORY.finditer(text):
        name = _HYPHEN.sub("-", match[0]).upper() if match[0][0] in "Cc" else f"GHSA{match[0][4:].lower()}"
        page = f"www.cve.org/CVERecord?id={name}" if name.startswith("CVE") else f"github.com/advisories/{name}"
        if ref := _known(f"https://{page}"):
            yield match.start(), match.end(), ref._replace(label=name)


def _rfc(text: str, match: re.Match[str], context: _Context) -> Ref | None:
    """Return the RFC of that number: of a subject near by that has such, else one of the show's, else the IETF's."""
    number = match["number"]
    near = text[max(0, match.start() - _NEAR) : match.end() + _NEAR]
    for subject in context.subjects:
        own = subject.proposals
        if own is not None and subject.concerns(near, repo=context.repo):
            # A subject's own are numbered with zeros in front, which the IETF's never are.
            if len(number) == own.digits and number[0] == "0":
                label, url = f"{subject.name} RFC-{number}", f"https://github.com/{own.repo}"
                return Ref("docs", f"{own.id_prefix}{number}", label, url)
            if int(number) < own.least:
                return None
    if (shown := context.proposals) is not None:
        value = number.lstrip("0")
        if value in shown.known:
            return shown.known[value]
        if "/" in shown.series and shown.series != IETF:
            return numbered(shown.series, int(number), "pull")
    return _numbered_proposal("RFC", number)


def _numbered_proposal(series: str, number: str) -> Ref | None:
    """Return the page of a PEP, NEP or RFC, or ``None`` for a number that the series does not reach."""
    value = int(number)
    if series == "PEP":
        return _known(f"https://peps.python.org/pep-{value:04d}/") if len(number) < 5 else None
    if series == "NEP":
        return _known(f"https://numpy.org/neps/nep-{value:04d}.html") if value < 100 else None
    return _known(f"https://www.rfc-editor.org/rfc/rfc{value}") if 100 <= value < 10_000 else None


def _without_punctuation(name: str) -> str:
    """Return a DOI without the sentence's punctuation after it: brackets of its own stay."""
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
