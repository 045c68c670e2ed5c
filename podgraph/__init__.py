"""podgraph: the knowledge graph of a podcast and everything it cites."""

__version__ = "0.1.0"
