"""The attributes of nodes, edges and evidence: names and types.

An unknown attribute is absent, never null; plug-ins may add others. Annotations are types here, not strings:
Python would compile each string in every query.
"""

from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from typing import TypeAlias

    import networkx as nx  # noqa: F401 - a type below, written as a text, is of it


# positions of a node: on the map, in the wide and the tall frame of the atlas, and the colour of its area there
PLACES = ("x", "y", "x_wide", "y_wide", "x_tall", "y_tall", "hue")


class Evidence(TypedDict, total=False):
    """A mention of a node in a text: ``quote`` is the ``field`` of the episode from ``start`` to ``end``.

    The attributes after ``confidence`` may be absent.
    """

    field: str
    start: int
    end: int
    quote: str
    method: str
    extractor: str
    confidence: float
    url: str
    ref: str
    lines: str
    time: int | float | str
    count: int
    moments: list[int]


class LookedUp(TypedDict):
    """The source of a fact (a host, a clone), and the time of the look-up (ISO 8601)."""

    source: str
    date: str


NodeAttributes: "TypeAlias" = dict[str, Any]  # by name; a known one has the type in NODE_TYPES
# The types of a node's attributes. ``date`` is ISO 8601 with its offset, ``duration`` in seconds, positions in pixels.
NODE_TYPES = {
    **dict.fromkeys("id kind label url title date guid podcast audio_url image chapters type summary".split(), str),
    **dict.fromkeys("feed_url description author language group module repo path status state".split(), str),
    **dict.fromkeys(("current_url", "area", "community"), str),
    **dict.fromkeys(("duration", "number", "season", "files", "count"), int),
    **dict.fromkeys(("explicit", "derived"), bool),
    **dict.fromkeys(("rank", *PLACES), float),
    **dict.fromkeys("keywords moments transcripts truncated_links uncertain labels".split(), list[str]),
    **dict.fromkeys(("aliases", "names", "profiles", "hosts"), list[str]),
    "looked_up": LookedUp,
}


class EdgeAttributes(TypedDict, total=False):
    """The attributes of an edge: ``evidence`` from a text, ``reasons`` for computed or known relations.

    ``level`` belongs to a ``related`` edge: ``strong`` or ``similar``.
    """

    weight: float
    level: str
    evidence: list[Evidence]
    reasons: list[str]
    url: str
    line: int
    boilerplate: bool
    looked_up: LookedUp
    role: str
    affiliation: str


def because(reason: str) -> EdgeAttributes:
    """Return the attributes of a new edge with weight 1 and one reason."""
    return {"weight": 1, "reasons": [reason]}


def was_read(node: NodeAttributes) -> bool:
    """Return whether an episode or post was itself a source of the build, and is not only cited by one.

    A cited one has no title, or has it from a look-up.
    """
    return bool(node.get("title")) and "looked_up" not in node


def in_title(edge: EdgeAttributes) -> bool:
    """Return whether an edge has evidence in a title: the title of the edge's episode names its target."""
    return "title" in [evidence.get("field") for evidence in edge.get("evidence", ())]


def role_of(edge: EdgeAttributes) -> str:
    """Return a person's role in an episode, and the person's affiliation, from the edge between both; "" without these.

    The role "mentioned" is left out.

    >>> role_of({"role": "guest", "affiliation": "Kiln Works"}), role_of({"role": "mentioned"})
    ('guest, Kiln Works', '')
    """
    role = edge.get("role", "")
    return ", ".join(filter(None, ("" if role == "mentioned" else role, edge.get("affiliation", ""))))


def is_only_said(edge: EdgeAttributes) -> bool:
    """Return whether an edge has evidence from transcripts only, and no other reason."""
    return "reasons" not in edge and {item.get("method") for item in edge.get("evidence", ())} == {"transcript"}


Graph: "TypeAlias" = "nx.MultiDiGraph[str, NodeAttributes, EdgeAttributes]"
NewEdge: "TypeAlias" = tuple[str, str, EdgeAttributes]  # source, target, attributes
