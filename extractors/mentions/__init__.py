"""Episodes become mentions: the extractors, all in one list in the order of reading."""
