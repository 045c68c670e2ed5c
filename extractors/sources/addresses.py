"""Which network addresses are public, and which belong to this machine or its own network.

A feed's author chooses the targets of its links and redirects, so they must not lead inside: to this machine, to its
network, or to a cloud's metadata service (server-side request forgery). The ranges are those of the IANA
special-purpose address registries (RFC 6890). They are listed here because the standard library's ranges differ from
release to release.
"""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

# https://www.iana.org/assignments/iana-ipv4-special-registry: ranges that are not globally reachable, and multicast.
# The former relays of 6to4 (192.88.99.0/24) count as such.
_INSIDE_4 = tuple(map(IPv4Network, (
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
    "224.0.0.0/4", "240.0.0.0/4",
)))  # fmt: skip
_OUTSIDE_4 = tuple(map(IPv4Network, ("192.0.0.9/32", "192.0.0.10/32")))
# https://www.iana.org/assignments/iana-ipv6-special-registry, for the one range that is given out (RFC 4291, 2.4).
_GIVEN_OUT_6 = IPv6Network("2000::/3")
_INSIDE_6 = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "3fff::/20")))
_OUTSIDE_6 = tuple(map(IPv6Network, (
    "2001:1::1/128", "2001:1::2/128", "2001:1::3/128", "2001:3::/32", "2001:4:112::/48", "2001:20::/28",
    "2001:30::/28",
)))  # fmt: skip
# Networks without IPv4 reach it under this prefix (RFC 6052); the address inside decides.
_NAT64 = IPv6Network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """Return whether a numeric address, as a socket gives it, is reachable for everyone on the Internet.

    Loopback, private, link-local, shared, multicast, unspecified and reserved ones are not, nor an IPv6 address that
    wraps such an IPv4 one (mapped, NAT64, 6to4, Teredo), nor text that is not an address.

    >>> [is_public(a) for a in ("8.8.8.8", "64:ff9b::808:808", "127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::")]
    [True, True, False, False, False]
    """
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, IPv4Address):
        return _is_public_4(ip)
    if inner := _wrapped(ip):
        return all(map(_is_public_4, inner))
    inside = ip not in _GIVEN_OUT_6 or any(ip in network for network in _INSIDE_6)
    return not inside or any(ip in network for network in _OUTSIDE_6)


def _is_public_4(ip: IPv4Address) -> bool:
    inside = any(ip in network for network in _INSIDE_4)
    return not inside or any(ip in network for network in _OUTSIDE_4)


def _wrapped(ip: IPv6Address) -> tuple[IPv4Address, ...]:
    """Return the IPv4 addresses that an IPv6 one leads to: Teredo's (RFC 4380) are a server and a client."""
    if ip in _NAT64:
        return (IPv4Address(int(ip) & 0xFFFFFFFF),)
    one = ip.ipv4_mapped or ip.sixtofour
    return (one,) if one else ip.teredo or ()


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
    """Return whether a URL's host is loopback by its spelling: an address, or a ``localhost`` name (RFC 6761).

    >>> [is_this_machine(host) for host in ("127.1", "[::1]", "feeds.localhost", "localhost.example")]
    [True, True, True, False]
    """
    literal = parse_literal(host)
    if literal:
        return ip_address(literal).is_loopback
    return f".{host.lower().rstrip('.')}".endswith(".localhost")
