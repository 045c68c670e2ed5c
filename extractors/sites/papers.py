"""Papers: arXiv and the sites that show its papers, DOIs anywhere in a path, and proceedings."""

from __future__ import annotations

import re

from ..ref import Ref
from ..url import Url, split_url, unescape
from .proceedings import parse_proceedings
from .publishers import parse_article

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
_DOI_HOSTS = frozenset(("doi.acm.org", "doi.ieeecomputersociety.org", "doi.org", "dx.doi.org", "dx.plos.org"))
# The folders of publishers after which a DOI follows, with those of a journal before them.
_DOI_FOLDER = re.compile(
    r"(?:/[\w.-]+){0,3}/(?:article|articles|book|chapter|content|doi|lookup|abstract|advance-article)/"
    r"(?:(?:abs|book|doi|epdf|epub|full|fullHtml|full-xml|pdf|pdfdirect|pdfplus|proceedings|reader|ref|suppl|xml)/)*"
    r"(?:info:doi/)?(10\.\d{4,9}/.+)"
)
# A view that publishers append to a DOI: a session, a file, a folder.
_DOI_VIEW = re.compile(
    r"(?:;jsessionid=[^/]*|(?:\.full)?(?:\.e?pdf|\.html?|-text)|\.(?:abstract|full|long|short)"
    r"|/(?:abstract|citations?|e?pdf|epub|figures|full|full-text|fulltext|html|meta|pdfft|references|summary))\Z",
    re.IGNORECASE,
)
_SESSION = re.compile(r"/?;jsessionid=[^/]*", re.IGNORECASE)
# Preprint servers that put the version behind the DOI.
_VERSIONED = frozenset(("biorxiv.org", "medrxiv.org"))
# The version of a preprint.
_VERSION = re.compile(r"v\d+\Z")
# An article of Nature, in addresses of today and of before: the end of its DOI.
_NATURE = re.compile(
    r"(?:/articles|/[a-z]+/journal/v\w+/n\w+/(?:abs|full|pdf))/([a-z0-9][a-z0-9.-]*?)"
    r"(?:\.e?pdf|\.html?)?(?:/(?:figures|metrics|tables)(?:/.*)?)?/?",
    re.IGNORECASE,
)
_ELIFE = re.compile(r"/articles/0*(\d{4,6})(?:v\d+)?(?:/.*|\.pdf)?")  # an article of eLife
_PLOS = ("plos.org", "plosone.org")
_OUP_NUMBER = re.compile(r"/\d{5,}\Z")  # of a page, behind the DOI
_ACM_ONLY = "10.5555/"  # ACM's numbers for papers without a DOI; doi.org does not know them


def parse(url: str) -> Ref | None:
    """Return the paper at ``url``, or ``None``, also for a PDF that no rule knows.

    Versions and views (abstract, PDF, HTML, mirrors) are one paper. DOIs ignore case, so ids have them in lower case.

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
    return _arxiv_page(parts) or parse_proceedings(parts) or _doi_page(parts) or parse_article(parts)


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
    """Return the paper of an address that contains its DOI.

    A few publishers write only a part of the DOI. Behind it, pages may append views, such as ``/full.pdf``, and
    versions.
    """
    path = _SESSION.sub("", parts.path)
    if parts.host in _DOI_HOSTS:
        return _doi(path[1:].rstrip("/"))
    if parts.host == "nature.com" and (article := _NATURE.fullmatch(path)):
        return _doi(f"10.1038/{article[1]}")
    if parts.host == "elifesciences.org" and (article := _ELIFE.fullmatch(path)):
        return _doi(f"10.7554/elife.{article[1]}")
    if parts.host.endswith(_PLOS) and (written := parts.get("id")):
        return _doi(written.removeprefix("info:doi/"))
    path = path.replace("%2F", "/").replace("%2f", "/").replace("%3A", ":")
    found = _DOI_FOLDER.fullmatch(path) if "10." in path else None
    if found is None:
        return None
    doi = found[1].rstrip("/")
    while True:  # a view may follow another: ".full.pdf"
        shorter = _DOI_VIEW.sub("", doi)
        if shorter == doi:
            break
        doi = shorter
    if parts.host == "academic.oup.com":
        doi = _OUP_NUMBER.sub("", doi)
    return _doi(_VERSION.sub("", doi) if parts.host in _VERSIONED else doi)


def _doi(written: str) -> Ref | None:
    """Return the paper with a DOI, as written in an address; DOIs of arXiv count as papers of arXiv."""
    written = written.lower().replace("%2f", "/")
    doi = unescape(written).removeprefix("doi:")
    if not _DOI.fullmatch(doi):
        return None
    if doi.startswith("10.48550/arxiv."):  # the DOIs of arXiv's own papers
        return _arxiv(doi.removeprefix("10.48550/arxiv."))
    host = "dl.acm.org/doi" if doi.startswith(_ACM_ONLY) else "doi.org"
    return Ref("paper", f"paper:doi/{doi}", f"doi:{doi}", f"https://{host}/{written.removeprefix('doi:')}")
