"""Papers: arXiv and the sites that show its papers, DOIs anywhere in a path, proceedings, and publishers' pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..ref import Ref
from ..url import split_url, unescape
from .table import load_table

if TYPE_CHECKING:
    from ..url import Url

_DOI_HOSTS = frozenset(("doi.acm.org", "doi.ieeecomputersociety.org", "doi.org", "dx.doi.org", "dx.plos.org"))
# The folders of publishers before a DOI, with those of a journal before them.
_DOI_FOLDER = re.compile(
    r"(?:/[\w.-]+){0,3}/(?:article|articles|book|chapter|content|doi|lookup|abstract|advance-article)/"
    r"(?:(?:abs|book|doi|epdf|epub|full|fullHtml|full-xml|pdf|pdfdirect|pdfplus|proceedings|reader|ref|suppl|xml)/)*"
    r"(?:info:doi/)?(10\.\d{4,9}/.+)"
)
# A publisher's addition to a DOI: a session, a file, a folder.
_DOI_VIEW = re.compile(
    r"(?:;jsessionid=[^/]*|(?:\.full)?(?:\.e?pdf|\.html?|-text)|\.(?:abstract|full|long|short)"
    r"|/(?:abstract|citations?|e?pdf|epub|figures|full|full-text|fulltext|html|meta|pdfft|references|summary))\Z",
    re.IGNORECASE,
)


def parse(url: str) -> Ref | None:
    """Return the paper at ``url``; ``None`` for other addresses, and for a PDF that no rule has.

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
    return _parse_doi_address(parts) or load_table("papers").parse(url)


def _parse_doi_address(parts: Url) -> Ref | None:
    """Return the paper at an address that contains its DOI, or ``None``.

    Any host may have one in its path. Publishers append views such as ``/full.pdf``, one after another, and versions;
    they are removed.

    >>> _parse_doi_address(split_url("https://x.org/doi/pdf/10.1000/182.full.pdf")).id
    'paper:doi/10.1000/182'
    """
    path = re.sub(r"(?i)/?;jsessionid=[^/]*", "", parts.path)
    if parts.host in _DOI_HOSTS:
        return _make_doi_paper(path[1:].rstrip("/"))
    if parts.host.endswith(("plos.org", "plosone.org")) and (text := parts.get("id")):
        return _make_doi_paper(text.removeprefix("info:doi/"))
    if "10." not in path:
        return None
    path = path.replace("%2F", "/").replace("%3A", ":")
    match = _DOI_FOLDER.fullmatch(path)
    if match is None:
        return None
    doi, shorter = "", match[1].rstrip("/")
    while doi != shorter:  # a view may follow another: ".full.pdf"
        doi, shorter = shorter, _DOI_VIEW.sub("", shorter)
    if parts.host == "academic.oup.com":
        doi = re.sub(r"/\d{5,}\Z", "", doi)  # the number of the page
    if parts.host in ("biorxiv.org", "medrxiv.org"):
        doi = re.sub(r"v\d+\Z", "", doi)  # the version of a preprint
    return _make_doi_paper(doi)


def _make_doi_paper(text: str) -> Ref | None:
    """Return the paper with a DOI; ``None`` if the text is not a DOI.

    A DOI is "10.", a registrant, a slash and any printable text (DOI Handbook, 2.2). A DOI of arXiv is the paper at
    arXiv.

    ``text`` is the DOI as written in an address: in any case, with percent-codes or with ``doi:`` before it.
    """
    text = text.lower().replace("%2f", "/")
    doi = unescape(text).removeprefix("doi:")
    if not re.fullmatch(r"(?a:10\.\d{4,9}(?:\.\d+)*/[^\s\x00-\x1f\x7f]+)", doi):
        return None
    if doi.startswith("10.48550/arxiv."):  # the DOIs of arXiv's own papers
        return parse(f"https://arxiv.org/abs/{doi.removeprefix('10.48550/arxiv.')}")
    # doi.org does not know ACM's numbers for papers without a DOI.
    host = "dl.acm.org/doi" if doi.startswith("10.5555/") else "doi.org"
    return Ref("paper", f"paper:doi/{doi}", f"doi:{doi}", f"https://{host}/{text.removeprefix('doi:')}")
