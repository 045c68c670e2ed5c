"""Finds the public suffix of a host in the Public Suffix List that ``tldextract`` bundles, never in the network."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path


@lru_cache(maxsize=1)
def _read_rules() -> frozenset[str]:
    """Return the rules of the Public Suffix List, those of its ICANN section: ``co.uk``, ``*.ck``, ``!www.ck``.

    The file in the package ``tldextract`` is read directly, because the package takes ten times as long to load. If the
    file is missing, the package is loaded.
    """
    spec = find_spec("tldextract")
    file = Path((spec and spec.origin) or "").with_name(".tld_set_snapshot")
    if not file.is_file():
        from tldextract import TLDExtract  # noqa: PLC0415 - see above

        return frozenset(TLDExtract(cache_dir=None, suffix_list_urls=(), fallback_to_snapshot=True).tlds)
    public = file.read_text("utf-8").partition("===BEGIN PRIVATE DOMAINS===")[0]
    return frozenset(line.strip() for line in public.splitlines() if line and not line.startswith("//"))


@lru_cache(maxsize=8192)
def public_suffix(host: str) -> str:
    """Return the public suffix of a host (``co.uk``), "" without one or if the host is only a suffix.

    The host is in ASCII, perhaps in Punycode. The rules are those of the ICANN section of
    https://publicsuffix.org/list/.

    >>> public_suffix("docs.python.org"), public_suffix("torch.nn"), public_suffix("co.uk")
    ('org', '', '')
    >>> public_suffix("a.b.ck"), public_suffix("a.www.ck"), public_suffix("kiln.xn--p1ai")
    ('b.ck', 'ck', 'xn--p1ai')
    """
    labels = host.rstrip(".").split(".")
    if not all(labels):
        return ""
    names = labels
    with suppress(UnicodeError):  # the list has names in their own script
        names = host.rstrip(".").encode().decode("idna").split(".")
    rules = _read_rules()
    for at in range(len(labels)):
        suffix, parent = ".".join(names[at:]), ".".join(names[at + 1 :])
        if f"!{suffix}" in rules:  # an exception from a rule with a star
            return ".".join(labels[at + 1 :])
        if suffix in rules or f"*.{parent}" in rules:
            return ".".join(labels[at:]) if at else ""
    return ""
