"""Persons in notes: named in full, by a handle that something confirms, as a guest; never a guess."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podgraph.extractors.mentions.corpus import Corpus
from podgraph.extractors.mentions.extraction import extract
from podgraph.extractors.mentions.people import find_people, known_people, person_ref
from podgraph.extractors.model import Episode, Feed, Person
from podgraph.extractors.notes.text import to_text
from podgraph.extractors.subjects.registry import default_subject


def episode(notes, title="", number=1, **values):
    return Episode(f"episode:p/{number}", "episode", "podcast:p", title, *to_text(notes), **values)


def feed(*episodes, people=(), title="P"):
    return Feed("feed.xml", "podcast", "podcast:p", title, episodes, people=people)


def found(notes, title="", corpus=None):
    mentions = find_people(episode(notes, title), corpus or Corpus({}, "pytorch/pytorch"))
    return [(mention.quote, mention.ref.id.removeprefix("person:")) for mention in mentions]


@pytest.mark.parametrize(("notes", "expected"), [
    # full names of the list, in any case, with their possessive
    ("Mike Ruberry has an RFC", [("Mike Ruberry", "mruberry")]), ("Scott Wolchok\u2019s idea, Brian Hirsh's spec", [("Scott Wolchok", "swolchok"), ("Brian Hirsh", "bdhirsh")]),
    ("(joel schlosser)", [("joel schlosser", "jbschlosser")]), ("Edward Z. Yang and Gregory Chanan", [("Edward Z. Yang", "ezyang"), ("Gregory Chanan", "gchanan")]),
    ("Mario Lezcano-Casado", [("Mario Lezcano-Casado", "lezcano")]),
    # handles of the list
    ("PRs from mcarilli: many", [("mcarilli", "mcarilli")]), ("thanks @albanD and zou3519", [("albanD", "alband"), ("zou3519", "zou3519")]), ("ezyang's blog", [("ezyang", "ezyang")]),
    ("Shen Li (mrshenli) joins me", [("Shen Li", "mrshenli"), ("mrshenli", "mrshenli")]),
    ("(suo) and @suo, PRs by suo", [("suo", "suo"), ("suo", "suo"), ("suo", "suo")]), ("la suo casa", []), ("done with llvm (jiakai) then", [("jiakai", "ljk53")]),
    # guests
    ("Today, Horace joins me", [("Horace", "chillee")]), ("Ann Example joins me to talk", [("Ann Example", "ann-example")]),
    ("It is about strides. Ann Example joins us", [("Ann Example", "ann-example")]), ("I am joined by Ann B. Example", [("Ann B. Example", "ann-b-example")]),
    ("An interview with Barbara Liskov", [("Barbara Liskov", "barbara-liskov")]), ("Guest: Ann de la Example", []), ("Guests: Ann Example and Bo", [("Ann Example", "ann-example")]),
    ("Ann Example (annex) joins me", [("Ann Example", "ann-example")]), ("Jean O'Brien joins me", [("Jean O'Brien", "jean-obrien")]),
    # none
    ("Horace wrote odes", []), ("Ann joins me", []), ("He joins me, It joins us", []), ("Team PyTorch joins me", []), ("joined by Machine Learning Team", []),
    ("interview with PyTorch Core", []), ("an interview with CUDA Graphs", []), ("Compiled Autograd is new", []), ("(see) (optional) (beta) @here", []), ("PRs from people", []),
    ("https://github.com/mcarilli/x and https://example.org/albanD", []), ("Shen Liang, Mike Ruberryman, Bo Mike", []), ("mcarillis xezyang", []),
])  # fmt: skip
def test_people(notes, expected):
    assert found(notes) == expected


def test_a_title_may_name_a_guest():
    assert found("", "Dispatcher questions with Sherlock") == [("Sherlock", "sherlocknomad")]


def test_a_person_is_mentioned():
    (mention,) = find_people(episode("By Shen Li"), Corpus({}, "pytorch/pytorch"))
    assert (mention.relation, mention.method, mention.ref.kind, mention.confidence) == (
        "mentions",
        "alias",
        "person",
        1.0,
    )
    assert (mention.ref.label, mention.ref.url) == ("Shen Li", "https://github.com/mrshenli")


@pytest.mark.parametrize(("name", "url", "id_"), [
    ("Edward Yang", "", "person:ezyang"), ("edward  yang", "", "person:ezyang"), ("Ann Example", "", "person:ann-example"), ("Zoë Übel", "", "person:zoe-ubel"),
    ("Ann Example", "https://github.com/annex", "person:annex"), ("Ann Example", "https://ann.example", "person:ann-example"),
    ("Ann Example", "https://github.com/features", "person:ann-example"), ("Ann Example", "https://github.com/annex/repo", "person:ann-example"),
])  # fmt: skip
def test_person_ref(name, url, id_):
    assert person_ref(name, url, listed=[default_subject()]).id == id_


def test_the_list_is_of_people_at_pytorch():
    assert person_ref("Peter Bell").id == "person:peter-bell"
    assert found("Peter Bell and albanD", corpus=Corpus({})) == []
    assert found("PyTorch, by Peter Bell", corpus=Corpus({})) == [("Peter Bell", "peterbell10")]
    other = feed(episode("Peter Bell talks"), people=(Person("Peter Bell"),))
    assert [m.ref.id for result in extract([other]) for m in result.mentions] == ["person:peter-bell"]
    subjects = [default_subject()]
    assert known_people([other, feed(title="PyTorch talks")], subjects).listed == subjects
    assert known_people([other], subjects).listed == []


@pytest.mark.parametrize(("items", "confirmed"), [
    (["https://github.com/annex"], {"@annex"}), (["<a href='https://github.com/annex'>x</a>"], {"@annex"}),
    (["https://github.com/annex/tool"], set()), (["https://github.com/annex/tool", "PRs from annex"], {"@annex"}),
    (["PRs from annex"], set()), (["PRs from annex", "commits by annex"], set()), (["PRs from annex", "Ann Example (annex)"], {"@annex"}),
    (["Machine Learning (again)", "New York (again)"], set()), (["https://github.com/pytorch"], set()), (["PRs from CUDA", "Some Thing (CUDA)"], set()),
])  # fmt: skip
def test_what_confirms_a_handle(items, confirmed):
    episodes = [episode(notes, number=number) for number, notes in enumerate(items)]
    assert set(known_people([feed(*episodes)]).people) == confirmed


def test_a_handle_known_elsewhere_is_known_here():
    one = episode("PRs from annex and (annex), but annex alone is a word", number=1)
    two = episode("Page https://github.com/annex", number=2)
    first, second = extract([feed(one, two)])
    assert [(m.quote, m.ref.id) for m in first.mentions] == [("annex", "person:annex"), ("annex", "person:annex")]
    assert [(m.relation, m.method) for m in second.mentions] == [("mentions", "url")]


def test_the_feeds_own_persons_are_known_by_name():
    host = Person("Ann Example", "host", "https://github.com/annex")
    guest = Person("Bo Guest", "guest")
    one = episode("Ann Example talks to Bo Guest (annex)", people=(guest,))
    (result,) = extract([feed(one, people=(host,))])
    assert [m.ref.id for m in result.mentions] == ["person:annex", "person:bo-guest", "person:annex"]
    assert [m.ref.label for m in result.mentions][:2] == ["Ann Example", "Bo Guest"]


@given(st.text(max_size=80), st.text(max_size=20))
def test_any_text_may_be_asked(notes, title):
    one = episode(notes, title)
    corpus = Corpus({}, people=known_people([feed(one, people=(Person(title, "host"),))]))
    for mention in find_people(one, corpus):
        text = {"notes": one.notes, "title": one.title}[mention.field]
        assert text[mention.start : mention.end] == mention.quote
        assert mention.ref.id.startswith("person:")
