"""Requests to GitHub's API by its rules: one at a time, within its limits, the token only for its host.

https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api. The text of the server's
errors is never shown, because it may contain anything, even the token.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, NoReturn

from ..errors import SourceError
from ..sources.connection import LIMITS, AnswerError, Budget, parse_retry_after
from ..sources.fetch import fetch_url
from ..sources.origin import TYPED
from .github_nodes import list_at, text_at, value_at

if TYPE_CHECKING:
    from ..sources.connection import World
    from .credentials import Login

_LIMIT_SECONDS = 60.0  # of a limit without a stated time
_LIMITS = replace(LIMITS, body=50_000_000, attempts=2)


class NoAnswerError(Exception):
    """A request got no answer; others may get one."""


class StoppedError(Exception):
    """This run makes no more requests to GitHub; ``Api.stopped`` is the reason."""


class Api:
    """The API of GitHub at one address.

    ``calls`` counts the requests; ``stopped`` is the reason for making no more of them, or "". ``problem`` is the
    problem of the last failed request.
    """

    def __init__(self, address: str, login: Login, *, world: World, budget: Budget) -> None:
        self.address = address
        self.login = login
        self.world = world
        self.calls = 0
        self.stopped = ""
        self.problem = ""
        self._budget = budget

    def post(self, query: str) -> object:
        """Return the answer to a GraphQL ``query``: an object with ``data`` and ``errors``, as JSON.

        Raises ``NoAnswerError`` if the answer has no data, and ``StoppedError`` if no more requests are possible.
        """
        base = self.address.removesuffix("/v3") if self.address.endswith("/api/v3") else self.address
        answer, status = self._request(f"{base}/graphql", json.dumps({"query": query}).encode())
        types = {text_at(error, "type") for error in list_at(answer, "errors")}
        has_data = isinstance(value_at(answer, "data"), Mapping)
        if status == "private" or (not has_data and types & {"RATE_LIMITED", "RATE_LIMIT"}):
            self._stop_until(_LIMIT_SECONDS)  # a query is for no single artifact
        if not has_data:
            self._fail("the answer holds no data")
        return answer

    def get(self, path: str) -> tuple[object, str]:
        """Return the answer for a ``path`` of the REST API, and its status.

        An artifact has (JSON, ""). One that GitHub does not show has (``None``, status): ``gone`` or ``private``.
        Raises ``NoAnswerError`` for any other failure, and ``StoppedError`` if no more requests are possible.
        """
        return self._request(f"{self.address}/{path}")

    def _request(self, url: str, body: bytes = b"") -> tuple[object, str]:
        """Send one request with the login; return its answer and status as ``get`` does.

        A request with a ``body`` is a POST of JSON, one without it a GET.
        """
        self.calls += 1
        fields = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
        fields["Authorization"] = f"bearer {self.login.token}"
        if body:
            fields["Content-Type"] = "application/json"
        limits, world, budget = _LIMITS, self.world, self._budget
        try:
            answer = fetch_url(url, body=body, fields=fields, origin=TYPED, limits=limits, world=world, budget=budget)
            return json.loads(self.login.hide(answer.data.decode("utf-8-sig", "replace"))), ""
        except (ValueError, RecursionError):
            self._fail("the answer is not JSON")
        except AnswerError as error:
            return None, self._read_refusal(error)
        except SourceError as error:
            self._stop(f"GitHub cannot be asked: {error.problem}")

    def _read_refusal(self, error: AnswerError) -> str:
        """Return ``gone`` or ``private`` for an answer (``error``) with a status that concerns one artifact.

        Raises ``StoppedError`` for a wrong token and a used up limit (until the time that the server names), and
        ``NoAnswerError`` for any other status.
        """
        if error.code == 401:
            self._stop(f"GitHub does not accept the token of {self.login.source}")
        if error.code in {404, 410, 451}:
            return "gone"
        if error.code not in {403, 429}:
            self._fail(f"the server answers {error.code}")
        after = parse_retry_after(error.fields.get("Retry-After", ""))
        remaining, reset = (error.fields.get(f"X-RateLimit-{name}", "").strip() for name in ("Remaining", "Reset"))
        if after is not None or error.code == 429:
            self._stop_until(_LIMIT_SECONDS if after is None else after)
        if remaining == "0" and reset.isdecimal():
            self._stop_until(max(0.0, float(reset) - self.world.now().timestamp()))
        return "private"

    def _stop_until(self, seconds: float) -> NoReturn:
        """Make no more requests in this run: raise ``StoppedError``.

        The reason names the time when requests are possible again, ``seconds`` from now.
        """
        now = self.world.now()
        until = datetime.fromtimestamp(now.timestamp() + min(seconds, 1e8), now.tzinfo)
        self._stop(f"GitHub's limit is used up; it goes on at {until:%Y-%m-%d %H:%M} UTC, run it again then")

    def _stop(self, reason: str) -> NoReturn:
        """Make no more requests in this run, for a ``reason``: raise ``StoppedError``."""
        self.stopped = self.login.hide(reason)  # without the token
        raise StoppedError

    def _fail(self, problem: str) -> NoReturn:
        """Give up this request because of a ``problem``: raise ``NoAnswerError``."""
        self.problem = self.login.hide(problem)
        raise NoAnswerError
