"""Which addresses are public: the IANA tables, and what wraps an address in another."""

from __future__ import annotations

import pytest

from podgraph.extractors.sources.origin import is_public

PUBLIC = """
    1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
    172.15.255.255 172.32.0.0 192.0.1.0 192.31.196.1 192.52.193.1 192.88.98.255 192.88.100.0
    192.167.255.255 192.169.0.0 192.175.48.1 198.17.255.255 198.20.0.0 223.255.255.255
    2000:: 2001:200:: 2001:db7::1
    2001:db9::1 2606:4700::1111 2620:4f:8000::1 3ffe::1 3fff:1000::
    ::ffff:8.8.8.8 64:ff9b::808:808
""".split()
NOT_PUBLIC = """
    0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1
    172.31.255.255 192.0.0.1 192.0.0.8 192.0.0.11 192.0.0.170 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1
    198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
    :: ::1 ::7f00:1 ::808:808 ::ffff:0:808:808 100::1 100:0:0:1::1 64:ff9b:1::808:808 2001::1 2001:1::4 2001:2::1
    2001:10::1 2001:4:113::1 2001:db8::1 3fff::1 3fff:fff:: 4000::1 5f00::1 fc00::1 fd12::1 fe80::1 fe80::1%eth0
    fec0::1 ff02::1
    ::ffff:127.0.0.1 64:ff9b::a00:1 64:ff9b::192.88.99.1 2002:7f00:1:: 2002:a9fe:a9fe::1 2002:c0a8:101::1
    2001:0:808:808::80ff:fffe 2001:0:7f00:1::f7f7:f7f7 nowhere 1.2.3 1.2.3.4.5
""".split()


@pytest.mark.parametrize("address", PUBLIC)
def test_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_not_public(address: str) -> None:
    assert not is_public(address)
