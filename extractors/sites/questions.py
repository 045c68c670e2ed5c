"""Questions and answers of the Stack Exchange network; an answer below its question is the question.

``/a/<number>`` is an answer's own short link. It does not contain the question, so the answer is an artifact of its
own.
"""

from __future__ import annotations

from .table import Row, Table

_NETWORK = r"\.stackexchange\.com"
_SITE = r"(?P<site>[a-z0-9-]+)"
# Hosts, their pattern, the name of the site in ids, and its title (https://stackexchange.com/sites).
_SITES = (
    ("askubuntu.com", "[^/]*", "askubuntu", "Ask Ubuntu"),
    ("mathoverflow.net", "[^/]*", "mathoverflow", "MathOverflow"),
    ("serverfault.com", "[^/]*", "serverfault", "Server Fault"),
    ("stackapps.com", "[^/]*", "stackapps", "Stack Apps"),
    ("stackoverflow.com", "[^/]*", "stackoverflow", "Stack Overflow"),
    ("superuser.com", "[^/]*", "superuser", "Super User"),
    ("meta.askubuntu.com meta.mathoverflow.net meta.serverfault.com meta.superuser.com",
     r"(?P<site>meta\.[a-z]+)\.[a-z]+", "{site}", "{site}"),
    (".stackoverflow.com", r"(?P<site>(?:[a-z]{2}\.)?(?:meta\.)?stackoverflow)\.com", "{site}", "{site}"),
    (".stackexchange.com", rf"(?!(?:api|area51|blog|chat|data)\.){_SITE}{_NETWORK}", "{site}", "{site}"),
    (".stackexchange.com", rf"meta\.{_SITE}{_NETWORK}", "{site}.meta", "{site}.meta"),
    (".stackexchange.com", rf"{_SITE}\.meta{_NETWORK}", "{site}.meta", "{site}.meta"),
)  # fmt: skip
_NUMBER = r"0*(?P<n>[1-9]\d{0,11})"

_ROWS: list[Row] = []
for _hosts, _host, _site, _title in _SITES:
    _numbered = f"{_title} question {{n}}"
    _ROWS += (
        Row(_hosts, f"{_host}/a/{_NUMBER}(?:/.*)?", "question", f"{_site}/a/{{n}}", f"{_title} answer {{n}}",
            "https://{host}/a/{n}"),
        Row(_hosts, f"{_host}/questions/{_NUMBER}(?:/(?P<slug>[^/]+).*)?", "question", f"{_site}/{{n}}",
            f"{_title}: {{slug:w}} | {_numbered}", "https://{host}/questions/{n}"),
        Row(_hosts, f"{_host}/q/{_NUMBER}(?:/.*)?", "question", f"{_site}/{{n}}", _numbered,
            "https://{host}/questions/{n}"),
    )  # fmt: skip
_TABLE = Table(_ROWS)
knows = _TABLE.knows
parse = _TABLE.parse
