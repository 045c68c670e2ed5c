"""Papers: arXiv and the sites that show its papers, DOIs wherever they stand in a path, and proceedings."""

from __future__ import annotations

import re

from ..ref import Ref
from ..url import Url, split_url, unescape
from .proceedings import parse_proceedings

# https://info.arxiv.org/help/arxiv_identifier.html: the form since April 2007, and the one before.
_ARXIV = re.compile(
    r"(?:arxiv:)?(?:(\d\d(?:0[1-9]|1[0-2])\.\d{4,5})|([a-z-]+)(?:\.[a-z]{2})?/(\d{7}))(?:v\d+)?(?:\.pdf)?",
    re.IGNORECASE | re.ASCII,
)
# arXiv, its mirrors, and sites that show its papers under its own paths.
_ARXIV_HOST = re.compile(r"(?:[a-z0-9-]+\.)*arxiv\.org|ar5iv\.org|xxx\.lanl\.gov|alphaxiv\.org")
_ARXIV_VIEWS = frozenset("abs audio bibtex e-print format forum html overview pdf ps src tb".split())
# Sites that show papers of arXiv: host -> the folder before the identifier.
_SHOWS_ARXIV = {
    "arxiv-vanity.com": "papers",
    "emergentmind.com": "papers",
    "huggingface.co": "papers",
    "scirate.com": "arxiv",
    "semanticscholar.org": "arxiv",
}

# DOI Handbook, 2.2: "10.", a registrant, a slash, anything printable.
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/[^\s\x00-\x1f\x7f]+", re.ASCII)
_DOI_HOSTS = frozenset(("doi.acm.org", "doi.ieeecomputersociety.org", "doi.org", "dx.doi.org"))
# The folders of publishers behind which a DOI stands.
_DOI_FOLDER = re.compile(
    r"/(?:article|articles|book|chapter|content|content/pdf|doi|lookup/doi|[a-z]+/abstract)/"
    r"(?:(?:abs|book|epdf|epub|full|fullHtml|pdf|pdfdirect|pdfplus|proceedings|reader|ref|suppl|xml)/)*"
    r"(10\.\d{4,9}(?:/|%2F).+)"
)
# What publishers put behind a DOI to show another view.
_DOI_VIEW = re.compile(
    r"(?:\.full)?(?:\.pdf|\.html?|-text)?(?:/(?:abstract|epub|full|fulltext|html|meta|pdf))?\Z", re.IGNORECASE
)
# Preprint servers that put the version behind the DOI.
_VERSIONED = frozenset(("biorxiv.org", "medrxiv.org"))
# The version of a preprint.
_VERSION = re.compile(r"v\d+\Z")
# An article of Nature: the end of its DOI.
_NATURE = re.compile(r"/articles/([a-z0-9][a-z0-9.-]*?)(?:\.pdf)?/?", re.IGNORECASE)
_ACM_ONLY = "10.5555/"  # numbers that ACM gives to what has no DOI; doi.org does not know them


def parse(url: str) -> Ref | None:
    """Return the paper that ``url`` leads to, or ``None``; a PDF that no rule knows is none.

    Versions and views (abstract, PDF, HTML, mirrors) are one paper. A DOI is lower-case: case does not count in it.

    >>> parse("https://arxiv.org/pdf/1905.12322v2.pdf").id
    'paper:arxiv/1905.12322'
    >>> parse("https://dl.acm.org/doi/abs/10.1145/3620665.3640366").id
    'paper:doi/10.1145/3620665.3640366'
    >>> parse("https://openreview.net/pdf?id=BJJsrmfCZ").id
    'paper:openreview/BJJsrmfCZ'
    """
    parts = split_url(url)
    if parts is None or not parts.segments:
        return None
    return _arxiv_page(parts) or parse_proceedings(parts) or _doi_page(parts)


def _arxiv_page(parts: Url) -> Ref | None:
    first, *rest = parts.segments
    if _SHOWS_ARXIV.get(parts.host) == first or (first in _ARXIV_VIEWS and _ARXIV_HOST.fullmatch(parts.host)):
        return _arxiv("/".join(rest))
    return None


def _arxiv(identifier: str) -> Ref | None:
    found = _ARXIV.fullmatch(unescape(identifier))
    if found is None:
        return None
    number = found[1] or f"{found[2].lower()}/{found[3]}"
    return Ref("paper", f"paper:arxiv/{number}", f"arXiv:{number}", f"https://arxiv.org/abs/{number}")


def _doi_page(parts: Url) -> Ref | None:
    path = parts.path
    if parts.host in _DOI_HOSTS:
        return _doi(path[1:].rstrip("/"))
    if parts.host == "nature.com" and (article := _NATURE.fullmatch(path)):
        return _doi(f"10.1038/{article[1]}")
    if parts.host == "journals.plos.org":
        return _doi(parts.get("id"))
    found = _DOI_FOLDER.fullmatch(path)
    if found is None:
        return None
    doi = _DOI_VIEW.sub("", found[1].rstrip("/"))
    return _doi(_VERSION.sub("", doi) if parts.host in _VERSIONED else doi)


def _doi(written: str) -> Ref | None:
    written = written.lower().replace("%2f", "/")
    doi = unescape(written).removeprefix("doi:")
    if not _DOI.fullmatch(doi):
        return None
    if doi.startswith("10.48550/arxiv."):  # the DOIs of arXiv's own papers
        return _arxiv(doi.removeprefix("10.48550/arxiv."))
    host = "dl.acm.org/doi" if doi.startswith(_ACM_ONLY) else "doi.org"
    return Ref("paper", f"paper:doi/{doi}", f"doi:{doi}", f"https://{host}/{written.removeprefix('doi:')}")
