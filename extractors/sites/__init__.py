"""One site, or family of sites, a file: each a pure ``parse(url) -> Ref | None``."""
