"""One site, or family of sites, a file: each a pure ``parse(url) -> Ref | None``."""

from .registry import FAMILIES, identify, load_sites

__all__ = ["FAMILIES", "identify", "load_sites"]
