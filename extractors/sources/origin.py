"""The origin of an address or a path, and its rights: the one place that decides what it may reach.

A user who types an address keeps all rights. Settings in the working folder may be a stranger's: the folder may be a
clone or an unpacked archive. Content (a feed, a page, a list from the network, a redirect) is always a stranger's.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Self

_SECURE_TWIN = {80: 443}
_UNC = ("\\\\", "//")


class Origin(NamedTuple):
    """The origin of an address or a path. Without any field set it is content from the network.

    ``typed`` is true if the user named it: on the command line, in the environment, or in the user's own settings.
    ``folder`` is the folder of settings that the user did not write (absolute, links resolved). ``home`` is the host
    and port inside the user's network that served the content.
    """

    typed: bool = False
    folder: str = ""
    home: tuple[str, int] | None = None

    @classmethod
    def of_settings(cls, folder: str) -> Self:
        """Return the origin for names in the settings of ``folder``."""
        return cls(folder=os.path.realpath(folder or "."))


TYPED, CONTENT = Origin(typed=True), Origin()


class Named(NamedTuple):
    """A source as it is written, and where: see ``Origin``."""

    text: str
    origin: Origin = TYPED


class Endpoint(NamedTuple):
    """One end of a connection: the host and port of a URL, and the numeric ``address`` that the host resolves to."""

    host: str
    port: int
    address: str


def may_reach(origin: Origin, place: str | Endpoint) -> bool:
    """Return whether an ``origin`` may reach a file or folder (a path), or connect to an endpoint.

    ====================  =============================  ==============================================
    origin                files                          addresses
    ====================  =============================  ==============================================
    typed                 all                            all
    settings in a folder  in that folder or below it,    public ones
                          links resolved
    content               none                           public ones, and the host and port inside that
                                                         served the content (its secure twin too)
    ====================  =============================  ==============================================

    >>> may_reach(Origin.of_settings("/srv/show"), "/srv/show/../feed.xml"), may_reach(TYPED, "/etc/passwd")
    (False, True)
    >>> may_reach(CONTENT, Endpoint("feeds.example", 443, "127.0.0.1"))
    False
    """
    if origin.typed:
        return True
    if not isinstance(place, Endpoint):
        return bool(origin.folder) and _is_below(place, origin.folder)
    from .addresses import is_public  # noqa: PLC0415 - settings that name files alone need no network

    if is_public(place.address):
        return True
    if origin.home is None or place.host.lower() != origin.home[0]:
        return False
    return place.port in {origin.home[1], _SECURE_TWIN.get(origin.home[1])}


def _is_below(path: str, folder: str) -> bool:
    """Return whether ``path`` is ``folder`` or inside it, with all symbolic links resolved."""
    # To resolve \\host\share, Windows would connect to the host.
    if os.path.splitdrive(path)[0].startswith(_UNC):
        return False
    try:
        real = os.path.realpath(path)
    except (OSError, ValueError):  # ValueError: a NUL in the path
        return False
    return f"{real}{os.sep}".startswith(f"{folder.rstrip(os.sep)}{os.sep}")
