"""Where each node of the map stands."""
