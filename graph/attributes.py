"""The attributes of nodes, edges and evidence: names and types.

An unknown attribute is absent, never null; plug-ins may add others. Annotations are types here, not strings:
Python would compile each string in every query.
"""

from typing import TYPE_CHECKING, TypedDict

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


class NodeAttributes(TypedDict, total=False):
    """The attributes of a node; ``date`` is ISO 8601 with its offset, ``duration`` in seconds, positions in pixels."""

    id: str
    kind: str
    label: str
    url: str
    title: str
    date: str
    duration: int
    number: int
    season: int
    guid: str
    podcast: str
    audio_url: str
    image: str
    explicit: bool
    keywords: list[str]
    chapters: str
    moments: list[str]
    type: str
    transcripts: list[str]
    summary: str
    truncated_links: list[str]
    uncertain: list[str]
    feed_url: str
    description: str
    author: str
    language: str
    group: str
    module: str
    repo: str
    path: str
    status: str
    current_url: str
    state: str
    labels: list[str]
    files: int
    looked_up: LookedUp
    area: str
    aliases: list[str]
    names: list[str]
    profiles: list[str]
    hosts: list[str]
    derived: bool
    count: int
    community: str
    rank: float
    x: float
    y: float
    x_wide: float
    y_wide: float
    x_tall: float
    y_tall: float
    hue: float


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
    """Return the attributes of an edge with one reason."""
    return {"weight": 1, "reasons": [reason]}


def was_read(node: NodeAttributes) -> bool:
    """Return whether an episode or post was itself a source: a cited one has its title from a look-up."""
    return bool(node.get("title")) and "looked_up" not in node


def in_title(edge: EdgeAttributes) -> bool:
    """Return whether the title of an episode names the target of an edge."""
    return "title" in [evidence.get("field") for evidence in edge.get("evidence", ())]


def role_of(edge: EdgeAttributes) -> str:
    """Return a person's part in an episode, and the person's affiliation; "" where neither is known.

    >>> role_of({"role": "guest", "affiliation": "Kiln Works"}), role_of({"role": "mentioned"})
    ('guest, Kiln Works', '')
    """
    role = edge.get("role", "")
    return ", ".join(filter(None, ("" if role == "mentioned" else role, edge.get("affiliation", ""))))


def is_only_said(edge: EdgeAttributes) -> bool:
    """Return whether all evidence of an edge is from a transcript."""
    return "reasons" not in edge and {item.get("method") for item in edge.get("evidence", ())} == {"transcript"}


Graph: "TypeAlias" = "nx.MultiDiGraph[str, NodeAttributes, EdgeAttributes]"
NewEdge: "TypeAlias" = tuple[str, str, EdgeAttributes]  # source, target, attributes
