"""What notes cite, found the slow and obvious way: a letter at a time, without an expression, a library or our code.

It knows less than podgraph (no links without a scheme, no numbers, no names), so what the tests give it has none.
"""

from __future__ import annotations

ENDS = ' \t\r\n<>"“”«»「」、。|`\u3000'
CLOSING = {")": "(", "]": "[", "}": "{"}
TRAILING = ".,;:!?'’*"
BLOCKS = ("p", "br", "li", "ul", "div", "h2")
ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&nbsp;": " "}


def unescaped(text: str) -> str:
    """Return text with its entities resolved, once."""
    found = ""
    while text:
        name = next((name for name in ENTITIES if text.startswith(name)), "")
        found += ENTITIES.get(name, text[0])
        text = text[len(name) or 1 :]
    return found


def urls_in(text: str) -> list[str]:
    """Return the addresses with a scheme in plain text, each as far as a reader would take it; cut ones not at all."""
    found = []
    place = 0
    while place < len(text):
        rest = text[place:]
        scheme = next((scheme for scheme in ("https://", "http://") if rest.lower().startswith(scheme)), "")
        if not scheme or (place and text[place - 1].isalnum()):
            place += 1
            continue
        end = place
        while end < len(text) and text[end] not in ENDS and text[end] != "…":
            end += 1
        url = text[place:end]
        cut = text[end : end + 1] == "…"
        place = max(end, place + 1)
        while url and (url[-1] in TRAILING or is_lone(url)):
            url = url[:-1]
        if not cut:
            found.append(url)
    return found


def is_lone(url: str) -> bool:
    """Tell whether an address ends with a bracket that it does not open."""
    opening = CLOSING.get(url[-1], "")
    return bool(opening) and url.count(url[-1]) > url.count(opening)


def urls_of_html(notes: str) -> list[str]:
    """Return the targets of hyperlinks, and the addresses in the text outside of them."""
    found, text, inside = [], "", False
    while notes:
        if notes[0] != "<":
            text += "" if inside else notes[0]
            notes = notes[1:]
            continue
        tag, _, notes = notes[1:].partition(">")
        name = tag.strip("/").partition(" ")[0].lower()
        if name == "a":
            inside = not tag.startswith("/")
            text += " "
            if inside:
                found.append(unescaped(tag.partition('href="')[2].partition('"')[0]))
        elif name in BLOCKS:
            text += "\n"
    return found + urls_in(unescaped(text))


def resolve(url: str) -> str:
    """Return the id of what an address leads to: GitHub's things, else a page of the web."""
    rest = url.partition("://")[2].partition("#")[0]
    rest, _, query = rest.partition("?")
    host, _, path = rest.partition("/")
    host = host.lower().removeprefix("www.")
    parts = [part for part in path.split("/") if part]
    if host == "github.com":
        home = f"github:{parts[0]}/{parts[1]}".lower()
        if len(parts) == 2:
            return home
        if parts[2] in ("pull", "issues"):
            return f"{home}#{parts[3]}"
        return f"{home}@{parts[3]}" if parts[2] == "commit" else f"{home}:{'/'.join(parts[4:])}"
    kept = sorted(pair for pair in query.split("&") if pair and not pair.startswith("utm_"))
    return f"web:{host}{''.join('/' + part for part in parts)}" + (f"?{'&'.join(kept)}" if kept else "")
