"""The default subject: its feed is built without a source, and a bare number belongs to its repository."""

from .pytorch import SUBJECT
from .subject import Subject


def default_subject() -> Subject:
    """Return the default subject."""
    return SUBJECT
