"""``podgraph cites REF``: the episodes citing it, newest first, with the evidence."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

from podgraph.extractors import nearest
from podgraph.graph import cited_inside, default_repo, is_path, moments_of, name_of, role_of, title_of

from ..terminal import note, print_heading, print_table
from .shared.arguments import given
from .shared.asked import questions
from .shared.playlists import answered
from .shared.saved import asked_again, open_saved
from .shared.wording import PodcastColumn, counted, day, kind_name, note_doubt, note_total, with_moment

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from podgraph.graph import Citation, Cites, Evidence, NodeAttributes, Target, View

    from ..answers import Item
    from ..library import Graph

EXAMPLES = """examples:
  podgraph cites pytorch/pytorch#130935
  podgraph cites https://github.com/pytorch/pytorch/pull/130935/files
  podgraph cites 130935 --json
  podgraph cites c10/core/thread_pool.h
  podgraph cites https://pytorch.org/docs/stable/notes/cuda.html
  gh pr list --json url --jq '.[].url' | podgraph cites -

Piped: date, title, words that cite, page; for several references (or -) the id asked for comes first,
in a graph of several podcasts the podcast last.
Dates are bare in a pipe; "uncertain" in --json names what of an episode is not certain.
--fields all has every field; evidence has parts: --fields title,evidence.quote,evidence.url"""


def run(arguments: argparse.Namespace) -> int:
    """Answer, one reference after the other; 1 when nothing cites any of them."""
    typed: list[str] = arguments.ref
    words = [" ".join(typed)] if _is_phrase(typed) else questions(typed, quiet=arguments.quiet)
    graph = open_saved(arguments)
    told = [graph.cites(**given(arguments, "cites") | {"ref": word}) for word in words]
    answers = [one.raw for one in told]
    for answer in answers:
        if answer.guessed:
            note(f"took {answer.target.query!r} for {', '.join(answer.target.nodes)}", quiet=arguments.quiet)
    several = len(answers) > 1 or "-" in arguments.ref
    if not answered(arguments, told, graph.view, f"cite {', '.join(words)}", several=several):
        for answer in answers:
            _print_answer(answer, graph, arguments, several=several)
        if several or not sys.stdout.isatty():  # on a terminal the heading of one answer has its total
            shown, total = sum(len(answer.citations) for answer in answers), sum(answer.total for answer in answers)
            note_total(shown, total, "citation", quiet=arguments.quiet)
    return 0 if any(answer.citations for answer in answers) else 1


def _print_answer(answer: Cites, graph: Graph, arguments: argparse.Namespace, *, several: bool) -> None:
    """Print the citations: a table for a person, lines for a pipe, or a note that there are none."""
    view = graph.view
    if not answer.citations:
        note(_why_nothing(answer.target, graph, arguments, several=several), quiet=arguments.quiet)
    elif sys.stdout.isatty():
        _print_table(answer, view, arguments)
    else:
        print_table((), _lines(answer, (answer.target.id,) if several else (), PodcastColumn(view)))


def _why_nothing(target: Target, graph: Graph, arguments: argparse.Namespace, *, several: bool) -> str:
    """Return the message for a target without citations, with the best next step.

    In this order: a similar name, the content of a repository, the option ``--repo``, the episodes near a file.
    """
    as_written = f" ({target.query})" if target.query != target.id else ""
    if target.is_words:
        meant = _meant(() if several else _near(target.query, graph), arguments)
        return f"nothing is called {target.id!r}: no topic, symbol, label or title of a page; {meant}"
    inside = _inside(target, graph.view, arguments)
    if inside:
        return f"nothing cites {target.id} itself{as_written}; {inside}"
    default = f"github:{arguments.repo or default_repo(graph.view)}".lower()
    is_in_default = target.id.startswith((f"{default}#", f"{default}:")) and default[7:] not in target.query.lower()
    if is_in_default and graph.view.node(default) is None:
        return f"nothing cites {target.query!r}: no repository in the graph has it; give owner/repo, or --repo"
    # Hints from near nodes take longer than the answer, so only a single question gets them.
    leads = is_path(target.id) and not several and _leads_on(target.query, graph.view)
    where = asked_again(("podgraph", "where", target.query), arguments.graph)
    if leads:
        return f"nothing cites {target.id}{as_written}; {where} leads to the episodes nearest to it"
    similar = () if several or target.nodes else _near(target.query, graph)
    return f"nothing cites {target.id}{as_written}; {_meant(similar, arguments)}"


def _meant(near: Sequence[Item], arguments: argparse.Namespace) -> str:
    search = asked_again(("podgraph", "search"), arguments.graph)
    return f"did you mean {near[0].title!r}?" if near else f"{search} finds by words"


def _near(query: str, graph: Graph) -> Sequence[Item]:
    """Return nodes with a name like some words; none for an address or a number."""
    found = graph.search(query, 3) if query.replace(" ", "").isalpha() else ()
    return [one for one in found if nearest(query, [one.title, one.label])]


def _leads_on(path: str, view: View) -> bool:
    from podgraph.graph import leads_on  # noqa: PLC0415

    return leads_on(path, view)


def _inside(target: Target, view: View, arguments: argparse.Namespace) -> str:
    """Return how many episodes cite something in a repository, and how to list them; "" where none does."""
    count = cited_inside(target.id, view)
    asked = asked_again(("podgraph", "list", "episodes", "--repo", target.id.partition(":")[2]), arguments.graph)
    return f"what lies in it is cited by {counted(count, 'episode')}: {asked}" if count else ""


def _understood(target: Target, view: View) -> str:
    """Return the meaning of a reference: the label and kind of the node, and the number of further nodes."""
    node = view.node(target.id)
    if node is None:
        return f"{target.id} ({counted(len(target.nodes), 'node')})"
    others = len(target.nodes) - 1
    more = f", and {counted(others, 'thing')} in it" if others else ""
    kind = kind_name(node.get("kind", ""), 1, view.kinds)
    name, short = name_of(target.id, view), f"#{node.get('number')}"
    # The number of a pull request or issue, unless its name has it already.
    is_clear = short in name or not target.id.startswith("github:") or "number" not in node
    number = "" if is_clear else f" {target.id.removeprefix('github:')}"
    state = f", {node['state']}" if "state" in node else ""
    return f"{name} ({kind}{number}{state}{more})"


def _sources(citations: Iterable[Citation]) -> str:
    kinds = Counter(one.attributes.get("kind", "") for one in citations)
    return " and ".join(counted(count, kind) for kind, count in sorted(kinds.items(), reverse=True))


def _is_phrase(words: list[str]) -> bool:
    """Return whether the shell took one reference apart: ``PR 130935``, ``issue 12``."""
    return (
        len(words) == 2
        and words[0].lower() in ("pr", "pull", "issue", "gh", "pep", "rfc", "nep")
        and words[1].lstrip("#").isdigit()
    )


def _print_table(answer: Cites, view: View, arguments: argparse.Namespace) -> None:
    """Print the citations of a node as a table, with their number in the heading."""
    direct = [one for one in answer.citations.whole if not one.reasons]
    verb = "cited" if any("cites" in one.relations for one in direct) else "named"
    by = f"is {verb} by" if direct else "is cited by nobody; what changed it is cited by"
    shown = f" ({len(answer.citations)} shown)" if len(answer.citations) < answer.total else ""
    print_heading(f"{_understood(answer.target, view)} {by} {_sources(answer.citations.whole)}{shown}:")
    podcast = PodcastColumn(view)
    rows = [
        (
            day(one.attributes, marked=True),
            title_of(one.attributes) + _marked(one),
            "\n".join(_quotes(one)),
            one.attributes.get("url", ""),
            *podcast.cell(one.attributes),
        )
        for one in answer.citations
    ]
    headers = ("date", "episode", "says", "page", *podcast.header)
    print_table(headers, rows, wide=(1, 2, 3, 4), below=(2, 3))
    note_doubt((one.attributes for one in answer.citations), pages_too=True, quiet=arguments.quiet)
    if inside := _inside(answer.target, view, arguments):
        note(inside, quiet=arguments.quiet)


def _marked(one: Citation) -> str:
    """Return the addition to an episode's title: the person's role in it, and whether the link is boilerplate."""
    role = role_of({"role": one.role, "affiliation": one.affiliation})
    return "".join(f" ({mark})" for mark in (role, one.boilerplate and "boilerplate") if mark)


def _lines(answer: Cites, ahead: tuple[str, ...], podcast: PodcastColumn) -> list[tuple[str, ...]]:
    """Return a row for each quote, as a pipe gets them."""
    return [
        (
            *ahead,
            day(one.attributes, marked=False),
            title_of(one.attributes),
            quote,
            one.attributes.get("url", ""),
            *podcast.cell(one.attributes),
        )
        for one in answer.citations
        for quote in _quotes(one)
    ]


def _quotes(citation: Citation) -> list[str]:
    """Return the quotes, or the relations without a quote, and how they lead to a changed file."""
    if citation.reasons:
        return list(citation.reasons)
    proofs = dict.fromkeys(_proof(evidence, citation.attributes) for evidence in citation.evidence)
    return list(filter(None, proofs)) or [", ".join(citation.relations)]


def _proof(evidence: Evidence, episode: NodeAttributes) -> str:
    """Return the quote, the address behind it, and its moment, with the address of the recording if known."""
    quote, url = evidence.get("quote", ""), evidence.get("url", "")
    said = quote if not url or url in quote else f"{quote} <{url}>"
    return with_moment(said, episode, moments_of((evidence,)))
