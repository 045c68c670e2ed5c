"""The origin of an address or a path, and its rights: the one place that decides what it may reach.

A user who types an address keeps all rights. Settings in the working folder may be a stranger's: the folder may be a
clone or an unpacked archive. Content (a feed, a page, a list from the network, a redirect) is always a stranger's: it
must not lead to this machine, its network, or a cloud's metadata service (server-side request forgery).
"""

from __future__ import annotations

import os
from ipaddress import IPv4Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Self


class Origin(NamedTuple):
    """The origin of an address or a path. Without any field set it is content from the network.

    ``is_typed`` is true if the user named it: on the command line, in the environment, or in the user's own settings.
    ``folder`` is the folder of settings that the user did not write (absolute, links resolved). ``home`` is the host
    and port inside the user's network that served the content.
    """

    is_typed: bool = False
    folder: str = ""
    home: tuple[str, int] | None = None

    @classmethod
    def of_settings(cls, folder: str) -> Self:
        """Return the origin for names in the settings of ``folder``."""
        return cls(folder=os.path.realpath(folder or "."))


TYPED, CONTENT = Origin(is_typed=True), Origin()


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
    """Return whether names from an ``origin`` may lead to a ``place``: a path to read, or an endpoint to connect to.

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
    if origin.is_typed:
        return True
    if isinstance(place, Endpoint):
        homes = {origin.home}
        if origin.home and origin.home[1] == 80:
            homes.add((origin.home[0], 443))  # the same server over https
        return is_public(place.address) or (place.host.lower(), place.port) in homes
    # To resolve \\host\share, Windows would connect to the host.
    if not origin.folder or os.path.splitdrive(place)[0].startswith(("\\\\", "//")):
        return False
    try:
        return f"{os.path.realpath(place)}{os.sep}".startswith(f"{origin.folder.rstrip(os.sep)}{os.sep}")
    except (OSError, ValueError):  # ValueError: a NUL in the path
        return False


def is_public(address: str) -> bool:
    """Return whether a numeric address, as a socket gives it, is reachable for everyone on the Internet.

    Loopback, private, link-local, shared, multicast, unspecified and reserved ones are not (IANA's special-purpose
    address registries, RFC 6890), nor an IPv6 address that wraps such an IPv4 one (mapped, NAT64), nor the tunnels 6to4
    and Teredo, nor text that is not an address.

    >>> [is_public(a) for a in ("8.8.8.8", "64:ff9b::808:808", "127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::")]
    [True, True, False, False, False]
    """
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if ip.version == 6 and (ip.ipv4_mapped or ip in IPv6Network("64:ff9b::/96")):  # NAT64: RFC 6052
        ip = IPv4Address(int(ip) & 0xFFFFFFFF)
    # The one range of IPv6 that is assigned (RFC 4291, 2.4), and those that some releases of Python do not know.
    reserved_networks = ("192.0.0.0/24", "192.88.99.0/24", "3fff::/20", "2002::/16")
    is_assigned = ip.version == 4 or ip in IPv6Network("2000::/3")
    is_open = is_assigned and ip.is_global and not (ip.is_multicast or ip.is_reserved)
    return is_open and not any(ip in network for network in map(ip_network, reserved_networks))


def is_this_machine(host: str) -> bool:
    """Return whether a URL's host is this machine by its spelling: a loopback address, or ``localhost`` (RFC 6761).

    Old spellings of addresses count, as they do for a resolver: octal parts, fewer than four parts (inet_aton(3)).

    >>> [is_this_machine(host) for host in ("127.1", "[::1]", "feeds.localhost", "localhost.example")]
    [True, True, True, False]
    """
    from socket import inet_aton  # noqa: PLC0415 - most questions need no host

    bare = host.lower().removeprefix("[").removesuffix("]").rstrip(".")
    try:
        return (ip_address(bare) if ":" in bare else IPv4Address(inet_aton(bare))).is_loopback
    except (OSError, ValueError):
        return f".{bare}".endswith(".localhost")
