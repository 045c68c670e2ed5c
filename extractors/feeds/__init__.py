"""Bytes become episodes: RSS, Atom, JSON Feed, and broken ones."""
