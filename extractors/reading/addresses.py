"""Which network addresses are public, and which belong to this machine or its own network.

A feed's author chooses where its links and redirects lead, so they must not lead inside: to this machine, to
the network it stands in, or to a cloud's metadata service (server-side request forgery). The ranges are
those of the IANA special-purpose address registries (RFC 6890), as the standard library knows them.
"""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

# Networks without IPv4 reach it under this prefix (RFC 6052): what counts is the address inside.
_NAT64 = IPv6Network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """Say whether a numeric address, as a socket gives it, is reachable for everyone on the Internet.

    Loopback, private, link-local, shared, multicast, unspecified and reserved ones are not, nor an IPv6
    address that wraps such an IPv4 one; nor is what is no address at all.

    >>> [is_public(a) for a in ("8.8.8.8", "64:ff9b::808:808", "127.0.0.1", "::ffff:10.0.0.1", "fe80::1")]
    [True, True, False, False, False]
    """
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, IPv6Address):
        inner = ip.ipv4_mapped or (IPv4Address(int(ip) & 0xFFFFFFFF) if ip in _NAT64 else None)
        if inner is not None:
            ip = inner
        elif ip.is_site_local:
            return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved)


def parse_literal(host: str) -> str | None:
    """Return the numeric address that a URL's host spells, or ``None`` when the host is a name.

    Old spellings count, as they do for a resolver: one number, octal and hexadecimal parts, fewer than four
    parts (inet_aton(3)).

    >>> [parse_literal(host) for host in ("2130706433", "0x7f.1", "[::1]", "localhost")]
    ['127.0.0.1', '127.0.0.1', '::1', None]
    """
    bare = host.removeprefix("[").removesuffix("]").rstrip(".")
    try:
        return str(ip_address(bare))
    except ValueError:
        pass
    try:
        return socket.inet_ntoa(socket.inet_aton(bare)) if bare[:1].isdigit() and bare.isascii() else None
    except (OSError, ValueError):
        return None


def is_this_machine(host: str) -> bool:
    """Say whether a URL's host is loopback by its spelling: an address, or a ``localhost`` name (RFC 6761).

    >>> [is_this_machine(host) for host in ("127.1", "[::1]", "feeds.localhost", "localhost.example")]
    [True, True, True, False]
    """
    literal = parse_literal(host)
    if literal:
        return ip_address(literal).is_loopback
    return f".{host.lower().rstrip('.')}".endswith(".localhost")
