"""What the message of a commit says, a row a message."""

import pytest

from podgraph.extractors.metadata.commit_message import parse_message

# message -> (number, title, login, closes), in the repository o/r
MESSAGES = {
    "Fix strides (#12)": (12, "Fix strides", "", ()),
    "Fix strides (#12)   ": (12, "Fix strides", "", ()),
    "Back out (#3) of it (#12)": (12, "Back out (#3) of it", "", ()),
    "Fix #12 of the list": (0, "Fix #12 of the list", "", (12,)),
    'Revert "Fix strides (#12)"': (0, 'Revert "Fix strides (#12)"', "", ()),
    'Revert "Fix strides (#12)" (#15)': (15, 'Revert "Fix strides (#12)"', "", ()),
    "(#12)": (12, "", "", ()),
    "A (#0)": (0, "A (#0)", "", ()),
    "A (#1234567890)": (0, "A (#1234567890)", "", ()),
    "A (#012)": (0, "A (#012)", "", ()),
    "Merge pull request #12 from ann/branch\n\nAdd a thing\n\nmore": (12, "Add a thing", "ann", ()),
    "Merge pull request #12 from Ann:branch\n\nAdd a thing": (12, "Add a thing", "ann", ()),
    "Merge pull request #12 from o/branch\n\n\nAdd a thing": (12, "Add a thing", "", ()),
    "Merge pull request #12 from ann/branch": (12, "", "ann", ()),
    "Merge branch 'main' into x": (0, "Merge branch 'main' into x", "", ()),
    "A\n\nPull Request resolved: https://github.com/o/r/pull/12\n": (12, "A", "", ()),
    "A\n\nPull Request resolved: https://github.com/O/R/pull/12\nMore": (12, "A", "", ()),
    "A\r\n\r\nPull Request resolved: https://github.com/o/r/pull/12\r\n": (12, "A", "", ()),
    "A\n\nPull-Request-resolved: https://github.com/o/r/pull/12": (12, "A", "", ()),
    "A (#12)\n\nPull Request resolved: https://github.com/o/r/pull/12": (12, "A", "", ()),
    "A (#5)\n\nPull Request resolved: https://github.com/o/r/pull/12": (12, "A", "", ()),
    "A\n\nPull Request resolved: https://github.com/other/r/pull/12": (0, "A", "", ()),
    "A\n\nsee Pull Request resolved: https://github.com/o/r/pull/12": (0, "A", "", ()),
    "A\n\nReverted https://github.com/o/r/pull/12 on behalf of b": (0, "A", "", ()),
    "A (#12)\n\nFixes #3": (12, "A", "", (3,)),
    "A (#12)\n\nfixes: #3, Closes #4 and resolved o/r#5": (12, "A", "", (3, 4, 5)),
    "A (#12)\n\nFixes #3\nFixes #3": (12, "A", "", (3,)),
    "A (#12)\n\nFixes GH-3": (12, "A", "", (3,)),
    "A (#12)\n\nClose https://github.com/o/r/issues/3": (12, "A", "", (3,)),
    "A (#12)\n\nCloses other/r#3": (12, "A", "", ()),
    "A (#12)\n\nCloses https://github.com/other/r/issues/3": (12, "A", "", ()),
    "A (#12)\n\nprefixes #3, #4": (12, "A", "", ()),
    "A (#12)\n\nFixes #12": (12, "A", "", ()),
    "A (#12)\n\nFixes #3a": (12, "A", "", ()),
    "\n\nA (#12)": (12, "A", "", ()),
    "A\x1b[31m\u202eb\tc (#12)": (12, "A[31mb c", "", ()),
    "": (0, "", "", ()),
}


@pytest.mark.parametrize("message", MESSAGES, ids=repr)
def test_a_message(message):
    assert tuple(parse_message(message, "o/r")) == MESSAGES[message]


def test_a_title_ends_somewhere():
    assert len(parse_message("x" * 100_000, "o/r").title) == 500
