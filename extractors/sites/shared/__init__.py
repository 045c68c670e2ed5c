"""Helpers shared by several rules: the layout of documentation pages, names made of slugs."""
