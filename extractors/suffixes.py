"""Is this host under a known public suffix? Asked of the bundled Public Suffix List, never of the network."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tldextract


@lru_cache(maxsize=1)
def _extractor() -> tldextract.TLDExtract:
    import tldextract  # noqa: PLC0415 - it takes long to load and most commands never ask

    return tldextract.TLDExtract(cache_dir=None, suffix_list_urls=(), fallback_to_snapshot=True)


@lru_cache(maxsize=8192)
def public_suffix(host: str) -> str:
    """Return the public suffix that ``host`` stands under (``co.uk``), or "" when there is none, or only it.

    Source of the rule: the ICANN section of https://publicsuffix.org/list/.

    >>> public_suffix("docs.python.org"), public_suffix("torch.nn"), public_suffix("co.uk")
    ('org', '', '')
    """
    parts = _extractor()(host)
    return parts.suffix if parts.domain else ""
