"""The login for GitHub: found where its own tools keep it, shown nowhere."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass, field

from ..errors import SourceError
from ..url import host_of

_VARIABLES = ("GITHUB_TOKEN", "GH_TOKEN")
_HOME = "https://api.github.com"
# The characters of a token: no blank, no line end, only characters allowed in an HTTP header.
_TOKEN = re.compile(r"[\x21-\x7e]{1,1000}")
_PATIENCE = 10  # seconds for `gh`


@dataclass(frozen=True, slots=True)
class Login:
    """A token, and its source. Neither ``repr`` nor ``str`` shows it."""

    token: str = field(default="", repr=False)
    source: str = ""

    def without(self, text: str) -> str:
        """Return text from outside without the token, if a server sent it back."""
        return text.replace(self.token, "(token)") if self.token else text


def find_api_address() -> str:
    """Return the address of the API: ``$GITHUB_API_URL``, else GitHub's own."""
    return os.environ.get("GITHUB_API_URL", "").strip().rstrip("/") or _HOME


def find_login(api: str) -> Login:
    """Return the token for ``api``: ``$GITHUB_TOKEN``, ``$GH_TOKEN``, else the output of ``gh auth token``.

    Raises ``SourceError`` for a variable with an invalid token.
    """
    for name in _VARIABLES:
        token = os.environ.get(name, "").strip()
        if token and not _TOKEN.fullmatch(token):
            raise SourceError("does not hold a token", source=name, remedy="check the variable")
        if token:
            return Login(token, name)
    token = _ask_gh("github.com" if api == _HOME else host_of(api))
    return Login(token, "gh") if _TOKEN.fullmatch(token) else Login()


def _ask_gh(host: str) -> str:
    """Return the token of GitHub's own command for a host, "" without one."""
    command = ["gh", "auth", "token", "--hostname", host]
    try:
        done = subprocess.run(  # noqa: S603 - no shell; the host was checked, `gh` is the user's own
            command, capture_output=True, timeout=_PATIENCE, check=True, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("ascii", "replace").strip()
