"""Titles from where the links lead: services that know them, else the page itself. Politely, and not again for a month.

arXiv's and Crossref's APIs, oEmbed (https://oembed.com), Discourse's ``.json``, ``og:title`` (https://ogp.me) and the
``title`` of HTML. Everything goes through the guarded fetcher: no address inside, limits on time and size.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import unescape
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import quote

from ..charsets import codec_of
from ..errors import SourceError
from ..model import Fact
from ..printable import url_for_message
from ..sites import identify
from ..sources.budget import Budget, OverBudgetError, budget_beside
from ..sources.connection import LIMITS
from ..sources.failures import AnswerError
from ..sources.fetch import Question, fetch_url
from ..sources.origin import Origin
from ..sources.side_by_side import side_by_side
from ..url import host_of, is_web
from .asked import Found
from .kept import KeptAnswers, is_recent
from .messages import title_line
from .things import date_at, list_at, text_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ..ref import Ref
    from ..sources.cache import Cache, Fetched
    from ..sources.connection import World

KINDS = frozenset({"docs", "tutorial", "blog", "forum", "paper", "video", "question", "web"})
SERVICES = {
    "arxiv": "https://export.arxiv.org/api/query?max_results=100&id_list=",
    "crossref": "https://api.crossref.org/works/",
    "youtube": "https://www.youtube.com/oembed?format=json&url=",
    "vimeo": "https://vimeo.com/api/oembed.json?url=",
}
_FRESH = 30  # days
_MOST = 500  # addresses in one run
_AT_ONCE = 100  # papers in one question
_MOST_READ = 100_000  # characters of a page: the title is near its beginning
_PAUSE = 0.5  # seconds between two questions to one host
_LIMITS = replace(LIMITS, wire=5_000_000, body=10_000_000, attempts=2)
_PAGE = {"Accept": "text/html, application/json;q=0.9, */*;q=0.5"}
_GONE = frozenset({404, 410})
_PRIVATE = frozenset({401, 403})
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
# Of one paper in an answer of arXiv's its number without the version, and its fields.
_NUMBER = re.compile(r"<id>\s*https?://arxiv\.org/abs/([^<\s]{1,60}?)(?:v[0-9]{1,3})?\s*</id>")
_FIELD = {name: re.compile(f"<{name}>([^<]*)</{name}>") for name in ("title", "published", "name")}


@dataclass(frozen=True, slots=True)
class Page:
    """The data on a link's target; ``said`` is the time (ISO 8601), ``source`` the host of the answer."""

    title: str = ""
    author: str = ""
    date: str = ""
    status: str = "ok"
    current_url: str = ""
    source: str = ""
    said: str = ""


class Titles:
    """The titles of things, asked for or kept. ``home`` is a host and port of this machine that may be asked, too."""

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
        self._over = ""  # the error of a used-up budget
        self._world, self._notify, self._home = world, notify, home
        self._kept = KeptAnswers(cache, "titles:", lambda page: Page(**page))
        self._problems: list[str] = []

    def look_up(self, refs: Iterable[Ref], *, offline: bool) -> Found:
        """Return the titles and states of the pages, papers, posts and videos among ``refs``."""
        asked = sorted((ref for ref in refs if ref.kind in KINDS and is_web(ref.url)), key=lambda ref: ref.id)
        stale = [ref for ref in asked if not self._is_fresh(ref.id)]
        if stale and not offline:
            self._ask(stale)
        pages = [(ref, self._kept[ref.id]) for ref in asked if ref.id in self._kept]
        return Found([_make_fact(ref, page) for ref, page in pages])

    def _ask(self, refs: Sequence[Ref]) -> None:
        """Request the titles of ``refs``, report the number of answers, and save all pages in the cache.

        arXiv answers for many papers at once; every other artifact has a request of its own.
        """
        papers = [ref for ref in refs if ref.id.startswith("paper:arxiv/")]
        tasks = [tuple(papers[start : start + _AT_ONCE]) for start in range(0, len(papers), _AT_ONCE)]
        tasks += [(ref,) for ref in refs if not ref.id.startswith("paper:arxiv/")]
        answers = side_by_side(tasks[:_MOST], self._ask_one, party=lambda task: host_of(_address(task)), each=1)
        for pages in answers:
            self._kept.update(pages)
        for problem in sorted(self._problems):
            self._notify(problem)
        if self._over:
            self._notify(f"{self._over}; those after it are left out, too")
        known = sum(ref.id in self._kept for ref in refs)
        left = f"; {len(tasks) - _MOST} are left for the next time" if len(tasks) > _MOST else ""
        self._notify(f"asked {len(tasks[:_MOST])} addresses for titles: {known} of {len(refs)} answered{left}")
        self._kept.save()

    def _ask_one(self, task: tuple[Ref, ...]) -> dict[str, Page]:
        """Request one address; a failure of any kind leaves its artifacts out."""
        url = _address(task)
        try:
            fetched = fetch_url(
                url, question=Question(fields=_PAGE), origin=Origin(home=self._home), limits=_LIMITS, world=self._world,
                budget=self._budget,
            )  # fmt: skip
            found = _read(task, fetched)
        except AnswerError as error:
            # A status of the page itself is about the link; one of a service is about our question.
            is_page = url == task[0].url or task[0].kind == "video"
            status = "gone" if error.code in _GONE else "private" if error.code in _PRIVATE and not is_page else ""
            found = {task[0].id: Page(status=status)} if status and is_page else {}
        except OverBudgetError as error:
            self._over = self._over or str(error)
            return {}
        except SourceError:
            found = {}
        except Exception as error:  # noqa: BLE001 - one page never ends the look-up of the others
            found = {}
            self._problems.append(f"{url_for_message(url)}: its title cannot be read ({type(error).__name__})")
        self._world.sleep(_PAUSE)
        now = self._world.now().isoformat(timespec="seconds")
        return {id_: replace(page, source=host_of(url), said=now) for id_, page in found.items()}

    def _is_fresh(self, id_: str) -> bool:
        page = self._kept.get(id_)
        return page is not None and is_recent(page.said, self._world.now(), _FRESH)


def _address(task: Sequence[Ref]) -> str:
    """Return the address to request for one artifact, or for several papers of arXiv."""
    ref = task[0]
    kind, _, name = ref.id.partition(":")
    site, _, rest = name.partition("/")
    if kind == "paper" and site == "arxiv":
        return SERVICES["arxiv"] + ",".join(quote(paper.id.removeprefix("paper:arxiv/")) for paper in task)
    if kind == "paper" and site == "doi":
        return SERVICES["crossref"] + quote(rest, safe="")
    if kind == "video" and site in SERVICES:
        return SERVICES[site] + quote(ref.url, safe="")
    return f"{ref.url.rstrip('/')}.json" if kind == "forum" and rest.rpartition("/")[2].isdecimal() else ref.url


def _read(task: Sequence[Ref], fetched: Fetched) -> dict[str, Page]:
    """Return an answer's data on the requested artifacts."""
    ref = task[0]
    kind, _, name = ref.id.partition(":")
    text = _text(fetched)
    if name.startswith("arxiv/"):
        wanted = {paper.id: paper for paper in task}
        return {id_: page for id_, page in _papers(text) if id_ in wanted and page.title}
    is_service = (kind == "video" and name.partition("/")[0] in SERVICES) or name.startswith("doi/") or kind == "forum"
    page = _of_json(text) if is_service else _of_html(text)
    if page is None or (is_service and not page.title):
        return {}
    known = identify(fetched.url) if fetched.notices and not is_service else None
    if known is not None and known[1].id != ref.id:
        page = replace(page, status="moved", current_url=fetched.url)
    return {ref.id: page}


def _text(fetched: Fetched) -> str:
    charset = _CHARSET.search(fetched.content_type)
    return fetched.data.decode((charset and codec_of(charset[1])) or "utf-8", "replace")


def _papers(text: str) -> Iterable[tuple[str, Page]]:
    """Yield the id and the data of each paper in an answer of arXiv, which is an Atom feed."""
    for entry in text.split("<entry>")[1 : _AT_ONCE + 1]:
        number = _NUMBER.search(entry)
        fields = {name: [title_line(unescape(found)) for found in form.findall(entry)] for name, form in _FIELD.items()}
        if number and fields["title"]:
            date = date_at({"d": next(iter(fields["published"]), "")}, "d")
            yield f"paper:arxiv/{number[1].lower()}", Page(fields["title"][0], _authors(fields["name"]), date)


def _of_json(text: str) -> Page | None:
    """Read an answer of oEmbed, Discourse or Crossref."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    message = data.get("message") if isinstance(data, Mapping) else None
    if isinstance(message, Mapping):  # Crossref
        titles = list_at(message, "title")
        names = [f"{text_at(one, 'given')} {text_at(one, 'family')}".strip() for one in list_at(message, "author")]
        title = titles[0] if titles and isinstance(titles[0], str) else ""
        return Page(title_line(unescape(title)), _authors(names), date_at(message, "created", "date-time"))
    return Page(text_at(data, "title"), text_at(data, "author_name"), date_at(data, "created_at"))


def _authors(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (" and others" if len(names) > 3 else "")


def _of_html(text: str) -> Page:
    """Read the title of a page; the title of an error page or a site does not count."""
    head = _Head()
    head.feed(text[:_MOST_READ])
    for given in (head.og_title, head.title):
        title = _OF_SPHINX.sub("", title_line(given).removesuffix("¶").strip())
        if _MISSING.match(title):
            return Page(status="gone")
        if title and title.casefold() not in _NO_TITLES:
            return Page(title)
    return Page()


class _Head(HTMLParser):
    """The title in the head of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title = self.og_title = ""
        self._inside = self._over = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take ``og:title``, and the begin of the title."""
        given = dict(attrs)
        if tag == "meta" and (given.get("property") or given.get("name")) == "og:title" and not self.og_title:
            self.og_title = given.get("content") or ""
        self._inside = tag == "title" and not self._over

    def handle_endtag(self, tag: str) -> None:
        """End the title: later ones are of pictures."""
        if tag == "title":
            self._inside, self._over = False, True

    def handle_data(self, data: str) -> None:
        """Take the text of the title."""
        if self._inside:
            self.title += data


def _make_fact(ref: Ref, page: Page) -> Fact:
    """Return the known attributes of a page as a fact for the graph."""
    values = (
        ("title", page.title),
        ("author", page.author),
        ("date", page.date),
        ("status", page.status),
        ("current_url", page.current_url),
    )
    return Fact(ref.id, tuple((name, value) for name, value in values if value), looked_up=(page.source, page.said))
