"""Topics in titles and notes: what is found, and what is not; terms that a feed's own words make."""

import pytest

from podgraph.extractors import Corpus, Episode, Feed, builtin_vocabulary, extract, parse_vocabulary
from podgraph.extractors.mentions.corpus import KnownPeople
from podgraph.extractors.mentions.derived_topics import derive_topics
from podgraph.extractors.mentions.topics import find_topics
from podgraph.extractors.notes.show_words import show_words


def topics(title="", notes="", vocabulary=None, on_subject=True):
    episode = Episode("episode:p/e", "episode", "podcast:p", title, notes)
    corpus = Corpus({}, "", {vocabulary or builtin_vocabulary(): on_subject})
    mentions = list(find_topics(episode, corpus))
    for mention in mentions:
        text = title if mention.field == "title" else notes
        assert text[mention.start : mention.end] == mention.quote
        assert mention.relation == "about"
        assert mention.method == ("title" if mention.field == "title" else "alias")
    return {mention.ref.id.removeprefix("topic:") for mention in mentions}


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("vmap", {"vmap"}),
        ("CUDA graph trees", {"cuda-graph-trees"}),
        ("CUDA graphs", {"cuda-graphs"}),
        ("Dynamic library structure", {"libtorch-libs"}),
        ("Default arguments", {"default-arguments"}),
        ("API design via lexical and dynamic scoping", {"api-design"}),
        ("pytorch-probot", {"probot"}),
        ("Expect tests", {"expecttest"}),
        ("Learning rate schedulers", {"lr-scheduler"}),
        ("Shared memory", {"shared-memory"}),
        ("Mobile selective build", {"selective-build"}),
        ("All about NVIDIA GPUs", {"gpus"}),
        ("Multiple dispatch in __torch_function__", {"multiple-dispatch", "torch-function"}),
        ("Zero one specialization", {"zero-one-specialization"}),
        ("Tensor subclasses and Liskov substitution principle", {"tensor-subclass", "liskov"}),
        ("Reference counting", {"intrusive-ptr"}),
        ("Inductor - Define-by-run IR", {"inductor", "define-by-run-ir"}),
        ("PyTorch 2.0", {"pt2"}),
        ("TH", {"th"}),
        ("Strides", {"strides"}),
        ("Serialization", {"serialization"}),
        ("Episode 12", set()),
    ],
)
def test_titles(title, expected):
    assert topics(title) == expected


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        ("It holds two vmaps.", {"vmap"}),
        ("We use AOT-Autograd here", {"aot-autograd"}),
        ("cuda graphs\nand more", {"cuda-graphs"}),
        ("the RNG", {"rng"}),
        # No topic: inside of words, in addresses, everyday words, acronyms in another case.
        ("vmapped", set()),
        ("see https://example.com/vmap/CUDA-graphs", set()),
        ("see www.example.org/vmap or github.com/x/vmap", set()),
        ("the guards of the hub stored a view of the future", set()),
        ("this thing, that one", set()),
        ("a family of ci and th", set()),
        ("zero, half, a quarter", set()),
        ("", set()),
    ],
)
def test_notes(notes, expected):
    assert topics("An hour", notes) == expected


def test_the_longest_spelling_counts():
    assert topics("x", "CUDA graph trees") == {"cuda-graph-trees"}


def test_a_weak_spelling_counts_beside_another_topic_of_its_area():
    assert topics("x", "The guards are slow") == set()
    assert topics("x", "TorchDynamo: the guards are slow") == {"dynamo", "guards"}


def test_the_vocabulary_applies_to_its_subject_only():
    assert topics("Buildings", "vmap", on_subject=False) == set()
    assert topics("Buildings in PyTorch", "vmap", on_subject=False) == {"vmap"}
    assert topics("Buildings", "PyTorch has vmap. So PyTorch it is.", on_subject=False) == {"vmap"}
    assert topics("Buildings", "The core of a build, and vmap in PyTorch.", on_subject=False) == set()
    assert (
        topics("News", f"{'Of cats and dogs. ' * 30} PyTorch 3 is out, with vmap and a new core", on_subject=False)
        == set()
    )


def test_a_vocabulary_of_ones_own():
    vocabulary = parse_vocabulary('[[topic]]\nlabel = "Sourdough"\naliases = ["levain"]\n', source="bread.toml")
    assert topics("Feeding a levain", "", vocabulary) == {"sourdough"}


@pytest.mark.parametrize(("label", "title", "found"), [
    ("Oven stones", "An oven stone", True), ("Oven stones", "Oven stones", True), ("Kiln focus", "The kiln focu", False),
    ("Stones", "A stone", False), ("Oven glass", "The oven glas", False),
])  # fmt: skip
def test_a_name_in_the_plural_is_also_found_in_the_singular(label, title, found):
    vocabulary = parse_vocabulary(f'[[topic]]\nlabel = "{label}"\n', source="kiln.toml")
    assert bool(topics(title, "", vocabulary)) == found


def test_letters_that_grow_in_lower_case_move_nothing():
    assert topics("x", "\u0130\u0130 vmap") == {"vmap"}


def test_a_long_line_costs_its_length():
    assert topics("x", "a" * 300_000 + " vmap") == {"vmap"}


def items(*texts):
    return [Episode(f"episode:p/{place}", "episode", "podcast:p", *text) for place, text in enumerate(texts)]


GARDEN = [
    ("Pruning roses", "We prune the rose garden in winter."),
    ("Compost", "How hot compost works, and worms."),
    ("More compost", "Hot compost again."),
    ("Roses again", "The rose garden in summer."),
    ("Tulips", "Bulbs in autumn."),
    ("Water", "How to water."),
    ("Tools", "Spades and forks."),
    ("Soil", "Clay and sand."),
    ("Bees", "Bees in the city."),
    ("Paths", "Gravel and stone."),
]


def derived(episodes, code="en", title="The garden"):
    feed = Feed("s", "podcast", "podcast:p", title, tuple(episodes), language=code)
    return derive_topics(feed, show_words(feed), KnownPeople({}))


def test_a_feed_without_a_vocabulary_gets_topics_from_its_own_words():
    found = derived(items(*GARDEN)).vocabulary
    assert {"rose", "compost", "tulip"} <= set(found.topics)
    assert all(topic.derived for topic in found.topics.values())
    assert not {"the", "how", "again"} & set(found.topics)


def test_derived_topics_do_not_depend_on_the_order_of_items():
    assert list(derived(items(*GARDEN)).vocabulary.topics) == list(derived(reversed(items(*GARDEN))).vocabulary.topics)


# Titles and notes of two items and more -> labels that must be there, labels that must not.
DERIVED = [
    ([("Roses with Ann Lee", "Ann Lee on roses."), ("Ann Lee again", "More roses.")], {"roses"}, {"Ann Lee", "Lee", "Ann"}),
    ([("Weekly news 1", "Moss."), ("Weekly news 2", "Ferns."), ("Weekly news 3", "Owls."), ("Owls", "Owls at night.")], {"Owls"}, {"news", "Weekly"}),
    ([("Bog notes: moss", "Moss."), ("Bog notes: fern", "Fern."), ("Bog notes: owl", "Owl."), ("Oak", "Oaks."), ("Elm", "Elms."),
      ("Yew", "Yews."), ("Ash", "Ash.")], {"Bog notes", "moss"}, set()),
    ([("C++ in June", "What C++ does in June 2020."), ("Rust and C++", "C++ again.")], {"C++"}, {"June"}),
    ([("Salt pits", "A salt pit."), ("A salt pit in Wales", "Salt pits, again.")], {"Salt pit"}, {"pit", "salt"}),
    ([("How we built it", "We built it in a year."), ("What we learned", "We learned a lot.")], set(), {"built", "learned", "year"}),
]  # fmt: skip


OTHERS = [("Clay", "Clay."), ("Mud", "Mud."), ("Ash", "Ash."), ("Oak", "Oaks."), ("Elm", "Elms.")]


def test_two_topics_of_an_item_share_no_word():
    marsh = [
        ("Salt marsh birds", "Salt marsh birds. Marsh birds sing."),
        ("Salt marsh", "The salt marsh."),
        ("Marsh birds", "Marsh birds."),
    ]
    found = derived(items(*marsh, *OTHERS)).places
    assert {place[-1] for place in found["episode:p/0"]} == {"salt-marsh-bird"}
    assert {place[-1] for place in found["episode:p/2"]} == {"marsh-bird"}


def test_a_number_at_the_end_of_a_name_is_left_out():
    kiln = [("Kiln 12 repairs", "Kiln 12 again."), ("Kiln 12", "Kiln 12 is hot.")]
    labels = {topic.label for topic in derived(items(*kiln, *OTHERS)).vocabulary.topics.values()}
    assert ("Kiln" in labels, "Kiln 12" in labels) == (True, False)


@pytest.mark.parametrize(("episodes", "there", "absent"), DERIVED)
def test_what_a_feed_s_own_words_make(episodes, there, absent):
    labels = {topic.label.lower() for topic in derived(items(*episodes)).vocabulary.topics.values()}
    assert {label.lower() for label in there} <= labels
    assert not {label.lower() for label in absent} & labels


# Sentences of a show, one an item -> labels that must be there, labels that must not; in the language.
NAMES = [
    ("en", ["We drove through New Mexico with a tent.", "A tent in New Mexico again."], {"New Mexico"}, {"Mexico", "New"}),
    ("en", ["It is raining in New York City today.", "They left New York City by train."], {"New York City"}, {"York City"}),
    ("en", ["We race in the European Le Mans Series this year.", "Now the European Le Mans Series has a new car."],
     {"European Le Mans Series"}, {"Le Mans", "European Le"}),
    ("en", ["An agent learns by Reinforcement Learning all night.", "They say Reinforcement Learning needs a reward."],
     {"Reinforcement Learning"}, {"Reinforcement"}),
    ("en", ["He comes on the 27th of March, and brings Moss with him.", "We met on the 27th and in March, and saw Moss there."], {"Moss"}, {"27th", "March"}),
    ("en", ["A coin is a coin, we say.", "They coined a word and coined it well."], {"coin"}, set()),
    ("en", ["Ann's kiln burns, a kiln for us.", "Ann's kiln again, and a kiln."], {"kiln"}, {"Ann's kiln"}),
]  # fmt: skip


@pytest.mark.parametrize(("code", "notes", "there", "absent"), NAMES)
def test_names_keep_their_words(code, notes, there, absent):
    fillers = [(f"Walk {place}", "") for place in range(10)]
    labels = {
        topic.label
        for topic in derived(items(*(("", text) for text in notes), *fillers), code).vocabulary.topics.values()
    }
    assert there <= labels
    assert not absent & labels


def test_the_code_of_an_item_is_no_part_of_a_topic():
    texts = [
        (f"KILN{place} {word} Glaze", f"Of {word} Glaze and of fire.")
        for place, word in enumerate(("Ash", "Salt", "Tin"))
    ]
    assert {topic.label for topic in derived(items(*texts)).vocabulary.topics.values()} >= {
        "Ash Glaze",
        "Salt Glaze",
        "Tin Glaze",
    }


def test_an_item_that_others_name_with_its_code_gives_no_topic_with_the_code():
    texts = [("KILN1 Salt", "We fire Salt."), ("KILN2 Ash", "After KILN1 Salt, see KILN1 Salt and KILN99 Fire."),
             ("KILN3 Tin", "After KILN1 Salt and KILN99 Fire.")]  # fmt: skip
    labels = {topic.label for topic in derived(items(*texts)).vocabulary.topics.values()}
    assert "Salt" in labels
    assert not [label for label in labels if "KILN" in label]


WORDS = "walk run ride swim crawl climb sail row fly".split()


@pytest.mark.parametrize(("count", "kept"), [(5, True), (4, True), (6, False)])
def test_a_term_of_more_than_a_third_of_the_items_tells_nothing_apart(count, kept):
    texts = [
        ("Talk", f"We {WORDS[place]} to Moss and {WORDS[place + 1]} from Moss." if place < count else "Of nothing.")
        for place in range(15)
    ]
    assert ("Moss" in {topic.label for topic in derived(items(*texts)).vocabulary.topics.values()}) == kept


def test_boilerplate_counts_for_the_spread():
    spot = "Thanks to Moss and Sons for all the help they give to this show of ours every week."
    texts = [
        ("Talk", f"{'Moss is soft, and Moss is green.' if place < 2 else 'Of nothing.'}\n{spot}") for place in range(15)
    ]
    assert "Moss" not in {topic.label for topic in derived(items(*texts)).vocabulary.topics.values()}


def test_the_label_is_the_commonest_spelling_and_the_id_the_first():
    episodes = items(
        ("Web Sockets", "Of Web Sockets."),
        ("WebSockets", "x"),
        ("More", "The WebSocket and a WebSocket."),
        ("y", "A WebSocket."),
    )
    topics = derived(episodes).vocabulary.topics
    assert topics["websocket"].label == "WebSocket"


def test_derived_topics_are_found_and_marked():
    feed = Feed("s", "podcast", "podcast:p", "The garden", tuple(items(*GARDEN)))
    found = [
        mention for extraction in extract([feed]) for mention in extraction.mentions if mention.relation == "about"
    ]
    assert {"topic:compost"} <= {mention.ref.id for mention in found}
    assert all(("derived", True) in mention.ref.attrs for mention in found)
    assert {(mention.field, mention.method) for mention in found} == {("title", "title"), ("notes", "alias")}


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        ("Related episodes on Alpha tests and gamma.", {("b", "see_also"), ("c", "see_also")}),
        ("There is overlap with previous podcasts about gamma; also this.", {("c", "see_also")}),
        ("Other episodes to listen to first: Gamma", {("c", "listen_first")}),
        ("In this episode we speak of gamma.", set()),
        ("Alpha tests are good.", set()),
        ("Related episodes: https://example.com/gamma", set()),
        ("Related episodes on myself", set()),
    ],
)
def test_episodes_announced_by_title(notes, expected):
    episodes = [
        Episode("episode:p/a", "episode", "podcast:p", "Myself", notes),
        Episode("episode:p/b", "episode", "podcast:p", "Alpha tests"),
        Episode("episode:p/c", "episode", "podcast:p", "Gamma"),
    ]
    mentions = extract([Feed("s", "podcast", "podcast:p", "P", tuple(episodes))])[0].mentions
    assert {(m.ref.id[-1], m.relation) for m in mentions if m.method == "crosslink"} == expected
