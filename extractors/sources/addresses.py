"""Which network addresses are public, and which belong to this machine or its own network.

A feed's author chooses the targets of its links and redirects, so they must not lead inside: to this machine, to its
network, or to a cloud's metadata service (server-side request forgery).
"""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network


def is_public(address: str) -> bool:
    """Return whether a numeric address, as a socket gives it, is reachable for everyone on the Internet.

    Loopback, private, link-local, shared, multicast, unspecified and reserved ones are not (IANA's special-purpose
    address registries, RFC 6890), nor an IPv6 address that wraps such an IPv4 one (mapped, NAT64, 6to4, Teredo), nor
    text that is not an address.

    >>> [is_public(a) for a in ("8.8.8.8", "64:ff9b::808:808", "127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::")]
    [True, True, False, False, False]
    """
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, IPv6Address):
        if wrapped := _find_wrapped(ip):
            return all(is_public(str(one)) for one in wrapped)
        if ip not in IPv6Network("2000::/3"):  # the one range that is assigned (RFC 4291, 2.4)
            return False
    # Ranges that the standard library of some releases of Python does not know as reserved.
    later = map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "3fff::/20"))
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or any(ip in network for network in later))


def _find_wrapped(ip: IPv6Address) -> tuple[IPv4Address, ...]:
    """Return the IPv4 addresses that an IPv6 one leads to: Teredo's (RFC 4380) are a server and a client."""
    if ip in IPv6Network("64:ff9b::/96"):  # networks without IPv4 reach it under this prefix (RFC 6052)
        return (IPv4Address(int(ip) & 0xFFFFFFFF),)
    wrapped = ip.ipv4_mapped or ip.sixtofour
    return (wrapped,) if wrapped else ip.teredo or ()


def is_this_machine(host: str) -> bool:
    """Return whether a URL's host is loopback by its spelling: an address, or a ``localhost`` name (RFC 6761).

    Old spellings count, as they do for a resolver: octal parts, fewer than four parts (inet_aton(3)).

    >>> [is_this_machine(host) for host in ("127.1", "[::1]", "feeds.localhost", "localhost.example")]
    [True, True, True, False]
    """
    bare = host.lower().removeprefix("[").removesuffix("]").rstrip(".")
    for parse in (ip_address, lambda text: ip_address(socket.inet_aton(text))):
        try:
            return parse(bare).is_loopback
        except (OSError, ValueError):
            continue
    return f".{bare}".endswith(".localhost")
