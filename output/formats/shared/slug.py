"""A safe name for a file, or for a citation, made from a node's id alone."""

from __future__ import annotations

import re
from hashlib import blake2s

# An id like a file name but for its colon.
_PLAIN = re.compile(r"[a-z]+:[a-z0-9]+(?:-[a-z0-9]+)*")
# An ending like the digest's in a slug.
_MARKED = re.compile(r".*-[0-9a-f]{8}")
# The characters between the words of a slug.
_OTHER = re.compile(r"[^a-z0-9]+")
_LONGEST = 80


def slug(node: str) -> str:
    """Return a name of lowercase letters, digits and single hyphens; no two ids share one.

    An id with other characters gets a digest at its end, so ids different only in case, or only in
    ``/`` and ``-``, have different names on every file system.

    >>> slug("topic:vmap"), slug("symbol:torch.Tensor")
    ('topic-vmap', 'symbol-torch-tensor-de043bc3')
    """
    name = _OTHER.sub("-", node.lower()).strip("-")[:_LONGEST].strip("-")
    if _PLAIN.fullmatch(node) and len(node) <= _LONGEST and not _MARKED.fullmatch(node):
        return name
    mark = blake2s(node.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{name}-{mark}" if name else mark
