"""Large graphs: building many shows, each into a graph of its own, and merging these graphs into one."""
