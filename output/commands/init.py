"""Write settings and a workflow for a show's repository.

examples:
  podgraph init https://feeds.example/show.xml --title "Kiln hours: the map"
  podgraph init show.xml blog.atom --publish commit
  podgraph init https://feeds.example/show.xml --publish none     the settings alone
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

import tomlkit

from podgraph import __version__, extractors
from podgraph.extractors import FeedError, OutputError, QueryError, SourceError, may_reach

from ..config import NAME, folder_origin, is_not_path, load_config
from ..files import write_atomically
from ..terminal import note
from .installed import write_constraints

WORKFLOW = Path(".github/workflows/podgraph.yml")
CONSTRAINTS = Path(".github/podgraph-constraints.txt")
_RELEASE = f"podgraph=={__version__}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``podgraph init`` to its parser."""
    text = "the feeds, as `build` takes them; on a terminal, asked for if none"
    parser.add_argument("source", metavar="SOURCE", nargs="*", help=text)
    text = "by GitHub Pages (the default), by a commit of the folder site/, or not: no workflow"
    parser.add_argument("--publish", choices=("pages", "commit", "none"), default="pages", help=text)
    text = "what the workflow has pip install (default: podgraph of this version)"
    parser.add_argument("--install", default=_RELEASE, metavar="SPEC", help=text)
    parser.add_argument("--publish-private", action="store_true", help="publish a private feed's titles and notes, too")
    parser.add_argument("--force", action="store_true", help="replace files that are there")
    parser.add_argument("--title", default="", metavar="TEXT", help="the title of the page (default: the show's)")


def run(arguments: argparse.Namespace) -> int:
    """Write settings, workflow and constraints for a show's repository, and print the next steps.

    Return the exit status, 0. Raises ``PodgraphError`` for an invalid argument and for an existing file (without
    ``--force``); then nothing is written.
    """
    sources: list[str] = arguments.source
    has_workflow = arguments.publish != "none"
    if not sources and sys.stdin and sys.stdin.isatty() and not arguments.quiet:
        sources = _ask("The feed of the show: ").split()
        arguments.title = _ask("Title of the page (Enter: the show's): ")
    if not sources:
        raise QueryError("no feed is named", source="init", remedy="podgraph init https://feeds.example/show.xml")
    for source in sources:
        _check_source(source, is_public=has_workflow and not arguments.publish_private)
    is_secret = any(map(_has_key, sources))  # such an address must not be in a file
    texts = {Path(NAME): write_settings([] if is_secret else sources, arguments.title)}
    if has_workflow:
        is_private = arguments.publish_private
        texts[WORKFLOW] = write_workflow(
            arguments.publish, arguments.install, is_private=is_private, is_secret=is_secret
        )
        texts[CONSTRAINTS] = write_constraints()
    for path in texts:
        if not may_reach(folder_origin(), str(path)):
            raise OutputError("is a link out of this folder", source=str(path), remedy="remove the link")
        if path.exists() and not arguments.force:
            raise OutputError("is there already", source=str(path), remedy="--force replaces it")
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text.encode())
        note(f"wrote {path.as_posix()}")
    load_config()  # reports errors in the settings now, not in the first build
    note("next:")
    for number, step in enumerate(_list_steps(arguments, is_secret=is_secret), 1):
        note(f"  {number}. {step}")
    return 0


def _list_steps(arguments: argparse.Namespace, *, is_secret: bool) -> Iterator[str]:
    """Yield the next steps for the show's host, one sentence each, after ``init`` with these ``arguments``.

    ``is_secret`` says that the address of a feed is a secret, which must not be in a file.
    """
    yield f"podgraph build {'ADDRESS ' * is_secret}--open    (its page, here)"
    if arguments.publish == "none":
        return
    if arguments.install == _RELEASE:
        remedy = "init again with --force --install git+https://HOST/OWNER/podgraph@COMMIT"
        yield f"the workflow installs {_RELEASE}: until that is released, {remedy}"
    yield "commit and push these files"
    if is_secret:
        name = "a secret PODGRAPH_FEEDS with the address of the feed"
        yield f"at GitHub, Settings > Secrets and variables > Actions: {name}"
    if arguments.publish == "pages":
        yield "at GitHub, Settings > Pages: let the source be GitHub Actions"
    commits = " and commits site/" if arguments.publish == "commit" else ""
    yield f"Actions > The map of the show > Run workflow; then it runs each Monday{commits}"


def _check_source(source: str, *, is_public: bool) -> None:
    """Raise ``PodgraphError`` for a source that is a missing file, or a file outside of the folder.

    If the workflow publishes the show (``is_public``), also raise it for a private feed. A feed is private as far as
    its address, its file or its copy in the cache shows it.
    """
    if not is_not_path(source):
        if not may_reach(folder_origin(), source):
            problem = f"is outside of this folder, and {NAME} may name nothing there"
            raise OutputError(problem, source=source, remedy="copy it into this folder, or give its address")
        if not Path(source).exists():
            remedy = "check the path, or give its address"
            raise SourceError("there is no such file", source=source, remedy=remedy)
    if not is_public:
        return
    is_private = _has_key(source)
    copies = () if is_private or source == "-" else extractors.read_sources([source], offline=True).read
    with suppress(FeedError):
        is_private = is_private or any(extractors.map_feed(copy, "", ())[0].private for copy in copies)
    if is_private:
        problem = "is private, and the workflow would publish its titles and notes"
        raise OutputError(problem, source=source, remedy="if its owner agrees, add --publish-private")


def _has_key(source: str) -> bool:
    """Return whether the address of a source has a key, such as a token or a password."""
    return any(extractors.keys_of(source))


def _ask(question: str) -> str:
    """Print a question on standard error, and return the answer from standard input."""
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()


def write_settings(sources: Sequence[str], title: str) -> str:
    """Return the text of a new ``podgraph.toml`` with the feeds ``sources`` ([]: none) and a ``title`` ("": none)."""
    lines = ["# What `podgraph build` does here when no option overrules it; docs/show.md has all keys."]
    if sources:
        lines.append(f"sources = {tomlkit.item([*sources]).as_string()}")
    if title:
        lines.append(f"title = {tomlkit.item(title).as_string()}")
    corrections = "[corrections]  # drop, rename, merge, relate, unrelate, same, no_person, boilerplate"
    return "\n".join((*lines, "", corrections, ""))


def write_workflow(publish: str, install: str, *, is_private: bool = False, is_secret: bool = False) -> str:
    """Return the text of the workflow (YAML for GitHub Actions) that builds and publishes the page.

    ``publish`` is ``pages`` or ``commit``, ``install`` the argument for pip. ``is_private`` publishes private feeds,
    too. With ``is_secret``, the addresses of the feeds come from a secret of the repository.
    """
    from jinja2 import Environment  # noqa: PLC0415 - only for this file

    template = Environment(  # noqa: S701 - the text is YAML, and full of GitHub's own {{ }}
        line_statement_prefix="#%", variable_start_string="@{", variable_end_string="}@", keep_trailing_newline=True
    ).from_string(files(__package__).joinpath("workflow.yml").read_text("utf-8"))
    # A text in JSON without its quotes, which the template has around it.
    return template.render(
        pages=publish == "pages", install=json.dumps(install)[1:-1], is_private=is_private, is_secret=is_secret
    )
