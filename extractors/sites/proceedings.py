"""Papers by the places that publish them: OpenReview, the ACL Anthology, NeurIPS, PMLR, JMLR, USENIX and others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..ref import Ref

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..url import Url

# The id of a paper at OpenReview.
_ID = re.compile(r"[A-Za-z0-9_-]{6,24}")
# A SHA-1.
_HASH = re.compile(r"[0-9a-f]{40}")
# An MD5 or a SHA-1.
_DIGEST = re.compile(r"[0-9a-f]{32}|[0-9a-f]{40}")
# The id of a paper in the ACL Anthology, old and new, with its file.
_ACL = re.compile(
    r"([A-Z]\d{2}-\d{4,5}|\d{4}\.[a-z0-9_]+-[a-z0-9]+\.\d+)(?:v\d+)?(?:\.(?:pdf|bib|xml|endf))?",
    re.IGNORECASE | re.ASCII,
)
# Abstract, paper, reviews and supplement of one paper share a hash; the track follows it.
_PAPER_FILE = re.compile(r"([0-9a-f]{32})(?:-[A-Za-z]+(-[A-Za-z_]+)?)?(?:\.(?:html|pdf|txt|bib|zip|json))?")
# The number of a paper in the old addresses of NeurIPS.
_NIPS_NUMBER = re.compile(r"(\d{1,5})-[a-z0-9-]+(?:\.pdf)?", re.ASCII)
# A year.
_YEAR = re.compile(r"(?:19|20)\d\d", re.ASCII)
# A volume: v139, volume9, r1.
_VOLUME = re.compile(r"(?:v|volume)(\d{1,3})|(r\d{1,2})", re.ASCII)
# The name of a paper, with its file.
_NAME = re.compile(r"([A-Za-z0-9][A-Za-z0-9_-]*?)(?:-supp|-supplemental)?(?:\.(?:html|pdf|bib))?")
# The conference and the author in the name of a file.
_USENIX_FILE = re.compile(r"([a-z]+\d{2})[-_](?:paper[-_])?([a-z0-9-]+?)(?:_\d)?\.pdf")
# A conference of a year: osdi20.
_USENIX_EVENT = re.compile(r"[a-z]+\d{2}")
# The number of a document.
_NUMBER = re.compile(r"[1-9]\d{2,9}", re.ASCII)
# The file of a paper.
_CVF = re.compile(r"(\w+_paper)\.(?:html|pdf)")
# The number of a report in its year.
_IACR = re.compile(r"0*([1-9]\d{0,4})(?:\.pdf)?", re.ASCII)


def parse_proceedings(parts: Url) -> Ref | None:
    """Return the paper that an address of a known publisher leads to, or ``None``.

    >>> from podgraph.extractors.url import split_url
    >>> parse_proceedings(split_url("http://proceedings.mlr.press/v139/radford21a/radford21a.pdf")).id
    'paper:pmlr/v139/radford21a'
    """
    rule = _RULES.get(parts.host)
    return rule(parts) if rule else None


def _paper(place: str, name: str, url: str, label: str) -> Ref:
    short = name[:8] if _DIGEST.fullmatch(name) else name
    return Ref("paper", f"paper:{place}/{name}", f"{label} {short}", url)


def _openreview(parts: Url) -> Ref | None:
    """Return a paper at OpenReview, by its id or, for a file, by the hash of that."""
    first, *rest = parts.segments
    if first in ("forum", "pdf", "attachment", "revisions") and not rest and _ID.fullmatch(name := parts.get("id")):
        page = f"forum?id={name}"
    elif first == "pdf" and len(rest) == 1 and _HASH.fullmatch(name := rest[0].removesuffix(".pdf")):
        page = f"pdf/{name}.pdf"
    else:
        return None
    return _paper("openreview", name, f"https://openreview.net/{page}", "OpenReview")


def _acl(parts: Url) -> Ref | None:
    """Return a paper in the ACL Anthology; old ids are in capitals, new ones in small letters."""
    found = _ACL.fullmatch(parts.segments[-1])
    if found is None:
        return None
    name = found[1].upper() if found[1][0].isalpha() else found[1].lower()
    return _paper("acl", name, f"https://aclanthology.org/{name}/", "ACL Anthology")


def _hashed(place: str, host: str, label: str) -> Callable[[Url], Ref | None]:
    """Make the rule for NeurIPS and its like, where the addresses of a paper share a hash; old ones have a number."""

    def rule(parts: Url) -> Ref | None:
        """Return the paper at ``/paper/<number>-<title>`` or ``/paper_files/paper/<year>/hash/<hash>-….html``."""
        # The folder "paper_files" is missing in older addresses.
        segments = parts.segments[1:] if parts.segments[0] == "paper_files" else parts.segments
        if not segments or segments[0] != "paper":
            return None
        if len(segments) == 2 and (number := _NIPS_NUMBER.fullmatch(segments[1])):
            page = segments[1].removesuffix(".pdf")
            return _paper(place, number[1], f"https://{host}/paper/{page}", label)
        if len(segments) != 4 or not _YEAR.fullmatch(segments[1]):
            return None
        found = _PAPER_FILE.fullmatch(segments[3])
        if found is None:
            return None
        page = f"paper_files/paper/{segments[1]}/hash/{found[1]}-Abstract{found[2] or ''}.html"
        return _paper(place, found[1], f"https://{host}/{page}", label)

    return rule


def _volumes(place: str, root: str, label: str) -> Callable[[Url], Ref | None]:
    """Return the rule for addresses ``<volume>/<paper>`` of proceedings; ``<paper>/<file>`` is the same paper."""
    above = root.split("/")[1:]

    def rule(parts: Url) -> Ref | None:
        """Return the paper at ``<volume>/<name>`` or ``<volume>/<name>/<file>``, below the path of ``root``."""
        head, rest = list(parts.segments[: len(above)]), parts.segments[len(above) :]
        if head != above or len(rest) not in (2, 3):
            return None
        volume, name = _VOLUME.fullmatch(rest[0]), _NAME.fullmatch(rest[1])
        if volume is None or name is None or name[1] in ("index", "assets"):
            return None
        if len(rest) == 3 and not rest[2].startswith(name[1]):
            return None
        number = f"v{int(volume[1])}" if volume[1] else volume[2]
        return _paper(place, f"{number}/{name[1]}", f"https://{root}/{number}/{name[1]}.html", label)

    return rule


def _jmlr(parts: Url) -> Ref | None:
    # The Proceedings of Machine Learning Research began on JMLR's pages.
    return _volumes("pmlr", "jmlr.org/proceedings/papers", "PMLR")(parts) or _volumes(
        "jmlr", "jmlr.org/papers", "JMLR"
    )(parts)


def _usenix(parts: Url) -> Ref | None:
    """Return a paper at USENIX: the page of its talk, or a file that the conference and author name."""
    segments = parts.segments
    if segments[:2] == ("system", "files") and (file := _USENIX_FILE.fullmatch(segments[-1])):
        event, name = file[1], file[2]
    elif segments[0] == "conference" and segments[-2:-1] == ("presentation",):
        event, name = segments[1], segments[-1]
    else:
        return None
    if not _USENIX_EVENT.fullmatch(event):
        return None
    return _paper(
        "usenix", f"{event}/{name}", f"https://www.usenix.org/conference/{event}/presentation/{name}", "USENIX"
    )


def _semantic_scholar(parts: Url) -> Ref | None:
    if parts.segments[0] not in ("paper", "reader"):
        return None
    name = next((part for part in parts.segments if _HASH.fullmatch(part)), "")
    url = f"https://www.semanticscholar.org/paper/{name}"
    return _paper("semanticscholar", name, url, "Semantic Scholar") if name else None


def _cvf(parts: Url) -> Ref | None:
    """Return a paper of the CVF; its PDF and its page have folders of their own."""
    found = _CVF.fullmatch(parts.segments[-1])
    if found is None or len(parts.segments) < 3 or not parts.segments[0].startswith("content"):
        return None
    page = "/".join((*parts.segments[:-2], "html", f"{found[1]}.html"))
    return _paper("cvf", found[1], f"https://openaccess.thecvf.com/{page}", "CVF")


def _ieee(parts: Url) -> Ref | None:
    """Return a paper at IEEE Xplore, by the number of the document in its path or query."""
    segments = parts.segments
    number = parts.get("arnumber") if segments[-1] in ("stamp.jsp", "articleDetails.jsp", "getPDF.jsp") else ""
    if "document" in segments[:-1]:
        number = segments[segments.index("document") + 1]
    if not _NUMBER.fullmatch(number):
        return None
    return _paper("ieee", number, f"https://ieeexplore.ieee.org/document/{number}", "IEEE Xplore")


def _iacr(parts: Url) -> Ref | None:
    found = _IACR.fullmatch(parts.segments[-1])
    if found is None or len(parts.segments) != 2 or not _YEAR.fullmatch(parts.segments[0]):
        return None
    name = f"{parts.segments[0]}/{int(found[1]):03}"
    return _paper("iacr", name, f"https://eprint.iacr.org/{name}", "IACR ePrint")


_RULES: dict[str, Callable[[Url], Ref | None]] = {
    "aclanthology.info": _acl,
    "aclanthology.org": _acl,
    "aclweb.org": _acl,
    "eprint.iacr.org": _iacr,
    "ieeexplore.ieee.org": _ieee,
    "jmlr.org": _jmlr,
    "openaccess.thecvf.com": _cvf,
    "openreview.net": _openreview,
    "papers.neurips.cc": _hashed("neurips", "proceedings.neurips.cc", "NeurIPS"),
    "papers.nips.cc": _hashed("neurips", "proceedings.neurips.cc", "NeurIPS"),
    "proceedings.iclr.cc": _hashed("iclr", "proceedings.iclr.cc", "ICLR"),
    "proceedings.mlr.press": _volumes("pmlr", "proceedings.mlr.press", "PMLR"),
    "proceedings.mlsys.org": _hashed("mlsys", "proceedings.mlsys.org", "MLSys"),
    "proceedings.neurips.cc": _hashed("neurips", "proceedings.neurips.cc", "NeurIPS"),
    "semanticscholar.org": _semantic_scholar,
    "usenix.org": _usenix,
}
