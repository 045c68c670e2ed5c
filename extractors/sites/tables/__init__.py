"""What the rules know of the world: hosts, addresses, names. A line more is something more they know."""
