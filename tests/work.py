"""Work that does not depend on the machine."""

import sys


def count_calls(function, *arguments):
    """Return how many functions of Python and C a function calls, itself or through others."""
    count = 0

    def profile(_frame, event, _argument):
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        function(*arguments)
    finally:
        sys.setprofile(before)
    return count
