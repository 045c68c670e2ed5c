"""References without a URL: to GitHub, to PEPs, NEPs and RFCs, to papers and advisories.

GitHub's forms are those of its page on autolinked references. A number alone is a reference only where the words round
it (``languages/tables/references.txt``) do not make it an episode, a rank or a colour.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from ..model import Mention
from ..ref import Ref
from ..sites import identify
from ..subjects.default import default_subject
from .corpus import ShownRfcs
from .patterns import read_patterns

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator, Sequence

    from ..model import Episode, Link
    from ..subjects.subject import Proposals, Subject
    from .corpus import Corpus, Extraction

    Candidate = tuple[int, int, Ref]

_PATTERNS = read_patterns("references")
_FORMS = [(name, _PATTERNS[name]) for name in _PATTERNS.texts if "/" in name]
_PAGES = {
    "PEP": ("peps.python.org/pep-{:04}/", 0, 9999),
    "NEP": ("numpy.org/neps/nep-{:04}.html", 0, 99),
    "RFC": ("www.rfc-editor.org/rfc/rfc{}", 100, 9999),
}
_IETF = "docs:ietf/"  # how the ids of the IETF's RFCs begin


def find_shown_rfcs(episodes: Iterable[Episode]) -> ShownRfcs:
    """Return the targets of a show's links named like "RFC 1931", by number, and the series of most of them."""
    refs: dict[int, Ref] = {}
    series: Counter[str] = Counter()
    for episode in episodes:
        for link in episode.links if "RFC" in episode.notes else ():
            words = _PATTERNS["series"].search(episode.notes, link.start, min(link.end, link.start + 80))
            artifact = identify(link.url) if words and words["series"] == "RFC" and not link.truncated else None
            if words and artifact and words["gap"] != "s ":
                ref = refs.setdefault(int(words["number"]), artifact[1]._replace(rev="", lines="", time=""))
                page = _PATTERNS["page"].match(ref.id)  # of a repository
                repo = f"{page[1]}/{page[2]}" if page else str(dict(ref.attrs).get("repo", ""))
                series[_IETF if ref.id.startswith(_IETF) else repo] += 1
    del series[""]
    return ShownRfcs(refs, next((one for one, count in series.items() if 2 * count > series.total()), ""))


def find_references(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find the references other than URLs in an episode's title and notes.

    Yields one ``Mention`` (method ``reference``) each, outside URLs and without overlaps. A number without a repository
    needs ``corpus.default_repo``; a number with a hyperlink behind it is left out.
    """
    from .urls import list_links  # noqa: PLC0415 - questions ask `find_reference` alone, and look for no links

    yield from _find(episode.notes, "notes", corpus, list_links(episode))
    # A number at the head of a title is the episode's own.
    title = _PATTERNS["own number"].sub(lambda match: " " * len(match[0]), episode.title)
    yield from _find(title, "title", corpus, ())


def find_reference(text: str, default_repo: str = "") -> Ref | None:
    """Return the reference if the whole ``text`` is one, else ``None``.

    >>> find_reference("pytorch/rfcs#17").id, find_reference("PR 5", "o/r").id, find_reference("CVE-2022-45907").label
    ('github:pytorch/rfcs#17', 'github:o/r#5', 'CVE-2022-45907')
    """
    text = text.strip()[:300]
    candidates = [*_find_explicit(text), *_find_series(text, default_repo, (default_subject(),))]
    candidates += _find_numbers(text, default_repo, whole=True) if default_repo else ()
    return next((ref for start, end, ref in candidates if start == 0 and end == len(text)), None)


def join_proposals(results: Sequence[Extraction], subjects: Sequence[Subject]) -> list[Extraction]:
    """Turn mentions of a subject's own RFC, known by its number, into mentions of its file, if just one is named."""
    refs = {mention.ref.id: mention.ref for result in results for mention in result.mentions}
    files: dict[str, Ref] = {}
    for own in (subject.proposals for subject in subjects if subject.proposals):
        for id_ in (id_ for id_ in refs if id_.startswith(own.id_prefix)):
            beginning = f"{own.file_prefix}{id_.removeprefix(own.id_prefix)}"
            targets = [ref._replace(rev="", lines="", time="") for ref in refs.values() if ref.id.startswith(beginning)]
            if len(targets) == 1:
                files[id_] = targets[0]
    new_results = []
    for result in results:
        mentions = (replace(one, ref=files.get(one.ref.id, one.ref)) for one in result.mentions)
        new_results.append(replace(result, mentions=tuple(mentions)) if files else result)
    return new_results


def _find(text: str, field: str, corpus: Corpus, links: Sequence[Link]) -> Iterator[Mention]:
    """Yield the references in one field of an episode, without overlaps and outside links."""
    repo, parts, at = corpus.default_repo, [], 0
    for link in links:
        if link.start >= at and (link.method == "url" or "://" in text[link.start : link.end]):
            parts += [text[at : link.start], "\ufffc" * (link.end - link.start)]  # nothing in a URL is a reference
            at = link.end
    prose = "".join((*parts, text[at:]))
    candidates = [(start, -end, False, ref) for start, end, ref in _find_explicit(prose)]
    series = _find_series(prose, repo, corpus.subjects, corpus.rfcs)
    numbers = _find_numbers(prose, repo) if repo else ()
    candidates += [(start, -end, True, ref) for start, end, ref in (*series, *numbers)]
    at = free_from = 0
    for start, minus_end, is_bare, ref in sorted(candidates, key=lambda candidate: candidate[:3]):
        while at < len(links) and links[at].end <= start:
            at += 1
        is_linked = at < len(links) and not _is_free(-minus_end, links[at], "" if is_bare else ref.id)
        if start >= free_from and not is_linked:
            free_from = -minus_end
            # "#13" behind a link to "owner/repo#12" is one of that repository.
            more = _PATTERNS["more"].match(text, links[at - 1].end) if at and text[start] == "#" else None
            artifact = identify(links[at - 1].url) if more and more.start("hash") == start else None
            attrs = dict(artifact[1].attrs) if artifact else {}
            target = to_ref(str(attrs["repo"]), text[start + 1 : free_from], ref.kind) if "number" in attrs else ref
            # The show has no evidence for the series of its RFCs.
            is_guess = corpus.rfcs is not None and not corpus.rfcs.series and ref.id.startswith(f"{_IETF}rfc")
            fields = (field, start, free_from, text[start:free_from], "reference", "references")
            yield Mention(target, *fields, 0.6 if is_guess else 1.0)


def _is_free(end: int, link: Link, id_: str) -> bool:
    """Return whether a reference that ends at ``end`` is outside of ``link``, or in its text and more specific."""
    artifact = identify(link.url) if end > link.start and link.method == "href" and id_ else None
    return end <= link.start or (artifact is not None and artifact[1].id != id_)


def _find_explicit(text: str) -> Iterator[Candidate]:
    """Find the references that name their repository, paper or advisory; yields (start, end, reference)."""
    small = text.lower()
    for form, pattern in _FORMS:
        mark, page = form.split()
        for match in pattern.finditer(text) if mark in small else ():
            name = _strip_punctuation(match["id"])
            name = name.upper() if mark == "cve-" else name
            if ref := identify_page(page.format(**{**match.groupdict(), "id": name})):
                label = name if mark in {"cve-", "ghsa-"} else ref.label
                yield match.start(), match.start("id") + len(name), ref._replace(label=label)
    for match in _PATTERNS["full"].finditer(text) if "/" in text else ():
        name, gap = match["repo"], match["gap"].strip("/ ")
        page = f"github.com/{name}/{gap.replace('#', 'issues')}/{match['number']}"
        ref = None if _PATTERNS["no repository"].fullmatch(name) else identify_page(page)
        if ref and ref.id.startswith("github:"):
            yield match.start(), match.end(), ref
            for start, end, number in _find_more(text, match.end()):  # "owner/repo#17, #19" stays in the repository
                yield start, end, to_ref(name, number)


def _find_series(
    text: str, repo: str, subjects: Sequence[Subject], rfcs: ShownRfcs | None = None
) -> Iterator[Candidate]:
    """Find the numbers of PEPs, NEPs and RFCs, also in "PEPs 8 and 20"; yields (start, end, reference)."""
    for match in _PATTERNS["series"].finditer(text) if "EP" in text or "RFC" in text else ():
        numbers = [(match.start(), match.end(), match["number"])]
        numbers += _find_more(text, match.end(), is_bare=True) if match["gap"] == "s " else ()
        near = text[max(0, match.start() - 200) : match.end() + 200]
        own = [one.proposals for one in subjects if one.proposals and one.concerns(near, repo=repo)]
        for start, end, number in numbers:
            if ref := _find_proposal(match["series"], number, own, rfcs or ShownRfcs({}, "")):
                yield start, end, ref


def _find_proposal(series: str, number: str, own: Sequence[Proposals], rfcs: ShownRfcs) -> Ref | None:
    """Return the page of a PEP, NEP or RFC, or ``None`` for a number that the series does not reach.

    An RFC is one of the subjects near by, which have zeros in front, as the IETF's never have, or one of the show.
    """
    page, least, most = _PAGES[series]
    if series == "RFC":
        for one in own:
            if len(number) == one.digits and number[0] == "0":
                return Ref("docs", f"{one.id_prefix}{number}", f"RFC-{number}", f"https://github.com/{one.repo}")
            least = one.least
        if int(number) in rfcs.refs:
            return rfcs.refs[int(number)]
        if rfcs.series not in {"", _IETF}:
            return to_ref(rfcs.series, number, "pull")
    return identify_page(page.format(int(number))) if least <= int(number) <= most else None


def _find_more(text: str, end: int, *, is_bare: bool = False) -> Iterator[tuple[int, int, str]]:
    """Yield the further numbers of a list: "PRs #12, #34 and 567"; those without ``#`` only if ``is_bare``."""
    while (more := _PATTERNS["more"].match(text, end)) and (more["hash"] or is_bare):
        end = more.end()
        yield more.start("hash"), end, more["number"]


def _find_numbers(text: str, repo: str, *, whole: bool = False) -> Iterator[Candidate]:
    """Find the references to pull requests, issues and commits of ``repo``; yields (start, end, reference).

    A number without ``#`` needs a word such as ``PR`` and three digits, one without a word ``#`` and three digits. With
    ``whole`` the text is meant to be a reference, so that ``PR 5`` counts, too.

    >>> [ref.id for _, _, ref in _find_numbers("PRs #1, #22 and 333, GH-4; #5 of the top 10", "o/r")]
    ['github:o/r#1', 'github:o/r#22', 'github:o/r#333', 'github:o/r#4']
    """
    for match in _PATTERNS["after word"].finditer(text):
        if whole or _is_worded_reference(text, match):
            kind = "pull" if match["pull"] else "issue"
            start = match.start("gap") + match["gap"].find("#") if match["closes"] else match.start()
            yield start, match.end(), to_ref(repo, match["number"], kind)
            for more_start, end, number in _find_more(text, match.end(), is_bare=not match["closes"]):
                if text[more_start] == "#" or _is_long(number):
                    yield more_start, end, to_ref(repo, number, kind)
    for match in _PATTERNS["alone"].finditer(text):
        if whole or not _is_counted(text, match):
            yield *match.span(), to_ref(repo, match["number"])
    for match in _PATTERNS["commit"].finditer(text):
        if ref := identify_page(f"github.com/{repo}/commit/{match['sha']}"):
            yield *match.span(), ref


def to_ref(repo: str, number: str | int, kind: str = "issue") -> Ref:
    """Return the pull request or issue ``number`` of ``repo``; its kind stays open until a mention decides.

    >>> to_ref("PyTorch/pytorch", 12).id
    'github:pytorch/pytorch#12'
    """
    name, number = repo.lower(), int(number)
    url = f"https://github.com/{name}/{'pull' if kind == 'pull' else 'issues'}/{number}"
    return Ref(kind, f"github:{name}#{number}", f"{name}#{number}", url, (("repo", name), ("number", number)))


def _is_worded_reference(text: str, match: re.Match[str]) -> bool:
    """Return whether a word and a number are a reference, and not a quantity, a year or a name."""
    gap, word = match["gap"], (match["pull"] or match["issue"] or "").lower()
    if match["issue"] and text.startswith(" of ", match.end()):
        return False  # an issue of something: a magazine, a series
    if "#" in gap or match["gh"]:
        return "#" in gap or gap == "-"
    is_name = gap == "-" or word in {"", "pull", "pulls", "bug", "bugs"}
    return not is_name and bool(gap or match["pull"]) and _is_long(match["number"])


def _is_counted(text: str, match: re.Match[str]) -> bool:
    """Return whether ``#1234`` is a count, a rank, a year or a colour by the words round it rather than a reference."""
    before, number = text[max(0, match.start() - 16) : match.start()], match["number"]
    is_rank = _PATTERNS["behind rank"].match(text, match.end()) or (
        len(number) < 4 and _PATTERNS["before rank"].search(before)
    )
    return bool(not _is_long(number) or _PATTERNS["counted"].search(before) or is_rank)


def _is_long(number: str) -> bool:
    """Return whether a number has three digits or more and is no year."""
    return len(number) > 2 and not (len(number) == 4 and number[:2] in {"19", "20"})


def identify_page(page: str) -> Ref | None:
    """Return the artifact of an address without its scheme."""
    artifact = identify(f"https://{page}")
    return artifact[1] if artifact else None


def _strip_punctuation(name: str) -> str:
    """Return a DOI without the sentence's punctuation after it: brackets of its own stay."""
    while name.endswith(tuple(".,;:!?*")) or any(
        name.endswith(end) and name.count(end) > name.count(begin) for begin, end in ("()", "[]", "{}")
    ):
        name = name[:-1]
    return name
