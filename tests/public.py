"""Write ``tests/public.json``, the list of everything that users can call, set or read; ``--check`` prints differences.

The list comes from what users see: ``--help``, error messages, ``import podgraph``, the MCP server, the files that ship
with the package. Code moves, the list stays.
"""

import asyncio
import inspect
import io
import json
import os
import re
import sys
import tempfile
from contextlib import chdir, redirect_stderr, redirect_stdout
from difflib import unified_diff
from importlib import import_module
from pathlib import Path

import podgraph
from podgraph.output.cli import main as command_line

FILE = Path(__file__).with_name("public.json")
NAMES = "podgraph.extractors: Code Mention Ref Subject; podgraph.graph: Kind View; podgraph.output.formats: Format"
# A call of each question: the answers contain all public types.
CALLS = """cites #130935; diff sample; links; list episodes; order dispatcher; path vmap functorch; related vmap; stats
review torch/_inductor/ir.py; search vmap; show vmap; where torch.vmap; why vmap vmap"""
# Command lines whose exit status is a promise: found, not found, wrong input. No help mentions `-k`.
LINES = """cites 130935; cites nonsense; cites; cites --nonsense; show vmap; show nonsense; related vmap; related nonsense
order; order nonsense; path vmap functorch -k 2; path vmap nonsense; search vmap; search zzzzzz; list pulls; list nonsense
list pulls --year 1999; where torch.vmap; where zzzzzz; why vmap vmap; why vmap zzzzzz; why nonsense vmap; review -; x
review torch/_inductor/ir.py; stats; stats --links; stats -g nothing.json; diff sample sample; diff sample nothing.json
diff sample sample --exit-code; export; export x.dot; export x.nonsense; build nothing.xml; build sample -o x.json; help
page nothing.json; topics nothing.xml; init a.xml; index nothing.whl; look-up nothing.json; mcp -g nothing.json; -V; -h
completion bash; completion nonsense; help cites; help nonsense"""


def public():
    """Return the list by sections: the name of each entry, and what it is."""
    rooms = [path for path in Path(podgraph.__file__).parent.iterdir() if path.is_dir()]
    code = "".join(path.read_text("utf-8") for room in rooms for path in room.rglob("*.py"))
    schemas = sorted(path for room in rooms for path in room.rglob("*.schema.json"))
    commands = re.findall(r"^    ([a-z-]+)  ", run("help")[1], re.MULTILINE)
    settings = run("stats", settings="x = 1")[2].rpartition("one of ")[2].split(", ")
    tools = {tool.name: {"": tool.description, **tool.input_schema["properties"]} for tool in asyncio.run(list_tools())}
    return {
        "commands": dict(row for name in commands for row in command(name)),
        "contract": re.findall(r"^\| (?!---).*", (schemas[0].parent / "contract.md").read_text("utf-8"), re.MULTILINE),
        "entry point groups": re.findall(r"podgraph\.(?!toml)\w+", run("plugins", "--help")[1]),
        "exit statuses": {line: run(*line.split())[0] for line in re.split(r"; |\n", LINES)},
        "formats": run("export", "x", "--format", "x")[2].rpartition("use one of ")[2].split(", "),
        "json": dict(row for path in schemas for row in keys(json.loads(path.read_text("utf-8")), path.name[:-12])),
        "library": dict(library()),
        "settings": {key: run("stats", settings=f"{key} = 1")[2].partition(".toml: ")[2] for key in settings},
        "tools": {f"{tool} {name}".strip(): str(said) for tool in tools for name, said in tools[tool].items()},
        "variables": sorted(set(re.findall(r'"((?:FORCE|GH|GITHUB|LESS|NO|PAGER|PODGRAPH|SSL|XDG)[A-Z_]*)"', code))),
    }


def run(*words, settings=""):
    """Run the command in an empty folder; return its exit status, standard output and standard error."""
    out, err, sys.stdin = io.StringIO(), io.StringIO(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder, chdir(folder), redirect_stdout(out), redirect_stderr(err):
        Path("podgraph.toml").write_text(settings, "utf-8")
        try:
            status = command_line(words)
        except SystemExit as ended:
            status = ended.code
    return status, out.getvalue(), err.getvalue().strip()


def command(name):
    """Yield each option of a command (names, metavar or choices, help, default), and the rest of the help."""
    text = re.sub(r"\n {20,}", "  ", run("help", name)[1])  # argparse starts a new line after a long name
    lines = [re.split(" {2,}", line.strip(), maxsplit=1) for line in text.splitlines() if line]
    for words, *said in (line for line in lines if line[0].startswith("-")):
        *others, last = re.findall(r"(?:^|, )(--?[\w-]+)", words)  # Python 3.13 has the metavar once
        yield f"{name} {last}", f"{', '.join([*others, last])}{words.rpartition(last)[2]}: {''.join(said)}"
    yield name, ["  ".join(line) for line in lines if not line[0].startswith("-")]


def keys(form, at):
    """Yield the path of each key of a JSON Schema (``?``: may be absent) with the schema of its value."""
    inner = {f"{at} ${name}": one for name, one in form.get("$defs", {}).items()}
    for name, one in form.get("properties", {}).items():
        inner[f"{at}.{name}{'?' * (name not in form.get('required', ()))}"] = one
    for sign, one in (("[]", form.get("items")), (".*", form.get("additionalProperties"))):
        inner |= {f"{at}{sign}": one} if isinstance(one, dict) else {}
    for path, one in inner.items():
        yield from keys(one, path)
    if not inner:
        yield at, str({name: form[name] for name in sorted(form) if name != "description"})


def library():
    """Yield the public names with their signatures: of the package, of ``NAMES``, and of the types of answers."""
    types = set()
    for module, names in re.findall(r"([\w.]+): ([^;]+)", f"{NAMES}; podgraph: {' '.join(podgraph.__all__)}"):
        for one in (getattr(import_module(module), name) for name in names.split()):
            bases = [base.__name__ for base in getattr(one, "__mro__", ()) if base.__name__ in podgraph.__all__]
            yield f"{module}.{one.__name__}", f"class {', '.join(bases)}" if isinstance(one, type) else signature(one)
            types |= {one} if isinstance(one, type) else set()
    left = [getattr(podgraph.sample(), name)(*words) for name, *words in map(str.split, re.split(r"; |\n", CALLS))]
    while left:
        one = left.pop()
        if type(one).__module__.startswith("podgraph."):
            types.add(type(one))
            left += [getattr(one, name) for name in members(type(one))]
        if isinstance(one, list | tuple | dict):
            left += one.values() if isinstance(one, dict) else one
    yield from ((f"{one.__name__}.{name}", said) for one in types for name, said in members(one).items())


def members(type_):
    """Return the public names of a type of podgraph with the signature or the annotation of each."""
    homes = [vars(one) for one in reversed(type_.__mro__) if one.__module__.startswith("podgraph")]
    found = {name: one for home in homes for name, one in home.items()}
    found |= {name: note for home in homes for name, note in home.get("__annotations__", {}).items()}
    return {name: signature(getattr(one, "__forward_arg__", one)) for name, one in found.items() if name[0] != "_"}


def signature(one):
    """Return the parameters and the result of a function, or the type of a property or an attribute."""
    if function := getattr(one, "fget", None) or getattr(one, "func", None):
        one = inspect.signature(function).return_annotation
    elif inspect.isroutine(function := getattr(one, "__func__", getattr(one, "__wrapped__", one))):
        one = str(inspect.signature(function))
    text = one if isinstance(one, str) else inspect.formatannotation(one)
    return re.sub(r"(: |-> )'([^']*)'|podgraph[\w.]*\.", r"\1\2", text)


async def list_tools():
    """Return the tools of ``podgraph mcp``, asked by the protocol's own client."""
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    server = StdioServerParameters(command=sys.executable, args=["-m", "podgraph", "mcp", "-g", "sample"])
    async with Client(stdio_client(server)) as client:
        return (await client.list_tools()).tools


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as empty:
        os.environ |= {"COLUMNS": "9999", "PODGRAPH_CACHE_DIR": empty, "PODGRAPH_GRAPH": "", "XDG_CONFIG_HOME": empty}
        new = json.dumps(public(), ensure_ascii=False, indent=1, sort_keys=True).splitlines()
    if "--check" in sys.argv:
        print(*unified_diff(FILE.read_text("utf-8").splitlines(), new, FILE.name, "now", n=0, lineterm=""), sep="\n")
    else:
        FILE.write_text("\n".join([*new, ""]), "utf-8", newline="\n")
