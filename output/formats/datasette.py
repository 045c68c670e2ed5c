"""Datasette metadata for a SQLite graph: titles, facets and example queries.

Use: ``datasette talks.sqlite --metadata talks.datasette.yaml``. The database has the name of its file. Rules:
https://docs.datasette.io/en/stable/metadata.html.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from ..files import write_text
from .shared.citations import name_of, text_of

if TYPE_CHECKING:
    import os

    from .shared.plain import Graph

# The name of a file up to the first point.
_STEM = re.compile(r"[^.]+")
_TEXT = """\
# podgraph: datasette FILE.sqlite --metadata FILE.datasette.yaml
title: {title}
description: Which episodes cite which code, pages, papers, people and topics, with the words that say so.
databases:
  {database}:
    tables:
      nodes:
        description: Everything there is, episodes and what they cite; the id is the identity.
        label_column: name
        fts_table: nodes_fts
        fts_pk: n
        sort_desc: rank
        facets: [kind, area, repo, community]
      episodes:
        description: The episodes, newest first.
        label_column: name
        sort_desc: date
        facets: [podcast, season]
      edges:
        description: What is connected to what; what was computed says why.
        facets: [relation]
      evidence:
        description: The words of titles and notes that say so, and where they stand.
        facets: [method, field, extractor]
      citations:
        description: "Who says what of which thing: a row for each piece of evidence."
        sort_desc: date
        facets: [kind, relation, method]
      relations:
        description: How many edges there are of each relation.
      related:
        description: Related episodes, each with its reasons.
        sort_desc: weight
      about: {{hidden: true}}
      keys: {{hidden: true}}
      terms: {{hidden: true}}
      vocabulary: {{hidden: true}}
    queries:
      who_cites:
        title: Who cites it?
        description: "thing: a name, a part of it, or an id"
        sql: |-
          select episode, thing, quote, moment, link, date from citations
          where thing like '%' || :thing || '%' or thing_id = :thing order by date desc
      related_episodes:
        title: Related episodes
        description: "episode: a title, a part of it, or an id"
        sql: |-
          select related, weight, reasons from related
          where episode like '%' || :episode || '%' or episode_id = :episode order by weight desc
      by_topic:
        title: Episodes by topic
        description: "topic: a name, a part of it, or an id"
        sql: |-
          select episode, thing as topic, quote, date from citations
          where kind = 'topic' and (thing like '%' || :topic || '%' or thing_id = :topic) order by date desc
"""


def to_datasette(graph: Graph, *, database: str = "podgraph") -> str:
    """Return the metadata for a database of that name.

    >>> import networkx
    >>> print(to_datasette(networkx.MultiDiGraph(), database="talks").splitlines()[4])
      "talks":
    """
    podcasts = sorted(
        name_of(attrs, str(node)) for node, attrs in graph.nodes(data=True) if text_of(attrs, "kind") == "podcast"
    )
    title = ", ".join(podcasts) or "Episodes and what they cite"
    return _TEXT.format(title=json.dumps(title), database=json.dumps(database))


def write_datasette(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write the metadata of the database that is called like ``path``. Raises ``OutputError``."""
    stem = _STEM.match(Path(path).name)
    write_text(path, [to_datasette(graph, database=stem[0] if stem else "podgraph")])
