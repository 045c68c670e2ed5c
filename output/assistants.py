"""The questions for assistants, over the Model Context Protocol: each a tool with its schemas, and short answers.

The only file that imports ``mcp``, the protocol's own SDK. A tool takes what the method of ``podgraph.Graph`` takes,
and gives the answer's ``to_dict()``, by the schema that ships with the package.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

from anyio import run
from jsonschema import Draft202012Validator
from mcp import MCPError, types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from podgraph import __version__
from podgraph.extractors import NotFoundError, PodgraphError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp.server import ServerRequestContext

    from .library import Graph

    Form = dict[str, object]

_INSTRUCTIONS = """The knowledge graph of podcasts and what they cite: which episodes explain a piece of code, cite a
pull request, an issue, a paper or a page, and in which words. Begin with `where` for code (a symbol, a path), `cites`
for anything that has an address or a number, `search` for words. Every answer has its proof; say it with the episode's
title, date and url. A node's id leads on: `show`, or the resource podgraph://node/ID."""
_CONTRACT = "podgraph://contract"
_NODE = "podgraph://node/"
_LIST = "items"  # what a list is called: the protocol wants an object
_TOTAL = "total"  # of a list before its limit
_INVALID = -32602  # JSON-RPC's code for parameters that are wrong


def _text(said: str) -> Form:
    return {"type": "string", "description": said, "maxLength": 1000}


def _number(said: str, default: int, most: int) -> Form:
    return {"type": "integer", "description": said, "default": default, "minimum": 1, "maximum": most}


_EPISODE = _text("An episode: its title or an unambiguous part of it, its number, its page's address, an id.")
_PODCAST = _text("Only episodes of this podcast: its title, a part of it, or its id.")
_REPO = _text("The repository, owner/name, that bare numbers and paths are of.")
_THING = "a URL in any spelling, owner/repo#12, #12, a path, a symbol, a topic, a paper, a node's id"
_DAY = "2024, 2024-03 or 2024-03-09"


class _Tool(NamedTuple):
    """A question as a tool: what it answers, what it takes, what of that is needed."""

    said: str
    takes: dict[str, Form]
    needs: tuple[str, ...] = ()


# The methods of ``Graph`` that are tools, with the arguments that assistants need, and limits that keep answers short.
_TOOLS = {
    "where": _Tool(
        "Where a name or a path of code stands, its docs, and the episodes about it, the most telling first.",
        {"name": _text("A symbol, a file, a folder, FILE:LINE, or its address.")},
        ("name",),
    ),
    "cites": _Tool(
        "Which episodes and posts cite something, newest first, each with the words that do.",
        {
            "ref": _text(f"What to look for: {_THING}."),
            "repo": _REPO,
            "n": _number("At most so many, in full; else a short answer.", 10, 50),
        },
        ("ref",),
    ),
    "review": _Tool(
        "One ranked list of the episodes that explain a whole change, each with the files it explains and why.",
        {
            "paths": {
                "type": "array",
                "items": _text("A path in the repository."),
                "minItems": 1,
                "maxItems": 2000,
                "description": "The files that are changed.",
            },
        },
        ("paths",),
    ),
    "search": _Tool(
        "Nodes by label, id, address and notes, the best first; words may be cut short or misspelt.",
        {
            "text": _text("Words; a phrase in double quotes."),
            "kind": _text("Only this kind: episodes, topics, pulls, papers, …"),
            "podcast": _PODCAST,
            "n": _number("At most so many.", 10, 50),
        },
        ("text",),
    ),
    "show": _Tool(
        "One node: what it is, and its neighbours by relation, along edges (out) and against them (in).",
        {"node": _text(f"An episode's title or number, or {_THING}."), "repo": _REPO},
        ("node",),
    ),
    "related": _Tool(
        "The episodes most related to one, each with its reasons.",
        {"episode": _EPISODE, "podcast": _PODCAST, "n": _number("At most so many.", 5, 20)},
        ("episode",),
    ),
    "order": _Tool(
        "A listening order, prerequisites first: of a topic, for an episode, or of everything.",
        {
            "name": _text("A topic, or an episode; none: everything."),
            "podcast": _PODCAST,
            "n": _number("At most so many, from the beginning.", 20, 100),
        },
    ),
    "path": _Tool(
        "How two nodes are connected, relation by relation, the most meaningful way first.",
        {
            "a": _text(f"An episode, or {_THING}."),
            "b": _text("The other one."),
            "k": _number("At most so many ways.", 1, 5),
        },
        ("a", "b"),
    ),
    "list": _Tool(
        "The nodes of a kind, narrowed and sorted, with how many name each.",
        {
            "kind": _text("episodes, topics, artifacts, pulls, issues, files, docs, papers, people, podcasts, …"),
            "topic": _text("Only episodes about this topic, and what they name."),
            "repo": _text("Only what lies in this repository, and episodes that name it."),
            "podcast": _PODCAST,
            "since": _text(f"From this day on: {_DAY}."),
            "until": _text(f"Up to this day: {_DAY}."),
            "sort": {"enum": ["date", "title", "number", "id", "count"]},
            "n": _number("At most so many.", 20, 100),
        },
        ("kind",),
    ),
    "stats": _Tool("What the graph holds: counts by kind, relation, area and year; the most cited.", {}),
    "why": _Tool(
        "What each extractor saw in a passage of an episode's notes, and what dropped the rest.",
        {"episode": _EPISODE, "text": _text("A passage of its title or notes."), "repo": _REPO},
        ("episode", "text"),
    ),
}
_NEIGHBOURS = 10  # that `show` tells of each relation; the resource of a node has all


def serve(graph: Graph) -> None:
    """Answer an assistant's questions about ``graph`` on standard input and output, until the input ends."""
    run(_serve, graph)


async def _serve(graph: Graph) -> None:
    answers = Answers(graph)
    server = Server(
        "podgraph",
        version=__version__,
        title="podgraph",
        instructions=_INSTRUCTIONS,
        on_list_tools=answers.tools,
        on_call_tool=answers.call,
        on_list_resources=answers.resources,
        on_list_resource_templates=answers.templates,
        on_read_resource=answers.read,
    )
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


class Answers:
    """What a server of one graph answers; its methods are the protocol's requests."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    async def tools(self, _: _Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """List the questions."""
        hints = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=name,
                    description=tool.said,
                    input_schema=_taken(name),
                    output_schema=_given(name),
                    annotations=hints,
                )
                for name, tool in _TOOLS.items()
            ]
        )

    async def call(self, _: _Context, asked: types.CallToolRequestParams) -> types.CallToolResult:
        """Answer a question; what is wrong with it is an answer too, which says the remedy."""
        if asked.name not in _TOOLS:
            raise MCPError(_INVALID, f"there is no tool {asked.name!r}; there are {', '.join(_TOOLS)}")
        given = asked.arguments or {}
        wrong = next(Draft202012Validator(_taken(asked.name)).iter_errors(given), None)
        if wrong is not None:
            return _failed(": ".join((*map(str, wrong.path), wrong.message)))
        try:
            answer = self._answer(asked.name, given)
        except PodgraphError as error:
            return _failed(str(error))
        return types.CallToolResult(content=[_told(answer)], structured_content=answer)

    def _answer(self, name: str, given: Mapping[str, object]) -> Form:
        defaults = {field: form["default"] for field, form in _TOOLS[name].takes.items() if "default" in form}
        answer = getattr(self._graph, name)(**defaults | dict(given))
        asked: dict[str, dict[str, object]] = {"show": {"most": _NEIGHBOURS}, "cites": {"whole": "n" in given}}
        told = answer.to_dict(**asked[name]) if name in asked else answer.to_dict()
        # Tuples become lists, as the schema has them; what JSON has no number for becomes its name.
        plain: object = json.loads(json.dumps(told), parse_constant=str)
        return plain if isinstance(plain, dict) else {_LIST: plain, _TOTAL: answer.total}

    async def resources(self, _: _Context, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        """List what can be read: the contract."""
        contract = types.Resource(
            uri=_CONTRACT,
            name="contract",
            description="What ids, kinds, relations, evidence and the fields of answers mean.",
            mime_type="text/markdown",
        )
        return types.ListResourcesResult(resources=[contract])

    async def templates(
        self, _: _Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """List the forms of addresses that can be read: that of a node."""
        node = types.ResourceTemplate(
            uri_template=f"{_NODE}{{+id}}",
            name="node",
            description="A node with all its attributes and neighbours; the id percent-encoded.",
            mime_type="application/json",
        )
        return types.ListResourceTemplatesResult(resource_templates=[node])

    async def read(self, _: _Context, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """Read the contract, or a node."""
        if asked.uri == _CONTRACT:
            return _read(asked.uri, "text/markdown", _shipped("contract.md"))
        id_ = unquote(asked.uri.removeprefix(_NODE))
        if not asked.uri.startswith(_NODE) or self._graph.view.node(id_) is None:
            raise MCPError(_INVALID, f"{asked.uri} is nothing that can be read; {_CONTRACT}, or {_NODE}ID of a node")
        try:
            shown = self._graph.show(id_)
        except NotFoundError as error:
            raise MCPError(_INVALID, str(error)) from error
        return _read(f"{_NODE}{quote(id_)}", "application/json", _json(shown.to_dict("all")))


if TYPE_CHECKING:
    _Context = ServerRequestContext[dict[str, object]]


@cache
def _shipped(name: str) -> str:
    """Return a file that ships in the folder of schemas."""
    return files("podgraph.output").joinpath("schemas", name).read_text("utf-8")


@cache
def _taken(name: str) -> Form:
    tool = _TOOLS[name]
    return {"type": "object", "properties": tool.takes, "required": [*tool.needs], "additionalProperties": False}


@cache
def _given(name: str) -> Form:
    """Return the schema of what a tool gives: that of the answer, in an object where it is a list."""
    schema: Form = json.loads(_shipped(f"{name}.schema.json"))
    if schema["type"] == "object":
        return schema
    parts = schema.pop("$defs")
    items = {name: schema.pop(name) for name in ("type", "items")}
    properties = {_LIST: items, _TOTAL: {"type": "integer", "minimum": 0}}
    return schema | {"type": "object", "required": [*properties], "properties": properties, "$defs": parts}


def _failed(said: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=said)], is_error=True)


def _told(answer: Form) -> types.TextContent:
    return types.TextContent(text=_json(answer))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _read(uri: str, kind: str, text: str) -> types.ReadResourceResult:
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=kind, text=text)])
