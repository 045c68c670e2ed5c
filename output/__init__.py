"""Output: the command, the library, the page, the site and the file formats."""
