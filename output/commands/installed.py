"""The libraries that podgraph needs, as they are installed here: for a file of constraints, and a release's SBOM."""

from __future__ import annotations

import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution

_NAME = re.compile(r"[\w.-]+")


def find_installed() -> dict[str, Distribution]:
    """Return what podgraph needs without extras, and what that needs in turn, by normalized name in its order.

    Libraries for other systems are not installed, so they are left out.
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
            waiting += [_NAME.match(one)[0] for one in libraries[name].requires or () if "extra ==" not in one]  # type: ignore[index]
    libraries.pop("podgraph", None)
    return dict(sorted(libraries.items()))


def constraints() -> str:
    """Return a file of constraints for pip: the versions that are installed here."""
    lines = (f"{name}=={one.version.partition('+')[0]}" for name, one in find_installed().items())
    head = "# Written by `podgraph init`: the versions that the workflow installs. Remove a line for the newest."
    return "\n".join((head, *lines, ""))
