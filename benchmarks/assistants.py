"""Do assistants find the right tool and the right episode? Sixty questions through the protocol's own client.

    python benchmarks/assistants.py

Prints the bytes of ``tools/list`` and how many of 60 questions get the right tool and the right episode. A third of the
questions, by the hash of their text, is a lock box. The stand-in for a model picks the tool whose name, title and
description share the rarest words with the question: real models read better. The call is that of the table; an episode
is right when its title is in the first three rows, or in the answer where that has no rows.
"""

import json
import math
import os
import subprocess
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from podgraph.graph import FIELDS

TABLE = Path(__file__).with_name("data") / "assistants.tsv"
LETTERS = "abcdefghijklmnopqrstuvwxyz_"
# What is wrong with a call; each gets one line.
BAD = [
    ("cites", {}),
    ("cites", {"ref": ""}),
    ("cites", {"ref": ["a"]}),
    ("cites", {"ref": "#1", "n": 1000}),
    ("cites", {"ref": "#1", "n": "x"}),
    ("cites", {"reff": "#1"}),
    ("cites", {"ref": "x" * 5000}),
    ("list", {"kind": "episods"}),
    ("list", {"kind": "episodes", "since": "yesterday"}),
    ("list", {"kind": "episodes", "sort": "newest"}),
    ("list", {"kind": "episodes", "topic": "dispacher"}),
    ("related", {"episode": "no such episode"}),
    ("related", {"episode": "Tensor"}),
    ("review", {"paths": []}),
    ("review", {"paths": 7}),
    ("show", {"node": "nonsense"}),
    ("path", {"a": "vmap"}),
    ("serve", {}),
]


def words(text):
    """Return the words of a text, cut to six letters."""
    found = "".join(c if c in LETTERS else " " for c in text.lower()).split()
    return {word[:6].rstrip("s") for word in found}


def picked(question, tools):
    """Return the name of the tool that shares the rarest words with a question."""
    known = {tool.name: words(f"{tool.name} {tool.title} {tool.description}") for tool in tools}
    often = Counter(word for some in known.values() for word in some)

    def worth(name):
        return sum(math.log(1 + len(known) / often[word]) for word in words(question) & known[name])

    return max(known, key=worth)


def has(answer, tool, title):
    """Tell whether an answer has an episode among its first rows, or anything at all where none is named."""
    rows = FIELDS[tool].lists[:1]
    told = answer[rows[0]][:3] if rows else answer
    return answer.get("found", True) and title in json.dumps(told, ensure_ascii=False)


def lone_surrogate():
    """Return what the server answers to half of a pair of surrogates, which the client cannot send."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    lines = [{"id": 1, "method": "initialize", "params": hello}, {"method": "notifications/initialized"}]
    lines.append({"id": 2, "method": "tools/call", "params": {"name": "cites", "arguments": {"ref": "\ud800"}}})
    text = "".join(json.dumps({"jsonrpc": "2.0", **line}) + "\n" for line in lines)
    command = [sys.executable, "-m", "podgraph", "mcp", "-q", "-g", "sample"]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    server.stdin.write(text)
    server.stdin.flush()
    answers = [server.stdout.readline() for _ in range(2)]
    server.stdin.close()
    server.wait(30)
    return answers[1]


async def main():
    rows = [line.split("\t") for line in TABLE.read_text("utf-8").splitlines()]
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "podgraph", "mcp", "-q", "-g", "sample"], env={**os.environ}
    )
    async with Client(stdio_client(server)) as client:
        listed = await client.list_tools()
        dumped = listed.model_dump_json(by_alias=True, exclude_none=True)
        print(f"tools/list: {len(dumped.encode())} bytes, {len(listed.tools)} tools")
        right, sizes = {True: [0, 0], False: [0, 0]}, []
        for question, tool, given, title in rows:
            answer = await client.call_tool(tool, json.loads(given))
            text = answer.content[-1].text
            sizes.append(len(text.encode()))
            choice = picked(question, listed.tools)
            good = choice == tool and not answer.is_error and has(json.loads(text), tool, title)
            box = int(sha256(question.encode()).hexdigest(), 16) % 3 == 0
            right[box][0] += good
            right[box][1] += 1
            if not good and "-v" in sys.argv:
                print("wrong:", question, "|", choice, "for", tool, "|", text[:160])
        print("right tool and episode: {} of {}, lock box {} of {}".format(*right[False], *right[True]))
        print(f"answers: {sorted(sizes)[len(sizes) // 2]} bytes in the middle, {max(sizes)} at most")
        lines = 0
        for tool, given in BAD:
            try:
                answer = await client.call_tool(tool, given)
                said = answer.content[-1].text
            except Exception as error:
                said = str(error)
            lines += "\n" not in said.strip() and "podgraph " not in said
            if "-v" in sys.argv:
                print("bad:", tool, str(given)[:50], "->", said[:230])
        lines += '"found":false' in lone_surrogate().replace("\\", "")
        print(f"bad calls with one line: {lines} of {len(BAD) + 1}")


if __name__ == "__main__":
    anyio.run(main)
