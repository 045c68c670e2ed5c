"""Requests to GitHub's API by its rules: one at a time, within its limits, the token only for its host.

https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api. The text of the server's
errors is never shown, because it may contain anything, even the token.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, NoReturn

from ..errors import SourceError
from ..sources.connection import LIMITS, AnswerError, Budget, OverBudgetError, parse_retry_after
from ..sources.fetch import fetch_url
from ..sources.origin import TYPED
from .github_nodes import list_at, text_at, value_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..sources.cache import Fetched
    from ..sources.connection import World
    from .credentials import Login

_PATIENCE = 30.0  # seconds that a run waits for limits, in all
_WITHOUT_A_NAME = 60.0  # seconds to wait for a limit without a stated time
_LIMITS = replace(LIMITS, body=50_000_000, attempts=2)
_GONE = frozenset({404, 410, 451})
_LIMITED = frozenset({403, 429})
_MOST_FAILURES = 4  # in a row


class NoAnswerError(Exception):
    """This question gets no answer now; another may."""


class StoppedError(Exception):
    """This run makes no more requests; ``Api.stopped`` is the reason."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: its ``data`` as JSON, ``None`` for a missing or (``is_private``) inaccessible artifact.

    ``date`` is the server's time, ISO 8601.
    """

    data: object
    date: str
    is_private: bool = False


class Api:
    """The API at one address. ``calls`` counts the requests; ``stopped`` is the reason for making no more, or "".

    ``problem`` is the problem of the last failed request.
    """

    def __init__(
        self, address: str, login: Login, *, world: World, budget: Budget, notify: Callable[[str], None]
    ) -> None:
        self.address = address
        self.login = login
        self.calls = 0
        self.stopped = ""
        self.problem = ""
        self._budget, self._world, self._notify = budget, world, notify
        self._patience = _PATIENCE
        self._shortest_wait = 1.0  # seconds, twice as many each time: clocks differ
        self._failures = 0  # in a row

    def post(self, query: str) -> Answer:
        """Return the answer to a GraphQL query: ``data`` is the whole object, with ``data`` and ``errors``.

        Raises ``NoAnswerError``, ``StoppedError``.
        """
        base = self.address.removesuffix("/v3") if self.address.endswith("/api/v3") else self.address
        body = json.dumps({"query": query}, separators=(",", ":")).encode()
        answer = self._request(f"{base}/graphql", body)
        if answer.is_private:  # a query for no single artifact: a limit without a stated time
            self._wait(_WITHOUT_A_NAME, "GitHub asks to wait")
        if not isinstance(value_at(answer.data, "data"), Mapping):
            types = {text_at(error, "type") for error in list_at(answer.data, "errors")}
            if types & {"RATE_LIMITED", "RATE_LIMIT"}:
                self._wait(_WITHOUT_A_NAME, "GitHub's limit is used up")
            self._fail("the answer holds no data")
        self._failures = 0
        return answer

    def get(self, path: str) -> Answer:
        """Return the answer for a path of the REST API; raises as ``post`` does."""
        answer = self._request(f"{self.address}/{path}")
        self._failures = 0
        return answer

    def _request(self, url: str, body: bytes = b"") -> Answer:
        """Return the answer to a request; wait and repeat it where GitHub asks to."""
        while True:
            if self.stopped:
                raise StoppedError
            try:
                fetched = self._fetch(url, body)
                text = self.login.without(fetched.data.decode("utf-8-sig", "replace"))
                return Answer(json.loads(text), self._date(fetched.fields))
            except (ValueError, RecursionError):
                self._fail("the answer is not JSON")
            except AnswerError as error:
                pause = self._find_pause(error)
                if pause is None:
                    return self._read_refusal(error)
                self._wait(pause, "GitHub asks to wait")
            except SourceError as error:
                if self._failures >= 1 or self.calls <= 1 or isinstance(error, OverBudgetError):
                    self._stop(f"GitHub cannot be asked: {error.problem}")
                self._fail(error.problem)

    def _read_refusal(self, error: AnswerError) -> Answer:
        """Return the answer for a missing or inaccessible artifact; raise for any other status."""
        if error.code == 401:
            self._stop(f"GitHub does not accept the token of {self.login.source}")
        if error.code not in _GONE | _LIMITED:
            self._fail(f"the server answers {error.code}")
        return Answer(None, self._date(error.fields), is_private=error.code in _LIMITED)

    def _fetch(self, url: str, body: bytes) -> Fetched:
        """Send one request with the login."""
        self.calls += 1
        fields = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
        fields["Authorization"] = f"bearer {self.login.token}"
        if body:
            fields["Content-Type"] = "application/json"
        limits, world, budget = _LIMITS, self._world, self._budget
        return fetch_url(url, body=body, fields=fields, origin=TYPED, limits=limits, world=world, budget=budget)

    def _date(self, fields: Mapping[str, str]) -> str:
        """Return the server's time, or the time of this machine where that is missing or invalid."""
        try:
            date: datetime = parsedate_to_datetime(fields.get("Date", ""))
        except (ValueError, TypeError, OverflowError):
            date = self._world.now()
        return (date if date.tzinfo else self._world.now()).isoformat(timespec="seconds")

    def _find_pause(self, error: AnswerError) -> float | None:
        """Return the seconds to wait for a limit, ``None`` when the answer is not about a limit."""
        if error.code not in _LIMITED:
            return None
        after = parse_retry_after(error.fields.get("Retry-After", ""))
        if after is not None:
            return after
        left, reset = (error.fields.get(f"X-RateLimit-{name}", "").strip() for name in ("Remaining", "Reset"))
        if left == "0" and reset.isdecimal():
            return max(0.0, float(reset) - self._world.now().timestamp())
        return _WITHOUT_A_NAME if error.code == 429 else None

    def _wait(self, seconds: float, reason: str) -> None:
        """Wait, or, for too long a time, stop for this run and report when requests are possible again."""
        seconds, self._shortest_wait = max(seconds, self._shortest_wait), 2 * self._shortest_wait
        if seconds > self._patience:
            until = datetime.fromtimestamp(self._world.now().timestamp() + min(seconds, 1e8), self._world.now().tzinfo)
            self._stop(f"{reason}; it goes on at {until:%Y-%m-%d %H:%M} UTC, run it again then")
        self._patience -= seconds
        self._notify(f"{reason}: {seconds:,.0f} s")
        self._world.sleep(seconds)

    def _stop(self, reason: str) -> NoReturn:
        self.stopped = self.login.without(reason)
        raise StoppedError

    def _fail(self, problem: str) -> NoReturn:
        """Record a failed request and raise ``NoAnswerError``, or ``StoppedError`` after several failures in a row."""
        self.problem = self.login.without(problem)
        self._failures += 1
        if self._failures >= _MOST_FAILURES:
            self._stop("GitHub cannot be asked: its answers make no sense, or it fails")
        raise NoAnswerError
