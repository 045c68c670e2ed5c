"""Commands that lead from code to episodes."""
