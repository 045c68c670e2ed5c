"""Articles on publishers' pages without a DOI in the address: ``paper:<host>/<id>``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ..ref import Ref
from ..url import unescape

if TYPE_CHECKING:
    from ..url import Url


class _Rule(NamedTuple):
    """The articles of one publisher.

    ``hosts`` end the hosts of its pages; the groups of ``pattern``, matched against the path, make the id; ``address``
    has their places; without one it is the path up to the first group. ``host`` is that of the id.
    """

    host: str
    hosts: tuple[str, ...]
    pattern: re.Pattern[str]
    address: str


def _rule(host: str, pattern: str, address: str, *hosts: str) -> _Rule:
    return _Rule(host, (host, *hosts), re.compile(pattern, re.IGNORECASE | re.ASCII), address)


# An identifier of Elsevier, the publisher of Cell and The Lancet: "S0092-8674(20)30229-4", "S0092867420302294".
_PII = r"(?:pii/?)?(s?[\dx-]{8,9}\(?\d\d\)?\d{5}-?[\dx])"
_VOLUME = r"/content/(?:[a-z]+/)?(\d+)/([\w-]+)/([\w.-]+?)(?:\.(?:abstract|extract|full|full\.pdf|long|short|pdf))*"
_RULES = (
    _rule("sciencedirect.com", rf"/science/article/(?:abs/)?pii/{_PII}(?:/.*)?",
          "https://www.sciencedirect.com/science/article/pii/{}"),
    _rule("sciencedirect.com",
          rf"/(?:journals/)?[\w-]+/(?:article/)?(?:(?:fulltext|abstract|pdf|pdfextended)/)?{_PII}(?:\.pdf|/.*)?",
          "https://www.sciencedirect.com/science/article/pii/{}", "cell.com", "thelancet.com"),
    _rule("pnas.org", rf"{_VOLUME}(?:/.*)?", "https://www.pnas.org/content/{}/{}/{}"),
    _rule("science.org", rf"{_VOLUME}(?:/.*)?", "https://www.science.org/content/{}/{}/{}", "sciencemag.org"),
    _rule("jneurosci.org", rf"{_VOLUME}(?:/.*)?", "https://www.jneurosci.org/content/{}/{}/{}"),
    _rule("bmj.com", r"/content/(\d+)/(bmj\.[\w.]+?)(?:\.(?:abstract|full|full\.pdf|long))*(?:/.*)?",
          "https://www.bmj.com/content/{}/{}"),
    _rule("academic.oup.com", r"/[\w-]+/(?:advance-)?article(?:-abstract|-pdf)?/(?:.+/)?(\d{5,})(?:/.*)?",
          ""),
    _rule("jamanetwork.com", r"/journals/[\w-]+/(?:article-abstract|fullarticle)/(\d+)(?:/.*)?",
          "https://jamanetwork.com/journals/jama/fullarticle/{}"),
    _rule("mdpi.com", r"/(\d{4}-\d{3}[\dx])/(\d+)/(\d+)/(\d+)(?:/.*)?", "https://www.mdpi.com/{}/{}/{}/{}"),
    _rule("jstor.org", r"/stable/(?:pdf/)?(?:10\.2307/)?(\d+)(?:\.pdf)?/?", "https://www.jstor.org/stable/{}"),
    _rule("pubmed.ncbi.nlm.nih.gov", r"(?:/m?/?pubmed)?/(\d{5,9})/?", "https://pubmed.ncbi.nlm.nih.gov/{}/",
          "ncbi.nlm.nih.gov"),
    _rule("pmc.ncbi.nlm.nih.gov", r"(?:/m?/?pmc)?/articles/(pmc\d+)(?:/.*)?",
          "https://pmc.ncbi.nlm.nih.gov/articles/{}/", "ncbi.nlm.nih.gov"),
    _rule("ssrn.com", r"/abstract[_=](?:id=)?(\d+)", "https://ssrn.com/abstract={}"),
)  # fmt: skip
_ENDS = tuple({f".{host}" for rule in _RULES for host in rule.hosts})
_SSRN = frozenset(("papers.ssrn.com", "ssrn.com"))


def parse_article(parts: Url) -> Ref | None:
    """Return the article that an address at a publisher leads to, or ``None``.

    >>> from podgraph.extractors.url import split_url
    >>> parse_article(split_url("https://www.cell.com/cell/fulltext/S0092-8674(20)30229-4")).id
    'paper:sciencedirect.com/s0092867420302294'
    """
    if not f".{parts.host}".endswith(_ENDS):
        return None  # as are most
    path = unescape(parts.path)
    if parts.host in _SSRN and (number := parts.get("abstract_id") or parts.get("abstractid")):
        path = f"/abstract={number}"
    for rule in _RULES:
        if any(parts.host == host or parts.host.endswith(f".{host}") for host in rule.hosts):
            if (match := rule.pattern.fullmatch(path)) is None:
                continue
            names = [match[1].replace("-", "")] if rule.host == "sciencedirect.com" else [*match.groups()]
            names = [name.replace("(", "").replace(")", "").lower() for name in names]
            written = [name.upper() if rule.host.startswith(("sciencedirect", "pmc")) else name for name in names]
            name = "/".join(names)
            address = rule.address.format(*written) or f"https://{parts.host}{path[: match.end(1)]}"
            return Ref("paper", f"paper:{rule.host}/{name}", f"{rule.host} {name}", address)
    return None
