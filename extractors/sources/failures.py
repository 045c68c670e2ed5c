"""Explain in words why an address could not be fetched, and whether to ask again.

The errors of the network come wrapped in those of three libraries; the innermost one decides.
"""

from __future__ import annotations

import http.client
import re
import ssl
from dataclasses import dataclass
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

_MAY_PASS = frozenset({429, 502, 503, 504})
# A fault of the server: for a read (GET) a second try does no harm, a third one no good.
_ONCE_MORE = frozenset({500})
# Retry-After in seconds.
_SECONDS = re.compile(r"[0-9]+")
_REMEDIES = {
    401: "it wants a login: give https://USER:PASSWORD@HOST/…, or save the feed in a file and give that file",
    403: "it may want a login: save the feed in a file and give that file",
    404: "check the address",
    407: "check HTTPS_PROXY and HTTP_PROXY",
    410: "it is gone for good: look for the feed's new address",
    451: "it may not be shown where you are",
    511: "your network wants a login first",
}
_SOON = 7 * 86400  # seconds; nobody waits for longer than that
_LONGEST = 1e9  # seconds; the limit of a longer wait, which every clock can count


class AgainError(Exception):
    """A failure that may pass: the ``error`` to raise if it does not, and the seconds to wait if the server names them.

    ``once`` allows a single further try, and none for a request with a body.
    """

    def __init__(self, error: SourceError, after: float | None = None, *, once: bool = False) -> None:
        super().__init__(error)
        self.error = error
        self.after = after
        self.once = once

    def attempts(self, most: int, *, posted: bool) -> int:
        """Return how many attempts there are in all, where else there are ``most``."""
        return min(most, 1 if posted else 2) if self.once else most

    def pause(self, attempt: int, chance: float) -> float:
        """Return the seconds to wait after try ``attempt`` (from 1); ``chance`` is in 0..1."""
        return 2**attempt * (0.15 + 0.2 * chance) if self.after is None else self.after


class AnswerError(SourceError):
    """A server answered, with another status (``code``) than success; ``fields`` are those of its head."""

    code = 0
    fields: Mapping[str, str] = MappingProxyType({})


def answer_failure(status: int, fields: Mapping[str, str], now: datetime) -> SourceError | AgainError:
    """Return the failure that an HTTP status means, with the ``fields`` of the head that came with it."""
    try:
        phrase = f" {HTTPStatus(status).phrase}"
    except ValueError:
        phrase = ""
    passing = status in _MAY_PASS or status in _ONCE_MORE
    remedy = _REMEDIES.get(status, "try again later" if passing or status >= 500 else "check the address")
    after = parse_retry_after(fields.get("Retry-After", ""), now) if passing else None
    if after and after < _SOON:
        remedy = f"try again in {after:,.0f} s"
    error = AnswerError(f"the server answers {status}{phrase}", remedy=remedy)
    error.code, error.fields = status, fields
    return AgainError(error, after, once=status in _ONCE_MORE) if passing else error


@dataclass(frozen=True, slots=True)
class _Fault:
    """The meaning of some kinds of errors; the first fault of the table that is found in a chain of errors counts.

    ``names`` are kinds by their names, for libraries that may be missing. Kinds of ``but_not`` must not be in the
    chain. ``answered`` is whether the body had begun, if that matters, ``detail`` the attribute of an error with more
    information. ``passes`` is true if the fault may be over at the next try.
    """

    problem: str
    remedy: str
    kinds: tuple[type[BaseException], ...] = ()
    names: tuple[str, ...] = ()
    but_not: tuple[type[BaseException], ...] = ()
    answered: bool | None = None
    detail: str = ""
    error: type[SourceError] = UnreachableError
    passes: bool = False

    def failure(self, chain: list[BaseException], *, answered: bool) -> SourceError | AgainError | None:
        """Return the failure if it is this one."""
        if self.answered not in {None, answered} or any(isinstance(link, self.but_not) for link in chain):
            return None
        details = [str(getattr(link, self.detail, None) or "") for link in chain if self._is_of(link)]
        detail = next(filter(None, details), "")
        if not details or (self.detail and not detail):
            return None
        failure = self.error(self.problem.format(for_message(detail)), remedy=self.remedy)
        return AgainError(failure) if self.passes else failure

    def _is_of(self, link: BaseException) -> bool:
        return isinstance(link, self.kinds) or type(link).__name__ in self.names


_FAULTS = (
    _Fault(
        "its certificate is not valid: {}",
        "if your network has an authority of its own, name its file in REQUESTS_CA_BUNDLE",
        (ssl.SSLCertVerificationError,),
        detail="verify_message",
    ),
    _Fault("the proxy cannot be used", _REMEDIES[407], names=("ProxyError", "InvalidProxyURL")),
    _Fault("no secure connection is possible", "check the address", (ssl.SSLError,), but_not=(ssl.SSLEOFError,)),
    _Fault("does not answer in time", "try again later", (TimeoutError,), answered=False),
    _Fault("sends too slowly, or stopped sending", "try again later", (TimeoutError,)),
    _Fault("refuses the connection", "check the address", (ConnectionRefusedError,)),
    _Fault("breaks the connection", "try again later", (ConnectionError, ssl.SSLEOFError), passes=True),
    _Fault(
        "does not answer in HTTP",
        "check the address",
        (http.client.HTTPException,),
        ("InvalidHeader",),
        answered=False,
        error=SourceError,
    ),
    _Fault("no way leads there: {}", "check the network", (OSError,), detail="strerror"),
    _Fault("is cut off or damaged on its way", "try again", (BaseException,), answered=True, error=SourceError),
    _Fault("is not a valid web address", "check how it is written", (ValueError,), error=SourceError),
)


def explained(error: Exception, *, answered: bool) -> SourceError | AgainError:
    """Return the failure for an ``error`` of the network.

    ``answered`` is true if the body had begun.
    """
    chain = list(_chain(error))
    for fault in _FAULTS:
        if failure := fault.failure(chain, answered=answered):
            return failure
    return UnreachableError(f"cannot be fetched: {for_message(str(error))}", remedy="check the address and the network")


def parse_retry_after(value: str, now: datetime) -> float | None:
    """Return the seconds in a Retry-After field (RFC 9110, 10.2.3), or ``None`` for other text.

    >>> from datetime import UTC, datetime
    >>> now = datetime(2026, 11, 20, tzinfo=UTC)
    >>> [parse_retry_after(value, now) for value in ("7", "Fri, 20 Nov 2026 00:01:00 GMT", "soon", "9" * 40)]
    [7.0, 60.0, None, 1000000000.0]
    """
    if _SECONDS.fullmatch(value.strip()):
        return min(float(value), _LONGEST)
    try:
        return max(0.0, (parsedate_to_datetime(value) - now).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and all that are wrapped in it or led to it."""
    todo: list[object] = [error]
    seen: set[int] = set()
    while todo:
        link = todo.pop(0)
        if isinstance(link, BaseException) and id(link) not in seen:
            seen.add(id(link))
            yield link
            todo += [*link.args, getattr(link, "reason", None), link.__cause__, link.__context__]
