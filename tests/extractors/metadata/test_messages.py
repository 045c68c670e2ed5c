"""What the message of a commit says, a row a message."""

from ast import literal_eval

import pytest

from podgraph.extractors.metadata.commit_message import parse_message
from tests.tables import read_table


@pytest.mark.parametrize("row", read_table(__file__, "messages.txt"), ids=" ".join)
def test_a_message(row):
    message, *values = map(literal_eval, row)
    assert list(parse_message(message, "o/r")) == values


def test_a_title_ends_somewhere():
    assert len(parse_message("x" * 100_000, "o/r").title) == 500
