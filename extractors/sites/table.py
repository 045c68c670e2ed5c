"""The engine of the tables of sites: a row describes a form of addresses and their reference."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from ..ref import Ref
from ..url import Url, split_url, unescape
from .tables import read_lines
from .tables.podcast_hosts import without_hash
from .web import readable

# A place of a template: the name of a group, ? if it may be empty, and filters of one letter each.
_PLACE = re.compile(r"\{(\w+)(\??)(?::(\w+))?\}")
# A place of a table where a name stands for a longer text.
_NAME = re.compile(r"\{([A-Z_]+)\}")
# The names of all tables: a path may go on; a query, up to the name of a parameter, and its other parameters.
NAMES = {
    "END": r"(?:/.*)?",
    "QUERY": r"\?(?:[^&]*&)*?",
    "MORE": "(?:&.*)?",
    # ISO 639-1 codes of the languages of translated sites, with a region or script behind
    "LANGUAGE": r"(?:ar|az|bg|bn|ca|cs|da|de|el|en|es|et|eu|fa|fi|fr|gl|he|hi|hr|hu|id|it|ja|ka|ko|lt|lv|nb|nl|no|pl|pt"
    r"|ro|ru|sk|sl|sr|sv|ta|th|tr|uk|ur|uz|vi|zh)(?:[-_](?:[A-Za-z]{2}|\d{3}|[Hh]an[st]|[Cc]yrl|[Ll]atn))?",
}
# A place in a recording: 90, 90s, 1h2m3s.
_TIME = re.compile(r"(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?", re.ASCII | re.IGNORECASE)
# A place in a recording: 1:02:03.
_CLOCK = re.compile(r"(?:(\d{1,3}):)?(\d{1,4}):(\d{2})", re.ASCII)


class Row(NamedTuple):
    r"""A form of the addresses of a site, and templates for the reference of such an address.

    ``hosts`` are names with spaces between: ``.x.org`` is this host and those below it, ``x.*`` the host under any
    suffix, ``*`` any host. ``pattern`` is matched against the whole path without empty segments, with the query if
    it has ``\?``, and with the host if it does not begin with a slash. Templates name its groups and ``{host}``,
    ``{scheme}`` and ``{slash}``, the slash at the end of the path; of alternatives with `` | `` between, the first
    whose groups have a value counts. The id follows ``kind:``. Without ``label`` or ``page`` these are the id:
    readable, and as an address. A group ``time`` is the place in a recording.
    """

    hosts: str
    pattern: str
    kind: str
    id: str
    label: str = ""
    page: str = ""


def slug_to_words(slug: str) -> str:
    """Return a slug as words: hyphens and underscores become spaces, escapes become their characters.

    >>> slug_to_words("torch-deploy-the-build"), slug_to_words("caf%C3%A9_au-lait"), slug_to_words("-")
    ('torch deploy the build', 'café au lait', '')
    """
    return " ".join(unescape(slug).replace("-", " ").replace("_", " ").split())


def _clean_title(raw: str) -> str:
    """Return the title of a page of MediaWiki, from ``raw`` as found, in the usual spelling of an address.

    It has underscores for spaces, and %3F for "?".
    """
    return "/".join(filter(None, raw.replace("%20", "_").strip("_").split("/"))).replace("?", "%3F")


def _capitalise(raw: str) -> str:
    """Return the title of a page of MediaWiki, from ``raw`` in an address, readable and with a capital first letter.

    MediaWiki capitalises the first letter of all titles.
    """
    title = readable(_clean_title(raw))
    capital = title[0].upper()
    # The capital of "ß" is two letters.
    return capital + title[1:] if len(capital) == 1 else title


def _remove_hash(slug: str) -> str:
    """Return the slug of an episode at Simplecast (a host of podcasts) without its hash, where it surely has one.

    Only some pages open without it, so the slug is for ids and not for addresses.
    """
    bare_slug, is_certain = without_hash(slug)
    return bare_slug if is_certain else slug


# The letters behind a colon in a template (``{owner:l}``), each the function that its value goes through.
FILTERS: dict[str, Callable[[str], str]] = {
    "l": str.lower,
    "u": str.upper,
    "w": slug_to_words,
    "r": readable,
    "y": unescape,
    "8": lambda text: text[:8],
    "i": lambda digits: digits.lstrip("0") or "0",
    "3": lambda digits: digits.zfill(3),
    "4": lambda digits: digits.zfill(4),
    "h": lambda text: text.replace("_", "-"),
    "v": lambda path: re.sub("@[^/]*", "", path),  # versions of Go modules
    "p": lambda name: re.sub(r"[-_.]+", "-", name),  # PEP 503
    "x": lambda text: re.sub(r"[()-]", "", text),
    "f": lambda ref: ref.replace("/", "%2F").replace("?", "%3F"),
    "d": lambda path: path.replace("%2F", "/").replace("?", "%3F"),
    "t": _capitalise,
    "q": lambda raw: raw.replace("+", "_"),
    "s": lambda title: title.replace("_", " "),
    "e": _clean_title,
    "k": _remove_hash,
    "j": lambda file: re.sub(r"(?i)\.(?:html?|php|xml|json)\Z", "", file),
}


def parse_time(text: str) -> str:
    """Return a time in a recording in seconds, as digits; "" for zero and for other texts.

    The forms are ``90``, ``90s``, ``1h2m3s`` and ``1:30``.

    >>> [parse_time(text) for text in ("90", "1m30s", "1h", "1:02:03", "0", "soon")]
    ['90', '90', '3600', '3723', '', '']
    """
    match = _TIME.fullmatch(text) or _CLOCK.fullmatch(text)
    if match is None:
        return ""
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    total = 3600 * hours + 60 * minutes + seconds
    return str(total) if total else ""


class Table:
    """The forms of addresses of some sites, and their references. ``filters`` are those of this table alone."""

    def __init__(self, rows: Sequence[Row], filters: Mapping[str, Callable[[str], str]] | None = None) -> None:
        """Index the ``rows`` by their hosts.

        ``filters`` are {letter: function}, added to ``FILTERS`` for this table.
        """
        self.rows = rows
        self._filters = FILTERS | dict(filters or {})
        self._by_host: dict[str, list[int]] = {}
        for index, row in enumerate(rows):
            for host in row.hosts.split():
                # ".x.org" is x.org itself and all hosts below it.
                for key in (host[1:], host) if host.startswith(".") else (host,):
                    self._by_host.setdefault(key, []).append(index)
        self._rows_of = lru_cache(maxsize=1024)(self._find_rows)

    def has_host(self, host: str) -> bool:
        """Return whether the table has rows for a host."""
        return bool(self._rows_of(host))

    def parse(self, url: str) -> Ref | None:
        """Return the reference of a URL by the first matching row; ``None`` if no row matches.

        The row's templates are filled with the parts of the URL: see ``Row``.
        """
        parts = split_url(url)
        match = self.match(parts) if parts else None
        if parts is None or match is None:
            return None
        row, groups = match
        name = self.fill(row.id, groups)
        label = self.fill(row.label, groups) if row.label else readable(name)
        page = self.fill(row.page, groups) if row.page else f"https://{name}"
        times = (groups.get("time", ""), *(_find_times(parts) if row.kind == "video" else ()))
        return Ref(row.kind, f"{row.kind}:{name}", label, page, time=next(filter(None, map(parse_time, times)), ""))

    def match(self, parts: Url) -> tuple[Row, dict[str, str]] | None:
        """Return the first row whose pattern matches an address, and the values of the pattern's groups.

        The groups include ``host``, ``scheme`` and ``slash``; one without a match is "". Returns ``None`` if no row
        matches.
        """
        rows = self._rows_of(parts.host)
        if not rows:
            return None
        if parts.fragment.startswith("!") and parts.host in self._by_host:
            # X and Google Groups had their paths in the fragment, the latter behind the domain of the group.
            domain = parts.segments[:2] if parts.segments[:1] == ("a",) else ()
            path = "/".join((parts.host, *domain, parts.fragment[1:].lstrip("/")))
            parts = split_url(f"https://{path}") or parts
        path = "/".join((parts.host, *parts.segments)) if parts.segments else f"{parts.host}/"
        path_and_query = ""
        for row, has_query in rows:
            if has_query and not path_and_query:
                path_and_query = f"{path}?{'&'.join([f'{name}={value}' for name, value in parts.query])}"
            if match := _compile_pattern(row.pattern).fullmatch(path_and_query if has_query else path):
                slash = "/" if parts.segments and parts.path.endswith("/") else ""
                return row, {"host": parts.host, "scheme": parts.scheme, "slash": slash, **match.groupdict("")}
        return None

    def fill(self, template: str, groups: Mapping[str, str]) -> str:
        """Return a template with the values of groups in its places, such as ``{owner:l}/{name}``.

        A template may have alternatives with `` | `` between them. The first one counts whose places all have a value,
        except those with a question mark (``{name?}``); without such an alternative the last one counts. The letters
        behind a colon are filters, applied in their order.
        """

        def fill_place(place: re.Match[str]) -> str:
            """Return the text for a place of the template, and add it to the values that must not be empty."""
            group, is_optional, letters = place.groups()
            text = groups.get(group, "")
            for letter in letters or "":
                text = self._filters[letter](text)
            if not is_optional:
                values.append(text)
            return text

        text = ""
        for alternative in template.split(" | "):
            values: list[str] = []
            text = _PLACE.sub(fill_place, alternative)
            if all(values):
                break
        return text

    def _find_rows(self, host: str) -> list[tuple[Row, bool]]:
        """Return the rows for a host in the order of the table, each with whether its pattern includes the query."""
        indices = sorted({index for key in _list_keys(host) for index in self._by_host.get(key, ())})
        return [(row := self.rows[index], r"\?" in row.pattern) for index in indices]


@lru_cache(maxsize=4)  # each table asks for the same host
def _list_keys(host: str) -> set[str]:
    """Return the spellings of a host under which a table may have rows for it.

    For ``a.x.org`` these are ``a.x.org``, ``.x.org`` and ``.org`` (all hosts below), ``a.*`` and ``a.x.*`` (under any
    suffix) and ``*``.
    """
    labels = host.split(".")
    ends = ("." + ".".join(labels[start:]) for start in range(1, len(labels)))
    return {host, "*", f"{labels[0]}.*", ".".join((*labels[:2], "*")), *ends}


def read_rows(name: str) -> tuple[list[Row], dict[str, str]]:
    """Return the rows of the table in the text file ``name``, and the texts that the file gives names to.

    A line ``NAME = text`` gives a text a name, and ``{NAME}`` puts it into later lines; ``KIND`` is the kind of the
    rows below it. Other lines are rows, with two spaces between the columns of ``Row``. A line that begins with spaces
    has the hosts of the row before; ``-`` is an empty column.
    """
    names = {**NAMES, "KIND": ""}
    rows: list[Row] = []
    hosts = ""
    for text_line in read_lines(name):
        line = _NAME.sub(lambda match: names[match[1]], text_line)
        key, is_name, text = line.partition(" = ")
        if is_name and key.isupper():
            names[key] = text
            continue
        columns = ["" if column == "-" else column for column in re.split(" {2,}", line)]
        hosts = columns[0] or hosts
        rows.append(Row(hosts, columns[1], names["KIND"], *columns[2:]))
    return rows, names


@cache
def load_table(name: str) -> Table:
    """Return the table in the text file ``name`` (``forums``) of the folder ``tables``; it is read once."""
    return Table(read_rows(name)[0])


def _find_times(parts: Url) -> tuple[str, ...]:
    """Return the texts in a video's address that may be its start time, as written; "" where one is absent.

    They are the parameters ``t``, ``start`` and ``time_continue``, and ``t`` in the fragment.

    >>> _find_times(split_url("https://x.org/v?t=90#t=1m"))
    ('90', '', '', '1m')
    """
    fragment = re.search(r"(?:\A|&)t=([^&]*)", parts.fragment)
    return (parts.get("t"), parts.get("start"), parts.get("time_continue"), fragment[1] if fragment else "")


@cache
def _compile_pattern(pattern: str) -> re.Pattern[str]:
    """Return the compiled ``pattern`` of a row; if it begins with a slash, any host may be before it.

    Patterns are compiled when they are first tried, because most never are.
    """
    begins_at_path = re.match(r"(?:\((?:\?i:|\?:|\?=|\?P<path>))*/", pattern)
    return re.compile(f"[^/]*{pattern}" if begins_at_path else pattern, re.ASCII)
