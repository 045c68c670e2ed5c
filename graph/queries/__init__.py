"""The questions that a graph answers, each with a typed answer."""
