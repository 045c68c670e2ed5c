"""``podgraph cites REF``: which episodes cite it, newest first, with the proof."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

from podgraph.extractors import QueryError, default_subject
from podgraph.graph import Citation, Target, citing, resolve_reference

from ..terminal import note, print_heading, print_json, print_table
from .shared.arguments import repository
from .shared.saved import add_graph_argument, open_view
from .shared.words import counted, day, kind_name, note_doubt, told

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from podgraph.graph import View

_EXAMPLES = """examples:
  podgraph cites pytorch/pytorch#130935
  podgraph cites https://github.com/pytorch/pytorch/pull/130935/files
  podgraph cites 130935 --json
  podgraph cites c10/core/thread_pool.h
  podgraph cites https://pytorch.org/docs/stable/notes/cuda.html
  gh pr list --json url --jq '.[].url' | podgraph cites -

Piped: date, title, words that cite, page; for several references (or -) the id asked for comes first.
Dates are bare in a pipe; "uncertain" in --json names what of an episode is not certain."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "reference", metavar="REF", nargs="+",
        help="a URL, owner/repo#N, #N, N, PR N, owner/repo@sha, a path, a docs or blog page, a paper, a symbol, "
        "a topic, a node id; - reads one a line from standard input",
    )  # fmt: skip
    parser.add_argument(
        "--repo",
        type=repository,
        default=default_subject().repo,
        metavar="OWNER/NAME",
        help="what bare numbers and paths are of (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="JSON for programs")
    add_graph_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Answer, one reference after the other; 1 when nothing cites any of them."""
    words = _words(arguments.reference)
    view = open_view(arguments)
    targets = [_target(word, view, arguments.repo, quiet=arguments.quiet) for word in words]
    answers = [(target, citing(target, view)) for target in targets]
    if arguments.json:
        results = [_as_json(target, citations) for target, citations in answers]
        print_json(results[0] if len(results) == 1 and "-" not in arguments.reference else results)
    else:
        several = len(answers) > 1 or "-" in arguments.reference
        for target, citations in answers:
            if not citations:
                note(_nothing(target), quiet=arguments.quiet)
            elif sys.stdout.isatty():
                verb = "cited" if any("cites" in one.relations for one in citations) else "named"
                print_heading(f"{_understood(target, view)} is {verb} by {_sources(citations)}:")
                _print(citations, quiet=arguments.quiet)
            else:
                print_table((), _lines(citations, (target.id,) if several else ()))
    return 0 if any(citations for _, citations in answers) else 1


def _words(words: list[str]) -> list[str]:
    """Return the references that were given, those of standard input in the place of ``-``."""
    if _is_phrase(words):
        return [" ".join(words)]
    found: list[str] = []
    for word in words:
        found += [line.strip() for line in sys.stdin if line.strip()] if word == "-" else [word]
    if not found:
        raise QueryError("standard input holds no reference", remedy="give one a line")
    return found


def _target(word: str, view: View, repo: str, *, quiet: bool) -> Target:
    """Resolve a reference; words that are nobody's name may be the title of a page, and then it is said which."""
    target = resolve_reference(word, view, repo)
    if " " not in word.strip() or _is_called(target, word, view):
        return target
    from .shared.titles import titled  # noqa: PLC0415 - the titles are in the index, which few references need

    pages = titled(word, view)
    if pages:
        target = Target(word, pages[0], pages)
    if target.nodes:
        note(f"took {word!r} for {', '.join(target.nodes)}", quiet=quiet)
    return target


def _is_called(target: Target, word: str, view: View) -> bool:
    """Tell whether a reference is an id or an address, or a node's whole name rather than another name of it."""
    if not target.nodes:
        return not _is_title(target.id)
    node = view.node(target.id) or {}
    return node.get("kind") != "topic" or str(node.get("label", "")).casefold() == " ".join(word.casefold().split())


def _is_title(id_: str) -> bool:
    """Tell whether a reference was understood as nothing: neither an id nor an address, and words all the same."""
    return " " in id_ and ":" not in id_


def _nothing(target: Target) -> str:
    asked = f" ({target.query})" if target.query != target.id else ""
    if _is_title(target.id):
        return (
            f"nothing is called {target.id!r}: no topic, symbol, label or title of a page; "
            f"try `podgraph search` or `podgraph where` with it"
        )
    is_path = target.id.startswith("github:") and target.id.count(":") > 1
    hint = "; `podgraph where` knows what is defined in it, and who talks about that" if is_path else ""
    return f"nothing cites {target.id}{asked}{hint}"


def _understood(target: Target, view: View) -> str:
    """Say what a reference was taken for: the label and kind of the node, and how many others go with it."""
    node = view.node(target.id)
    if node is None:
        return f"{target.id} ({counted(len(target.nodes), 'node')})"
    others = len(target.nodes) - 1
    more = f", and {counted(others, 'thing')} in it" if others else ""
    return (
        f"{node.get('title') or node.get('label', target.id)} ({kind_name(str(node.get('kind')), 1, view.kinds)}{more})"
    )


def _sources(citations: list[Citation]) -> str:
    kinds = Counter(str(one.attributes.get("kind", "")) for one in citations)
    return " and ".join(counted(count, kind) for kind, count in sorted(kinds.items(), reverse=True))


def _is_phrase(words: list[str]) -> bool:
    """Tell whether the shell took one reference apart: ``PR 130935``, ``issue 12``."""
    return (
        len(words) == 2
        and words[0].lower() in ("pr", "pull", "issue", "gh", "pep", "rfc", "nep")
        and words[1].lstrip("#").isdigit()
    )


def _print(citations: list[Citation], *, quiet: bool) -> None:
    rows = [
        (day(one.attributes, marked=True), _title(one), "\n".join(_quotes(one)), str(one.attributes.get("url", "")))
        for one in citations
    ]
    print_table(("date", "episode", "says", "page"), rows, wide=(1, 2, 3), below=(2, 3))
    note_doubt((one.attributes for one in citations), pages_too=True, quiet=quiet)


def _lines(citations: list[Citation], ahead: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return a row for each quote, as a pipe gets them."""
    return [
        (*ahead, day(one.attributes, marked=False), _title(one), quote, str(one.attributes.get("url", "")))
        for one in citations
        for quote in _quotes(one)
    ]


def _title(citation: Citation) -> str:
    return str(citation.attributes.get("title") or citation.attributes.get("label", ""))


def _quotes(citation: Citation) -> list[str]:
    """Return the words that cite, or the relations where nobody said a word."""
    return list(dict.fromkeys(map(_proof, citation.evidence))) or [", ".join(citation.relations)]


def _proof(evidence: Mapping[str, Any]) -> str:
    quote, url = str(evidence.get("quote", "")), str(evidence.get("url", ""))
    return quote if not url or url in quote else f"{quote} <{url}>"


def _as_json(target: Target, citations: list[Citation]) -> dict[str, Any]:
    return {
        "query": target.query,
        "id": target.id,
        "found": bool(citations),
        "episodes": [
            {
                "id": citation.episode,
                "title": citation.attributes.get("title") or citation.attributes.get("label", ""),
                **told(citation.attributes),
                "cites": list(citation.targets),
                "evidence": [dict(evidence) for evidence in citation.evidence],
            }
            for citation in citations
        ],
    }
