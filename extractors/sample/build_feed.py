"""Turn ``episodes.toml`` into ``feed.xml``: ``python -m podgraph.extractors.sample.build_feed [--check]``.

The feed has the shape of the real one (RSS 2.0 with the namespaces of Atom, content, iTunes and Podcasting
2.0), so that the snapshot is read by the same code. The same source always gives the same bytes.
"""

from __future__ import annotations

import argparse
import tomllib
import uuid
from datetime import UTC, date, datetime
from email.utils import format_datetime
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

HERE: Final = Path(__file__).parent
SOURCE: Final = HERE / "episodes.toml"
FEED: Final = HERE / "feed.xml"


def to_feed(snapshot: Mapping[str, Any]) -> str:
    """Return the text of an RSS feed for a snapshot, the newest episode first.

    ``snapshot`` is the parsed ``episodes.toml``. Raises ``UndefinedError``, with the name of the field, for a missing
    one.
    """
    from jinja2 import Environment  # noqa: PLC0415 - only this command needs it

    environment = Environment(trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)  # noqa: S701 - the filters escape
    filters: dict[str, Callable[..., object]] = {
        "attribute": escape,
        "text": lambda text: escape(text, quote=False),
        "fold": lambda text: " ".join(text.split()),
        # The one sequence that would end the section is shared out over two.
        "cdata": lambda text: f"<![CDATA[{text.replace(']]>', ']]]]><![CDATA[>')}]]>",
        # The real guid is not known; this one only has to stay the same from one snapshot to the next.
        "guid": lambda name: uuid.uuid5(uuid.NAMESPACE_URL, name),
        "rfc822": _to_rfc822,
    }
    environment.filters |= filters
    return environment.from_string((HERE / "feed.xml.jinja").read_text("utf-8")).render(snapshot)


def _to_rfc822(day: date) -> str:
    """Return a day as feeds write dates, at midnight in UTC: "Sun, 4 Aug 2024 00:00:00 +0000"."""
    return format_datetime(datetime(day.year, day.month, day.day, tzinfo=UTC)).replace(", 0", ", ")


def main(arguments: list[str] | None = None) -> int:
    """Write ``feed.xml``, the snapshot as a feed; return the exit status.

    With ``--check`` among the ``arguments`` (``None``: those of the command line) nothing is written: the status is 1
    if the file is out of date. It is 2 for an invalid ``episodes.toml``.
    """
    from jinja2 import UndefinedError  # noqa: PLC0415 - only this command needs it

    parser = argparse.ArgumentParser(prog="python -m podgraph.extractors.sample.build_feed", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if feed.xml is out of date")
    check = parser.parse_args(arguments).check
    try:
        feed = to_feed(tomllib.loads(SOURCE.read_text("utf-8"))).encode()
    except (tomllib.TOMLDecodeError, UndefinedError) as error:
        print(f"{SOURCE.name}: {error}")
        return 2
    if not check:
        FEED.write_bytes(feed)
    elif not FEED.is_file() or FEED.read_bytes() != feed:
        print("feed.xml is not what episodes.toml gives; run python -m podgraph.extractors.sample.build_feed")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
