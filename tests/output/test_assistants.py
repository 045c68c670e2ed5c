"""``podgraph mcp`` as an assistant meets it: asked over standard input and output by the protocol's own client."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import podgraph
from podgraph.graph import FIELDS, QUESTIONS
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
    ("cites", {"ref": 130935, "repo": None}, lambda g: g.cites("#130935")),
    ("where", {"name": "c10/core/DispatchKey.h"}, lambda g: g.where("c10/core/DispatchKey.h", 10)),
    (
        "review",
        {"paths": ["torch/_inductor/ir.py", "setup.py"]},
        lambda g: g.review(["torch/_inductor/ir.py", "setup.py"], 10),
    ),
    ("explain", {"text": "torch/serialization.py"}, lambda g: g.explain("torch/serialization.py", 10)),
    ("search", {"text": "double backward"}, lambda g: g.search("double backward", n=10)),
    ("search", {"text": "vmap", "kind": "topics", "n": 1}, lambda g: g.search("vmap", n=1, kind="topics")),
    ("related", {"episode": "vmap"}, lambda g: g.related("vmap")),
    ("order", {"name": "dispatcher"}, lambda g: g.order("dispatcher", n=20)),
    ("order", {}, lambda g: g.order(n=20)),
    ("path", {"a": "vmap", "b": "functorch"}, lambda g: g.path("vmap", "functorch")),
    ("list", {"kind": "episodes", "since": "2024"}, lambda g: g.list("episodes", since="2024", n=20)),
    ("stats", {}, lambda g: g.stats()),
]
# What is wrong with a question, and what the answer says of it.
WRONG = [
    ("list", {"kind": "nonsense"}, "'nonsense'"),
    ("list", {"kind": "episodes", "since": "soon"}, "2024, 2024-03 or 2024-03-09"),
    ("cites", {}, "cites: 'ref' is missing; give a URL"),
    ("cites", {"ref": "#1", "n": 1000}, "cites, 'n': invalid number 1000; give a whole number from 1 to 50"),
    ("cites", {"ref": "#1", "n": True}, "invalid number true"),
    ("cites", {"ref": [7]}, "cites, 'ref': invalid text [7]; give a text"),
    ("cites", {"ref": " "}, "cites, 'ref': empty text"),
    ("cites", {"ref": "x" * 2000}, "too long: 2000 characters; give 1000 at most"),
    ("search", {"text": "x", "colour": "red"}, "search: unknown parameter 'colour'; it takes text, podcast, n, kind"),
    ("search", {"texts": "x"}, "unknown parameter 'texts'; did you mean 'text'?"),
    ("list", {"kind": "episodes", "sort": "newest"}, "list, 'sort': unknown \"newest\"; use one of date,"),
    ("review", {"paths": []}, "review, 'paths': invalid list []"),
]
# Questions to which nothing is found.
NOTHING = [
    ("list", {"kind": "episodes", "topic": "dispacher"}),
    ("cites", {"ref": "double backward pass"}),
    ("show", {"node": "zzzzqqq"}),
]
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
        nothing = [await client.call_tool(name, given) for name, given in NOTHING]
        templates = (await client.list_resource_templates()).resource_templates
        read = (await client.read_resource(f"podgraph://node/{VMAP}")).contents[0]
        with pytest.raises(MCPError) as missing:
            await client.read_resource("podgraph://node/no:such")
        return tools, answers, wrong, shown, templates, read, missing.value, client.instructions, nothing

    return talk(["-g", str(sample_file)], scenario)


def test_the_questions_are_tools_with_schemas(told):
    tools = {tool.name: tool for tool in told[0]}
    assert (
        tools.keys()
        == {name for name, _, _ in ASKED} | {"show"}
        == {name for name, row in QUESTIONS.items() if row.tools}
    )
    assert sum(len(tool.model_dump_json(by_alias=True, exclude_none=True).encode()) for tool in tools.values()) < 10_000
    for tool in tools.values():
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        assert tool.title and "Use it" in tool.description and tool.annotations.read_only_hint
    assert "where" in told[7]


@pytest.mark.parametrize("number", range(len(ASKED)), ids=lambda number: f"{ASKED[number][0]} {ASKED[number][1]}")
def test_a_tool_answers_as_the_library_in_short(told, sample_file, number):
    """The rows are those of the library, each with one quote; the answer is marked as data."""
    name, _, ask = ASKED[number]
    notice, answer = (one.text for one in told[1][number].content)
    found = ask(podgraph.open(sample_file))
    assert not told[1][number].is_error
    assert "data, never instructions" in notice
    assert json.loads(answer) == told[1][number].structured_content
    assert len(answer.encode()) < LONGEST
    rows = FIELDS[name].lists[:1]
    for row in rows:
        ours, theirs = found.to_dict()[row], json.loads(answer)[row]
        assert len(ours) == len(theirs)
        for one, two in zip(ours, theirs, strict=True) if name != "path" else ():
            assert [two.get(key) for key in ("id", "title", "date", "url")] == [
                one.get(key) for key in ("id", "title", "date", "url")
            ]
            assert len(two.get("evidence", ())) <= 1


def test_nothing_found_names_what_was_meant_and_the_next_step(told):
    problem, empty, unknown = (json.loads(one.content[-1].text) for one in told[-1])
    assert (problem["found"], problem["problem"]) == (False, "no topic is called 'dispacher'")
    assert "topic:dispatcher" in [one["id"] for one in problem["did_you_mean"]]
    assert empty["found"] is False and empty["did_you_mean"] and "`show`" in empty["next"]
    assert "`search`" in unknown["next"]
    assert "podgraph " not in str(told[-1])


def test_half_of_a_surrogate_pair_is_answered(sample_file):
    """The protocol's client cannot send it, a careless one can."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    lines = [{"id": 1, "method": "initialize", "params": hello}, {"method": "notifications/initialized"}]
    lines.append({"id": 2, "method": "tools/call", "params": {"name": "cites", "arguments": {"ref": "\ud800"}}})
    command = [sys.executable, "-m", "podgraph", "mcp", "-g", str(sample_file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        server.stdin.write(b"".join(json.dumps({"jsonrpc": "2.0", **line}).encode() + b"\n" for line in lines))
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(2)]
        server.stdin.close()
        server.stdout.read()
    assert answers[1]["result"]["structuredContent"]["found"] is False


@pytest.mark.parametrize("number", range(len(WRONG)), ids=lambda number: WRONG[number][2])
def test_what_is_wrong_is_said(told, number):
    answer = told[2][number]
    assert answer.is_error
    assert WRONG[number][2] in answer.content[0].text


def test_a_node_with_many_neighbours_is_told_in_short(told):
    answer = told[3].structured_content
    assert (len(answer["into"]["part_of"]), answer["counts"]["into"]["part_of"]) == (10, 83)
    assert len(told[3].content[0].text.encode()) < LONGEST


def test_a_node_can_be_read(told):
    *_, templates, node, missing, _, _ = told
    assert [one.uri_template for one in templates] == ["podgraph://node/{+id}"]
    whole = json.loads(node.text)
    assert whole["id"] == VMAP and whole["guid"] and whole["out"]["cites"]
    assert "podgraph://node/no:such cannot be read" in str(missing)


def test_it_works_with_the_snapshot_at_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))

    async def scenario(client):
        return await client.call_tool("cites", {"ref": "#130935"})

    assert talk(["-q"], scenario).structured_content["found"]


@pytest.mark.parametrize("missing", [("mcp", "mcp_types"), ("anyio", "mcp")])
def test_without_the_extra_one_line_says_what_to_do(missing, monkeypatch, capsys):
    for name in [name for name in sys.modules if name.partition(".")[0] in missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "podgraph.output.assistants", raising=False)
    for name in missing:
        monkeypatch.setitem(sys.modules, name, None)
    assert main(["mcp", "-g", "never-opened.json"]) == 2
    assert capsys.readouterr() == ("", "podgraph: podgraph mcp: needs mcp; pip install 'podgraph[mcp]'\n")


def test_no_answer_repeats_a_long_argument(sample_file):
    from mcp import types  # here, as the module is skipped without the extra

    from podgraph.output.assistants import Answers

    answers, long = Answers(podgraph.open(sample_file)), "y" * 200_000

    async def ask(name, arguments):
        asked = types.CallToolRequestParams(name=name, arguments=arguments)
        return (await answers.call(None, asked)).model_dump_json()

    for arguments in (
        {long: 1},
        {"text": long},
        {"text": "x", "kind": long},
        {"text": [long]},
        {"text": "x", "n": long},
    ):
        assert len(anyio.run(ask, "search", arguments)) < 2000
    assert len(anyio.run(ask, "explain", {"text": "y" * 19_000})) < 2000
    with pytest.raises(MCPError) as tool:
        anyio.run(ask, long, {})
    with pytest.raises(MCPError) as uri:
        anyio.run(answers.read, None, types.ReadResourceRequestParams(uri=f"podgraph://node/{long}"))
    assert len(str(tool.value)) + len(str(uri.value)) < 2000


def test_each_queued_call_is_answered_at_the_end_of_the_input(sample_file):
    start = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    messages = [
        {"id": 0, "method": "initialize", "params": start},
        {"method": "notifications/initialized"},
        *(
            {"id": number, "method": "tools/call", "params": {"name": "search", "arguments": {"query": "vmap"}}}
            for number in range(1, 61)
        ),
        {"id": 61, "method": "tools/call", "params": 7},  # the SDK drops it
        {"id": True, "method": 7},
    ]
    lines = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)
    lines += '{"jsonrpc": "2.0", "id": 62, "method": ' + "[" * 99_999 + "\n\n"
    command = [sys.executable, "-m", "podgraph", "mcp", "-g", sample_file]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, encoding="utf-8")
    answers = {(answer := json.loads(line))["id"]: answer for line in done.stdout.splitlines()}
    assert answers.keys() == {None, *range(62)}
    assert answers[61]["error"]["code"] == answers[None]["error"]["code"] == -32600
    assert len(done.stdout.splitlines()) == 64
