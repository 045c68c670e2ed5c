"""From code to episodes: a name, a file, a pasted text or a change, and the episodes that explain it."""
