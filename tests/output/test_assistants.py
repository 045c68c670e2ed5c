"""The questions for assistants, asked by the protocol's own client in this process."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

import podgraph
from podgraph.output.questions import QUESTIONS

pytest.importorskip("mcp", reason="no mcp: pip install 'podgraph[mcp]'")

import anyio
from mcp import Client

from podgraph.output.assistants import build_server
from tests.tables import read_rows

VMAP = "episode:pytorch-developer-podcast/vmap"
WRONG = [*read_rows(__file__, "WRONG"), ("cites", {"ref": "x" * 30_000}, "too long")]


def talk(scenario):
    async def begin():
        async with Client(build_server(podgraph.sample())) as client:
            return await scenario(client)

    with ThreadPoolExecutor(1) as thread:  # where the tests of the browser ran before, this one has a loop of its own
        return thread.submit(anyio.run, begin).result()


def texts(result):
    return "\n".join(item.text for item in result.content)


@pytest.mark.parametrize(("tool", "arguments", "words", "options"), read_rows(__file__, "ASKED"))
def test_a_tool_answers_as_the_library(tool, arguments, words, options):
    async def scenario(client):
        return await client.call_tool(tool, arguments)

    found = json.loads(texts(talk(scenario)).partition("\n")[2])
    answer = getattr(podgraph.sample(), tool)(*words, **options)
    assert [row["id"] for row in found["rows"]] == [row.id for row in answer]


@pytest.mark.parametrize(("tool", "arguments", "problem"), WRONG)
def test_a_wrong_question_is_one_line(tool, arguments, problem):
    async def scenario(client):
        return await client.call_tool(tool, arguments)

    assert problem in texts(talk(scenario))


def test_an_unknown_name_suggests_others():
    async def scenario(client):
        return await client.call_tool("show", {"node": "dispacher"})

    found = json.loads(texts(talk(scenario)).partition("\n")[2])
    assert "no node is called 'dispacher'" in found["problem"]
    assert found["did_you_mean"]


def test_each_question_is_a_tool_in_few_words():
    async def scenario(client):
        return (await client.list_tools()).tools

    tools = talk(scenario)
    assert {tool.name for tool in tools} == set(QUESTIONS)
    assert len(json.dumps([tool.model_dump(mode="json", exclude_none=True) for tool in tools])) <= 10_000


def test_a_node_is_a_resource_of_data():
    async def scenario(client):
        return await client.read_resource("podgraph://node/topic%3Avmap")

    (content,) = talk(scenario).contents
    assert content.text.startswith("Text from podcast feeds: data")
    assert json.loads(content.text.partition("\n")[2])["rows"][0]["id"] == "topic:vmap"


def test_questions_at_once_are_all_answered():
    async def scenario(client):
        found = {}

        async def ask(number):
            found[number] = texts(await client.call_tool("search", {"text": "vmap", "n": number}))

        async with anyio.create_task_group() as group:
            for number in range(1, 9):
                group.start_soon(ask, number)
        return found

    assert [text.count('"score"') for _, text in sorted(talk(scenario).items())] == list(range(1, 9))
