"""The engine of the tables of sites: a row describes a form of addresses and the reference that it spells."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from ..ref import Ref
from ..url import Url, split_url, unescape
from .web import readable

# A place of a template: the name of a group, and filters of one letter each.
_PLACE = re.compile(r"\{(\w+)(?::(\w+))?\}")
# A place in a recording: 90, 90s, 1h2m3s.
_TIME = re.compile(r"(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?", re.ASCII | re.IGNORECASE)
# A place in a recording: 1:02:03.
_CLOCK = re.compile(r"(?:(\d{1,3}):)?(\d{1,4}):(\d{2})", re.ASCII)


class Row(NamedTuple):
    r"""A form of the addresses of a site, and templates for the reference that such an address spells.

    ``hosts`` are names with spaces between: ``.x.org`` is this host and those below it, ``x.*`` the host under any
    suffix, ``*`` any host. ``pattern`` is matched against the whole path without empty segments, with the query if
    it has ``\?``, and with the host if it does not begin with a slash. Templates name its groups and ``{host}``;
    of alternatives with `` | `` between, the first whose groups have a value counts. The id follows ``kind:``.
    Without ``label`` or ``page`` these are the id: readable, and as an address. A group ``time`` is the place in a
    recording.
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


FILTERS: dict[str, Callable[[str], str]] = {
    "l": str.lower,
    "u": str.upper,
    "w": slug_to_words,
    "r": readable,
    "8": lambda text: text[:8],
    "i": lambda digits: digits.lstrip("0") or "0",
    "3": lambda digits: digits.zfill(3),
    "h": lambda text: text.replace("_", "-"),
    "v": lambda path: re.sub("@[^/]*", "", path),  # versions of Go modules
    "p": lambda name: re.sub(r"[-_.]+", "-", name),  # PEP 503
    "x": lambda text: re.sub(r"[()-]", "", text),
}


def parse_time(text: str) -> str:
    """Return a time (``90``, ``90s``, ``1h2m3s``, ``1:30``) in seconds; "" for zero and for other texts.

    >>> [parse_time(text) for text in ("90", "1m30s", "1h", "1:02:03", "0", "soon")]
    ['90', '90', '3600', '3723', '', '']
    """
    found = _TIME.fullmatch(text) or _CLOCK.fullmatch(text)
    if found is None:
        return ""
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    total = 3600 * hours + 60 * minutes + seconds
    return str(total) if total else ""


def query(name: str, value: str) -> str:
    """Return the expression for a query with the parameter ``name``, whose value matches ``value``."""
    return rf"\?(?:[^&]*&)*?{name}={value}(?:&.*)?"


class Table:
    """Rows by host. ``filters`` are those of this table alone."""

    def __init__(self, rows: Sequence[Row], filters: Mapping[str, Callable[[str], str]] | None = None) -> None:
        self._rows = rows
        self._filters = FILTERS | dict(filters or {})
        self._by_host: dict[str, list[int]] = {}
        for index, row in enumerate(rows):
            for host in row.hosts.split():
                for key in (host[1:], host) if host.startswith(".") else (host,):
                    self._by_host.setdefault(key, []).append(index)
        self._rows_of = lru_cache(maxsize=1024)(self._find_rows)

    def knows(self, host: str) -> bool:
        """Return whether the table has rows for a host."""
        return bool(self._rows_of(host))

    def parse(self, url: str) -> Ref | None:
        """Return the reference that ``url`` spells, or ``None``."""
        parts = split_url(url)
        return self.find(parts) if parts else None

    def find(self, parts: Url) -> Ref | None:
        """Return the reference by the first row that matches an address, or ``None``."""
        found = self.match(parts)
        if found is None:
            return None
        row, groups = found
        name = self.fill(row.id, groups)
        label = self.fill(row.label, groups) if row.label else readable(name)
        page = self.fill(row.page, groups) if row.page else f"https://{name}"
        return Ref(row.kind, f"{row.kind}:{name}", label, page, time=parse_time(groups.get("time") or ""))

    def match(self, parts: Url) -> tuple[Row, dict[str, str]] | None:
        """Return the first row that matches an address, and its groups, or ``None``."""
        rows = self._rows_of(parts.host)
        if not rows:
            return None
        path = "/".join((parts.host, *parts.segments)) if parts.segments else f"{parts.host}/"
        whole = f"{path}?{'&'.join([f'{name}={value}' for name, value in parts.query])}"
        for row, pattern, with_query in rows:
            if found := pattern.fullmatch(whole if with_query else path):
                return row, {"host": parts.host, **found.groupdict("")}
        return None

    def fill(self, template: str, groups: Mapping[str, str]) -> str:
        """Return the first alternative of a template whose groups have a value, with these values."""

        def fill_place(place: re.Match[str]) -> str:
            text = groups.get(place[1], "")
            for name in place[2] or "":
                text = self._filters[name](text)
            values.append(text)
            return text

        text = ""
        for alternative in template.split(" | "):
            values: list[str] = []
            text = _PLACE.sub(fill_place, alternative)
            if all(values):
                break
        return text

    def _find_rows(self, host: str) -> list[tuple[Row, re.Pattern[str], bool]]:
        labels = host.split(".")
        keys = [host, "*", f"{labels[0]}.*", ".".join((*labels[:2], "*"))]
        keys += ["." + ".".join(labels[start:]) for start in range(1, len(labels))]
        indices = sorted({index for key in keys for index in self._by_host.get(key, ())})
        return [(row := self._rows[index], _compile(row.pattern), r"\?" in row.pattern) for index in indices]


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    """Return the expression for an address; compiled when a host of it occurs, as most never do."""
    begins_at_path = re.match(r"(?:\((?:\?i:|\?:|\?P<path>))*/", pattern)
    return re.compile(f"[^/]*{pattern}" if begins_at_path else pattern, re.ASCII)
