"""Requests to GitHub's API by its rules: one at a time, within its limits, the token only for its host.

https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api. The text of the server's
errors is never shown, because it may contain anything, even the token.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, NoReturn

from ..errors import SourceError
from ..sources.budget import Budget, OverBudgetError, budget_beside
from ..sources.connection import LIMITS
from ..sources.failures import AnswerError, parse_retry_after
from ..sources.fetch import Question, fetch_url
from ..sources.origin import TYPED

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from ..sources.cache import Cache, Fetched
    from ..sources.connection import World
    from .credentials import Login

_PATIENCE = 30.0  # seconds that a run waits for limits, in all
_WITHOUT_A_NAME = 60.0  # seconds to wait for a limit without a stated time
_LIMITS = replace(LIMITS, wire=20_000_000, body=50_000_000, attempts=2)
_GONE = frozenset({404, 410, 451})
_LIMITED = frozenset({403, 429})
_BROKEN_AT_MOST = 4  # answers in a row that are no answers


class NoAnswerError(Exception):
    """This question gets no answer now; another may."""


class StoppedError(Exception):
    """This run makes no more requests; ``Api.stopped`` is the reason."""


class RefusedError(Exception):
    """The login is not accepted."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: its ``data`` as JSON, ``None`` for a missing or (``private``) inaccessible artifact.

    ``date`` is the server's time, ISO 8601.
    """

    data: object
    date: str
    private: bool = False


class Api:
    """The API at one address. ``calls`` counts the requests; ``stopped`` is the reason for making no more, or "".

    ``problem`` is the problem of the last failed request.
    """

    def __init__(
        self, address: str, login: Login, *, cache: Cache, world: World, notify: Callable[[str], None],
        budget: Budget | None = None,
    ) -> None:  # fmt: skip
        self._budget = budget or budget_beside(world)
        self.address = address
        self.login = login
        self.calls = 0
        self.stopped = ""
        self.problem = ""
        self._cache = cache
        self._world = world
        self._notify = notify
        self._patience = _PATIENCE
        self._least = 1.0  # seconds to wait, twice as many each time: clocks differ
        self._broken = 0  # failed requests in a row
        self._wait_until = 0.0  # the time when the limit ends, in seconds since 1970; 0 within the limit

    @property
    def _graphql(self) -> str:
        base = self.address.removesuffix("/v3") if self.address.endswith("/api/v3") else self.address
        return f"{base}/graphql"

    def is_kept(self, query: str) -> bool:
        """Return whether the cache has the answer to a query, with an entity tag to validate it."""
        copy = self._cache.newest(_question(query).key(self._graphql))
        return copy is not None and bool(copy.etag)

    def ask(self, query: str) -> Answer:
        """Return the answer to a GraphQL query: ``data`` is the whole object, with ``data`` and ``errors``.

        Raises ``NoAnswerError``, ``StoppedError``, ``RefusedError``.
        """
        answer = self._get(self._graphql, _question(query))
        if answer.private:  # a query for no single artifact: a limit without a stated time
            self._stop(_WITHOUT_A_NAME, "GitHub asks to wait")
        if not isinstance(answer.data, Mapping) or not isinstance(answer.data.get("data"), Mapping):
            if _types(answer.data) & {"RATE_LIMITED", "RATE_LIMIT"}:
                self._stop(_WITHOUT_A_NAME, "GitHub's limit is used up")
            self._no_answer("the answer holds no data")
        self._broken = 0
        return answer

    def see(self, path: str) -> Answer:
        """Return the answer for a path of the REST API; raises as ``ask`` does."""
        answer = self._get(f"{self.address}/{path.lstrip('/')}", Question())
        self._broken = 0
        return answer

    def _get(self, url: str, question: Question) -> Answer:
        """Return the answer to a request; wait and repeat it where GitHub asks to.

        Raises ``NoAnswerError``, ``StoppedError``, ``RefusedError``.
        """
        while True:
            if self.stopped:
                raise StoppedError
            self._hold()
            try:
                return self._read(self._fetch(url, question))
            except AnswerError as error:
                self._refuse(error)
                if error.code in _GONE:
                    return Answer(None, self._date(error.fields))
                wait = self._wait(error)
                if wait is not None:
                    self._stop(wait, "GitHub asks to wait")
                elif error.code in _LIMITED:
                    return Answer(None, self._date(error.fields), private=True)
                else:
                    self._no_answer(f"the server answers {error.code}")
            except SourceError as error:
                if self._broken >= 1 or self.calls <= 1 or isinstance(error, OverBudgetError):
                    self._give_up(error.problem)
                self._no_answer(error.problem)

    def _fetch(self, url: str, question: Question) -> Fetched:
        """Send one request with the login, and note the end of the limit if this was the last request within it.

        An answer that contains the token is never cached.
        """
        self.calls += 1
        fields = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28", **question.fields}
        private = {"Authorization": f"bearer {self.login.token}"} if self.login else {}
        token = self.login.token.encode()
        fetched = fetch_url(
            url,
            question=Question(question.body, fields, private),
            cache=self._cache,
            origin=TYPED,
            limits=_LIMITS,
            world=self._world,
            budget=self._budget,
            keep=lambda data: bool(data) and not (token and token in data),
        )
        left = fetched.fields.get("X-RateLimit-Remaining", "")
        reset = fetched.fields.get("X-RateLimit-Reset", "")
        if left.strip() == "0" and not fetched.from_cache and reset.strip().isdecimal():
            self._wait_until = float(reset)
        return fetched

    def _read(self, fetched: Fetched) -> Answer:
        """Return the answer with its JSON parsed and the token, if it is in there, removed."""
        date = self._date(fetched.fields)
        try:
            return Answer(json.loads(self.login.without(fetched.data.decode("utf-8-sig", "replace"))), date)
        except (ValueError, RecursionError):
            self._no_answer("the answer is not JSON")

    def _date(self, fields: Mapping[str, str]) -> str:
        """Return the server's time, or the time of this machine where that is missing or invalid."""
        try:
            said: datetime = parsedate_to_datetime(fields.get("Date", ""))
        except (ValueError, TypeError, OverflowError):
            said = self._world.now()
        return (said if said.tzinfo else self._world.now()).isoformat(timespec="seconds")

    # Limits

    def _refuse(self, error: AnswerError) -> None:
        """Go on without a login that is not accepted."""
        if error.code == 401 and self.login:
            self._notify(f"GitHub does not accept the token of {self.login.source}; going on without one")
            self.login = type(self.login)()
            raise RefusedError

    def _wait(self, error: AnswerError) -> float | None:
        """Return the seconds to wait for a limit, ``None`` when the answer is not about a limit."""
        if error.code not in _LIMITED:
            return None
        after = parse_retry_after(error.fields.get("Retry-After", ""), self._world.now())
        if after is not None:
            return after
        reset = error.fields.get("X-RateLimit-Reset", "").strip()
        if error.fields.get("X-RateLimit-Remaining", "").strip() == "0" and reset.isdecimal():
            return max(0.0, float(reset) - self._world.now().timestamp())
        return _WITHOUT_A_NAME if error.code == 429 else None

    def _hold(self) -> None:
        """Wait until the limit in the last answer is over."""
        if self._wait_until:
            left, self._wait_until = self._wait_until - self._world.now().timestamp(), 0.0
            if left > 0:
                self._stop(left, "GitHub's limit is used up")

    def _stop(self, seconds: float, why: str) -> None:
        """Wait, or, for too long a time, stop for this run and report when requests are possible again."""
        seconds, self._least = max(seconds, self._least), 2 * self._least
        if seconds <= self._patience:
            self._patience -= seconds
            self._notify(f"{why}: {seconds:,.0f} s")
            self._world.sleep(seconds)
            return
        until = self._world.now().timestamp() + min(seconds, 1e8)
        moment = type(self._world.now()).fromtimestamp(until, self._world.now().tzinfo)
        self.stopped = f"{why}; it goes on at {moment:%Y-%m-%d %H:%M} UTC, run it again then"
        raise StoppedError

    def _give_up(self, why: str) -> NoReturn:
        self.stopped = self.login.without(f"GitHub cannot be asked: {why}")
        raise StoppedError

    def _no_answer(self, problem: str) -> NoReturn:
        """Record a failed request and raise ``NoAnswerError``, or ``StoppedError`` after several failures in a row."""
        self.problem = self.login.without(problem)
        self._broken += 1
        if self._broken >= _BROKEN_AT_MOST:
            self._give_up("its answers make no sense, or it fails")
        raise NoAnswerError


def _question(query: str) -> Question:
    body = json.dumps({"query": query}, separators=(",", ":")).encode()
    return Question(body, {"Content-Type": "application/json"})


def _types(data: object) -> set[str]:
    """Return the types of the errors in a GraphQL answer."""
    errors = data.get("errors") if isinstance(data, Mapping) else None
    found = [error.get("type") for error in errors if isinstance(error, Mapping)] if isinstance(errors, list) else []
    return {kind for kind in found if isinstance(kind, str)}
