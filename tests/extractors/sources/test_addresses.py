"""Which addresses are public: the IANA tables, and what wraps an address in another."""

import pytest

from podgraph.extractors.sources.origin import is_public
from tests.tables import read_table


@pytest.mark.parametrize(("answer", "addresses"), read_table(__file__, "addresses.txt"))
def test_public(answer, addresses):
    assert {address: is_public(address) for address in addresses.split()} == dict.fromkeys(
        addresses.split(), answer == "yes"
    )
