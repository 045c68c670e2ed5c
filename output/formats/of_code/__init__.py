"""Formats for the people of a code base."""
