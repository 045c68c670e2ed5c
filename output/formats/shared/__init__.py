"""Helpers shared by several formats."""
