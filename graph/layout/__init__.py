"""Positions of the nodes on the page: the atlas of the episodes by area, and the map of all nodes."""
