"""Titles from where the links lead: services that know them, else the page itself. Politely, and not again for a month.

arXiv's and Crossref's APIs, oEmbed (https://oembed.com), Discourse's ``.json``, ``og:title`` (https://ogp.me) and the
``title`` of HTML. Everything goes through the guarded fetcher: no address inside, limits on time and size.
"""

from __future__ import annotations

import io
import json
import re
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import quote

import feedparser
from lxml import etree

from ..charsets import codec_of
from ..errors import SourceError
from ..model import Fact
from ..printable import url_for_message
from ..sites import identify
from ..sources.connection import LIMITS, AnswerError, Budget, OverBudgetError, budget_beside
from ..sources.fetch import fetch_url, run_side_by_side
from ..sources.origin import Origin
from ..url import host_of, is_web
from .answers import StoredAnswers
from .artifacts import Metadata, shorten_title
from .github_nodes import date_at, list_at, text_at, value_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ..ref import Ref
    from ..sources.cache import Cache, Fetched
    from ..sources.connection import World

_KINDS = frozenset({"docs", "tutorial", "blog", "forum", "paper", "video", "question", "web"})
SERVICES = {
    "arxiv": "https://export.arxiv.org/api/query?max_results=100&id_list=",
    "crossref": "https://api.crossref.org/works/",
    "youtube": "https://www.youtube.com/oembed?format=json&url=",
    "vimeo": "https://vimeo.com/api/oembed.json?url=",
}
_ARXIV = "paper:arxiv/"
_FRESH = timedelta(days=30)
_MOST = 500  # addresses in one run
_AT_ONCE = 100  # papers in one question
_MOST_READ = 100_000  # characters of a page: the title is near its beginning
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
# The number of a paper of arXiv's in its address, without the version.
_NUMBER = re.compile(r"/abs/(.{1,60}?)(?:v[0-9]{1,3})?\Z")


@dataclass(frozen=True, slots=True)
class Page:
    """The data on a link's target; ``time`` (ISO 8601) and ``source`` (a host) are those of the answer."""

    title: str = ""
    author: str = ""
    date: str = ""
    status: str = "ok"
    current_url: str = ""
    source: str = ""
    time: str = ""


class Titles:
    """The titles of artifacts, requested or stored."""

    def __init__(
        self,
        *,
        cache: Cache,
        world: World,
        notify: Callable[[str], None],
        home: tuple[str, int] | None = None,
        budget: Budget | None = None,
    ) -> None:
        """Take the limits of a build. ``home`` is the host and port that may be reached inside the user's network."""
        self._budget = budget or budget_beside(world)
        self._world, self._notify, self._home = world, notify, home
        self._answers = StoredAnswers(cache, "titles:")
        self._problems: list[str] = []

    def look_up(self, refs: Iterable[Ref], *, offline: bool) -> Metadata:
        """Return the titles and states of the pages, papers, posts and videos among ``refs``."""
        pages = sorted((ref for ref in refs if ref.kind in _KINDS and is_web(ref.url)), key=lambda ref: ref.id)
        stale = [ref for ref in pages if not self._is_fresh(ref.id)]
        if stale and not offline:
            self._request(stale)
        return Metadata([_make_fact(ref.id, Page(**self._answers[ref.id])) for ref in pages if ref.id in self._answers])

    def _is_fresh(self, id_: str) -> bool:
        answer = self._answers.get(id_)
        return answer is not None and self._world.now() - datetime.fromisoformat(answer["time"]) < _FRESH

    def _request(self, refs: Sequence[Ref]) -> None:
        """Request the titles of ``refs``, report the number of answers, and store all pages in the cache.

        arXiv answers for many papers at once; every other artifact has a request of its own.
        """
        papers = [ref for ref in refs if ref.id.startswith(_ARXIV)]
        tasks = [tuple(papers[start : start + _AT_ONCE]) for start in range(0, len(papers), _AT_ONCE)]
        tasks += [(ref,) for ref in refs if not ref.id.startswith(_ARXIV)]
        for pages in run_side_by_side(
            tasks[:_MOST], self._request_one, party=lambda task: host_of(_address(task)), each=1
        ):
            if isinstance(pages, dict):
                self._answers.update({id_: asdict(page) for id_, page in pages.items()})
        for problem in sorted(set(self._problems)):
            self._notify(problem)
        count = sum(ref.id in self._answers for ref in refs)
        left = f"; {len(tasks) - _MOST} are left for the next time" if len(tasks) > _MOST else ""
        self._notify(f"asked {len(tasks[:_MOST])} addresses for titles: {count} of {len(refs)} answered{left}")
        self._answers.save()

    def _request_one(self, task: tuple[Ref, ...]) -> dict[str, Page]:
        """Request one address; a failure of any kind leaves its artifacts out."""
        url = _address(task)
        pages: dict[str, Page] = {}
        try:
            fetched = fetch_url(
                url, fields=_PAGE, origin=Origin(home=self._home), limits=_LIMITS, world=self._world,
                budget=self._budget,
            )  # fmt: skip
            pages = _read(task, fetched)
        except AnswerError as error:
            # A status of the page itself is about the link; one of a service is about our question.
            if error.code in {404, 410} and (url == task[0].url or task[0].kind == "video"):
                pages = {task[0].id: Page(status="gone")}
            elif error.code in {401, 403} and task[0].kind == "video" and url != task[0].url:
                pages = {task[0].id: Page(status="private")}
        except OverBudgetError as error:
            self._problems.append(f"{error}; those after it are left out, too")
            return {}
        except SourceError:
            pass
        except Exception as error:  # noqa: BLE001 - one page never ends the look-up of the others
            self._problems.append(f"{url_for_message(url)}: its title cannot be read ({type(error).__name__})")
        self._world.sleep(_PAUSE)
        now = self._world.now().isoformat(timespec="seconds")
        return {id_: replace(page, source=host_of(url), time=now) for id_, page in pages.items()}


def _service_of(ref: Ref) -> str:
    """Return the service that knows the title of an artifact, "" for the page itself."""
    kind, _, name = ref.id.partition(":")
    site = name.partition("/")[0]
    if kind == "paper":
        return {"arxiv": "arxiv", "doi": "crossref"}.get(site, "")
    if kind == "forum" and name.rpartition("/")[2].isdecimal():
        return "discourse"
    return site if kind == "video" and site in SERVICES else ""


def _address(task: Sequence[Ref]) -> str:
    """Return the address to request for one artifact, or for several papers of arXiv."""
    ref = task[0]
    service = _service_of(ref)
    if service == "arxiv":
        return SERVICES[service] + ",".join(quote(paper.id.removeprefix(_ARXIV)) for paper in task)
    if service == "crossref":
        return SERVICES[service] + quote(ref.id.removeprefix("paper:doi/"), safe="")
    if service == "discourse":
        return f"{ref.url.rstrip('/')}.json"
    return SERVICES[service] + quote(ref.url, safe="") if service else ref.url


def _read(task: Sequence[Ref], fetched: Fetched) -> dict[str, Page]:
    """Return an answer's data on the requested artifacts."""
    ref = task[0]
    service = _service_of(ref)
    if service == "arxiv":
        ids = {paper.id for paper in task}
        return {id_: page for id_, page in _parse_papers(fetched.data) if id_ in ids}
    charset = _CHARSET.search(fetched.content_type)
    text = fetched.data.decode((charset and codec_of(charset[1])) or "utf-8", "replace")
    page = _parse_json(text) if service else _parse_html(text)
    if service and not page.title:
        return {}
    identity = identify(fetched.url) if fetched.has_moved and not service else None
    if identity is not None and identity[1].id != ref.id:
        page = replace(page, status="moved", current_url=fetched.url)
    return {ref.id: page}


def _parse_papers(data: bytes) -> Iterator[tuple[str, Page]]:
    """Yield the id and the data of each paper in an answer of arXiv, which is an Atom feed."""
    for entry in feedparser.parse(io.BytesIO(data)).entries[:_AT_ONCE]:
        number = _NUMBER.search(entry.get("id", ""))
        title = shorten_title(entry.get("title", ""))
        if number and title:
            names = [shorten_title(author.get("name", "")) for author in entry.get("authors", ())]
            yield f"{_ARXIV}{number[1].lower()}", Page(title, _join_authors(names), date_at(entry, "published"))


def _parse_json(text: str) -> Page:
    """Read an answer of oEmbed, Discourse or Crossref; the title is "" in any other one."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return Page()
    if message := value_at(data, "message"):  # Crossref
        names = [f"{text_at(one, 'given')} {text_at(one, 'family')}".strip() for one in list_at(message, "author")]
        title = next(iter(list_at(message, "title")), "")
        title = shorten_title(unescape(title)) if isinstance(title, str) else ""
        return Page(title, _join_authors(names), date_at(message, "created", "date-time"))
    return Page(text_at(data, "title"), text_at(data, "author_name"), date_at(data, "created_at"))


def _join_authors(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (" and others" if len(names) > 3 else "")


def _parse_html(text: str) -> Page:
    """Read the title of a page; the title of an error page or a site does not count."""
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=False)
    root = etree.fromstring(text[:_MOST_READ].encode("utf-8", "replace") or b" ", parser)
    found: list[str] = []
    if root is not None:
        metas = (meta for meta in root.iter("meta") if "og:title" in {meta.get("property"), meta.get("name")})
        found += [meta.get("content", "") for meta in metas][:1]
        found += ["".join(map(str, title.itertext())) for title in root.iter("title")][:1]
    for raw in found:
        title = _OF_SPHINX.sub("", shorten_title(raw).removesuffix("¶").strip())
        if _MISSING.match(title):
            return Page(status="gone")
        if title and title.casefold() not in _NO_TITLES:
            return Page(title)
    return Page()


def _make_fact(id_: str, page: Page) -> Fact:
    """Return the attributes of a page as a fact for the graph."""
    values = tuple(
        (name, value) for name in ("title", "author", "date", "status", "current_url") if (value := getattr(page, name))
    )
    return Fact(id_, values, looked_up=(page.source, page.time))
