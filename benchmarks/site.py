"""What a site costs: processor seconds, memory and the largest page, for shows of several lengths.

    python benchmarks/site.py [EPISODES ...]

For each number of made-up episodes (1000 and 10,000 unless given) a graph is built and laid out, and then, in a process
of its own, written as a site. Printed are the processor seconds and the peak memory of the latter, the number of pages,
and the size of the largest page with all that it loads, the map left out.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from feeds import made


def write(graph: str, folder: str) -> None:
    from podgraph.output.formats import read_graph, write_graph

    read = read_graph(graph)
    before = time.process_time()
    write_graph(read, folder, "site")
    root = Path(folder)
    shared = (root / "site.css").stat().st_size
    pages = {file: file.stat().st_size + shared for file in root.rglob("*.html") if file != root / "index.html"}
    pages[root / "search.html"] += sum((root / name).stat().st_size for name in ("titles.js", "search.js"))
    largest = max(pages, key=lambda file: pages[file])
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{time.process_time() - before:6.1f} s {memory:6.0f} MB {len(pages):7} pages; "
        f"largest {largest.name}, {pages[largest] / 1000:.0f} kB"
    )


def main() -> None:
    if sys.argv[1:2] == ["write"]:
        return write(*sys.argv[2:])
    for count in map(int, sys.argv[1:] or ("1000", "10000")):
        with tempfile.TemporaryDirectory() as folder:
            feed, graph = Path(folder, "feed.xml"), Path(folder, "graph.json")
            feed.write_bytes(made(count))
            podgraph = [sys.executable, "-m", "podgraph", "build", "--quiet", "--offline"]
            subprocess.run([*podgraph, str(feed), "-o", str(graph)], check=True)
            print(f"{count:6} episodes", end=" ", flush=True)
            subprocess.run([sys.executable, __file__, "write", str(graph), str(Path(folder, "site"))], check=True)
    return None


if __name__ == "__main__":
    main()
