"""Transcripts beside the feeds: the options of the commands with transcripts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .arguments import number_from

if TYPE_CHECKING:
    import argparse

    from podgraph.extractors import Heard


def add_transcript_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for the folders of transcripts and the length of quotes."""
    group = parser.add_argument_group("what is said")
    group.add_argument(
        "--transcripts", metavar="DIR", action="append", type=Path, default=[],
        help="a folder of transcripts and chapters, several times: SRT, WebVTT, JSON, TSV, text; files are called "
        "after the episode's sound, title, number or guid",
    )  # fmt: skip
    group.add_argument(
        "--fetch-transcripts", action="store_true",
        help="fetch the transcripts that the feeds name; each once a month at most",
    )  # fmt: skip
    group.add_argument(
        "--chapters", action="store_true", help="fetch the chapters that the feeds name; each once a month at most"
    )
    group.add_argument(
        "--transcript-words", metavar="N", type=number_from(0, 12), default=12,
        help="how many words of a transcript stand in one quote, from 0 to 12 (default)",
    )  # fmt: skip


def heard_by(arguments: argparse.Namespace) -> Heard | None:
    """Return the requested transcripts, ``None`` without a request."""
    if not (arguments.transcripts or arguments.fetch_transcripts or arguments.chapters):
        return None
    from podgraph.extractors import Heard  # noqa: PLC0415 - few builds read any

    return Heard(
        tuple(arguments.transcripts), arguments.fetch_transcripts, bool(arguments.offline),
        arguments.transcript_words, arguments.chapters,
    )  # fmt: skip
