"""Topics in titles and notes: what is found, and what is not; terms that a feed's own words make."""

import pytest

from podgraph.extractors import Corpus, Episode, Feed, builtin_vocabulary, parse_vocabulary
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


@pytest.mark.parametrize(("title", "expected"), [
    ("vmap", {"vmap"}), ("CUDA graph trees", {"cuda-graph-trees"}), ("CUDA graphs", {"cuda-graphs"}),
    ("Dynamic library structure", {"libtorch-libs"}), ("Default arguments", {"default-arguments"}),
    ("API design via lexical and dynamic scoping", {"api-design"}), ("pytorch-probot", {"probot"}), ("Expect tests", {"expecttest"}),
    ("Learning rate schedulers", {"lr-scheduler"}), ("Shared memory", {"shared-memory"}), ("Mobile selective build", {"selective-build"}),
    ("All about NVIDIA GPUs", {"gpus"}), ("Multiple dispatch in __torch_function__", {"multiple-dispatch", "torch-function"}),
    ("Zero one specialization", {"zero-one-specialization"}), ("Tensor subclasses and Liskov substitution principle", {"tensor-subclass", "liskov"}),
    ("Reference counting", {"intrusive-ptr"}), ("Inductor - Define-by-run IR", {"inductor", "define-by-run-ir"}), ("PyTorch 2.0", {"pt2"}),
    ("TH", {"th"}), ("Strides", {"strides"}), ("Serialization", {"serialization"}), ("Episode 12", set()),
])  # fmt: skip
def test_titles(title, expected):
    assert topics(title) == expected


@pytest.mark.parametrize(("notes", "expected"), [
    ("It holds two vmaps.", {"vmap"}), ("We use AOT-Autograd here", {"aot-autograd"}), ("cuda graphs\nand more", {"cuda-graphs"}), ("the RNG", {"rng"}),
    # No topic: inside of words, in addresses, everyday words, acronyms in another case.
    ("vmapped", set()), ("see https://example.com/vmap/CUDA-graphs", set()), ("see www.example.org/vmap or github.com/x/vmap", set()),
    ("the guards of the hub stored a view of the future", set()), ("this thing, that one", set()), ("a family of ci and th", set()),
    ("zero, half, a quarter", set()), ("", set()),
])  # fmt: skip
def test_notes(notes, expected):
    assert topics("An hour", notes) == expected


@pytest.mark.parametrize(("title", "notes", "expected"), [
    ("Buildings", "vmap", set()), ("Buildings in PyTorch", "vmap", {"vmap"}), ("Buildings", "PyTorch has vmap. So PyTorch it is.", {"vmap"}),
    ("Buildings", "The core of a build, and vmap in PyTorch.", set()),
    ("News", f"{'Of cats and dogs. ' * 30} PyTorch 3 is out, with vmap and a new core", set()),
])  # fmt: skip
def test_the_vocabulary_applies_to_its_subject_only(title, notes, expected):
    assert topics(title, notes, on_subject=False) == expected


def test_a_vocabulary_of_ones_own():
    vocabulary = parse_vocabulary('[[topic]]\nlabel = "Sourdough"\naliases = ["levain"]\n', source="bread.toml")
    assert topics("Feeding a levain", "", vocabulary) == {"sourdough"}


def items(*texts):
    return [Episode(f"episode:p/{place}", "episode", "podcast:p", *text) for place, text in enumerate(texts)]


GARDEN = [
    ("Pruning roses", "We prune the rose garden in winter."), ("Compost", "How hot compost works, and worms."),
    ("More compost", "Hot compost again."), ("Roses again", "The rose garden in summer."), ("Tulips", "Bulbs in autumn."), ("Water", "How to water."),
    ("Tools", "Spades and forks."), ("Soil", "Clay and sand."), ("Bees", "Bees in the city."), ("Paths", "Gravel and stone."),
]  # fmt: skip


def derived(episodes, code="en"):
    feed = Feed("s", "podcast", "podcast:p", "The garden", tuple(episodes), language=code)
    return derive_topics(feed, show_words(feed), KnownPeople({})).vocabulary.topics


def labels(episodes, code="en"):
    return {topic.label for topic in derived(episodes, code).values()}


def test_a_feed_without_a_vocabulary_gets_topics_from_its_own_words():
    found = derived(items(*GARDEN))
    assert {"rose", "compost"} <= set(found)
    assert all(topic.derived for topic in found.values())
    assert not {"the", "how", "again"} & set(found)


# Titles and notes of two items and more -> labels that must be there, labels that must not.
DERIVED = [
    ([("Roses with Ann Lee", "Ann Lee on roses."), ("Ann Lee again", "More roses.")], {"roses"}, {"Ann Lee", "Lee", "Ann"}),
    ([("Weekly news 1", "Moss."), ("Weekly news 2", "Ferns."), ("Weekly news 3", "Owls."), ("Owls", "Owls at night.")], {"Owls"}, {"news", "Weekly"}),
    ([("C++ in June", "What C++ does in June 2020."), ("Rust and C++", "C++ again.")], {"C++"}, {"June"}),
    ([("Salt pits", "A salt pit."), ("A salt pit in Wales", "Salt pits, again.")], {"Salt pit"}, {"pit", "salt"}),
    ([("Feeding", "It wants a levain. Now."), ("Raku", "How the levain grew.")], {"levain", "Raku"}, {"Now"}),
    ([("Feeding", "PRs from kilntalk.")], set(), {"PRs"}),  # a name in passing, in a show of few items
    ([("How we built it", "We built it in a year."), ("What we learned", "We learned a lot.")], set(), {"built", "learned", "year"}),
]  # fmt: skip


@pytest.mark.parametrize(("episodes", "there", "absent"), DERIVED)
def test_what_a_feed_s_own_words_make(episodes, there, absent):
    found = {label.lower() for label in labels(items(*episodes))}
    assert {label.lower() for label in there} <= found
    assert not {label.lower() for label in absent} & found


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
    found = labels(items(*(("", text) for text in notes), *fillers), code)
    assert there <= found
    assert not absent & found


WORDS = "walk run ride swim crawl climb sail row fly".split()


@pytest.mark.parametrize(("count", "kept"), [(5, True), (4, True), (6, False)])
def test_a_term_of_more_than_a_third_of_the_items_tells_nothing_apart(count, kept):
    texts = [
        ("Talk", f"We {WORDS[place]} to Moss and {WORDS[place + 1]} from Moss." if place < count else "Of nothing.")
        for place in range(15)
    ]
    assert ("Moss" in labels(items(*texts))) == kept


def test_the_label_is_the_commonest_spelling_and_the_id_the_first():
    texts = (
        ("Web Sockets", "Of Web Sockets."),
        ("WebSockets", "x"),
        ("More", "The WebSocket and a WebSocket."),
        ("y", "A WebSocket."),
    )
    assert derived(items(*texts))["websocket"].label == "WebSocket"


# Language tag, title of the items with N in the place of the number, label of the series' topic.
SERIES = [
    ("en", "Sourdough, part N", "Sourdough"), ("en", "Sourdough (Part N)", "Sourdough"), ("en", "Sourdough episode N", "Sourdough"),
    ("en", "Sourdough #N", "Sourdough"), ("nl", "Fietspaden aflevering N", "Fietspaden"), ("nl", "Fietspaden episode N", "Fietspaden"),
    ("nl", "Fietspaden, deel N", "Fietspaden"), ("de", "Radwege Folge N", "Radwege"), ("de", "Radwege, Teil N", "Radwege"),
    ("fr", "Levain, épisode N", "Levain"), ("es", "Masa madre, capítulo N", "Masa madre"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "pattern", "label"), SERIES)
def test_a_series_is_called_without_the_number_and_its_word(code, pattern, label):
    others = "Owls at night|A meadow|Rivers|Hedges|Old oaks|Moss|Ferns|Herons|Foxes|Beetles".split("|")
    titles = [pattern.replace("N", str(number)) for number in range(1, 6)] + others
    found = labels(items(*((title, f"{title}.") for title in titles)), code)
    assert {one for one in found if one.startswith(label)} == {label}
