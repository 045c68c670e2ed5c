"""HTML and text become plain text, its links, and where each of them ends."""
