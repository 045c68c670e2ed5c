"""A static site of a graph: one page an episode, topic, person, source and route."""
