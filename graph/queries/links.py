"""What became of the links: how many are sound, and which have moved or gone."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .fields import FIELDS, Telling
from .questions import STATUSES

if TYPE_CHECKING:
    from .fields import FieldNames
    from .view import View


@dataclass(frozen=True, slots=True)
class LinkHealth:
    """The state of what is cited and named: how many of each status, and what has moved or gone, by id.

    ``changed`` holds (id, status, current address or "", ids of the episodes and posts that name it).
    """

    statuses: dict[str, int]
    changed: list[tuple[str, str, str, tuple[str, ...]]]

    def to_dict(self, fields: FieldNames = "") -> dict[str, object]:
        """Return what ``podgraph stats --links --json`` prints; ``fields`` are those of what has changed."""
        tell, names = Telling("links", fields), FIELDS["links"].default
        rows = ({name: value for name, value in zip(names, row, strict=True) if value} for row in self.changed)
        return {"statuses": self.statuses, "changed": [tell(row) for row in rows]}


def link_health(view: View) -> LinkHealth:
    """Sum up the ``status`` of the nodes that episodes and posts name; those nobody could check are ``unknown``."""
    statuses: Counter[str] = Counter()
    changed = []
    for id_, node in view.nodes():
        naming = sorted({edge.source for edge in view.edges_to(id_) if edge.relation in ("cites", "mentions")})
        if not naming:
            continue
        status = node.get("status", "unknown")
        statuses[status] += 1
        if status in ("moved", "gone", "private"):
            changed.append((id_, status, node.get("current_url", ""), tuple(naming)))
    told = [status for status in STATUSES if statuses[status] or status != "private"]
    return LinkHealth({status: statuses[status] for status in told}, sorted(changed))
