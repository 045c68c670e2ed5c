"""Output: the command, the Python library, the page, the static site and the file formats."""
