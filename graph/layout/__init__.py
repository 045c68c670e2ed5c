"""Positions of the nodes on the map."""
