"""The questions to a graph, each with a typed answer."""
