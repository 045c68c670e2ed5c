"""References without a URL: to GitHub, to PEPs, NEPs and RFCs, to papers and advisories.

GitHub's forms are those of its page on autolinked references. A number alone is a reference only where the words round
it (``languages/tables/references.txt``) do not make it an episode, a rank or a colour.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ..model import Mention
from ..ref import Ref
from ..sites import identify
from ..sites.github import make_issue_ref
from ..subjects.default import default_subject
from .corpus import IETF, ShownRfcs
from .patterns import mask_spans, read_patterns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..model import Episode, Link
    from ..subjects.subject import Proposals, Subject
    from .corpus import Corpus

_PATTERNS = read_patterns("references")
_FORMS = [(name, _PATTERNS[name]) for name in _PATTERNS.texts if "/" in name]
# The address of a number of each series, the smallest and the largest number.
_PAGES = {
    "PEP": ("peps.python.org/pep-{:04}/", 0, 9999),
    "NEP": ("numpy.org/neps/nep-{:04}.html", 0, 99),
    "RFC": ("www.rfc-editor.org/rfc/rfc{}", 100, 9999),
}


class _Candidate(NamedTuple):
    """A place in a text that may be a reference; ``is_number`` where it does not name its repository or site."""

    start: int
    end: int
    ref: Ref
    is_number: bool = True


def find_shown_rfcs(episodes: Iterable[Episode]) -> ShownRfcs:
    """Return the targets of a show's links named like "RFC 1931", by number, and the series of most of them."""
    refs: dict[int, Ref] = {}
    series: Counter[str] = Counter()
    for episode in episodes:
        for link in episode.links if "RFC" in episode.notes else ():
            words = _PATTERNS["series"].search(episode.notes, link.start, min(link.end, link.start + 80))
            artifact = identify(link.url) if words and words["series"] == "RFC" and not link.truncated else None
            if words and artifact and words["gap"] != "s ":
                ref = refs.setdefault(int(words["number"]), artifact.ref._replace(rev="", lines="", time=""))
                page = _PATTERNS["page"].match(ref.id)  # of a repository
                repo = f"{page[1]}/{page[2]}" if page else str(dict(ref.attrs).get("repo", ""))
                series[IETF if ref.id.startswith(IETF) else repo] += 1
    del series[""]
    return ShownRfcs(refs, next((name for name, count in series.items() if 2 * count > series.total()), ""))


def find_references(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find the references other than URLs in an episode's title and notes.

    Yields one ``Mention`` (method ``reference``) each, outside URLs and without overlaps. A number without a repository
    needs ``corpus.default_repo``; a number with a hyperlink behind it is left out.
    """
    from .urls import list_links  # noqa: PLC0415 - questions ask `find_reference` alone, and look for no links

    yield from _find_in_field(episode.notes, "notes", corpus, list_links(episode))
    # A number at the head of a title is the episode's own.
    title = _PATTERNS["own number"].sub(lambda match: " " * len(match[0]), episode.title)
    yield from _find_in_field(title, "title", corpus, ())


def find_reference(text: str, default_repo: str = "") -> Ref | None:
    """Return the reference if the whole ``text`` is one, else ``None``.

    >>> find_reference("pytorch/rfcs#17").id, find_reference("PR 5", "o/r").id, find_reference("CVE-2022-45907").label
    ('github:pytorch/rfcs#17', 'github:o/r#5', 'CVE-2022-45907')
    """
    text = text.strip()[:300]
    candidates = [*_find_explicit(text), *_find_series(text, default_repo, (default_subject(),), ShownRfcs())]
    candidates += _find_numbers(text, default_repo, whole=True) if default_repo else ()
    return next((one.ref for one in candidates if one.start == 0 and one.end == len(text)), None)


def _find_in_field(text: str, field: str, corpus: Corpus, links: Sequence[Link]) -> Iterator[Mention]:
    """Yield the references in one field of an episode, without overlaps and outside its ``links``."""
    urls = [link for link in links if link.method == "url" or "://" in text[link.start : link.end]]
    prose, repo = mask_spans(text, [(url.start, url.end) for url in urls]), corpus.default_repo
    candidates: list[_Candidate] = []
    for link in links:
        for start, end, number in _find_more(prose, link.end):
            artifact = identify(link.url)
            attrs = dict(artifact.ref.attrs) if artifact else {}
            if "number" in attrs:  # "#13" behind a link to "owner/repo#12" is one of that repository
                candidates.append(_Candidate(start, end, make_issue_ref(str(attrs["repo"]), number)))
    candidates += [*_find_explicit(prose), *_find_series(prose, repo, corpus.subjects, corpus.rfcs)]
    candidates += _find_numbers(prose, repo) if repo else ()
    next_link = last_end = 0
    # Of several references at a place the longest, and one that names its repository, is the first.
    for start, end, ref, is_number in sorted(candidates, key=lambda one: (one.start, -one.end, one.is_number)):
        while next_link < len(links) and links[next_link].end <= start:
            next_link += 1
        around = links[next_link] if next_link < len(links) and links[next_link].start < end else None
        # In the text of a link there are only references that name another artifact than its target.
        target = identify(around.url) if around and around.method == "href" and not is_number else None
        if start < last_end or (around and (target is None or target.ref.id == ref.id)):
            continue
        last_end = end
        # The show has no evidence for the series of its RFCs.
        is_guess = not corpus.rfcs.series and ref.id.startswith(f"{IETF}rfc")
        place = (field, start, end, text[start:end], "reference", "references")
        yield Mention(ref, *place, 0.6 if is_guess else 1.0)


def _find_explicit(text: str) -> Iterator[_Candidate]:
    """Find the references that name their repository, paper or advisory."""
    small = text.lower()
    for form, pattern in _FORMS:
        mark, page = form.split()
        for match in pattern.finditer(text) if mark in small else ():
            name = match["id"].upper() if mark == "cve-" else match["id"]
            if ref := identify_page(page.format(**{**match.groupdict(), "id": name})):
                ref = ref._replace(label=name) if mark in {"cve-", "ghsa-"} else ref
                yield _Candidate(match.start(), match.end("id"), ref, is_number=False)
    for match in _PATTERNS["full"].finditer(text) if "/" in text else ():
        name, gap = match["repo"], match["gap"].strip("/ ")
        page = f"github.com/{name}/{gap.replace('#', 'issues')}/{match['number']}"
        target = None if _PATTERNS["no repository"].fullmatch(name) else identify_page(page)
        if target and target.id.startswith("github:"):
            yield _Candidate(*match.span(), target, is_number=False)
            for start, end, number in _find_more(text, match.end()):  # "owner/repo#17, #19" stays in the repository
                yield _Candidate(start, end, make_issue_ref(name, number), is_number=False)


def _find_series(text: str, repo: str, subjects: Sequence[Subject], rfcs: ShownRfcs) -> Iterator[_Candidate]:
    """Find the numbers of PEPs, NEPs and RFCs, also in "PEPs 8 and 20"."""
    for match in _PATTERNS["series"].finditer(text) if "EP" in text or "RFC" in text else ():
        numbers = [(match.start(), match.end(), match["number"])]
        numbers += _find_more(text, match.end(), is_bare=True) if match["gap"] == "s " else ()
        near = text[max(0, match.start() - 200) : match.end() + 200]
        own = [one.proposals for one in subjects if one.proposals and one.concerns(near, repo=repo)]
        for start, end, number in numbers:
            if ref := _find_proposal(match["series"], number, own, rfcs):
                yield _Candidate(start, end, ref)


def _find_proposal(series: str, number: str, own: Sequence[Proposals], rfcs: ShownRfcs) -> Ref | None:
    """Return the page of a PEP, NEP or RFC, or ``None`` for a number that the series does not reach.

    An RFC is one of the ``own`` proposals of the subjects near by, which have zeros in front, as the IETF's never have,
    or one of the show.
    """
    page, minimum, maximum = _PAGES[series]
    if series == "RFC":
        for proposals in own:
            if len(number) == proposals.digits and number[0] == "0":
                url = f"https://github.com/{proposals.repo}"
                return Ref("docs", f"{proposals.id_prefix}{number}", f"RFC-{number}", url)
            minimum = proposals.least
        if int(number) in rfcs.refs:
            return rfcs.refs[int(number)]
        if rfcs.series not in {"", IETF}:
            return make_issue_ref(rfcs.series, number, "pull")
    return identify_page(page.format(int(number))) if minimum <= int(number) <= maximum else None


def _find_more(text: str, end: int, *, is_bare: bool = False) -> Iterator[tuple[int, int, str]]:
    """Yield the further numbers of a list: "PRs #12, #34 and 567"; those without ``#`` only if ``is_bare``."""
    while (more := _PATTERNS["more"].match(text, end)) and (more["hash"] or is_bare):
        end = more.end()
        yield more.start("hash"), end, more["number"]


def _find_numbers(text: str, repo: str, *, whole: bool = False) -> Iterator[_Candidate]:
    """Find the references to pull requests, issues and commits of ``repo``.

    A number without ``#`` needs a word such as ``PR`` and three digits, one without a word ``#`` and three digits. With
    ``whole`` the text is meant to be a reference, so that ``PR 5`` counts, too.

    >>> [one.ref.id for one in _find_numbers("PRs #1, #22 and 333, GH-4; #5 of the top 10", "o/r")]
    ['github:o/r#1', 'github:o/r#22', 'github:o/r#333', 'github:o/r#4']
    """
    for match in _PATTERNS["after word"].finditer(text):
        if whole or _PATTERNS["worded"].fullmatch(match[0]):
            kind = "pull" if match["pull"] else "issue"
            start = match.start("gap") + match["gap"].find("#") if match["closes"] else match.start()
            yield _Candidate(start, match.end(), make_issue_ref(repo, match["number"], kind))
            for more_start, end, number in _find_more(text, match.end(), is_bare=not match["closes"]):
                if text[more_start] == "#" or _PATTERNS["long"].fullmatch(number):
                    yield _Candidate(more_start, end, make_issue_ref(repo, number, kind))
    for match in _PATTERNS["alone"].finditer(text):
        if whole or not _PATTERNS["counted"].search(text, max(0, match.start() - 16), match.end()):
            yield _Candidate(*match.span(), make_issue_ref(repo, match["number"]))
    for match in _PATTERNS["commit"].finditer(text):
        if ref := identify_page(f"github.com/{repo}/commit/{match['sha']}"):
            yield _Candidate(*match.span(), ref)


def identify_page(page: str) -> Ref | None:
    """Return the artifact of an address without its scheme."""
    artifact = identify(f"https://{page}")
    return artifact.ref if artifact else None
