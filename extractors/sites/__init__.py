"""One site, or family of sites, a file: each a pure ``parse(url) -> Ref | None``."""

from .registry import SITES, identify, load_sites

__all__ = ["SITES", "identify", "load_sites"]
