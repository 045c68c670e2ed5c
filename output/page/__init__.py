"""The interactive page: one self-contained HTML file."""
