"""Commands from code to episodes."""
