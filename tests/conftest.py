"""What all tests share."""

import itertools
import os
import secrets
import shutil
import tempfile
from collections import Counter
from pathlib import Path

import hypothesis
import pytest

# The same examples at every run: a test never fails by chance. `--hypothesis-profile=default` looks for new ones.
hypothesis.settings.register_profile("same", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("same")

ROOT = Path(__file__).parent.parent
CACHES = Path(tempfile.gettempdir()) / f"podgraph-tests-{secrets.token_hex(8)}"  # each worker of xdist has its own
NUMBERS = itertools.count()

# Of a table with more rows `pytest -m fast` takes each sixth.
LONG = 30
# What it leaves out: files and folders, and tests by their names. The rest takes about 60 s of processor time.
SLOW_FILES = (
    *(
        "tests/browser/",
        "tests/extractors/test_linear.py",
        "tests/output/commands/test_cli_transcripts.py",
        "tests/reliability/",
    ),
    *(
        "tests/output/commands/test_export.py",
        "tests/output/formats/test_formats_foreign.py",
        "tests/output/test_assistants.py",
    ),
)
SLOW_TESTS = frozenset(f"test_{name}" for name in """
    what_is_printed_can_be_asked json_of_any_types twice_the_size_is_twice_the_work dates_never_raise_and_are_aware
    ids_are_unique_and_independent_of_the_order every_number_title_file_and_rename_is_right no_page_is_made_up
    of_many_files_the_cited_ones_and_the_first twice_the_speech_is_twice_the_work
    long_texts_are_read a_space_around_a_whole_link_changes_nothing a_field_that_is_missing_is_uncertain
    nothing_looks_like_a_recording_that_could_be_played slug_is_the_page_without_its_hash a_rule_answers_any_text
    ids_are_lines_of_printable_text the_canonical_link_of_anything_shows_the_same
    twice_the_cues_are_twice_the_work many_new_nodes_are_a_new_map the_same_graph_gives_the_same_map
    nodes_of_an_index_are_beside_their_symbols the_order_of_items_makes_no_difference on_a_terminal_it_asks
    the_site_is_built_anew_each_time the_site_is_committed_where_that_is_wanted no_graph_makes_a_format_fail
    the_schema_takes_the_snapshot gexf_keeps_the_rules the_pair_is_rfc_4180 no_note_of_a_hostile_graph_runs_anything
    twice_the_graph_is_twice_the_work no_error_prints_a_secret nothing_that_is_written_or_printed_holds_a_secret
    a_mutated_graph_is_an_answer_or_one_line it_is_small_enough
    a_big_map_leaves_its_lines_out_while_it_moves another_process_gives_the_same_bytes the_graph_is_left_as_it_was
    nothing_is_written_to_the_working_folder positions_are_kept_and_missing_ones_made the_same_graph_gives_the_same_bytes
    no_format_leaves_a_stump_on_a_full_disk the_same_graph_whatever_the_number_of_processes the_blocks_of_a_page_run
""".split())  # fmt: skip
# What it leaves out besides: these take less.
COSTLY_TESTS = frozenset(f"test_{name}" for name in """
    a_reference_means_one_thing every_spelling_of_a_reference
    what_a_server_does our_feed_is_unaffected a_url_is_taken_apart_in_one_place the_frame_is_used
    linters_find_nothing_in_the_workflow a_file_of_ours_is_known_and_another_is_not a_library_has_one_file
    what_is_written_steers_no_terminal_and_turns_no_line every_artifact_of_a_template_is_listed what_is_boilerplate
    papers_of_a_template_are_in_the_bibliography hosts_and_addresses_in_the_settings no_python_file_has_the_words
""".split())  # fmt: skip

UNSET = """PODGRAPH_GRAPH NO_COLOR FORCE_COLOR COLUMNS LINES GH_TOKEN GITHUB_TOKEN REQUESTS_CA_BUNDLE CURL_CA_BUNDLE
    HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY""".split()


def is_slow(item):
    return item.nodeid.startswith(SLOW_FILES) or getattr(item, "originalname", "") in SLOW_TESTS


def pytest_ignore_collect(collection_path, config):
    """Do not even load what is slow as a whole, for `-m fast`."""
    name = collection_path.relative_to(ROOT).as_posix() if collection_path.is_relative_to(ROOT) else ""
    return (config.option.markexpr == "fast" and f"{name}/".startswith(SLOW_FILES)) or None


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items):
    names = [item.nodeid.partition("[")[0] for item in items]
    rows, seen = Counter(names), Counter()
    for item, name in zip(items, names, strict=True):
        seen[name] += 1
        costly = is_slow(item) or getattr(item, "originalname", "") in COSTLY_TESTS
        if not costly and (rows[name] <= LONG or seen[name] % 6 == 1):
            item.add_marker(pytest.mark.fast)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup():
    """No test sees the person's cache, graph or settings, nor the cache of another test."""
    # No fixture: with thousands of small tests that would be a tenth of the time.
    os.environ["PODGRAPH_CACHE_DIR"] = str(CACHES / str(next(NUMBERS)))
    os.environ["XDG_CONFIG_HOME"] = str(CACHES / "no-defaults")
    for variable in UNSET:
        os.environ.pop(variable, None)
        os.environ.pop(variable.lower(), None)


@pytest.fixture(scope="session", autouse=True)
def _clear_away():
    yield
    shutil.rmtree(CACHES, ignore_errors=True)


@pytest.fixture
def server():
    """A web server on 127.0.0.1 whose answers are scripted."""
    from tests.loopback import Loopback

    with Loopback() as running:
        yield running


@pytest.fixture(scope="session")
def sample():
    """The graph of the built-in snapshot."""
    import podgraph

    return podgraph.sample().networkx()


@pytest.fixture(scope="session")
def sample_file(sample, tmp_path_factory):
    """That graph in a file, ``podgraph.json``."""
    from podgraph.output.formats import write_graph

    path = tmp_path_factory.mktemp("sample") / "podgraph.json"
    write_graph(sample, path)
    return path
