"""Arguments and output shared by several commands."""
