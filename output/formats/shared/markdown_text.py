"""Foreign text in Markdown: it looks as it is, and has no effect.

For CommonMark, GitHub's dialect and Obsidian's, with its tags, comments, formulas, embeds and in-line queries.
"""

from __future__ import annotations

import re

from .texts import clean_text, to_web_link

# An address, without the punctuation behind it in a sentence or a link.
_URL = re.compile(r"(https?://[^\s<>\"]*[^\s<>\".,;:!?')\]}*_])", re.IGNORECASE)
# Characters with a meaning in Markdown anywhere in a line; a colon only after another colon.
_SPECIAL_CHARACTERS = re.compile(r"[\\`*_{}\[\]#|~$=^%!]|(?<=:):|[<>&]")
_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
# The beginning of a list item.
_AT_START = re.compile(r"(?:[-+](?=\s|\Z|[-+])|\d{1,9}(?=[.)]))")
# White space, of any length.
_SPACES = re.compile(r"\s+")


def to_markdown_line(text: str) -> str:
    r"""Return a text as one line of Markdown that looks the same. Addresses in it become links.

    >>> print(to_markdown_line("*a* <b> #tag\n see https://x.org/a_b."))
    \*a\* &lt;b&gt; \#tag see <https://x.org/a_b>.
    >>> print(to_markdown_line("1. - x"))
    1\. - x
    """
    parts = _URL.split(_SPACES.sub(" ", text).strip())  # every second part is an address
    line = "".join(
        f"<{part}>" if number % 2 and to_web_link(part) else _escape(part) for number, part in enumerate(parts)
    )
    start = _AT_START.match(line)
    if start is None:
        return line
    return f"\\{line}" if line[0] in "-+" else f"{start[0]}\\{line[start.end() :]}"


def to_markdown_paragraphs(text: str) -> str:
    r"""Return a text of many lines as Markdown that looks the same.

    An empty line separates paragraphs, other line ends stay. Markup in the text has no effect.

    >>> print(to_markdown_paragraphs("one\n- two\n\n\nthree"))
    one
    \- two
    <BLANKLINE>
    three
    """
    paragraphs = re.split(r"\n\s*\n", text.replace("\r\n", "\n").replace("\r", "\n"))
    lines = (filter(None, map(to_markdown_line, paragraph.split("\n"))) for paragraph in paragraphs)
    return "\n\n".join(filter(None, map("\n".join, lines)))


def to_markdown_link(text: str, url: object) -> str:
    r"""Return a link in Markdown with this text, or the escaped text if ``url`` is not an http(s) address.

    >>> to_markdown_link("a [b]", "https://x.org/"), to_markdown_link("c", "javascript:x")
    ('[a \\[b\\]](<https://x.org/>)', 'c')
    """
    label = _escape(_SPACES.sub(" ", text).strip())
    link = to_web_link(url).replace("\\", "%5C")
    return f"[{label or 'link'}](<{link}>)" if link else label


def _escape(text: str) -> str:
    """Return a text with Markdown's special characters escaped, and without characters that files must not have."""
    return _SPECIAL_CHARACTERS.sub(lambda match: _ENTITIES.get(match[0]) or f"\\{match[0]}", clean_text(text))
