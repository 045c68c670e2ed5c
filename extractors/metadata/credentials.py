"""The login for GitHub: found where its own tools keep it, shown nowhere."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass, field

from ..errors import SourceError
from ..url import host_of

_VARIABLES = ("GITHUB_TOKEN", "GH_TOKEN")
_GITHUB_API = "https://api.github.com"
# The characters of a token: no blank, no line end, only characters allowed in an HTTP header.
_TOKEN = re.compile(r"[\x21-\x7e]{1,1000}")
_SECONDS = 10  # for `gh`


@dataclass(frozen=True, slots=True)
class Login:
    """A token for GitHub, and the variable or program that it is from. Neither ``repr`` nor ``str`` shows the token."""

    token: str = field(default="", repr=False)
    source: str = ""

    def hide(self, text: str) -> str:
        """Return a server's ``text`` with "(token)" in place of the token, if the server sent it back."""
        return text.replace(self.token, "(token)") if self.token else text


def find_api_address() -> str:
    """Return the address of GitHub's API, without a slash at its end: ``$GITHUB_API_URL``, else GitHub's own."""
    return os.environ.get("GITHUB_API_URL", "").strip().rstrip("/") or _GITHUB_API


def find_login(api: str) -> Login:
    """Return the login for the API at the address ``api``; without a token it is an empty one.

    The token is ``$GITHUB_TOKEN``, else ``$GH_TOKEN``, else the output of ``gh auth token``. Raises ``SourceError`` for
    a variable with an invalid token.
    """
    for name in _VARIABLES:
        token = os.environ.get(name, "").strip()
        if token and not _TOKEN.fullmatch(token):
            raise SourceError("does not hold a token", source=name, remedy="check the variable")
        if token:
            return Login(token, name)
    token = _ask_gh("github.com" if api == _GITHUB_API else host_of(api))
    return Login(token, "gh") if _TOKEN.fullmatch(token) else Login()


def _ask_gh(host: str) -> str:
    """Return the token that GitHub's command ``gh`` has for a host.

    It is "" if the command is missing, fails or takes more than 10 seconds.
    """
    command = ["gh", "auth", "token", "--hostname", host]
    try:
        process = subprocess.run(  # noqa: S603 - no shell; the host was checked, `gh` is the user's own
            command, capture_output=True, timeout=_SECONDS, check=True, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return process.stdout.decode("ascii", "replace").strip()
