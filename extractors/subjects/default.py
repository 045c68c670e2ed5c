"""The subject of what names none: the feed when none is given, the repository of a bare number."""

from .pytorch import SUBJECT
from .subject import Subject


def default_subject() -> Subject:
    """Return the default subject."""
    return SUBJECT
