"""Persons in notes: named in full, by a handle that something confirms, as a guest; never a guess."""

import pytest

from podgraph.extractors.mentions.corpus import Corpus
from podgraph.extractors.mentions.extraction import extract
from podgraph.extractors.mentions.known_people import join_people
from podgraph.extractors.mentions.people import find_people
from podgraph.extractors.mentions.show_people import find_show_people
from podgraph.extractors.model import Episode, Feed, Person
from podgraph.extractors.notes.text import to_text


def episode(notes, title="", number=1, **values):
    return Episode(f"episode:p/{number}", "episode", "podcast:p", title, *to_text(notes), **values)


def feed(*episodes, people=(), title="P"):
    return Feed("feed.xml", "podcast", "podcast:p", title, episodes, people=people)


def confirmed_by(*feeds):
    """Return the persons whom the last feed names."""
    return join_people([*map(find_show_people, feeds)])[-1]


def found(notes, title=""):
    one = episode(notes, title)
    mentions = find_people(one, Corpus({}, "pytorch/pytorch", people=confirmed_by(feed(one))))
    return [(mention.quote, mention.ref.id.removeprefix("person:")) for mention in mentions]


@pytest.mark.parametrize(("notes", "expected"), [
    # full names of the list, in any case, with their possessive
    ("Mike Ruberry has an RFC", [("Mike Ruberry", "mruberry")]), ("Scott Wolchok\u2019s idea, Brian Hirsh's spec", [("Scott Wolchok", "swolchok"), ("Brian Hirsh", "bdhirsh")]),
    ("(joel schlosser)", [("joel schlosser", "jbschlosser")]), ("Edward Z. Yang and Gregory Chanan", [("Edward Z. Yang", "ezyang"), ("Gregory Chanan", "gchanan")]),
    ("Mario Lezcano-Casado", [("Mario Lezcano-Casado", "lezcano")]),
    # handles of the list
    ("PRs from mcarilli: many", [("mcarilli", "mcarilli")]), ("thanks @albanD and zou3519", [("albanD", "alband"), ("zou3519", "zou3519")]), ("ezyang's blog", [("ezyang", "ezyang")]),
    ("Shen Li (mrshenli) joins me", [("Shen Li", "mrshenli"), ("mrshenli", "mrshenli")]),
    ("(suo) and @suo, by suo", [("suo", "suo"), ("suo", "suo")]), ("la suo casa", []), ("done with llvm (jiakai) then", [("jiakai", "ljk53")]),
    # guests
    ("Today, Horace joins me", [("Horace", "chillee")]), ("Ann Example joins me to talk", [("Ann Example", "p/ann-example")]),
    ("It is about strides. Ann Example joins us", [("Ann Example", "p/ann-example")]), ("I am joined by Ann B. Example", [("Ann B. Example", "p/ann-b-example")]),
    ("An interview with Barbara Liskov", [("Barbara Liskov", "p/barbara-liskov")]), ("Guest: Ann de la Example", [("Ann de la Example", "p/ann-de-la-example")]), ("Guests: Ann Example and Bo", [("Ann Example", "p/ann-example")]),
    ("Ann Example (annex) joins me", [("Ann Example", "p/ann-example")]), ("Jean O'Brien joins me", [("Jean O'Brien", "p/jean-obrien")]),
    # none
    ("Horace wrote odes", []), ("Ann joins me", []), ("He joins me, It joins us", []), ("Team PyTorch joins me", []), ("joined by Machine Learning Team", []),
    ("interview with PyTorch Core", []), ("an interview with CUDA Graphs", []), ("Compiled Autograd is new", []), ("(see) (optional) (beta) @here", []), ("PRs from people", []),
    ("https://github.com/mcarilli/x and https://example.org/albanD", []), ("See github.com/albanD/thing", []), ("Shen Liang, Mike Ruberryman, Bo Mike", []), ("mcarillis xezyang", []),
])  # fmt: skip
def test_people(notes, expected):
    assert found(notes) == expected


def test_the_feeds_own_persons_are_known_by_name():
    host = Person("Ann Example", "host", "https://github.com/annex")
    guest = Person("Bo Guest", "guest")
    one = episode("Ann Example talks to Bo Guest (annex)", people=(guest,))
    (result,) = extract([feed(one, people=(host,))])
    assert [m.ref.id for m in result.mentions] == ["person:annex", "person:p/bo-guest"]
    assert [m.ref.label for m in result.mentions] == ["Ann Example", "Bo Guest"]


GITHUB, X, MASTODON = "https://github.com/annex", "https://twitter.com/AnnEx", "https://social.example/@annex"


def known(*notes, people=(), titles=()):
    items = [
        episode(text, title, number)
        for number, (text, title) in enumerate(zip(notes, titles or [""] * len(notes), strict=True))
    ]
    return extract([feed(*items, people=people)])


def link(words, url):
    return f'<a href="{url}">{words}</a>'


def persons(results):
    return {mention.ref for result in results for mention in result.mentions if mention.ref.kind == "person"}


def test_one_person_has_many_profiles():
    (ann,) = persons(known(
        f"Guest: {link('Ann Example', GITHUB)}", f"Guest: {link('Ann Example', X)}", f"Joined by {link('Ann Example', MASTODON)}",
        f"See {link('Ann Example', 'https://annexample.example')}. Ann Example knows.",
    ))  # fmt: skip
    assert (ann.id, ann.label, ann.url) == ("person:annex", "Ann Example", GITHUB)
    assert dict(ann.attrs)["profiles"] == (GITHUB, "https://x.com/annex", "https://annexample.example/", MASTODON)


@pytest.mark.parametrize(("behind", "named"), [
    ("", True), (" on GitHub", True), ("'s site", True), (" (@annex)", True), (" wins the big prize of 1999", False),
])  # fmt: skip
def test_the_words_of_a_link_to_a_profile_are_a_name_and_little_else(behind, named):
    assert bool(persons(known(f"See {link(f'Ann Example{behind}', GITHUB)} today."))) == named


def test_namesakes_of_two_shows_stay_two_until_a_profile_joins_them():
    def show(name, notes):
        return Feed(
            "f",
            "podcast",
            f"podcast:{name}",
            name,
            (Episode(f"episode:{name}/1", "episode", f"podcast:{name}", "", *to_text(notes)),),
        )

    apart = persons(extract([show("p", "Guest: Ann Example"), show("q", "Guest: Ann Example")]))
    assert {ref.id for ref in apart} == {"person:p/ann-example", "person:q/ann-example"}
    (joined,) = persons(
        extract([show("p", f"Guest: {link('Ann Example', X)}"), show("q", f"Guest: {link('Ann Example', X)}")])
    )
    assert joined.id == "person:p/ann-example"


def test_the_feeds_hosts_and_guests_are_known_without_a_text():
    (first, second) = known("a", "b", people=(Person("Ann Example"),))
    assert [(ref.id, dict(ref.attrs)["hosts"]) for ref in first.hosts] == [("person:p/ann-example", ("podcast:p",))]
    assert (first.guests, second.guests, second.hosts) == ((), (), ())
    (result,) = extract([feed(episode("a", people=(Person("Bo Example", "guest"),)))])
    assert [(edge.source.id, edge.relation, edge.target.label, edge.reasons) for edge in result.guests] == [
        ("episode:p/1", "mentions", "Bo Example", ("the feed names its guest",))
    ]


@pytest.mark.parametrize(("notes", "role", "affiliation"), [
    ("We talk with Ann Example of Kiln Works.", "guest", "Kiln Works"), ("Guest: Ann Example (Kiln Works)", "guest", "Kiln Works"),
    ("Ann Example, head of clay at Kiln Works, joins us.", "guest", "Kiln Works"), ("Joined by Kiln Works' founder, Ann Example.", "guest", ""),
    ("An interview with Bright Clay's Ann Example", "guest", "Bright Clay"), ("Ann Example talks with Bo Lind about clay.", "host", ""),
    ("Host: Ann Example", "host", ""), ("I'm Ann Example.", "host", ""), ("Moderation: Ann Example", "host", ""), ("Présenté par Ann Example.", "host", ""),
    ("Links\n\nAn interview with Ann Example", "mentioned", ""), ("<a href='https://x.example/a'>Other Show 12</a>: joined by Ann Example", "mentioned", ""),
    ("<a href='https://github.com/annex'>Ann Example</a> has a kiln", "mentioned", ""), ("Ann Example talks to us.", "guest", ""),
])  # fmt: skip
def test_the_words_beside_a_name_give_the_role_and_the_affiliation(notes, role, affiliation):
    (result,) = known(notes)
    found = [one for one in result.mentions if one.ref.label == "Ann Example"]
    assert {one.role for one in found} == {role}
    assert next(filter(None, (one.affiliation for one in found)), "") == affiliation


def test_who_hosts_the_show_hosts_each_item_that_names_no_other_host():
    host = (Person("Ann Example"),)
    alone, other, talk = known(
        "Ann Example has news.", "Host: Bo Lind\nThanks to Ann Example", "In conversation with Ann Example, Carl Lind explains clay.", people=host
    )  # fmt: skip
    roles = [{one.ref.label: one.role for one in result.mentions} for result in (alone, other, talk)]
    assert roles == [
        {"Ann Example": "host"},
        {"Bo Lind": "host", "Ann Example": "mentioned"},
        {"Ann Example": "host", "Carl Lind": "guest"},
    ]


def test_credits_name_nobody_in_most_items():
    end, donor = "\nMusic: Carl Lind", f"\n{link('Dora Lind', 'https://github.com/dora')}"
    results = known("Joined by Carl Lind." + end, *["Clay." + end + donor] * 12)
    assert [{one.ref.label: one.role for one in result.mentions if one.ref.kind == "person"} for result in results] == [
        {"Carl Lind": "guest"},
        *[{}] * 12,
    ]
    assert [one.ref.id for one in results[1].mentions] == ["web:github.com/dora"]


def test_the_show_s_own_login_is_nobody():
    notes = "Follow https://github.com/kilntalk, PRs from kilntalk and @kilntalk"
    (result,) = extract([feed(episode(notes), title="Kiln Talk")])
    assert {one.ref.kind for one in result.mentions} == {"web"}
