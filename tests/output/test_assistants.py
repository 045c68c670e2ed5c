"""``podgraph mcp`` as an assistant meets it: asked over standard input and output by the protocol's own client."""

import importlib.resources
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import podgraph
from podgraph.output.cli import main

pytest.importorskip("mcp", reason="no mcp: pip install 'podgraph[mcp]'")

import anyio
import jsonschema
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client

VMAP = "episode:pytorch-developer-podcast/vmap"
# A tool, what it is asked, and the same asked of the library.
ASKED = [
    ("cites", {"ref": "#130935"}, lambda g: g.cites("#130935")),
    ("cites", {"ref": "torch", "n": 3}, lambda g: g.cites("torch", n=3)),
    ("cites", {"ref": "no-such-thing"}, lambda g: g.cites("no-such-thing")),
    ("where", {"name": "c10/core/DispatchKey.h"}, lambda g: g.where("c10/core/DispatchKey.h")),
    (
        "review",
        {"paths": ["torch/_inductor/ir.py", "setup.py"]},
        lambda g: g.review(["torch/_inductor/ir.py", "setup.py"]),
    ),
    ("search", {"text": "double backward"}, lambda g: g.search("double backward", n=10)),
    ("search", {"text": "vmap", "kind": "topics", "n": 1}, lambda g: g.search("vmap", n=1, kind="topics")),
    ("related", {"episode": "vmap"}, lambda g: g.related("vmap")),
    ("order", {"name": "dispatcher"}, lambda g: g.order("dispatcher", n=20)),
    ("order", {}, lambda g: g.order(n=20)),
    ("path", {"a": "vmap", "b": "functorch"}, lambda g: g.path("vmap", "functorch")),
    ("list", {"kind": "episodes", "since": "2024"}, lambda g: g.list("episodes", since="2024", n=20)),
    ("stats", {}, lambda g: g.stats()),
    ("why", {"episode": "vmap", "text": "vmap"}, lambda g: g.why("vmap", "vmap")),
]
# What is wrong with a question, and what the answer says of it.
WRONG = [
    ("related", {"episode": "no-such-episode"}, "no episode"),
    ("list", {"kind": "nonsense"}, "there is no kind 'nonsense'"),
    ("list", {"kind": "episodes", "since": "soon"}, "write 2024, 2024-03 or 2024-03-09"),
    ("cites", {}, "'ref' is a required property"),
    ("cites", {"ref": "#1", "n": 1000}, "n: 1000 is greater than the maximum of 50"),
    ("cites", {"ref": 7}, "ref: 7 is not of type 'string'"),
    ("search", {"text": "x", "colour": "red"}, "'colour' was unexpected"),
]
SCHEMAS = importlib.resources.files("podgraph.output") / "schemas"
LONGEST = 16_000  # bytes of an answer


def talk(arguments, scenario):
    """Start the command with these arguments, and return what the scenario gets of a client that talks to it."""
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "podgraph", "mcp", *arguments], env=dict(os.environ)
    )

    async def begin():
        async with Client(stdio_client(server)) as client:
            return await scenario(client)

    # in a thread of its own: the browser of other tests keeps a loop running in this one
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(anyio.run, begin).result()


@pytest.fixture(scope="module")
def told(sample_file):
    """What the server of the snapshot tells: its tools, its answers, what it can be read."""

    async def scenario(client):
        tools = (await client.list_tools()).tools
        answers = [await client.call_tool(name, given) for name, given, _ in ASKED]
        wrong = [await client.call_tool(name, given) for name, given, _ in WRONG]
        shown = await client.call_tool("show", {"node": "podcast:pytorch-developer-podcast"})
        resources = (await client.list_resources()).resources
        templates = (await client.list_resource_templates()).resource_templates
        read = [
            (await client.read_resource(uri)).contents[0] for uri in ("podgraph://contract", f"podgraph://node/{VMAP}")
        ]
        with pytest.raises(MCPError) as missing:
            await client.read_resource("podgraph://node/no:such")
        return tools, answers, wrong, shown, resources, templates, read, missing.value, client.instructions

    return talk(["-g", str(sample_file)], scenario)


def test_the_questions_are_tools_with_schemas(told):
    tools = {tool.name: tool for tool in told[0]}
    assert tools.keys() == {name for name, _, _ in ASKED} | {"show"}
    for tool in tools.values():
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        assert tool.description
    assert "where" in told[8]


@pytest.mark.parametrize("number", range(len(ASKED)), ids=lambda number: f"{ASKED[number][0]} {ASKED[number][1]}")
def test_a_tool_answers_as_the_library(told, sample_file, number):
    name, _, ask = ASKED[number]
    answer = told[1][number]
    found = ask(podgraph.open(sample_file))
    expected = json.loads(json.dumps(found.to_dict()))
    assert not answer.is_error
    assert answer.structured_content == expected
    assert json.loads(answer.content[0].text) == answer.structured_content
    assert len(answer.content[0].text.encode()) < LONGEST
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(answer.structured_content)


@pytest.mark.parametrize("number", range(len(WRONG)), ids=lambda number: WRONG[number][2])
def test_what_is_wrong_is_said(told, number):
    answer = told[2][number]
    assert answer.is_error
    assert WRONG[number][2] in answer.content[0].text


def test_a_node_with_many_neighbours_is_told_in_short(told):
    answer = told[3].structured_content
    assert len(answer["into"]["part_of"]) == 10
    assert len(told[3].content[0].text.encode()) < LONGEST


def test_a_node_and_the_contract_can_be_read(told):
    *_, resources, templates, (contract, node), missing, _ = told
    assert [str(one.uri) for one in resources] == ["podgraph://contract"]
    assert [one.uri_template for one in templates] == ["podgraph://node/{+id}"]
    assert "## The library" in contract.text
    whole = json.loads(node.text)
    assert whole["id"] == VMAP and whole["guid"] and whole["out"]["cites"]
    assert "podgraph://node/no:such is nothing that can be read" in str(missing)


def test_it_works_with_the_snapshot_at_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))

    async def scenario(client):
        return await client.call_tool("cites", {"ref": "#130935"})

    assert talk(["-q"], scenario).structured_content["found"]


@pytest.mark.parametrize("missing", [("mcp", "mcp_types"), ("anyio", "mcp"), ("jsonschema",)])
def test_without_the_extra_one_line_says_what_to_do(missing, monkeypatch, capsys):
    for name in [name for name in sys.modules if name.partition(".")[0] in missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "podgraph.output.assistants", raising=False)
    for name in missing:
        monkeypatch.setitem(sys.modules, name, None)
    assert main(["mcp", "-g", "never-opened.json"]) == 2
    assert capsys.readouterr() == ("", "podgraph: podgraph mcp: needs mcp; pip install 'podgraph[mcp]'\n")
