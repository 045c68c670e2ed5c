"""The questions to a graph, with their parameters: one row a question.

The command's options, the methods of ``podgraph.Graph`` (``output/asking.py``), the assistants' tools and the docs
come from these rows. To add a question, add a row, a function in a file beside this one,
a line of ``_functions`` in ``output/library.py`` and, for the printed answer, a file in ``output/commands``.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from ..kinds import KINDS

STATUSES = ("ok", "moved", "gone", "private", "unknown")
STATES = ("open", "draft", "merged", "closed")
SORTS = ("date", "title", "number", "id", "count")


class Parameter(NamedTuple):
    """A parameter of a question.

    ``name`` is the method's argument, ``help`` the text for commands and assistants, ``aside`` an addition for the
    command only. Without ``flags`` it is positional: ``nargs`` is as in argparse, ``metavar`` its placeholder.
    ``form`` is its type; a ``switch`` is a flag, ``limit`` a number with 0 for all. With the ``default``
    ``None``, the command decides, and the method's default is 0. For assistants, ``tool`` has another default and a
    maximum of a number.
    """

    name: str
    help: str
    flags: tuple[str, ...] = ()
    metavar: str = ""
    form: Literal["text", "texts", "number", "limit", "switch", "repository", "year", "day", "file"] = "text"
    default: str | int | None = ""
    choices: tuple[str, ...] = ()
    nargs: str = ""
    aside: str = ""
    tool: tuple[int, int] = (10, 50)


class Question(NamedTuple):
    """A question: its purpose, its parameters, and their names for assistants (empty: not one of their tools).

    Assistants read its ``title`` and when to ``use`` it. ``apart`` are two switches excluding each other;
    ``playlist`` describes the episodes of a playlist written by ``-o``.
    """

    answers: str
    parameters: tuple[Parameter, ...]
    tools: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    playlist: str = ""
    title: str = ""
    use: str = ""


def span_parameters(what: str) -> tuple[Parameter, ...]:
    """Return the two parameters for selecting ``what`` by date."""
    return (
        Parameter(
            "since",
            f"only {what} from this day, month or year on: 2024-03-09, 2024-03, 2024",
            ("--since",),
            "DATE",
            "day",
        ),
        Parameter(
            "until",
            f"only {what} up to this day, month or year: 2024-03-09, 2024-03, 2024",
            ("--until",),
            "DATE",
            "day",
        ),
    )


def _selection(what: str) -> tuple[Parameter, ...]:
    """Return the parameters that select episodes of an answer. ``what`` names these in the help."""
    return (
        Parameter(
            "podcast", f"only {what} of this podcast: its title, a part of it, or its id", ("--podcast",), "NAME"
        ),
        Parameter(
            "group", f"only {what} of podcasts under this heading of a list of feeds (OPML)", ("--group",), "NAME"
        ),
        *span_parameters(what),
        Parameter("reverse", "the last first", ("--reverse",), form="switch"),
    )


def _limit(what: str, default: int | None = 0, tool: tuple[int, int] = (10, 50), usual: int = 0) -> Parameter:
    aside = f"; 0: all (default: {usual or default or 'all'})"
    return Parameter("n", f"at most so many {what}", ("-n", "--limit"), "N", "limit", default, aside=aside, tool=tool)


def _repo(said: str) -> Parameter:
    return Parameter("repo", said, ("--repo",), "OWNER/NAME", "repository")


_ABOUT = "what bare numbers and paths are of (default: the repository that the graph is about)"
_ALSO = (
    "a URL, owner/repo#N, #N, N, PR N, owner/repo@sha, a path, a docs or blog page, a paper, a symbol, a topic, "
    "a node id"
)
_EPISODE = Parameter("episode", "a title or part of one, a number, a URL, an id", metavar="EPISODE")
_BOILERPLATE = Parameter("with_boilerplate", "", ("--with-boilerplate",), form="switch")

QUESTIONS = {
    "cites": Question(
        "Which episodes and posts cite something, newest first, each with the quote.",
        (
            Parameter("ref", _ALSO, metavar="REF", nargs="+", aside="; - reads one a line from standard input"),
            _repo(_ABOUT),
            _limit("episodes and posts for each"),
            *_selection("episodes"),
        ),
        ("ref", "repo", "n"),
        title="Episodes that cite something",
        use="Use it for anything with an address (https://) or a number: a pull request, issue, commit, "
        "page, paper, post, package or person.",
    ),
    "show": Question(
        "One node: what it is, and its neighbours by relation, along edges (out) and against them (in).",
        (
            Parameter(
                "node",
                "a node id, an episode's title, number or page, or a reference as `cites` takes it",
                metavar="NODE",
            ),
            _repo(_ABOUT),
        ),
        ("node", "repo"),
        title="Details of one thing",
        use="Use it for the details of one episode, topic, pull request or person, and everything known of "
        "it: notes, date, how long it is, links.",
    ),
    "where": Question(
        "Where a name or a path of code is defined, its docs, and the episodes about it, the best first.",
        (
            Parameter(
                "name",
                "a symbol, a file, a folder, FILE:LINE, or its address",
                metavar="NAME|PATH",
                nargs="+",
                aside="; - reads lines from standard input",
            ),
            _limit("episodes and posts about each (2 if several names are given)", None, usual=5),
            *_selection("episodes"),
            Parameter("symbols", "all the names that a file defines, not the first few", ("--symbols",), "", "switch"),
        ),
        ("name", "n"),
        title="Episodes about a piece of code",
        use="Use it for a symbol (torch.vmap), a class, a function, a file or a folder.",
    ),
    "explain": Question(
        "The episodes that explain a pasted text: a traceback, a log line, a flag, a name, a commit's title, a diff.",
        (
            Parameter("text", "what you have in hand", metavar="TEXT", nargs="*", aside="; none, or -: standard input"),
            _limit("episodes and posts", 5),
            *_selection("episodes"),
        ),
        ("text", "n"),
        title="Episodes that explain a pasted text",
        use="Use it for a traceback, an error message, a log line, a flag or a commit's title.",
    ),
    "review": Question(
        "One ranked list of the episodes that explain a whole change, each with the files it explains and why.",
        (
            Parameter(
                "paths",
                "files that are changed",
                metavar="PATH",
                form="texts",
                nargs="*",
                aside="; none, or -: standard input, a diff or names",
            ),
            _limit("episodes and posts", 8),
            *_selection("episodes"),
        ),
        ("paths", "n"),
        title="Episodes that explain a change",
        use="Use it for a diff or several changed files.",
    ),
    "why": Question(
        "What each extractor saw in a passage of an episode's notes, and what dropped the rest.",
        (
            _EPISODE,
            Parameter("text", "a passage of its title or notes, or any words", metavar="TEXT"),
            _repo("the repository that a bare #N means"),
            Parameter(
                "vocabulary", "the topics to look for, as `build` takes it", ("--vocabulary",), "FILE", "file", None
            ),
        ),
    ),
    "related": Question(
        "The episodes most related to one, each with its reasons.",
        (_EPISODE, *_selection("episodes"), _limit("episodes", 5, (5, 20))),
        ("episode", "podcast", "n"),
        playlist="the episodes",
        title="Similar episodes",
        use="Use it for what to listen to next, or episodes like one.",
    ),
    "order": Question(
        "A listening order, prerequisites first: of a topic, for an episode, or of everything.",
        (
            Parameter("name", "an episode, or a topic's name; none: everything", metavar="EPISODE|TOPIC", nargs="?"),
            Parameter("topic", "take the name for a topic's", ("--topic",), form="switch"),
            Parameter("episode", "take the name for an episode's", ("--episode",), form="switch"),
            Parameter(
                "heard",
                "leave out the episodes in this file: a title, id or address a line, or OPML",
                ("--heard",),
                "FILE",
                "file",
                None,
            ),
            *_selection("episodes"),
            _limit("episodes, from the beginning", 0, (20, 100)),
        ),
        ("name", "podcast", "n"),
        apart=("topic", "episode"),
        playlist="the order",
        title="Listening order",
        use="Use it for a plan to learn a topic, and for what to hear first or before an episode.",
    ),
    "path": Question(
        "How two nodes are connected, relation by relation, the most meaningful way first.",
        (
            Parameter("a", "an episode, or anything that `cites` takes", metavar="A"),
            Parameter("b", "an episode, or anything that `cites` takes", metavar="B"),
            Parameter(
                "n", "at most so many ways", ("-n", "--limit"), "N", "number", 1, aside=" (default: 1)", tool=(1, 5)
            ),
        ),
        ("a", "b", "n"),
        title="How two things are connected",
        use="Use it for the connection between two things of any kind.",
    ),
    "search": Question(
        "Nodes by label, id, address and notes, the best first; words may be cut short or misspelt.",
        (
            Parameter("text", "words, which may be cut short; a phrase in double quotes", metavar="TEXT", nargs="+"),
            *_selection("episodes, and what they name,"),
            _limit("nodes", 20),
            Parameter("kind", "only nodes of a kind, as `list` has them", ("--kind",), "KIND"),
        ),
        ("text", "kind", "podcast", "n"),
        playlist="the episodes among them",
        title="Search by words",
        use="Use it to find words, ideas and half-remembered titles, where no other tool fits.",
    ),
    "list": Question(
        "The nodes of a kind, narrowed and sorted, with how many name each.",
        (
            Parameter("kind", ", ".join(sorted(KINDS.listed())), metavar="KIND"),
            Parameter("year", "episodes of that year, and what they name", ("--year",), "YEAR", "year", None),
            _repo("what lies in that repository, or episodes that name it"),
            Parameter("topic", "episodes about that topic, and what they name", ("--topic",), "TOPIC"),
            Parameter("status", "links of that state", ("--status",), choices=STATUSES),
            Parameter("state", "pull requests and issues of that state", ("--state",), choices=STATES),
            Parameter("sort", "default: episodes by date, others by count", ("--sort",), choices=SORTS),
            *_selection("episodes, and what they name,"),
            _limit("nodes", 0, (20, 100)),
            _BOILERPLATE._replace(help="count what nearly every episode of a show says (sponsors, handles) too"),
        ),
        ("kind", "topic", "repo", "podcast", "since", "until", "sort", "n"),
        playlist="the episodes or posts",
        title="List things of a kind",
        use="Use it to list the newest or all episodes, topics, pull requests, papers or people: those from "
        "some days, about a topic, in a repository, or cited most.",
    ),
    "stats": Question(
        "What the graph holds: counts by kind, relation, area and year; the most cited.",
        (
            _BOILERPLATE._replace(help="count what nearly every episode says (sponsors, handles) like everything else"),
            _limit("nodes in each ranking", 10),
        ),
        ("n",),
        title="Figures of the graph",
        use="Use it for how many episodes and links there are, over which years.",
    ),
}
