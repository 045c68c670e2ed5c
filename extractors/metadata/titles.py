"""Titles, authors and dates of cited pages, papers and videos: from the pages, Crossref and oEmbed."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import quote

from lxml import etree

from ..charsets import find_codec
from ..errors import SourceError
from ..printable import url_for_message
from ..sites import identify
from ..sources.connection import LIMITS, AnswerError, Budget, OverBudgetError, make_budget_of_extras
from ..sources.fetch import fetch_url, run_side_by_side
from ..sources.origin import Origin
from ..url import host_of, is_web
from .answers import StoredAnswers
from .artifacts import Description, Metadata, clean_date, make_fact, shorten_title
from .github_nodes import list_at, text_at, value_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ..ref import Ref
    from ..sources.cache import Cache, Fetched
    from ..sources.connection import World

_KINDS = frozenset({"docs", "tutorial", "blog", "forum", "paper", "video", "question", "web"})
# The beginning of an id -> the address before its end, or before the quoted address of a video. arXiv asks programs to
# read its pages at this host. The others answer in JSON, as Crossref and oEmbed describe it.
SERVICES = {
    "paper:arxiv/": "https://export.arxiv.org/abs/",
    "paper:doi/": "https://api.crossref.org/works/",
    "video:youtube/": "https://www.youtube.com/oembed?format=json&url=",
    "video:vimeo/": "https://vimeo.com/api/oembed.json?url=",
}
_FRESH = timedelta(days=30)
_MAXIMUM_PAGE = 100_000  # characters of a page that are read: the title is near its beginning
_PAUSE = 0.5  # seconds between two questions to one host
_LIMITS = replace(LIMITS, body=10_000_000, attempts=2)
_PAGE = {"Accept": "text/html, application/json;q=0.9, */*;q=0.5"}
# Titles of pages other than the requested one: a login page, an error, the name of a site.
_NO_TITLES = frozenset(
    "404|not found|page not found|404 not found|403 forbidden|access denied|forbidden|error|just a moment...|"
    "attention required! | cloudflare|sign in|log in|login|redirecting...|redirecting|untitled|untitled document|home|"
    "are you a robot?|before you continue|security check|youtube|x|twitter|github|loading...|document|index".split("|")
)
# The title of an error page: `404: …`, `Page not found · …`
_MISSING = re.compile(
    r"(?:error\s+)?404(?:\s*[:|·\u2014-]|\s+(?:not found|error|page)\b|\Z)|(?:page|file) not found\b", re.IGNORECASE
)
# The addition of Sphinx to the title of each page.
_OF_SPHINX = re.compile(r"\s+[\u2014\u2013-] [^\u2014\u2013]{0,80} documentation\Z")
# The charset in a Content-Type.
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)


class Titles:
    """The titles of cited pages, papers and videos, from requests or from answers that are stored in a cache."""

    def __init__(
        self,
        *,
        cache: Cache,
        world: World,
        notify: Callable[[str], None],
        home: tuple[str, int] | None = None,
        budget: Budget | None = None,
    ) -> None:
        """Read the stored answers from the ``cache``.

        Args:
            cache: has the stored answers, and gets the new ones
            world: clocks, sleep, chance and names
            notify: is called with lines for the user
            home: the host and port inside the user's network that may be reached; ``None``: none
            budget: all requests share it; ``None``: a new one
        """
        self._budget = budget or make_budget_of_extras(world)
        self._world, self._notify, self._home = world, notify, home
        self._answers = StoredAnswers(cache, "titles:")
        self._problems: set[str] = set()

    def look_up(self, refs: Iterable[Ref], *, offline: bool) -> Metadata:
        """Return the titles, authors, dates and states of the pages, papers, posts and videos among ``refs``.

        Stored answers are used for 30 days; ``offline``, always. Artifacts without an answer are left out.
        """
        pages = sorted((ref for ref in refs if ref.kind in _KINDS and is_web(ref.url)), key=lambda ref: ref.id)
        stale = [ref for ref in pages if not self._is_fresh(ref.id)]
        if stale and not offline:
            self._request_all(stale)
        facts = []
        for ref in pages:
            if answer := self._answers.get(ref.id):
                about = Description(**answer["about"])
                facts.append(make_fact(ref.id, about, looked_up=(answer["source"], answer["time"])))
        return Metadata(facts)

    def _is_fresh(self, id_: str) -> bool:
        """Return whether a stored answer for the artifact ``id_`` is younger than 30 days."""
        answer = self._answers.get(id_)
        return answer is not None and self._world.now() - datetime.fromisoformat(answer["time"]) < _FRESH

    def _request_all(self, refs: Sequence[Ref]) -> None:
        """Request the titles of the artifacts ``refs``, store them in the cache, and report the number of answers."""
        answers = run_side_by_side(
            refs, self._request_one, get_host=lambda ref: host_of(_find_address(ref)), per_host=1
        )
        for ref, description in zip(refs, answers, strict=True):
            if isinstance(description, Description):
                description.status = description.status or "ok"
                time, source = self._world.now().isoformat(timespec="seconds"), host_of(_find_address(ref))
                self._answers[ref.id] = {"about": asdict(description), "source": source, "time": time}
        for problem in sorted(self._problems):
            self._notify(problem)
        count = sum(ref.id in self._answers for ref in refs)
        self._notify(f"asked {len(refs)} addresses for titles: {count} answered")
        self._answers.save()

    def _request_one(self, ref: Ref) -> Description | None:
        """Return the description of one artifact (``ref``), from its address; ``None`` after a failure of any kind.

        A failure never ends the look-up of the others. A missing page is described as ``gone``, a private video as
        ``private``. There is a pause after each request.
        """
        url, about = _find_address(ref), None
        try:
            answer = fetch_url(
                url, fields=_PAGE, origin=Origin(home=self._home), limits=_LIMITS, world=self._world,
                budget=self._budget,
            )  # fmt: skip
            about = _read_answer(ref, answer)
        except AnswerError as error:
            # A DOI may belong to another registry than Crossref's; and a page may be open to everyone but programs.
            if error.code in {404, 410} and not ref.id.startswith("paper:doi/"):
                about = Description(status="gone")
            elif error.code in {401, 403} and ref.kind == "video" and url != ref.url:
                about = Description(status="private")
        except OverBudgetError as error:
            self._problems.add(f"{error}; those after it are left out, too")
            return None
        except SourceError:
            pass
        except Exception as error:  # noqa: BLE001 - one page never ends the look-up of the others
            self._problems.add(f"{url_for_message(url)}: its title cannot be read ({type(error).__name__})")
        self._world.sleep(_PAUSE)
        return about


def _find_address(ref: Ref) -> str:
    """Return the address to request for an artifact: that of a service for papers and videos, else its own."""
    for begin_of_id, address in SERVICES.items():
        if ref.id.startswith(begin_of_id):
            end = ref.url if ref.kind == "video" else ref.id.removeprefix(begin_of_id)
            return address + quote(end, safe="" if ref.kind == "video" else "/")
    return ref.url


def _read_answer(ref: Ref, answer: Fetched) -> Description | None:
    """Return the description of an artifact in the answer of its address; ``None`` if a service has no title.

    A page whose redirects for good lead to another artifact is described as ``moved``.
    """
    charset = _CHARSET.search(answer.content_type)
    text = answer.data.decode((charset and find_codec(charset[1])) or "utf-8", "replace")
    if ref.id.startswith(("paper:doi/", "video:youtube/", "video:vimeo/")):
        about = _parse_json(text)
        return about if about.title else None
    about = _parse_html(text)
    identity = identify(answer.url) if answer.has_moved and _find_address(ref) == ref.url else None
    if identity is not None and identity.ref.id != ref.id:
        about.status, about.current_url = "moved", answer.url
    return about


def _parse_json(text: str) -> Description:
    """Return the description in an answer of oEmbed (videos) or Crossref (papers).

    Its title is "" for other texts.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return Description()
    if message := value_at(data, "message"):  # Crossref
        authors = list_at(message, "author")
        names = [f"{text_at(author, 'given')} {text_at(author, 'family')}".strip() for author in authors]
        title = next(iter(list_at(message, "title")), "")
        title = shorten_title(unescape(title)) if isinstance(title, str) else ""
        date = clean_date(text_at(message, "created", "date-time"))
        return Description(title, author=_join_authors(names), date=date)
    return Description(text_at(data, "title"), author=text_at(data, "author_name"))


def _join_authors(names: Sequence[str]) -> str:
    """Return the first three of ``names`` with commas between them, and "and others" if there are more."""
    return ", ".join(names[:3]) + (" and others" if len(names) > 3 else "")


def _parse_html(text: str) -> Description:
    """Return the title, author and date in a page; without a title for a page that names only an error or the site.

    Author and date are those of Google Scholar's tags for papers (``citation_…``), the date else that of Open Graph. A
    page whose title says that it is missing is described as ``gone``. Only the first 100,000 characters are read.
    """
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=False)
    # A space in place of an empty page, which lxml refuses.
    root = etree.fromstring(text[:_MAXIMUM_PAGE].encode("utf-8", "replace") or b" ", parser)
    if root is None:
        return Description()
    metas: dict[str, list[str]] = {}  # name -> the contents of the meta elements of this name
    for meta in root.iter("meta"):
        metas.setdefault(str(meta.get("property") or meta.get("name")), []).append(
            shorten_title(meta.get("content", ""))
        )
    titles = metas.get("og:title", [])[:1] + ["".join(map(str, title.itertext())) for title in root.iter("title")][:1]
    # "Family, Given" becomes "Given Family".
    author = _join_authors([" ".join(name.split(", ", 1)[::-1]) for name in metas.get("citation_author", [])])
    dates = metas.get("citation_date") or metas.get("article:published_time") or [""]
    for raw in titles:
        title = _OF_SPHINX.sub("", shorten_title(raw).removesuffix("¶").strip())
        if _MISSING.match(title):
            return Description(status="gone")
        if title and title.casefold() not in _NO_TITLES:
            return Description(title, author=author, date=clean_date(dates[0]))
    return Description()
