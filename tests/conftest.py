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
# What it leaves out, by how the id begins: a folder, a file, a test. The rest takes about 60 s of
# processor time, with the start; what was measured at a fifth of a second or more and has cheaper company stands here.
SLOW = (
    "tests/answers/test_answers.py::test_what_is_printed_can_be_asked[snapshot]",
    "tests/browser/",
    "tests/extractors/feeds/test_hostile.py::test_json_of_any_types",
    "tests/extractors/feeds/test_hostile.py::test_twice_the_size_is_twice_the_work",
    "tests/extractors/feeds/test_values.py::test_dates_never_raise_and_are_aware",
    "tests/extractors/feeds/test_values.py::test_ids_are_unique_and_independent_of_the_order",
    "tests/extractors/metadata/test_checkout.py::test_every_number_title_file_and_rename_is_right",
    "tests/extractors/metadata/test_checkout.py::test_of_many_files_the_cited_ones_and_the_first",
    "tests/extractors/mentions/test_speech.py::test_twice_the_speech_is_twice_the_work",
    "tests/extractors/mentions/test_symbols.py::test_long_texts_are_read",
    "tests/extractors/notes/test_links.py::test_a_space_around_a_whole_link_changes_nothing",
    "tests/extractors/sample/test_sample.py::test_a_field_that_is_missing_is_uncertain",
    "tests/extractors/sample/test_sample.py::test_nothing_looks_like_a_recording_that_could_be_played",
    "tests/extractors/sample/test_sample.py::test_slug_is_the_page_without_its_hash",
    "tests/extractors/sites/test_registry.py::test_a_rule_answers_any_text",
    "tests/extractors/sites/test_registry.py::test_ids_are_lines_of_printable_text",
    "tests/extractors/sites/test_registry.py::test_the_canonical_link_of_anything_shows_the_same",
    "tests/extractors/subjects/test_index.py::test_no_page_is_made_up",
    "tests/extractors/test_linear.py",
    "tests/extractors/transcripts/test_read.py::test_twice_the_cues_are_twice_the_work",
    "tests/graph/layout/test_layout.py::test_many_new_nodes_are_a_new_map",
    "tests/graph/layout/test_layout.py::test_the_same_graph_gives_the_same_map",
    "tests/graph/layout/test_layout.py::test_nodes_of_an_index_are_beside_their_symbols",
    "tests/graph/test_build.py::test_the_order_of_items_makes_no_difference",
    "tests/output/commands/test_cli.py::test_a_question_loads_no_heavy_library",
    "tests/output/commands/test_cli.py::test_bad_input_is_one_line_and_status_2[cites -",  # builds the snapshot
    "tests/output/commands/test_cli.py::test_bad_input_is_one_line_and_status_2[show  -",
    "tests/output/commands/test_cli.py::test_building_again_changes_nothing",
    "tests/output/commands/test_cli.py::test_list_knows_every_topic_by_its_label",
    "tests/output/commands/test_cli.py::test_the_same_input_gives_the_same_bytes",
    "tests/output/commands/test_cli.py::test_without_a_saved_graph_the_snapshot_is_asked_and_said",
    "tests/output/commands/test_cli_playlists.py",
    "tests/output/commands/test_cli_transcripts.py",
    "tests/output/commands/test_export.py",
    "tests/output/commands/test_init.py::test_on_a_terminal_it_asks",
    "tests/output/commands/test_init.py::test_the_site_is_built_anew_each_time",
    "tests/output/commands/test_init.py::test_the_site_is_committed_where_that_is_wanted",
    "tests/output/commands/test_terminal_tables.py::test_an_address_stays_whole",
    "tests/output/formats/test_formats.py::test_no_graph_makes_a_format_fail",
    "tests/output/formats/test_formats.py::test_the_same_graph_gives_the_same_bytes_and_stays_as_it_is[hostile_graph",
    "tests/output/formats/test_formats.py::test_the_schema_takes_the_snapshot",
    "tests/output/formats/test_formats_foreign.py",
    "tests/output/formats/test_formats_structure.py::test_gexf_keeps_the_rules",
    "tests/output/formats/test_formats_text.py::test_the_pair_is_rfc_4180",
    "tests/output/formats/test_formats_text.py::test_the_script_holds_nothing_but_its_own_words_and_literals[hostile_graph",
    "tests/output/formats/test_formats_vault.py::test_no_note_of_a_hostile_graph_runs_anything",
    "tests/output/formats/test_formats_vault.py::test_properties_that_the_user_added_are_kept",
    "tests/output/test_assistants.py",
    "tests/output/test_costs.py::test_twice_the_graph_is_twice_the_work",
    "tests/output/test_notebook.py::test_it_builds_and_asks",
    "tests/output/test_notebook.py::test_nodes_and_edges_are_data_frames",
    "tests/output/test_notebook.py::test_progress_is_one_line",
    "tests/output/test_notebook.py::test_the_graph_shows_what_it_holds",
    "tests/output/test_notebook.py::test_the_page_is_shown_whole",
    "tests/output/test_library.py::test_a_cell_holds_the_whole_page_in_a_frame",
    "tests/output/test_library.py::test_every_file_answers_the_same",
    "tests/output/test_private.py::test_no_error_prints_a_secret",
    "tests/output/test_private.py::test_nothing_that_is_written_or_printed_holds_a_secret",
    "tests/output/test_private.py::test_processes_and_a_second_build_give_the_same",
    "tests/output/test_strangers_graph.py::test_a_mutated_graph_is_an_answer_or_one_line",
    "tests/output/page/test_page.py::test_a_big_map_leaves_its_lines_out_while_it_moves",
    "tests/output/page/test_page.py::test_another_process_gives_the_same_bytes",
    "tests/output/page/test_page.py::test_it_is_small_enough",
    "tests/output/page/test_page.py::test_nothing_is_written_to_the_working_folder",
    "tests/output/page/test_page.py::test_positions_are_kept_and_missing_ones_made",
    "tests/output/page/test_page.py::test_the_graph_is_left_as_it_was",
    "tests/output/page/test_page.py::test_the_same_graph_gives_the_same_bytes",
    "tests/output/test_files.py::test_no_format_leaves_a_stump_on_a_full_disk",
    "tests/output/test_jobs.py::test_the_same_graph_whatever_the_number_of_processes",
    "tests/reliability/",
    "tests/test_snippets.py::test_the_blocks_of_a_page_run",
)
# What it leaves out besides: these take less, and the faults of `benchmarks/mutants.py` are tried on them, too.
COSTLY = (
    "tests/answers/test_answers.py::test_a_reference_means_one_thing",
    "tests/answers/test_answers.py::test_every_spelling_of_a_reference",
    "tests/answers/test_answers.py::test_the_command_finds_the_library_s_paths",
    "tests/answers/test_answers.py::test_the_command_lists_orders_and_relates_as_the_library",
    "tests/answers/test_answers.py::test_the_command_searches_as_the_library",
    "tests/extractors/metadata/test_checkout.py::test_a_damaged_memory_counts_as_none",
    "tests/extractors/sources/test_fetch.py::test_what_a_server_does",
    "tests/extractors/subjects/test_subjects.py::test_our_feed_is_unaffected",
    "tests/extractors/test_url.py::test_a_url_is_taken_apart_in_one_place",
    "tests/graph/layout/test_atlas.py::test_the_frame_is_used",
    "tests/output/commands/test_cli.py::test_what_every_command_takes_may_stand_before_it",
    "tests/output/commands/test_cli.py::test_what_lists_or_ranks_has_a_limit",
    "tests/output/commands/test_cli_hints.py",
    "tests/output/commands/test_cli_look_up.py::test_an_answer",
    "tests/output/commands/test_cli_show.py::test_the_pager",
    "tests/output/commands/test_cli_where.py::test_a_path_that_the_indexed_tree_lacks_is_reported",
    "tests/output/commands/test_cli_where.py::test_the_episode_that_explains_it_comes_first",
    "tests/output/commands/test_cli_why.py::test_what_was_found_in_the_snapshot_is_found_again",
    "tests/output/commands/test_init.py::test_linters_find_nothing_in_the_workflow",
    "tests/output/commands/test_long_names.py",
    "tests/output/commands/test_terminal_tables.py::test_colour_and_links_are_for_terminals",
    "tests/output/formats/test_formats.py::test_a_file_of_ours_is_known_and_another_is_not",
    "tests/output/formats/test_formats.py::test_what_is_written_steers_no_terminal_and_turns_no_line",
    "tests/output/test_library.py::test_a_question_loads_no_heavy_library",
    "tests/output/test_library.py::test_the_contract_s_lines_run",
    "tests/output/test_library.py::test_the_library_answers_as_the_command",
    "tests/output/test_snapshot.py::test_another_graph_is_laid_out",
    "tests/output/test_template_notes.py",
    "tests/test_architecture.py::test_a_library_has_one_file",
    "tests/test_subject_words.py::test_no_python_file_has_them",
)
LEFT_OUT = SLOW + COSTLY


def pytest_ignore_collect(collection_path, config):
    """Do not even load what is slow as a whole, for `-m fast`."""
    name = collection_path.relative_to(ROOT).as_posix() if collection_path.is_relative_to(ROOT) else ""
    return (config.option.markexpr == "fast" and (name in LEFT_OUT or f"{name}/" in LEFT_OUT)) or None


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items):
    names = [item.nodeid.partition("[")[0] for item in items]
    rows = Counter(names)
    seen = Counter()
    for item, name in zip(items, names, strict=True):
        seen[name] += 1
        if not item.nodeid.startswith(LEFT_OUT) and (rows[name] <= LONG or seen[name] % 6 == 1):
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
    reasons = [reason.removeprefix("Skipped: ") for _, _, reason in reports]
    remedies = {}
    for reason in reasons:
        what, _, remedy = reason.partition(": ")
        whats = remedies.setdefault(remedy, [])
        if what not in whats:
            whats.append(what)
    parts = [", ".join(whats) + (f" ({remedy})" if remedy else "") for remedy, whats in remedies.items()]
    return f"skipped: {len(reasons)} test{'s' * (len(reasons) > 1)}: {'; '.join(parts)}" if parts else ""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup():
    """No test sees the person's cache, graph or settings, nor the cache of another test."""
    # No fixture: with thousands of small tests that would be a tenth of the time.
    os.environ["PODGRAPH_CACHE_DIR"] = str(CACHES / str(next(NUMBERS)))
    os.environ["XDG_CONFIG_HOME"] = str(CACHES / "no-defaults")
    for variable in ("PODGRAPH_GRAPH", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES"):
        os.environ.pop(variable, None)


@pytest.fixture(scope="session", autouse=True)
def _clear_away():
    yield
    shutil.rmtree(CACHES, ignore_errors=True)


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
