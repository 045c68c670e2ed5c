"""The pure parts of the page's script, as tables: what goes in, what comes out."""

import pytest

from podgraph.output.page.page import bundle_module
from tests.output.page.test_page import ASSETS

PURE = (
    "strings",
    "dom",
    "data",
    "search",
    "address",
    "filters",
    "walk",
    "shapes",
    "timeline",
    "frame",
    "labels",
    "drawing",
    "legend",
    "panel",
    "brush",
)

TABLE = [
    # the state in the address
    ("address_module.toAddress(address_module.START)", ""),
    ("address_module.fromAddress('#n=github:pytorch/pytorch#130935').node", "github:pytorch/pytorch#130935"),
    ("address_module.fromAddress('n=a%26b%3Dc&off=pull,issue').node", "a&b=c"),
    ("address_module.fromAddress('n=a%26b%3Dc&off=pull,issue').off", ["pull", "issue"]),
    ("address_module.fromAddress('twice=1').detail", "shared"),
    ("address_module.fromAddress('view=topics').view", "episodes"),
    ("address_module.fromAddress('n=%E0%A4%A').node", "%E0%A4%A"),
    ("address_module.fromAddress('detail=everything').detail", ""),
    ("['', '#', '#n=x', '#text', '#t12'].map(address_module.isState)", [True, True, True, False, False]),
    (
        (
            "[{ node: 'a b&c=d#e,f/g:h+i%j' }, { off: ['x,y', 'z'] }, { query: 'ü \\ud83c\\udf99' }, { related: false, only: true, unheard: true },"
            " { years: ['2021', 'undated'], topics: ['topic:c++'], podcasts: ['podcast:a'], detail: 'all', view: 'timeline' }]"
            ".every((patch) => { const state = { ...address_module.START, ...patch };"
            " return JSON.stringify(address_module.fromAddress(address_module.toAddress(state))) === JSON.stringify(state); })"
        ),
        True,
    ),
    ("address_module.toAddress({ ...address_module.START, query: 'half \\ud800' })", "q=half%20%EF%BF%BD"),
    # text
    ("search_module.fold('Éa ÅTEN ﬁ')", "ea aten fi"),
    ("data_module.units('abc', 1, 2)", [1, 2]),
    ("data_module.units('a\\ud83c\\udf99bc', 2, 3)", [3, 4]),
    ("data_module.units('a\\ud83c\\udf99bc', 1, 2)", [1, 3]),
    ("data_module.units('a\\ud83c\\udf99b\\ud83c\\udf99', 3, 4)", [4, 6]),
    ("data_module.units('\\ud83cx\\udf99', 1, 2)", [1, 2]),
    ("dom_module.webUrl('https://example.org/')", "https://example.org/"),
    (
        "['javascript:alert(1)', 'data:,x', '//example.org', 'https://', ' https://example.org', 'http:example.org', null, 3].map(dom_module.webUrl)",
        [""] * 8,
    ),
    ("labels_module.shortName({ kind: 'pull', name: '', label: 'pytorch/pytorch#130935' })", "pytorch#130935"),
    (
        "labels_module.shortName({ kind: 'file', name: '', label: 'pytorch/pytorch:c10/core/thread_pool.h' })",
        "thread_pool.h",
    ),
    (
        "labels_module.shortName({ kind: 'episode', name: 'A very long title of an episode', label: '' }, 12)",
        "A very long…",
    ),
    ("labels_module.shortName({ kind: 'episode', name: 'evil \\u202egnp.exe', label: '' })", "evil gnp.exe"),
    ("labels_module.shortName({ kind: 'symbol', name: '', label: 'c10::Dispatcher' })", "c10::Dispatcher"),
    # labels that fit
    (
        "labels_module.placeLabels([{ node: 0, text: 'a', x: 50, y: 50, radius: 5, reach: 5, width: 30, height: 15 }], [], [], 100, 100).map((l) => [l.left, l.top])",
        [[35, 58]],
    ),
    (
        (
            "labels_module.placeLabels([{ node: 0, text: 'a', x: 50, y: 50, radius: 5, reach: 5, width: 90, height: 15 },"
            " { node: 1, text: 'b', x: 50, y: 52, radius: 5, reach: 5, width: 90, height: 15 }], [], [], 100, 76).map((l) => l.text)"
        ),
        ["a", "b"],
    ),
    (
        "labels_module.placeLabels([{ node: 0, text: 'a', x: 50, y: 50, radius: 5, reach: 5, width: 300, height: 15 }], [], [], 100, 100)",
        [],
    ),
    # a label keeps nearer to its own dot than to any other; where nothing beside is free a line may lead to it
    (
        (
            "labels_module.placeLabels([{ node: 0, text: 'a', x: 50, y: 50, radius: 5, reach: 5, width: 30, height: 15 }],"
            " [labels_module.disc(50, 83, 5, 1)], [], 100, 100).map(({ left, top, led }) => [left, top, led])"
        ),
        [[59, 42.5, False]],
    ),
    (
        (
            "[0, 60].flatMap((away) => labels_module.placeLabels([{ node: 0, text: 'a', x: 100, y: 50, radius: 5, reach: 5, away, width: 30, height: 15 }],"
            " [[85, 50], [115, 50], [100, 34], [100, 66]].map(([x, y], i) => labels_module.disc(x, y, 5, i + 1)), [], 200, 100).map(({ led }) => led))"
        ),
        [True],
    ),
    # directions: right of (0,0) the nearer along the line; nothing to the left
    ("walk_module.towards([{x: 9, y: 0}, {x: 5, y: 8}, {x: 20, y: 1}], {x: 0, y: 0}, 1, 0, [0, 1, 2])", 0),
    ("walk_module.towards([{x: 9, y: 0}, {x: 5, y: 8}], {x: 0, y: 0}, -1, 0, [0, 1])", -1),
    ("walk_module.towards([{x: 9, y: 0}, {x: 5, y: 8}], {x: 0, y: 0}, 0, 1, [0, 1])", 1),
    # what a graph starts with, by its size
    (
        (
            "[[400, 0], [400, 9], [1500, 9], [1501, 9], [10000, 0], [10001, 0], [50000, 9]].map(([length, unnamed]) =>"
            " filters_module.detailOf({ nodes: { length }, unnamed }, address_module.START))"
        ),
        ["all", "named", "named", "shared", "shared", "core", "core"],
    ),
    ("filters_module.detailOf({ nodes: { length: 50000 } }, { ...address_module.START, detail: 'all' })", "all"),
    # years: the lines of 2019 to 2021 are near each other, and only the last has room for its label
    (
        (
            "drawing_module.tickLabels([['undated', 0], ['2019', 10], ['2020', 20], ['2021', 30], ['2022', 300]]"
            ".map(([label, x]) => ({ label, x })), (x) => x, () => 40).map(({ label }) => label)"
        ),
        ["undated", "", "", "2021", "2022"],
    ),
    # what lies before the first year with room for its label is joined, left of its first line
    (
        (
            "[[2019, 10], [2020, 20]].map((_, i, two) => [...two.slice(i), [2021, 30], [2022, 300]]).map((years) =>"
            " drawing_module.tickLabels(years.map(([label, x]) => ({ label: String(label), x })), (x) => x, () => 40)"
            ".map(({ label, left }) => (label ? [label, left] : label)))"
        ),
        [
            [["2019–2020", -33.5], "", ["2021", 34.5], ["2022", 304.5]],
            [["2020", -23.5], ["2021", 34.5], ["2022", 304.5]],
        ],
    ),
    # moments and durations
    ("[5, 62, 3723, 90.5].map(panel_module.clock)", ["0:05", "1:02", "1:02:03", "1:30"]),
    ("[20, 780, 3720].map(panel_module.durationText)", ["1 min", "13 min", "1 h 02 min"]),
    # shapes
    ("shapes_module.pathData('square', 0, 0, 10)", "M-9 -9L9 -9L9 9L-9 9z"),
    ("shapes_module.pathData('circle', 8, 8, 5)", "M3 8a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z"),
    ("shapes_module.pathData('no such shape', 8, 8, 5)", "M3 8a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z"),
    # a little graph: e1 listens first to e2, that to e3; both e1 and e2 cite a
    ("[...walk_module.neighbourhood(little, 3, () => true).nodes].sort()", [0, 1, 3]),
    ("[...walk_module.neighbourhood(little, 3, (node) => node !== 1).nodes].sort()", [0, 3]),
    ("filters_module.citations(little)", [0, 0, 0, 2, 0, 0]),
    (
        "filters_module.shownNodes(little, { ...address_module.START, years: ['2021'] }, facts)",
        [True, False, False, True, True, False],
    ),
    (
        "filters_module.shownNodes(little, { ...address_module.START, detail: 'shared' }, facts)",
        [True, True, True, True, True, False],
    ),
    (
        "filters_module.shownNodes(little, { ...address_module.START, span: ['2021-02', '2021-12'] }, facts)",
        [True, False, False, True, True, False],
    ),
    ("address_module.fromAddress('span=2021-02,2021-12').span", ["2021-02", "2021-12"]),
    ("['span=2021-02', 'span=a,b', 'span='].flatMap((text) => address_module.fromAddress(text).span)", []),
    ("['2021-07', '2021-7', 'x'].map(brush_module.monthNumber).map(String)", ["24258", "NaN", "NaN"]),
    ("timeline_module.monthText(24258)", "2021-07"),
    # the timeline: what has no date stands left of all; lanes by their first date, the rest last
    ("[...timeline_module.daysOf(dated)]", [[0, 18628], [2, 18993], [3, 18628]]),
    (
        (
            "timeline_module.timelineOf(dated, [0, 1, 2, 3, 4], timeline_module.daysOf(dated), { width: 600, height: 400 })"
            ".timeline.rows.map(({ name }) => name)"
        ),
        ["one", "two", "Other areas"],
    ),
    (
        (
            "[...timeline_module.timelineOf(dated, [0, 1, 2, 4], timeline_module.daysOf(dated), { width: 600, height: 400 }).places]"
            ".sort(([, a], [, b]) => a.x - b.x).map(([node, { x }]) => [node, x > 90 - 300])"
        ),
        [[4, False], [1, False], [0, True], [2, True]],
    ),
    (
        (
            "timeline_module.timelineOf(dated, [0, 1, 2, 4], timeline_module.daysOf(dated), { width: 600, height: 400 })"
            ".timeline.ticks.map(({ label }) => label)"
        ),
        ["undated", "2021-01", "2021-04", "2021-07", "2021-10", "2022-01"],
    ),
    (
        "timeline_module.timelineOf(dated, [], new Map(), { width: 600, height: 400 }).timeline",
        {"rows": [], "ticks": []},
    ),
    ("little.nodes.map(({ item }) => item)", [True, True, True, False, False, False]),
    ("little.nodes.map(({ degree }) => degree)", [2, 3, 1, 2, 0, 0]),
]

LITTLE = """
const little = data_module.readGraph({
  legend: { families: {}, kinds: {}, other: {}, relations: { cites: { drawn: true, names: true }, listen_first: { drawn: true, names: true } } },
  graph: {},
  nodes: {
    count: 6, key: ["episode:1", "episode:2", "episode:3", "github:lab/lab#7", "podcast:p", "web:alone"],
    label: ["First", "Second", "Third", "lab/lab#7", "Podcast", "alone"],
    words: { kind: ["episode", "podcast", "pull", "web"] }, kind: [0, 0, 0, 2, 1, 3], x: [0, 0, 0, 0, 0, 0], y: [0, 0, 0, 0, 0, 0],
    url: { steps: [5], of: ["https://alone.example/a/b"] },
    date: { steps: [0, 1], of: ["2021-02-03", "2022-02-03"] }, summary: { steps: [2], of: ["A word of the notes"] },
  },
  edges: {
    count: 5, from: [0, 1, 0, 1, 0], to: [1, 2, 3, 3, 4], words: { relation: ["cites", "listen_first", "part_of"] }, ways: [],
    relation: [1, 1, 0, 0, 2],
  },
});
const dated = { areas: [{ name: "two" }, { name: "one" }], nodes: [
  { index: 0, item: true, number: 1, date: "2021-01-01", community: "one" }, { index: 1, item: true, number: 2, community: "two" },
  { index: 2, item: true, number: 3, date: "2022-01-01", community: "one" }, { index: 3, item: true, date: "2021-01-01" },
  { index: 4, item: true, community: "one" }] };
const facts = { topics: filters_module.topicsOfEpisodes(little), citations: filters_module.citations(little) };
"""


@pytest.fixture(scope="module")
def scripted(chromium):
    page = chromium.new_page()
    code = "".join(bundle_module(name, ASSETS.joinpath(f"{name}.js").read_text("utf-8")) for name in PURE)
    page.add_script_tag(content=f'"use strict";\n{code}{LITTLE}')
    yield page
    page.close()


@pytest.mark.parametrize(("expression", "value"), TABLE, ids=[expression[:60] for expression, _ in TABLE])
def test_it_gives(scripted, expression, value):
    assert scripted.evaluate(expression) == value
