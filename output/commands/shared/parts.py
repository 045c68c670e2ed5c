"""``podgraph build LIST -o all.parts/``: a build too large for memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podgraph.extractors import Named, PodgraphError, list_sources, processors

from ...terminal import note, progress
from .wording import counted

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from podgraph.extractors import Vocabulary
    from podgraph.graph import Corrections

# Options for the whole graph, with the remedy.
_LATER = {
    "checkout": "look up after the merge: podgraph look-up",
    "github": "look up after the merge: podgraph look-up",
    "titles": "look up after the merge: podgraph look-up",
    "transcripts": "build shows with transcripts in memory",
    "fetch_transcripts": "build shows with transcripts in memory",
    "chapters": "build shows with chapters in memory",
    **dict.fromkeys(
        ("kinds", "relations", "focus", "since", "until", "no_notes", "format"),
        "narrow and export after the merge: podgraph export -g FILE",
    ),
}


def parts_folder(arguments: argparse.Namespace) -> Path | None:
    """Return the folder of a build of parts, ``None`` for any other build. Raises ``PodgraphError``."""
    outputs: list[Path] = arguments.output or []
    folder = next((path for path in outputs if path.suffix == ".parts"), None)
    if folder is None:
        if arguments.scheduler:
            remedy = "write parts, -o all.parts/, then podgraph merge"
            raise PodgraphError("is for builds of parts", source="--scheduler", remedy=remedy)
        return None
    if len(outputs) > 1:
        raise PodgraphError("is written alone", source=str(folder), remedy="write the other files by podgraph merge")
    for name, remedy in _LATER.items():
        if getattr(arguments, name):
            raise PodgraphError("is not for parts", source=f"--{name.replace('_', '-')}", remedy=remedy)
    return folder


def write_parts(
    arguments: argparse.Namespace, folder: Path, corrections: Corrections | None, vocabulary: Vocabulary | None
) -> int:
    """Write the parts and print a line. Return 2 when a source could not be read, even though the others were built."""
    from ...large.cluster import sharing  # noqa: PLC0415 - few builds are so large
    from ...large.parts import BuildOptions, build_parts  # noqa: PLC0415
    from ...unchanged import digest_of_options, files_beside  # noqa: PLC0415

    def notify(line: str) -> None:
        note(line, quiet=arguments.quiet)

    how = BuildOptions(
        as_kind=arguments.as_kind, repo=arguments.repo, private=getattr(arguments, "private", None),
        vocabulary=vocabulary, corrections=corrections, index=arguments.index,
        with_boilerplate=arguments.with_boilerplate, snapshot=arguments.snapshot, offline=arguments.offline,
        refuse_private=arguments.refuse_private, digest=digest_of_options(arguments, files_beside(arguments)),
    )  # fmt: skip
    named = [one if isinstance(one, Named) else Named(one) for one in arguments.source]
    with (
        progress(wanted=not (arguments.no_progress or arguments.quiet)) as show,
        sharing(arguments.jobs or processors(), arguments.scheduler or "", notify) as share,
    ):
        try:
            made = build_parts(list_sources(named), folder, how, share=share, notify=notify, show=show)
        except KeyboardInterrupt:
            notify("interrupted; the parts that are finished stay, and the same command goes on")
            raise
    before = f" ({made.kept:,} of them there before)" if made.kept else ""
    done = f"wrote {folder}: {counted(made.shows, 'part')}{before}, {made.episodes:,} episodes and posts"
    notify(f"{done}; next: podgraph merge {folder} -o {folder.stem}.sqlite")
    if made.private:
        notify("private feeds are among them: publish nothing made of the parts, unless their owners agree")
    if made.failures and arguments.strict:
        raise PodgraphError(str(made.failures[0]), remedy="--strict makes warnings errors")
    return 2 if made.failures else 0
