"""Which words are hosts: the ones behind a scheme, and the ones that only look like one.

Behind ``https://`` any host will do. Without a scheme a dotted word is a host only under a known public suffix,
and not when it reads as code (``torch.cat``), a file (``engine.py``) or two sentences without a space.
"""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

from ..sites.tables import read_table
from ..suffixes import public_suffix
from ..url import host_of

_WORDS = {name: frozenset(chain(*rows)) for name, rows in read_table("host_words", Path(__file__).parent).items()}

# A path to a file.
_FILE_PATH = re.compile(r"/[\w/-]*+\.[A-Za-z]\w{0,4}(?!\w)")
# A label of a host, in any script (RFC 1035, 2.3.1; some names have an underscore).
_LABEL = re.compile(r"(?![-_])[^.]{1,63}(?<![-_])")
# Where another script follows a Latin letter or a digit.
_NOT_LATIN = re.compile(r"(?<=[a-z0-9])[^\x00-\u024f\u1e00-\u1eff]", re.IGNORECASE)
# A word with a capital letter at the end.
_GLUED_WORD = re.compile(r"(?<=[a-z])[A-Z][a-z]*\Z")


def is_host(host: str) -> bool:
    """Return whether ``host``, written behind a scheme (``https://``), can be the host of a web page.

    A host is an IPv6 address in brackets, an IPv4 address, one label (``localhost``), or labels with dots between, of
    which the last has at least two characters. No label begins or ends with ``-`` or ``_``; the last two contain no
    ``_``.

    >>> [is_host(text) for text in ("docs.python.org", "go", "192.0.2.7", "[::1]")]
    [True, True, True, True]
    >>> [is_host(text) for text in ("a..b", "-a.org", "my_site.org", "site.x", "1.2.3", "")]
    [False, False, False, False, False, False]
    """
    if host.startswith("["):
        return bool(host_of(f"//{host}"))
    labels = host.split(".")
    if not all(map(_LABEL.fullmatch, labels)):
        return False
    last = labels[-1]
    if last.isdigit() and len(labels) > 1:
        return _is_ipv4(labels)
    return (len(last) > 1 or len(labels) == 1) and "_" not in "".join(labels[-2:]) and bool(host_of(f"//{host}"))


def _is_ipv4(labels: list[str]) -> bool:
    """Return whether labels are the four numbers of an IPv4 address, each from 0 to 255."""
    return len(labels) == 4 and all(label.isdigit() and len(label) < 4 and int(label) < 256 for label in labels)


def find_host_end(text: str) -> int:
    """Return the length of the host at the begin of a word, in characters: the sentence may go on without a space.

    The host ends where another script, a hyphen or a capital letter follows a known public suffix; else the whole word
    is the host.

    >>> words = ("example.comです", "pytorch.org--the", "pytorch.orgNext", "a-b.co.uk")
    >>> [word[: find_host_end(word)] for word in words]
    ['example.com', 'pytorch.org', 'pytorch.org', 'a-b.co.uk']
    """
    for end in _list_possible_ends(text):
        if public_suffix(text[:end].lower()):
            return end
    return len(text)


def _list_possible_ends(text: str) -> list[int]:
    """Return the offsets where a host may end in a word (``text``), as the sentence may go on without a space.

    These are before a letter of another script, and before a hyphen or a capital in the last label.
    """
    ends = [] if text.isascii() else [match.start() for match in _NOT_LATIN.finditer(text)]
    head, _, last = text.rpartition(".")
    hyphen = last.find("-")
    if hyphen > 0 and not last.lower().startswith("xn--"):
        ends.append(len(head) + 1 + hyphen)
    elif (word := _GLUED_WORD.search(last)) and not public_suffix(text.lower()):
        ends.append(len(head) + 1 + word.start())
    return ends


def reads_as_host(host: str, path: str = "") -> bool:
    """Return whether a dotted word without a scheme is a host, and not code, a file or a sentence.

    It must end in a known public suffix; behind ``www.`` any suffix is allowed.

    Args:
        host: the word
        path: the begin of the following path, query or fragment; "": none follows

    >>> [text for text in ("github.com", "README.md", "torch.cat", "Node.js", "e.g") if reads_as_host(text)]
    ['github.com']
    >>> reads_as_host("docs.rs", "/serde"), reads_as_host("lib.rs", "/main.rs"), reads_as_host("youtu.be", "/x")
    (True, False, True)
    """
    if not is_host(host):
        return False
    lower = host.lower()
    labels = lower.split(".")
    first, last = labels[0], labels[-1]
    if first == "www" and len(labels) > 2:
        return True
    if len(first) == 1 and all(map(str.isdigit, labels[:-1])):
        return False  # a number, or a part of one: 0.et, 3.0.CO
    if first in _WORDS["reversed"] and len(labels) > 2 and not path:
        return False  # a name of a package, such as com.example.app
    # GOOGLE.COM is a host, unlike the name ASP.NET and the sentences "end.Next".
    ending = host.rpartition(".")[2]
    if ending.isascii() and not (ending.islower() or (host.isupper() and (path or last in _WORDS["sure"]))):
        return False
    suffix = public_suffix(lower if lower.isascii() else host_of(f"//{host}"))
    # A suffix of two labels (co.uk) is hardly anything else.
    return bool(suffix) and ("." in suffix or _is_likely_host(labels, path))


def _is_likely_host(labels: list[str], path: str) -> bool:
    """Return whether a dotted word is rather a host than code, a file or two sentences, by lists of words.

    The lists are in ``host_words.txt``.

    Args:
        labels: the word, cut at its dots, in lower case; the last label is a public suffix
        path: the begin of the following path, query or fragment, or ""
    """
    first, last = labels[0], labels[-1]
    # A variable with its attribute (x.cat), unless the suffix is surely a host's.
    is_attribute = first in _WORDS["variables"] and last not in _WORDS["sure"] and (len(first) > 1 or len(labels) == 2)
    if last in _WORDS["file"] or is_attribute:
        return False
    if path:  # the suffix is also an attribute's, and a path to a file follows
        return last not in _WORDS["code"] or not _FILE_PATH.match(path)
    if last in _WORDS["sentence"] and len(labels) < 3:
        return False  # the suffix is also a word: "end.is"
    return last in _WORDS["plain"] or not last.isascii() or last.startswith("xn--")
