"""Explain in words why an address could not be fetched, and whether to ask again."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from types import MappingProxyType
from typing import TYPE_CHECKING

from ..errors import SourceError
from ..printable import for_message
from .connection import UnreachableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

_PASSING = frozenset({429, 500, 502, 503, 504})
_REMEDIES = {
    401: "it wants a login: give https://USER:PASSWORD@HOST/…, or save the feed in a file and give that file",
    403: "it may want a login: save the feed in a file and give that file",
    404: "check the address",
    407: "check HTTPS_PROXY and HTTP_PROXY",
    410: "it is gone for good: look for the feed's new address",
    451: "it may not be shown where you are",
    511: "your network wants a login first",
}


class BrokenError(UnreachableError):
    """The server broke the connection; another attempt may succeed."""


class AnswerError(SourceError):
    """A server answered, with another status (``code``) than success; ``fields`` are those of its head."""

    code = 0
    fields: Mapping[str, str] = MappingProxyType({})


def find_pause(error: SourceError, attempt: int, chance: float, now: datetime, *, posted: bool) -> float | None:
    """Return the seconds to wait after failure number ``attempt`` (from 1), ``None`` if it will not pass.

    A request with a body (``posted``) is not repeated after a fault in the server's program.
    """
    after = None
    if isinstance(error, AnswerError):
        if error.code not in _PASSING or (posted and error.code == HTTPStatus.INTERNAL_SERVER_ERROR):
            return None
        after = parse_retry_after(error.fields.get("Retry-After", ""), now)
    elif not isinstance(error, BrokenError):
        return None
    return 2**attempt * (0.15 + 0.2 * chance) if after is None else after


def explain_answer(status: int, fields: Mapping[str, str], now: datetime) -> AnswerError:
    """Return the failure that an HTTP status means, with the ``fields`` of the head that came with it."""
    phrase = f" {HTTPStatus(status).phrase}" if status in set(HTTPStatus) else ""
    remedy = _REMEDIES.get(status, "try again later" if status in _PASSING or status >= 500 else "check the address")
    after = parse_retry_after(fields.get("Retry-After", ""), now)
    week = 7 * 86400
    if after and after < week and status in _PASSING:
        remedy = f"try again in {after:,.0f} s"
    error = AnswerError(f"the server answers {status}{phrase}", remedy=remedy)
    error.code, error.fields = status, fields
    return error


# Names of exceptions of the standard library and urllib3, the problem, and the remedy; the first that fits counts.
_FAULTS = (
    ("SSLCertVerificationError", "its certificate is not valid",
     "if your network has an authority of its own, name its file in REQUESTS_CA_BUNDLE"),
    ("ProxyError InvalidProxyURL", "the proxy cannot be used", _REMEDIES[407]),
    ("SSLEOFError", "breaks the connection", "try again later"),
    ("SSLError", "no secure connection is possible", "check the address"),
    ("TimeoutError", "does not answer in time, or sends too slowly", "try again later"),
    ("ConnectionRefusedError", "refuses the connection", "check the address"),
    ("ConnectionResetError ConnectionAbortedError BrokenPipeError", "breaks the connection", "try again later"),
    ("HTTPException InvalidHeader InvalidChunkLength", "does not answer in HTTP", "check the address"),
    ("LocationParseError InvalidURL UnicodeError ValueError", "is not a valid web address", "check how it is written"),
)  # fmt: skip


def explain(error: Exception, *, answered: bool) -> SourceError:
    """Return the failure for an ``error`` of the network; ``answered`` is true if the body had begun.

    The errors come wrapped in those of three libraries; all names in the chain count.
    """
    chain = list(_find_chain(error))
    names = {kind.__name__ for link in chain for kind in type(link).__mro__}
    for kinds, problem, remedy in _FAULTS:
        if names.isdisjoint(kinds.split()):
            continue
        if problem == "breaks the connection":
            return BrokenError(problem, remedy=remedy)
        if answered and remedy.startswith("check"):  # the address was right
            return UnreachableError("is cut off or damaged on its way", remedy="try again")
        return UnreachableError(problem, remedy=remedy)
    reason = next((text for link in chain if (text := getattr(link, "strerror", None))), str(error))
    problem = f"cannot be fetched: {for_message(str(reason))}"
    return UnreachableError(problem, remedy="check the address and the network")


def parse_retry_after(value: str, now: datetime) -> float | None:
    """Return the seconds in a Retry-After field (RFC 9110, 10.2.3), or ``None`` for other text.

    >>> from datetime import UTC, datetime
    >>> now = datetime(2026, 11, 20, tzinfo=UTC)
    >>> [parse_retry_after(value, now) for value in ("7", "Fri, 20 Nov 2026 00:01:00 GMT", "soon", "9" * 40)]
    [7.0, 60.0, None, 1000000000.0]
    """
    if re.fullmatch("[0-9]+", value.strip()):
        return min(float(value), 1e9)
    try:
        return max(0.0, (parsedate_to_datetime(value) - now).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


def _find_chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and all that are wrapped in it or led to it."""
    waiting: list[object] = [error]
    seen: set[int] = set()
    while waiting:
        link = waiting.pop(0)
        if isinstance(link, BaseException) and id(link) not in seen:
            seen.add(id(link))
            yield link
            waiting += [*link.args, getattr(link, "reason", None), link.__cause__, link.__context__]
