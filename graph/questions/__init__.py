"""The questions to a graph at rest: a file for each; every one returns an ``Answer``."""
