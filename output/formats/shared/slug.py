"""A safe name for a file, or for a citation, that depends on a node's id alone."""

from __future__ import annotations

import re
from hashlib import blake2s

# An id that is a file name but for its colon.
_PLAIN = re.compile(r"[a-z]+:[a-z0-9]+(?:-[a-z0-9]+)*")
# What ends like a slug with a digest.
_MARKED = re.compile(r".*-[0-9a-f]{8}")
# What stands between the words of a slug.
_OTHER = re.compile(r"[^a-z0-9]+")
_LONGEST = 80


def slug(node: str) -> str:
    """Return a name of small letters, digits and single hyphens; no two ids share one.

    An id that does not fit the alphabet gets a mark of its own behind it: ids that differ in case, or in
    ``/`` against ``-`` alone, stay apart on every disk.

    >>> slug("topic:vmap"), slug("symbol:torch.Tensor")
    ('topic-vmap', 'symbol-torch-tensor-de043bc3')
    """
    name = _OTHER.sub("-", node.lower()).strip("-")[:_LONGEST].strip("-")
    if _PLAIN.fullmatch(node) and len(node) <= _LONGEST and not _MARKED.fullmatch(node):
        return name
    mark = blake2s(node.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{name}-{mark}" if name else mark
