"""A notebook, run from its first cell to its last: build, ask, show the page, data frames; and its progress."""

import io
import os
import sys

import pytest

from podgraph.output.terminal import progress


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The outputs of each cell of a notebook that was executed."""
    nbclient = pytest.importorskip("nbclient", reason="no nbclient: pip install nbclient ipykernel pandas")
    pytest.importorskip("ipykernel", reason="no ipykernel: pip install nbclient ipykernel pandas")
    pytest.importorskip("pandas", reason="no pandas: pip install nbclient ipykernel pandas")
    import nbformat

    folder = tmp_path_factory.mktemp("notebook")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in CELLS.values()])
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        patched.setenv("IPYTHONDIR", str(folder))
        patched.setenv("JUPYTER_PLATFORM_DIRS", "1")
        client = nbclient.NotebookClient(
            notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
        )
        client.execute()
    return dict(zip(CELLS, (cell.outputs for cell in notebook.cells), strict=True))


CELLS = {
    "build": "import podgraph\ng = podgraph.build('sample')",
    "summary": "g",
    "ask": "[one.title for one in g.cites('#130935')]",
    "answer": "g.related('vmap', n=1).to_dict()['related'][0]['title']",
    "page": "g.page()",
    "written": "g.page('page.html').name, g.export('g.json')[0].name",
    "nodes": "g.nodes_frame().head(3)",
    "edges": "g.edges_frame().relation.value_counts()['cites'] > 100",
    "error": "try:\n    g.show('no such thing')\nexcept podgraph.PodgraphError as error:\n    print(error)",
    "command": "import sys\n!{sys.executable} -m podgraph build sample -o second.json",
}


def data(outputs, kind):
    """Return what the one result of a cell is, in a form."""
    (result,) = [one for one in outputs if one.output_type == "execute_result"]
    return result.data[kind]


def text(outputs):
    return "".join(one.text for one in outputs if one.output_type == "stream")


def test_it_builds_and_asks(run):
    assert data(run["ask"], "text/plain") == "['Compiler collectives']"
    assert len(data(run["answer"], "text/plain")) > 4
    assert text(run["error"]).startswith("no node is called 'no such thing'; ")


def test_the_graph_shows_what_it_holds(run):
    summary = data(run["summary"], "text/html")
    assert "83</td>" in summary and "g.page()" in summary


def test_the_page_is_shown_whole(run):
    shown = data(run["page"], "text/html")
    assert shown.startswith("<iframe srcdoc=") and "Compiler collectives" in shown
    assert data(run["written"], "text/plain") == "('page.html', 'g.json')"


def test_nodes_and_edges_are_data_frames(run):
    assert "<table" in data(run["nodes"], "text/html")
    assert "True" in data(run["edges"], "text/plain")


def test_progress_is_one_line(run):
    for cell in ("build", "command"):
        said = text(run[cell]).replace("\r\n", "\n")
        (line,) = [line for line in said.split("\n") if "\r" in line]
        assert line.split("\r")[-1].strip() == "building", cell
        assert line.count("\r") < 15


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_long_way_is_told_in_few_words(monkeypatch):
    monkeypatch.setenv("JPY_PARENT_PID", "1")
    monkeypatch.setattr("sys.stderr", Terminal())
    with progress(wanted=True) as show:
        for done in range(10_001):
            show("reading", done, 10_000)
        show("building", 0, 0)
    said = sys.stderr.getvalue()
    assert said.startswith("\rreading 0 %\rreading 10 %\r")
    assert said.endswith("\rreading 100 %\rbuilding     \n")
    assert (said.count("\r"), said.count("\n")) == (12, 1)


def test_nothing_done_is_no_line(monkeypatch):
    monkeypatch.setenv("JPY_PARENT_PID", "1")
    monkeypatch.setattr("sys.stderr", Terminal())
    with progress(wanted=True):
        pass
    assert sys.stderr.getvalue() == ""
