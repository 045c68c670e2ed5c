"""What all tests share."""

import itertools
import os
from pathlib import Path

import hypothesis
import pytest

# The same examples at every run: a test never fails by chance. `--hypothesis-profile=default` looks for new ones.
hypothesis.settings.register_profile("same", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("same")

ROOT = Path(__file__).parent.parent
NUMBERS = itertools.count()

# What `pytest -m fast` leaves out, by how the id begins: a folder, a file, a test. The rest takes less than 30 s of
# processor time, with the start; what was measured at more than half a second and has cheaper company stands here.
SLOW = (
    "tests/browser/",
    "tests/extractors/feeds/test_feed_hostile.py::test_twice_the_size_is_twice_the_work",
    "tests/extractors/mentions/test_symbols.py::test_long_texts_are_read",
    "tests/extractors/sample/test_sample.py::test_a_field_that_is_missing_is_uncertain",
    "tests/extractors/sample/test_sample.py::test_nothing_looks_like_a_recording_that_could_be_played",
    "tests/extractors/sample/test_sample.py::test_slug_is_the_page_without_its_hash",
    "tests/extractors/sites/test_registry.py::test_a_reference_is_whole",  # this table is read by test_what_it_shows
    "tests/extractors/sites/test_registry.py::test_a_rule_answers_any_text",
    "tests/extractors/sites/test_registry.py::test_the_canonical_link_shows_the_same",
    "tests/extractors/sites/test_spellings.py::test_any_text_is_a_thing_or_nothing",
    "tests/extractors/test_linear.py",
    "tests/graph/map/test_layout.py::test_a_big_graph_is_laid_out_by_community",
    "tests/graph/map/test_layout.py::test_few_lines_cross",
    "tests/graph/map/test_layout.py::test_what_only_an_index_adds_stands_by_what_it_belongs_to",
    "tests/output/commands/test_cli.py::test_bad_input_is_one_line_and_status_2[cites -",  # builds the snapshot
    "tests/output/commands/test_cli.py::test_bad_input_is_one_line_and_status_2[show  -",
    "tests/output/commands/test_cli.py::test_building_again_changes_nothing",
    "tests/output/commands/test_cli.py::test_list_knows_every_topic_by_its_label",
    "tests/output/commands/test_cli.py::test_the_same_input_gives_the_same_bytes",
    "tests/output/commands/test_cli.py::test_without_a_saved_graph_the_snapshot_is_asked_and_said",
    "tests/output/commands/test_export.py",
    "tests/output/commands/test_terminal_tables.py::test_an_address_stays_whole",
    "tests/output/formats/test_flatten.py::test_flattening_twice_is_flattening_once",
    "tests/output/formats/test_formats.py::test_no_graph_makes_a_format_fail",
    "tests/output/formats/test_formats.py::test_the_same_graph_gives_the_same_bytes_and_stays_as_it_is[hostile_graph",
    "tests/output/formats/test_formats.py::test_the_schema_takes_the_snapshot",
    "tests/output/formats/test_formats_foreign.py",
    "tests/output/formats/test_formats_roundtrip.py",
    "tests/output/formats/test_formats_text.py::test_the_script_holds_nothing_but_its_own_words_and_literals[hostile_graph]",
    "tests/output/formats/test_formats_vault.py::test_notes_of_hostile_ids_are_known_again",
    "tests/output/test_library.py::test_a_cell_holds_the_whole_page",
    "tests/output/test_library.py::test_every_file_answers_the_same",
    "tests/output/page/test_page.py::test_a_big_map_leaves_its_lines_out_while_it_moves",
    "tests/output/page/test_page.py::test_positions_are_kept_and_missing_ones_made",
    "tests/reliability/",
)


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items):
    for item in items:
        if not item.nodeid.startswith(SLOW):
            item.add_marker(pytest.mark.fast)


def pytest_terminal_summary(terminalreporter):
    """Say in the last lines what was skipped; it works on what workers of xdist report, too."""
    if line := skipped(report.longrepr for report in terminalreporter.stats.get("skipped", ())):
        terminalreporter.write_line(line, yellow=True)


def skipped(reports):
    """Return one line for tests that were skipped: how many, why, and what would let them run.

    A report is (file, line, why); why is "what is wanting: the remedy". What has one remedy stands together.

    >>> skipped([("a.py", 1, "Skipped: no duckdb: pip install duckdb"), ("a.py", 9, "Skipped: as root: be another")])
    'skipped: 2 tests: no duckdb (pip install duckdb); as root (be another)'
    """
    reasons = [reason.removeprefix("Skipped: ").removeprefix("collected ") for _, _, reason in reports]
    remedies = {}
    for reason in reasons:
        what, _, remedy = reason.partition(": ")
        whats = remedies.setdefault(remedy, [])
        if what not in whats:
            whats.append(what)
    parts = [", ".join(whats) + (f" ({remedy})" if remedy else "") for remedy, whats in remedies.items()]
    return f"skipped: {len(reasons)} test{'s' * (len(reasons) > 1)}: {'; '.join(parts)}" if parts else ""


@pytest.fixture(autouse=True)
def _own_world(monkeypatch, tmp_path_factory):
    """No test sees the person's cache, graph or settings."""
    # A number of our own: mktemp looks through all folders for the next one, thousands of times.
    monkeypatch.setenv("PODGRAPH_CACHE_DIR", str(tmp_path_factory.getbasetemp() / f"cache-{next(NUMBERS)}"))
    for variable in ("PODGRAPH_GRAPH", "NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture(scope="session")
def sample():
    """The graph of the built-in snapshot."""
    os.environ.setdefault("PODGRAPH_CACHE_DIR", os.devnull)
    import podgraph

    return podgraph.sample().networkx


@pytest.fixture(scope="session")
def sample_file(sample, tmp_path_factory):
    """That graph in a file, ``podgraph.json``."""
    from podgraph.output.formats.node_link import write_json

    path = tmp_path_factory.mktemp("sample") / "podgraph.json"
    write_json(sample, path)
    return path
