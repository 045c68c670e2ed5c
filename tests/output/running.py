"""The command as a function: what a test asks, and what it gets."""

import io

from podgraph.output.cli import main


class Terminal(io.StringIO):
    """A terminal as far as ``isatty`` goes."""

    def isatty(self):
        return True


def run(capsys, *words):
    """Run the command: (status, standard output, standard error)."""
    capsys.readouterr()
    try:
        status = main(list(words))
    except SystemExit as leave:
        status = leave.code
    out, err = capsys.readouterr()
    return status, out, err
