"""Papers: arXiv and the sites that show its papers, DOIs anywhere in a path, proceedings, and publishers' pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..ref import Ref
from ..url import split_url, unescape
from .table import Row, Table, query

if TYPE_CHECKING:
    from ..url import Url

_FILE = r"(?:\.(?:html|pdf|bib))?"
_YEAR = r"(?P<y>(?:19|20)\d\d)"


def _paper(hosts: str, pattern: str, place: str, label: str, page: str, name: str = "{n}", short: str = "") -> Row:
    """Return a row for the paper ``name`` of a place; ``short`` is its name in the label."""
    return Row(hosts, pattern, "paper", f"{place}/{name}", f"{label}{short or name}", page)


def _article(host: str, hosts: str, pattern: str, page: str, name: str = "{n:l}") -> Row:
    """Return a row for an article on a publisher's page without a DOI in the address."""
    return _paper(hosts, f"(?i:{pattern})", host, f"{host} ", page, name)


def _doi_row(hosts: str, pattern: str, name: str) -> Row:
    """Return a row for a publisher that writes only a part of the DOI."""
    return _paper(hosts, f"(?i:{pattern})", "doi", "doi:", f"https://doi.org/{name}", name)


# https://info.arxiv.org/help/arxiv_identifier.html: the form since April 2007, and the one before.
_ARXIV = (
    (r"(?P<n>\d\d(?:0[1-9]|1[0-2])\.\d{4,5})", "{n}"),
    (r"(?P<archive>[a-z-]+)(?:\.[a-z]{2})?(?:/|%2F)(?P<n>\d{7})", "{archive:l}/{n}"),
)
# arXiv, its mirrors, and sites that show its papers: hosts, and the folder before the identifier.
_ARXIV_HOSTS = (
    (".arxiv.org ar5iv.org xxx.lanl.gov alphaxiv.org",
     "(?:abs|audio|bibtex|e-print|format|forum|html|overview|pdf|ps|src|tb)"),
    ("arxiv-vanity.com emergentmind.com huggingface.co", "papers"),
    ("scirate.com semanticscholar.org", "arxiv"),
)  # fmt: skip
_ACL_HOSTS = "aclanthology.info aclanthology.org aclweb.org"
# NeurIPS and its like. Abstract, paper, reviews and supplement share a hash; the track follows it.
_HASH_FILE = r"(?P<n>[0-9a-f]{32})(?:-[A-Za-z]+(?P<track>-[A-Za-z_]+)?)?(?:\.(?:html|pdf|txt|bib|zip|json))?"
_HASHED = (
    ("neurips", "NeurIPS ", "proceedings.neurips.cc papers.neurips.cc papers.nips.cc"),
    ("iclr", "ICLR ", "proceedings.iclr.cc"),
    ("mlsys", "MLSys ", "proceedings.mlsys.org"),
)
# Proceedings by volume; those of PMLR began on JMLR's pages.
_VOLUMES = (
    ("pmlr", "PMLR ", "proceedings.mlr.press"),
    ("pmlr", "PMLR ", "jmlr.org/proceedings/papers"),
    ("jmlr", "JMLR ", "jmlr.org/papers"),
)
_IN_VOLUME = (
    r"/(?!(?:index|assets)(?:-supp\w*)?(?:\.(?:html|pdf|bib))?(?:/|\Z))"
    rf"(?P<n>[A-Za-z0-9][A-Za-z0-9_-]*?)(?:-supp|-supplemental)?{_FILE}(?:/(?P=n)[^/]*)?"
)
# An identifier of Elsevier, the publisher of Cell and The Lancet: "S0092-8674(20)30229-4", "S0092867420302294".
_PII = r"(?:pii/?)?(?P<n>s?[\dx-]{8,9}\(?\d\d\)?\d{5}-?[\dx])"
_PII_PAGE = "https://www.sciencedirect.com/science/article/pii/{n:xu}"
_VOLUME = (
    r"/content/(?:[a-z]+/)?(?P<a>\d+)/(?P<b>[\w-]+)/(?P<c>[\w.-]+?)"
    r"(?:\.(?:abstract|extract|full|full\.pdf|long|short|pdf))*(?:/.*)?"
)
_TABLE = Table((
    *(
        _paper(hosts, f"(?i:/{folder}/(?:arxiv:)?{form}(?:v\\d+)?(?:\\.pdf)?)", "arxiv", "arXiv:",
               f"https://arxiv.org/abs/{name}", name)
        for hosts, folder in _ARXIV_HOSTS
        for form, name in _ARXIV
    ),
    _paper("openreview.net", "/(?:forum|pdf|attachment|revisions)" + query("id", r"(?P<n>[\w-]{6,24})"), "openreview",
           "OpenReview ", "https://openreview.net/forum?id={n}"),
    _paper("openreview.net", r"/pdf/(?P<n>[0-9a-f]{40})(?:\.pdf)?", "openreview", "OpenReview ",
           "https://openreview.net/pdf/{n}.pdf", short="{n:8}"),
    _paper("openreview.net", r"/pdf/(?P<n>[\w-]{6,24})\.pdf", "openreview", "OpenReview ",
           "https://openreview.net/forum?id={n}"),
    *(
        _paper(_ACL_HOSTS, rf"/(?:.*/)?(?P<n>(?i:{form}))(?:v\d+)?(?i:\.(?:pdf|bib|xml|endf))?", "acl",
               "ACL Anthology ", f"https://aclanthology.org/{name}/", name)
        for form, name in ((r"[A-Z]\d\d-\d{4,5}", "{n:u}"), (r"\d{4}\.[a-z0-9_]+-[a-z0-9]+\.\d+", "{n:l}"))
    ),
    *(
        _paper(hosts, f"(?:/paper_files)?/paper/{pattern}", place, label, f"https://{hosts.split()[0]}/{page}",
               short=short)
        for place, label, hosts in _HASHED
        for pattern, page, short in (
            (r"(?P<file>(?P<n>\d{1,5})-[a-z0-9-]+)(?:\.pdf)?", "paper/{file}", ""),
            (f"{_YEAR}/[^/]+/{_HASH_FILE}", "paper_files/paper/{y}/hash/{n}-Abstract{track}.html", "{n:8}"),
        )
    ),
    *(
        _paper(root.partition("/")[0], f"{root}/{volume}{_IN_VOLUME}", place, label,
               f"https://{root}/{name}.html", name)
        for place, label, root in _VOLUMES
        for volume, name in ((r"v(?:olume)?(?P<v>\d{1,3})", "v{v:i}/{n}"), (r"(?P<v>r\d{1,2})", "{v}/{n}"))
    ),
    *(
        _paper("usenix.org", pattern, "usenix", "USENIX ",
               "https://www.usenix.org/conference/{event}/presentation/{n}", "{event}/{n}")
        for pattern in (
            r"/system/files/(?:.*/)?(?P<event>[a-z]+\d{2})[-_](?:paper[-_])?(?P<n>[a-z0-9-]+?)(?:_\d)?\.pdf",
            r"/conference/(?P<event>[a-z]+\d{2})/(?:.*/)?presentation/(?P<n>[^/]+)",
        )
    ),
    _paper("semanticscholar.org", "/(?:paper|reader)/(?:.*?/)??(?P<n>[0-9a-f]{40})(?:/.*)?", "semanticscholar",
           "Semantic Scholar ", "https://www.semanticscholar.org/paper/{n}", short="{n:8}"),
    # The PDF and the page of a paper of the CVF have folders of their own.
    _paper("openaccess.thecvf.com cv-foundation.org",
           r"(?:/openaccess)?/(?P<folder>content.*)/[^/]+/(?P<n>\w+_paper)\.(?:html|pdf)",
           "cvf", "CVF ", "https://openaccess.thecvf.com/{folder}/html/{n}.html"),
    _paper("ieeexplore.ieee.org", r"(?:/.*)?/document/(?P<n>[1-9]\d{2,9})(?:/.*)?", "ieee", "IEEE Xplore ",
           "https://ieeexplore.ieee.org/document/{n}"),
    _paper("ieeexplore.ieee.org",
           r"/(?:.*/)?(?:stamp|articleDetails|getPDF)\.jsp" + query("arnumber", r"(?P<n>[1-9]\d{2,9})"),
           "ieee", "IEEE Xplore ", "https://ieeexplore.ieee.org/document/{n}"),
    _paper("eprint.iacr.org", rf"/{_YEAR}/0*(?P<n>[1-9]\d{{0,4}})(?:\.pdf)?", "iacr", "IACR ePrint ",
           "https://eprint.iacr.org/{y}/{n:3}", "{y}/{n:3}"),
    _paper("zenodo.org", r"/records?/(?P<n>[1-9]\d*)(?:/.*)?", "doi", "doi:", "https://doi.org/10.5281/zenodo.{n}",
           "10.5281/zenodo.{n}"),
    _paper(".hal.science hal.archives-ouvertes.fr hal.inria.fr",
           r"/(?P<n>(?:hal|tel|inria|cel|halshs)-\d{5,9})(?:v\d+)?(?:/.*)?", "hal", "HAL ", "https://hal.science/{n}"),
    _doi_row("nature.com", r"(?:/articles|/[a-z]+/journal/v\w+/n\w+/(?:abs|full|pdf))/(?P<n>[a-z0-9][a-z0-9.-]*?)"
             r"(?:\.e?pdf|\.html?)?(?:/(?:figures|metrics|tables)(?:/.*)?)?(?:;jsessionid=[^/]*)?", "10.1038/{n:l}"),
    _doi_row("elifesciences.org", r"/articles/0*(?P<n>\d{4,6})(?:v\d+)?(?:/.*|\.pdf)?", "10.7554/elife.{n}"),
    _article("sciencedirect.com", ".sciencedirect.com", rf"/science/article/(?:abs/)?pii/{_PII}(?:/.*)?", _PII_PAGE,
             "{n:xl}"),
    _article("sciencedirect.com", ".sciencedirect.com .cell.com .thelancet.com",
             rf"/(?:journals/)?[\w-]+/(?:article/)?(?:(?:fulltext|abstract|pdf|pdfextended)/)?{_PII}(?:\.pdf|/.*)?",
             _PII_PAGE, "{n:xl}"),
    *(
        _article(host, hosts, _VOLUME, f"https://www.{host}/content/{{a:l}}/{{b:l}}/{{c:l}}", "{a:l}/{b:l}/{c:l}")
        for host, hosts in (("pnas.org", ".pnas.org"), ("science.org", ".science.org .sciencemag.org"),
                            ("jneurosci.org", ".jneurosci.org"))
    ),
    _article("bmj.com", ".bmj.com", r"/content/(?P<n>\d+/bmj\.[\w.]+?)(?:\.(?:abstract|full|full\.pdf|long))*(?:/.*)?",
             "https://www.bmj.com/content/{n:l}"),
    _article("academic.oup.com", "academic.oup.com",
             r"(?P<path>/[\w-]+/(?:advance-)?article(?:-abstract|-pdf)?/(?:.+/)?(?P<n>\d{5,}))(?:/.*)?",
             "https://{host}{path}"),
    _article("jamanetwork.com", ".jamanetwork.com",
             r"/journals/[\w-]+/(?:article-abstract|fullarticle)/(?P<n>\d+)(?:/.*)?",
             "https://jamanetwork.com/journals/jama/fullarticle/{n}"),
    _article("mdpi.com", ".mdpi.com", r"/(?P<n>\d{4}-\d{3}[\dx]/\d+/\d+/\d+)(?:/.*)?", "https://www.mdpi.com/{n:l}"),
    _article("jstor.org", ".jstor.org", r"/stable/(?:pdf/)?(?:10\.2307/)?(?P<n>\d+)(?:\.pdf)?",
             "https://www.jstor.org/stable/{n}"),
    _article("pubmed.ncbi.nlm.nih.gov", "pubmed.ncbi.nlm.nih.gov .ncbi.nlm.nih.gov",
             r"(?:/m?/?pubmed)?/(?P<n>\d{5,9})",
             "https://pubmed.ncbi.nlm.nih.gov/{n}/"),
    _article("pmc.ncbi.nlm.nih.gov", ".ncbi.nlm.nih.gov", r"(?:/m?/?pmc)?/articles/(?P<n>pmc\d+)(?:/.*)?",
             "https://pmc.ncbi.nlm.nih.gov/articles/{n:u}/"),
    _article("ssrn.com", "papers.ssrn.com ssrn.com", "/.*" + query("abstract_?id", r"(?P<n>\d+)"),
             "https://ssrn.com/abstract={n}"),
    _article("ssrn.com", ".ssrn.com", r"/abstract[_=](?:id=)?(?P<n>\d+)", "https://ssrn.com/abstract={n}"),
))  # fmt: skip

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
    return _doi_page(parts) or _TABLE.find(parts)


def _doi_page(parts: Url) -> Ref | None:
    """Return the paper of an address that contains its DOI.

    This is code because any host may have one, and because pages append views, such as ``/full.pdf``, one after
    another, and versions.
    """
    path = re.sub(r"(?i)/?;jsessionid=[^/]*", "", parts.path)
    if parts.host in _DOI_HOSTS:
        return _doi(path[1:].rstrip("/"))
    if parts.host.endswith(("plos.org", "plosone.org")) and (written := parts.get("id")):
        return _doi(written.removeprefix("info:doi/"))
    if "10." not in path:
        return None
    path = path.replace("%2F", "/").replace("%3A", ":")
    found = _DOI_FOLDER.fullmatch(path)
    if found is None:
        return None
    doi, shorter = "", found[1].rstrip("/")
    while doi != shorter:  # a view may follow another: ".full.pdf"
        doi, shorter = shorter, _DOI_VIEW.sub("", shorter)
    if parts.host == "academic.oup.com":
        doi = re.sub(r"/\d{5,}\Z", "", doi)  # the number of the page
    if parts.host in ("biorxiv.org", "medrxiv.org"):
        doi = re.sub(r"v\d+\Z", "", doi)  # the version of a preprint
    return _doi(doi)


def _doi(written: str) -> Ref | None:
    """Return the paper with a DOI, as written in an address; DOIs of arXiv count as papers of arXiv.

    DOI Handbook, 2.2: "10.", a registrant, a slash, anything printable.
    """
    written = written.lower().replace("%2f", "/")
    doi = unescape(written).removeprefix("doi:")
    if not re.fullmatch(r"(?a:10\.\d{4,9}(?:\.\d+)*/[^\s\x00-\x1f\x7f]+)", doi):
        return None
    if doi.startswith("10.48550/arxiv."):  # the DOIs of arXiv's own papers
        return parse(f"https://arxiv.org/abs/{doi.removeprefix('10.48550/arxiv.')}")
    # doi.org does not know ACM's numbers for papers without a DOI.
    host = "dl.acm.org/doi" if doi.startswith("10.5555/") else "doi.org"
    return Ref("paper", f"paper:doi/{doi}", f"doi:{doi}", f"https://{host}/{written.removeprefix('doi:')}")
