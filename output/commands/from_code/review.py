"""``podgraph review [PATH …]``: the episodes explaining a whole change, as one list."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from podgraph.extractors import QueryError
from podgraph.graph import Change, changes_in, title_of

from ...terminal import note, print_table, printable_line
from ..shared.arguments import add_question, given
from ..shared.asked import standard_input
from ..shared.metadata import add_look_up_arguments, look_up_pulls
from ..shared.playlists import answered
from ..shared.saved import open_saved
from ..shared.wording import counted, length, note_doubt

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from podgraph.graph import Review, Reviewed

EXAMPLES = """examples:
  git diff main | podgraph review
  git diff --name-only HEAD~3 | podgraph review
  podgraph review torch/_dynamo/guards.py test/dynamo/test_guards.py
  gh pr diff 130935 | podgraph review --markdown
  podgraph review https://github.com/pytorch/pytorch/pull/130935 --github

Standard input may be a diff, a list of names (also with -z, --name-status, --numstat), or a path a line.
A pull request (its number or address) stands for its files: those in the graph, else from --checkout or --github.
Piped: title, files that it explains, their names, why, page, minutes, date, level (strong: explains them; similar: only
touches them).
The status is 0 when it ran, whether or not an episode explains anything of it."""
_NAMED = 3  # files of an episode
MARKER = "<!-- podgraph review -->"  # by which a comment is known again


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_question(parser, "review")
    add_look_up_arguments(parser, titles=False)
    parser.add_argument("--markdown", action="store_true", help="a comment for a pull request")


def run(arguments: argparse.Namespace) -> int:
    """Answer; 0 when it ran."""
    changes = _paths(arguments)
    graph = open_saved(arguments)
    files = {change.path: look_up_pulls([change.path], arguments, graph.view) for change in changes}
    paths = [one for change in changes for one in (map(Change, files[change.path]) if files[change.path] else [change])]
    answer = graph.review(**given(arguments, "review") | {"paths": paths})
    if answered(arguments, [answer], graph.view, "explain a change"):
        return 0
    if arguments.markdown:
        print("\n".join(_comment(answer.raw)))
    else:
        _print(answer.raw, quiet=arguments.quiet)
    return 0


def _paths(arguments: argparse.Namespace) -> list[Change]:
    """Return the files in question, each once."""
    words: list[str] = arguments.paths
    if not words and sys.stdin is not None and sys.stdin.isatty():
        raise QueryError("nothing was asked", remedy="give paths, or `git diff | podgraph review`")
    found: dict[str, Change] = {}
    for word in words or ["-"]:
        changes = changes_in(standard_input() if word == "-" else f"#{word}" if word.isdecimal() else word)
        found.update((change.path, change) for change in changes if change.path not in found)
    if not found:
        note("standard input is empty: nothing was asked", quiet=arguments.quiet)
    return list(found.values())


def _print(found: Review, *, quiet: bool) -> None:
    """Print the episodes explaining the changed files. For a person, those only touching them are one line."""
    for_person = sys.stdout.isatty()
    shown = found.episodes
    rows = [
        (
            title_of(one.attributes),
            counted(len(one.files), "file") if for_person else str(len(one.files)),
            _listed(one.files),
            "; ".join(one.reasons),
            one.attributes.get("url", "") or one.id,
            length(one.attributes, marked=for_person),
            str(one.attributes.get("date", ""))[:10],
            *(() if for_person else (one.level,)),
        )
        for one in shown
        if not for_person or one.level == "strong"
    ]
    if rows:
        headers = ("episode", "explains", "files", "why", "page", "length", "date")
        print_table(headers, rows, wide=(0, 2, 3, 4), below=(2, 3, 4))
    if for_person and (touching := [title_of(one.attributes) for one in shown if one.level != "strong"]):
        print(printable_line(f"also touches it: {', '.join(touching)}"))
    note_doubt((one.attributes for one in shown), lengths_too=True, quiet=quiet or not for_person)
    if more := found.total - len(shown):
        note(f"{more} more explain something of it: -n {found.total}", quiet=quiet)
    for line in _unexplained(found):
        note(line, quiet=quiet)


def _unexplained(found: Review) -> Iterator[str]:
    """Yield the lines about files without an explanation."""
    if found.unexplained:
        about = ", ".join(f"{topic} ({counted(count, 'file')})" for topic, count in found.untold[:_NAMED])
        said = f"; there is none about {about}" if about else ""
        yield f"no episode explains {len(found.unexplained)} of {counted(len(found.files), 'file')}{said}"


def _listed(files: Sequence[str]) -> str:
    more = len(files) - _NAMED
    return ", ".join(files[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _comment(found: Review) -> Iterator[str]:
    """Yield the lines of a comment in Markdown. The names of files are untrusted."""
    from ...formats.shared.markdown_text import markdown_line  # noqa: PLC0415 - few ask for it

    yield MARKER
    shown = [one for one in found.episodes if one.level == "strong"]
    if shown:
        yield "**Episodes that explain what this changes**"
        yield ""
        yield "| episode | explains | why |"
        yield "| --- | --- | --- |"
        yield from map(_row, shown)
    else:
        yield "No episode explains what this changes."
    if more := found.total - len(found.episodes):
        yield f"\n{more} more explain something of it."
    for line in _unexplained(found):
        yield f"\n{_unpinged(markdown_line(line[0].upper() + line[1:]))}."


def _row(episode: Reviewed) -> str:
    """Return the row of a table in Markdown for an episode; links to it mention nobody."""
    from ...formats.shared.markdown_text import markdown_line, markdown_link  # noqa: PLC0415 - few ask for it

    about = ", ".join(
        filter(None, (str(episode.attributes.get("date", ""))[:10], length(episode.attributes, marked=True)))
    )
    title = markdown_link(title_of(episode.attributes), episode.attributes.get("url", ""))
    more = len(episode.files) - _NAMED
    files = "<br>".join((*map(code, episode.files[:_NAMED]), *([f"and {more} more"] if more > 0 else [])))
    why = markdown_line(episode.reasons[0])
    return f"| {_unpinged(title)}{f' ({about})' if about else ''} | {files} | {_unpinged(why)} |"


def code(text: str) -> str:
    r"""Return a text as code in a cell of a table in Markdown, whatever is in it.

    >>> print(code("a|b.py"), code("`x`"))
    `a\|b.py` `` `x` ``
    """
    plain = "".join(letter if letter.isprintable() else "?" for letter in text)
    longest = max((len(run) for run in _runs(plain)), default=0)
    fence, pad = "`" * (longest + 1), " " if longest else ""
    return f"{fence}{pad}{plain}{pad}{fence}".replace("|", "\\|")


def _runs(text: str) -> list[str]:
    """Return the runs of backticks in a text."""
    return "".join(letter if letter == "`" else " " for letter in text).split()


def _unpinged(text: str) -> str:
    """Return a text without a working @ for anyone."""
    return text.replace("@", "@\u200b")
