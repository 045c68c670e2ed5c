"""A safe XML reader: no entities, no DTD, no network, and limits on the cost of one document.

``read_xml`` passes every element to a target as it comes, so a feed of any length needs only the memory of one
of its items.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lxml import etree

_CHUNK = 1 << 16
_DEEPEST = 500_000  # elements in each other; each takes 30 bytes


class StopReading(Exception):
    """Raised by a target in need of no more of the document; ``read_xml`` returns its ``reason``."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class XmlFault:
    """Why a document could not be read to its end.

    ``reason`` is the parser's, on one line; ``line`` counts from 1. ``kind`` is ``syntax``, ``namespace`` (a
    prefix without one; all else was read) or ``stopped`` (by the target).
    """

    reason: str
    line: int = 0
    kind: str = "syntax"


class XmlTarget:
    """Receives the events of ``read_xml``: names in Clark notation (``{namespace}name``), text in pieces.

    A document type declaration stops the reading, because entities come from nowhere else.
    """

    @property
    def depth(self) -> int:
        """How many elements are open, where the target counts them."""
        return 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take the start of an element."""

    def end(self, tag: str) -> None:
        """Take the end of an element."""

    def data(self, text: str) -> None:
        """Take a piece of text, or the whole of it."""

    def doctype(self, *_declaration: str | None) -> None:
        """Refuse the declaration of a document type (its name, public and system identifiers)."""
        raise StopReading("has a document type declaration")

    def close(self) -> None:
        """Take the end of the document."""


def read_xml(data: bytes, target: XmlTarget) -> XmlFault | None:
    """Pass every element of ``data`` to ``target`` (UTF-8, whatever its declaration).

    Returns ``None`` when the document is well-formed (XML 1.0 and Namespaces in XML), else the fault; the target has
    then received everything before the fault.

    >>> class Names(XmlTarget):
    ...     def __init__(self):
    ...         self.names = []
    ...     def start(self, tag, attributes):
    ...         self.names.append(tag)
    >>> names = Names()
    >>> read_xml(b'<a><b xmlns="urn:n"/><c></a>', names).reason
    'Opening and ending tag mismatch: c line 1 and a'
    >>> names.names
    ['a', '{urn:n}b', 'c']
    """
    # "internal" decodes &amp; in attributes, too; other entities are never declared, see doctype().
    parser = etree.XMLParser(
        target=target,  # type: ignore[arg-type]  # lxml asks for no more than is here; its stubs do
        encoding="utf-8",
        resolve_entities="internal",  # type: ignore[arg-type]  # lxml 5 knows it; its stubs do not
        no_network=True,
        load_dtd=False,
        huge_tree=True,
    )
    try:
        for at in range(0, len(data), _CHUNK):
            parser.feed(data[at : at + _CHUNK])
            if target.depth > _DEEPEST:
                return XmlFault("its elements are nested too deeply", data.count(b"\n", 0, at) + 1)
        parser.close()
    except StopReading as stop:
        return XmlFault(stop.reason, kind="stopped")
    except etree.XMLSyntaxError as error:
        return XmlFault(_reason(error.msg), int(error.lineno or 0))
    undeclared = next((entry for entry in parser.feed_error_log if entry.domain_name == "NAMESPACE"), None)
    return XmlFault(_reason(undeclared.message), undeclared.line, "namespace") if undeclared else None


def _reason(message: str | None) -> str:
    lines = (message or "").partition(", line ")[0].strip().splitlines()
    return lines[0][:120] if lines else "not well-formed"
