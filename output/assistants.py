"""The questions for assistants, over the Model Context Protocol: each a tool with its schemas, and short answers.

The only file that imports ``mcp``, the protocol's own SDK. A tool takes what the method of ``podgraph.Graph`` takes,
and gives the answer's ``to_dict()``, by the schema that ships with the package.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from anyio import run
from jsonschema import Draft202012Validator
from mcp import MCPError, types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from podgraph import __version__
from podgraph.extractors import NotFoundError, PodgraphError
from podgraph.graph import QUESTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp.server import ServerRequestContext

    from podgraph.graph import Parameter

    from .library import Graph

    Form = dict[str, object]

_INSTRUCTIONS = """The knowledge graph of podcasts and what they cite: which episodes explain a piece of code, cite a
pull request, an issue, a paper or a page, and in which words. Begin with `where` for code (a symbol, a path), `cites`
for anything that has an address or a number, `search` for words. Every answer has its proof; say it with the episode's
title, date and url. A node's id leads on: `show`, or the resource podgraph://node/ID."""
_CONTRACT = "podgraph://contract"
_NODE = "podgraph://node/"
_INVALID = -32602  # JSON-RPC's code for parameters that are wrong


_NUMBERS = ("number", "limit")
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
                    description=question.answers,
                    input_schema=_taken(name),
                    annotations=hints,
                )
                for name, question in QUESTIONS.items()
            ]
        )

    async def call(self, _: _Context, asked: types.CallToolRequestParams) -> types.CallToolResult:
        """Answer a question; what is wrong with it is an answer too, which says the remedy."""
        if asked.name not in QUESTIONS:
            raise MCPError(_INVALID, f"there is no tool {asked.name!r}; there are {', '.join(QUESTIONS)}")
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
        taken = {one.name: one for one in _parameters(name)}
        defaults = {key: one.tool[0] for key, one in taken.items() if one.form in _NUMBERS}
        answer = getattr(self._graph, name)(**defaults | dict(given))
        told = answer.to_dict()
        for side in ("out", "into") if name == "show" else ():
            told[side] = {relation: others[:_NEIGHBOURS] for relation, others in told[side].items()}
        # Tuples become lists, as the schema has them; what JSON has no number for becomes its name.
        plain: Form = json.loads(json.dumps(told), parse_constant=str)
        return plain

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


def _parameters(name: str) -> list[Parameter]:
    question = QUESTIONS[name]
    return [one for one in question.parameters if one.name in question.tools]


@cache
def _taken(name: str) -> Form:
    """Return the schema of what a tool takes."""
    taken = _parameters(name)
    needed = [one.name for one in taken if not one.flags and one.nargs != "?"]
    properties = {one.name: _form(one) for one in taken}
    return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}


def _form(one: Parameter) -> Form:
    said: Form = {"description": one.help[0].upper() + one.help[1:] + "."}
    if one.form in _NUMBERS:
        default, most = one.tool
        return {"type": "integer", **said, "default": default, "minimum": 1, "maximum": most}
    if one.choices:
        return {"enum": [*one.choices], **said}
    text: Form = {"type": "string", "maxLength": 1000}
    if one.form == "texts":
        return {"type": "array", "items": text, "minItems": 1, "maxItems": 2000, **said}
    return text | said


def _failed(said: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=said)], is_error=True)


def _told(answer: Form) -> types.TextContent:
    return types.TextContent(text=_json(answer))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _read(uri: str, kind: str, text: str) -> types.ReadResourceResult:
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=kind, text=text)])
