"""The installed versions of the libraries that podgraph needs, for a file of constraints and for a release's SBOM."""

from __future__ import annotations

import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution

_NAME = re.compile(r"[\w.-]+")


def find_installed() -> dict[str, Distribution]:
    """Return {name: distribution} of the installed libraries that podgraph needs (without extras), and that these need.

    Names are normalized, and in alphabetical order. Libraries for other systems are not installed, so they are left
    out.
    """
    libraries: dict[str, Distribution] = {}
    waiting = ["podgraph"]
    while waiting:
        name = re.sub(r"[-_.]+", "-", waiting.pop()).lower()  # PEP 503
        if name not in libraries:
            try:
                libraries[name] = distribution(name)
            except PackageNotFoundError:
                continue
            waiting += [_NAME.match(line)[0] for line in libraries[name].requires or () if "extra ==" not in line]  # type: ignore[index]
    libraries.pop("podgraph", None)
    return dict(sorted(libraries.items()))


def write_constraints() -> str:
    """Return the text of a file of constraints for pip, with the versions that are installed here."""
    lines = (f"{name}=={library.version.partition('+')[0]}" for name, library in find_installed().items())
    head = "# Written by `podgraph init`: the versions that the workflow installs. Remove a line for the newest."
    return "\n".join((head, *lines, ""))
