"""``podgraph cites REF``: which episodes cite it, newest first, with the proof."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from graph import Citation, citing, resolve_reference

from ..saved import add_graph_argument, open_view
from ..terminal import note, print_heading, print_json, print_table

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from graph import Target

_EXAMPLES = """examples:
  podgraph cites pytorch/pytorch#130935
  podgraph cites https://github.com/pytorch/pytorch/pull/130935/files
  podgraph cites 130935 --json
  podgraph cites c10/core/thread_pool.h
  podgraph cites https://pytorch.org/docs/stable/notes/cuda.html"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "reference", metavar="REF", nargs="+",
        help="a URL, owner/repo#N, #N, N, PR N, owner/repo@sha, a path, a docs or blog page, a paper, a symbol, "
        "a topic, a node id",
    )  # fmt: skip
    parser.add_argument(
        "--repo",
        default="pytorch/pytorch",
        metavar="OWNER/NAME",
        help="what bare numbers and paths are of (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="JSON for programs")
    add_graph_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Answer, one reference after the other; 1 when nothing cites any of them."""
    view = open_view(arguments)
    words = [" ".join(arguments.reference)] if _is_phrase(arguments.reference) else arguments.reference
    answers = [
        (target, citing(target, view)) for target in (resolve_reference(word, view, arguments.repo) for word in words)
    ]
    if arguments.json:
        results = [_as_json(target, citations) for target, citations in answers]
        print_json(results[0] if len(results) == 1 else results)
    else:
        for target, citations in answers:
            if len(answers) > 1 and citations:
                print_heading(target.id)
            if citations:
                _print(citations)
            else:
                note(_nothing(target), quiet=arguments.quiet)
    return 0 if any(citations for _, citations in answers) else 1


def _nothing(target: Target) -> str:
    asked = f" ({target.query})" if target.query != target.id else ""
    is_path = target.id.startswith("github:") and target.id.count(":") > 1
    hint = "; `podgraph where` knows what is defined in it, and who talks about that" if is_path else ""
    return f"nothing cites {target.id}{asked}{hint}"


def _is_phrase(words: list[str]) -> bool:
    """Tell whether the shell took one reference apart: ``PR 130935``, ``issue 12``."""
    return (
        len(words) == 2
        and words[0].lower() in ("pr", "pull", "issue", "gh", "pep", "rfc", "nep")
        and words[1].lstrip("#").isdigit()
    )


def _print(citations: list[Citation]) -> None:
    rows = []
    piped = not sys.stdout.isatty()
    for citation in citations:
        episode = citation.attributes
        head = (str(episode.get("date", ""))[:10], str(episode.get("title") or episode.get("label", "")))
        proofs = dict.fromkeys(_proof(evidence) for evidence in citation.evidence)
        quotes = list(proofs) or [", ".join(citation.relations)]
        url = str(episode.get("url", ""))
        rows += [(*head, quote, url) for quote in quotes] if piped else [(*head, "\n".join(quotes), url)]
    print_table(("date", "episode", "says", "page"), rows, wide=(1, 2, 3), spare=(3,))


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
                **({"date": str(citation.attributes["date"])[:10]} if "date" in citation.attributes else {}),
                **({"url": citation.attributes["url"]} if "url" in citation.attributes else {}),
                "cites": list(citation.targets),
                "evidence": [dict(evidence) for evidence in citation.evidence],
            }
            for citation in citations
        ],
    }
