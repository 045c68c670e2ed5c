"""Names of code in texts: words that are symbols or files, and where these are defined and documented."""
