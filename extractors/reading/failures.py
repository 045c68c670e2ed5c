"""Say in words why an address gave nothing, and whether to ask again.

The errors of the network come wrapped in those of three libraries; what counts is at the bottom.
"""

from __future__ import annotations

import http.client
import re
import ssl
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING

from ..errors import SourceError
from ..printable import for_message
from .connection import UnreachableError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

_MAY_PASS = frozenset({429, 502, 503, 504})
# Retry-After in seconds.
_SECONDS = re.compile(r"[0-9]{1,9}")
_REMEDIES = {
    401: "it wants a login: save the feed in a file and give that file",
    403: "it may want a login: save the feed in a file and give that file",
    404: "check the address",
    407: "check HTTPS_PROXY and HTTP_PROXY",
    410: "it is gone for good: look for the feed's new address",
    451: "it may not be shown where you are",
    511: "your network wants a login first",
}
_SOON = 7 * 86400  # seconds; nobody waits for longer than that


class AgainError(Exception):
    """What may pass: the ``error`` if it does not, and the seconds to wait if the server names them."""

    def __init__(self, error: SourceError, after: float | None = None) -> None:
        super().__init__(error)
        self.error = error
        self.after = after

    def pause(self, attempt: int, chance: float) -> float:
        """Return the seconds to wait behind the ``attempt``-th time (from 1); ``chance`` lies in 0..1."""
        return 2**attempt * (0.15 + 0.2 * chance) if self.after is None else self.after


def answer_failure(status: int, retry_after: str, now: datetime) -> SourceError | AgainError:
    """Return the failure that an HTTP status means, with the field Retry-After that came with it."""
    try:
        phrase = f" {HTTPStatus(status).phrase}"
    except ValueError:
        phrase = ""
    passing = status in _MAY_PASS
    remedy = _REMEDIES.get(status, "try again later" if passing or status >= 500 else "check the address")
    after = parse_retry_after(retry_after, now) if passing else None
    if after and after < _SOON:
        remedy = f"try again in {after:,.0f} s"
    error = SourceError(f"the server answers {status}{phrase}", remedy=remedy)
    return AgainError(error, after) if passing else error


def explained(error: Exception, *, answered: bool) -> SourceError | AgainError:
    """Return the failure that an ``error`` of the network means.

    ``answered`` says that the body had begun.
    """
    chain = list(_chain(error))

    def has(*kinds: type[BaseException]) -> bool:
        return any(isinstance(link, kinds) for link in chain)

    for link in chain:
        if isinstance(link, ssl.SSLCertVerificationError):
            return UnreachableError(
                f"its certificate is not valid: {for_message(str(link.verify_message))}",
                remedy="if your network has an authority of its own, name its file in REQUESTS_CA_BUNDLE",
            )
    if any(type(link).__name__ in {"ProxyError", "InvalidProxyURL"} for link in chain):
        return UnreachableError("the proxy cannot be used", remedy="check HTTPS_PROXY and HTTP_PROXY")
    if has(ssl.SSLError) and not has(ssl.SSLEOFError):
        return UnreachableError("no secure connection is possible", remedy="check the address")
    if has(TimeoutError):
        problem = "sends too slowly, or stopped sending" if answered else "does not answer in time"
        return UnreachableError(problem, remedy="try again later")
    if has(ConnectionRefusedError):
        return UnreachableError("refuses the connection", remedy="check the address")
    if has(ConnectionError, ssl.SSLEOFError):
        return AgainError(UnreachableError("breaks the connection", remedy="try again later"))
    if not answered and (
        has(http.client.HTTPException) or any(type(link).__name__ == "InvalidHeader" for link in chain)
    ):
        return SourceError("does not answer in HTTP", remedy="check the address")
    for link in chain:
        if isinstance(link, OSError) and link.strerror:
            return UnreachableError(
                f"no way leads there: {for_message(str(link.strerror))}", remedy="check the network"
            )
    if answered:
        return SourceError("is cut off or damaged on its way", remedy="try again")
    if has(ValueError):
        return SourceError("is no valid web address", remedy="check how it is written")
    return UnreachableError(f"cannot be fetched: {for_message(str(error))}", remedy="check the address and the network")


def parse_retry_after(value: str, now: datetime) -> float | None:
    """Return the seconds that a Retry-After field asks for (RFC 9110, 10.2.3), or ``None`` if it is none.

    >>> from datetime import UTC, datetime
    >>> now = datetime(2026, 11, 20, tzinfo=UTC)
    >>> [parse_retry_after(value, now) for value in ("7", "Fri, 20 Nov 2026 00:01:00 GMT", "soon")]
    [7.0, 60.0, None]
    """
    if _SECONDS.fullmatch(value.strip()):
        return float(value)
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
