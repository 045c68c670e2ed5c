"""Print the SBOM of a release, as CycloneDX JSON: ``python docs/sbom.py``, with the release installed.

It lists podgraph and the libraries that it needs without extras, each with version, licence and purl, in the versions
that are installed: those of ``requirements/dev.lock``, with which the release was tested.
"""

from __future__ import annotations

import json
from importlib.metadata import distribution
from typing import TYPE_CHECKING, Any

from podgraph.output.commands.installed import find_installed

if TYPE_CHECKING:
    from importlib.metadata import Distribution

_OSI = "License :: OSI Approved :: "


def component(name: str, found: Distribution, kind: str = "library") -> dict[str, Any]:
    """Return the CycloneDX component of an installed distribution."""
    about = found.metadata
    named = [one.removeprefix(_OSI) for one in about.get_all("Classifier", []) if one.startswith(_OSI)]
    named = named or [about["License"].partition("\n")[0]] if "License" in about else named
    expression = about.get("License-Expression")
    purl = f"pkg:pypi/{name}@{found.version}"
    return {
        "type": kind, "bom-ref": purl, "name": name, "version": found.version, "purl": purl,
        "licenses": [{"expression": expression}] if expression else [{"license": {"name": one}} for one in named],
    }  # fmt: skip


def sbom() -> dict[str, Any]:
    """Return the whole document; it has no time and no serial number, so that equal releases have equal ones."""
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6",
        "version": 1, "metadata": {"component": component("podgraph", distribution("podgraph"), "application")},
        "components": [component(name, found) for name, found in find_installed().items()],
    }  # fmt: skip


if __name__ == "__main__":
    print(json.dumps(sbom(), indent=1, ensure_ascii=False))
