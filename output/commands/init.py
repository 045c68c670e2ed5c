"""``podgraph init``: settings, and a workflow that builds and publishes the page of a show, in its repository."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

from podgraph import __version__, extractors
from podgraph.extractors import OutputError, may_reach

from ..config import NAME, folder_origin, is_no_path, load_config
from ..files import write_text
from ..json_text import toml_text
from ..terminal import note
from .installed import constraints

EXAMPLES = """examples:
  podgraph init https://feeds.example/show.xml --title "Kiln hours: the map"
  podgraph init show.xml blog.atom --publish commit
  podgraph init https://feeds.example/show.xml --publish none     the settings alone"""

WORKFLOW = Path(".github/workflows/podgraph.yml")
CONSTRAINTS = Path(".github/podgraph-constraints.txt")
_RELEASE = f"podgraph=={__version__}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = EXAMPLES
    parser.add_argument(
        "source", metavar="SOURCE", nargs="*", help="the feeds, as `build` takes them; on a terminal, asked for if none"
    )
    parser.add_argument(
        "--publish", choices=("pages", "commit", "none"), default="pages",
        help="by GitHub Pages (the default), by a commit of the folder site/, or not: no workflow",
    )  # fmt: skip
    parser.add_argument(
        "--install", default=_RELEASE, metavar="SPEC",
        help="what the workflow has pip install (default: podgraph of this version)",
    )  # fmt: skip
    parser.add_argument("--publish-private", action="store_true", help="publish a private feed's titles and notes, too")
    parser.add_argument("--force", action="store_true", help="replace files that are there")
    parser.add_argument("--title", default="", metavar="TEXT", help="the title of the page (default: the show's)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the files, or none where one is there already or something will not do."""
    if not arguments.source and sys.stdin and sys.stdin.isatty() and not arguments.quiet:
        arguments.source = _ask("The feed of the show: ").split()
        arguments.title = _ask("Title of the page (Enter: the show's): ")
    if not arguments.source:
        raise extractors.QueryError(
            "no feed is named", source="init", remedy="podgraph init https://feeds.example/show.xml"
        )
    _check_files(arguments)
    if arguments.publish != "none" and not arguments.publish_private:
        _check_public(arguments.source)
    keyed = any(map(_has_key, arguments.source))  # such an address is a secret of its own, and no line of a file
    _check_targets(arguments)
    if keyed:
        arguments.source = []
    written = {Path(NAME): settings(arguments)}
    if arguments.publish != "none":
        written[WORKFLOW] = workflow(
            arguments.publish, arguments.install, publish_private=arguments.publish_private, keyed=keyed
        )
        written[CONSTRAINTS] = constraints()
    for path, text in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, [text])
        note(f"wrote {path.as_posix()}", quiet=arguments.quiet)
    load_config()  # reports errors in the settings now, not in the first build
    note("next:", quiet=arguments.quiet)
    for number, step in enumerate(_list_steps(arguments, keyed=keyed), 1):
        note(f"  {number}. {step}", quiet=arguments.quiet)
    return 0


def _list_steps(arguments: argparse.Namespace, *, keyed: bool) -> Iterator[str]:
    """Yield the host's next steps."""
    yield f"podgraph build {'ADDRESS ' * keyed}--open    (its page, here)"
    if arguments.publish == "none":
        return
    if arguments.install == _RELEASE:
        remedy = "init again with --force --install git+https://HOST/OWNER/podgraph@COMMIT"
        yield f"the workflow installs {_RELEASE}: until that is released, {remedy}"
    yield "commit and push these files"
    if keyed:
        name = "a secret PODGRAPH_FEEDS with the address of the feed"
        yield f"at GitHub, Settings > Secrets and variables > Actions: {name}"
    if arguments.publish == "pages":
        yield "at GitHub, Settings > Pages: let the source be GitHub Actions"
    commits = " and commits site/" if arguments.publish == "commit" else ""
    yield f"Actions > The map of the show > Run workflow; then it runs each Monday{commits}"


def _check_files(arguments: argparse.Namespace) -> None:
    """Raise ``PodgraphError`` for a missing file, or a file not allowed in ``podgraph.toml``."""
    for path in arguments.source:
        if is_no_path(path):
            continue
        if not may_reach(folder_origin(), path):
            problem = f"is outside of this folder, and {NAME} may name nothing there"
            raise OutputError(problem, source=path, remedy="copy it into this folder, or give its address")
        if not Path(path).exists():
            raise extractors.SourceError(
                "there is no such file", source=path, remedy="check the path, or give its address"
            )


def _check_targets(arguments: argparse.Namespace) -> None:
    """Raise ``PodgraphError`` for an option that will not do, and for a file that must not be written."""
    for path in (Path(NAME), *([WORKFLOW, CONSTRAINTS] if arguments.publish != "none" else [])):
        if not may_reach(folder_origin(), str(path)):
            raise OutputError("is a link out of this folder", source=str(path), remedy="remove the link")
        if path.exists() and not arguments.force:
            raise OutputError("is there already", source=str(path), remedy="--force replaces it")


def _check_public(sources: Sequence[str]) -> None:
    """Raise ``OutputError`` for a private feed, as far as addresses, files and copies in the cache show one."""
    for source in sources:
        read = () if source == "-" or _has_key(source) else extractors.read_sources([source], offline=True).read
        with suppress(extractors.FeedError):
            if _has_key(source) or any(extractors.map_feed(one, "", ())[0].private for one in read):
                problem = "is private, and the workflow would publish its titles and notes"
                raise OutputError(problem, source=source, remedy="if its owner agrees, add --publish-private")


def _has_key(source: str) -> bool:
    return any(extractors.keys_of(source))


def _ask(question: str) -> str:
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()


def settings(arguments: argparse.Namespace) -> str:
    """Return the text of ``podgraph.toml``."""
    lines = ["# What `podgraph build` does here when no option overrules it; docs/show.md has all keys."]
    if arguments.source:
        lines.append(f"sources = [{', '.join(map(toml_text, arguments.source))}]")
    if arguments.title:
        lines.append(f"title = {toml_text(arguments.title)}")
    corrections = "[corrections]  # drop, rename, merge, relate, unrelate, same, no_person, boilerplate"
    return "\n".join((*lines, "", corrections, ""))


def workflow(publish: str, install: str, *, publish_private: bool = False, keyed: bool = False) -> str:
    """Return the text of the workflow that builds and publishes the page; private feeds only on request.

    If the addresses of the feeds are ``keyed``, they are in a secret of the repository.
    """
    from jinja2 import Environment  # noqa: PLC0415 - only for this file

    template = Environment(  # noqa: S701 - the text is YAML, and full of GitHub's own {{ }}
        line_statement_prefix="#%", variable_start_string="@{", variable_end_string="}@", keep_trailing_newline=True
    ).from_string(files(__package__).joinpath("workflow.yml").read_text("utf-8"))
    return template.render(
        pages=publish == "pages", install=json.dumps(install)[1:-1], publish_private=publish_private, keyed=keyed,
        no_playlist=" || echo 'There is no playlist.'" * publish_private,  # a playlist of a private feed is refused
    )  # fmt: skip
