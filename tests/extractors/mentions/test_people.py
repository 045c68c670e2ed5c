"""Persons in notes: named in full, by a handle that something confirms, as a guest; never a guess."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from podgraph.extractors.mentions.corpus import Corpus
from podgraph.extractors.mentions.extraction import extract
from podgraph.extractors.mentions.guests import find_guests
from podgraph.extractors.mentions.people import find_people, find_show_people, join_people
from podgraph.extractors.model import Episode, Feed, Person
from podgraph.extractors.notes.text import to_text

TABLES = tomllib.loads(Path(__file__).with_name("people.toml").read_text("utf-8"))


def episode(notes, title="", number=1, **values):
    return Episode(f"episode:p/{number}", "episode", "podcast:p", title, *to_text(notes), **values)


def feed(*episodes, people=(), title="P"):
    return Feed("feed.xml", "podcast", "podcast:p", title, episodes, people=people)


def list_people(notes, title=""):
    one = episode(notes, title)
    mentions = find_people(one, Corpus({}, "pytorch/pytorch", people=join_people([find_show_people(feed(one))])[0]))
    return [[mention.quote, mention.ref.id.removeprefix("person:")] for mention in mentions]


@pytest.mark.parametrize(("notes", "expected"), TABLES["people"])
def test_people(notes, expected):
    assert list_people(notes) == expected


def test_the_feeds_own_persons_are_known_by_name():
    host = Person("Ann Example", "host", "https://github.com/annex")
    guest = Person("Bo Guest", "guest")
    one = episode("Ann Example talks to Bo Guest (annex)", people=(guest,))
    (result,) = extract([feed(one, people=(host,))])
    assert [m.ref.id for m in result.mentions] == ["person:annex", "person:p/bo-guest"]
    assert [m.ref.label for m in result.mentions] == ["Ann Example", "Bo Guest"]


GITHUB, X, MASTODON = "https://github.com/annex", "https://twitter.com/AnnEx", "https://social.example/@annex"


def extract_notes(*notes, people=(), titles=()):
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
    (ann,) = persons(extract_notes(
        f"Guest: {link('Ann Example', GITHUB)}", f"Guest: {link('Ann Example', X)}", f"Joined by {link('Ann Example', MASTODON)}",
        f"See {link('Ann Example', 'https://annexample.example')}. Ann Example knows.",
    ))  # fmt: skip
    assert (ann.id, ann.label, ann.url) == ("person:annex", "Ann Example", GITHUB)
    assert dict(ann.attrs)["profiles"] == (GITHUB, "https://x.com/annex", "https://annexample.example/", MASTODON)


@pytest.mark.parametrize(("behind", "is_name"), TABLES["behind_links"])
def test_the_words_of_a_link_to_a_profile_are_a_name_and_little_else(behind, is_name):
    assert bool(persons(extract_notes(f"See {link(f'Ann Example{behind}', GITHUB)} today."))) == is_name


def test_namesakes_of_two_shows_stay_two_until_a_profile_joins_them():
    def show(name, notes):
        one = Episode(f"episode:{name}/1", "episode", f"podcast:{name}", "", *to_text(notes))
        return Feed("f", "podcast", f"podcast:{name}", name, (one,))

    apart = persons(extract([show("p", "Guest: Ann Example"), show("q", "Guest: Ann Example")]))
    assert {ref.id for ref in apart} == {"person:p/ann-example", "person:q/ann-example"}
    (joined,) = persons(
        extract([show("p", f"Guest: {link('Ann Example', X)}"), show("q", f"Guest: {link('Ann Example', X)}")])
    )
    assert joined.id == "person:p/ann-example"


def test_the_feeds_hosts_and_guests_are_known_without_a_text():
    (first, second) = extract_notes("a", "b", people=(Person("Ann Example"),))
    assert [(ref.id, dict(ref.attrs)["hosts"]) for ref in first.hosts] == [("person:p/ann-example", ("podcast:p",))]
    assert (first.guests, second.guests, second.hosts) == ((), (), ())
    (result,) = extract([feed(episode("a", people=(Person("Bo Example", "guest"),)))])
    assert [(edge.source.id, edge.relation, edge.target.label, edge.reasons) for edge in result.guests] == [
        ("episode:p/1", "mentions", "Bo Example", ("the feed names its guest",))
    ]


@pytest.mark.parametrize(("notes", "role", "affiliation"), TABLES["roles"])
def test_the_words_beside_a_name_give_the_role_and_the_affiliation(notes, role, affiliation):
    (result,) = extract_notes(notes)
    found = [one for one in result.mentions if one.ref.label == "Ann Example"]
    assert {one.role for one in found} == {role}
    assert next(filter(None, (one.affiliation for one in found)), "") == affiliation


def test_who_hosts_the_show_hosts_each_item_that_names_no_other_host():
    host = (Person("Ann Example"),)
    alone, other, talk = extract_notes(
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
    results = extract_notes("Joined by Carl Lind." + end, *["Clay." + end + donor] * 12)
    assert [{one.ref.label: one.role for one in result.mentions if one.ref.kind == "person"} for result in results] == [
        {"Carl Lind": "guest"},
        *[{}] * 12,
    ]
    assert [one.ref.id for one in results[1].mentions] == ["web:github.com/dora"]


def test_the_show_s_own_login_is_nobody():
    notes = "Follow https://github.com/kilntalk, PRs from kilntalk and @kilntalk"
    (result,) = extract([feed(episode(notes), title="Kiln Talk")])
    assert {one.ref.kind for one in result.mentions} == {"web"}


@pytest.mark.parametrize(("title", "names"), TABLES["titles"])
def test_titles(title, names):
    assert [guest.name for guest in find_guests(title, title=True) if guest.sure] == names


@pytest.mark.parametrize(("notes", "names"), TABLES["notes"])
def test_notes(notes, names):
    assert [guest.name for guest in find_guests(notes) if guest.sure] == names


def read_persons(text):
    """Return {name: (role, affiliation)} of the last column of a show's table."""
    persons = {}
    for one in filter(None, text.split("; ")):
        name, _, affiliation = one[2:].partition(" @ ")
        persons[name] = ({"h": "host", "g": "guest", "m": "mentioned"}[one[0]], affiliation)
    return persons


@pytest.mark.parametrize("show", TABLES["shows"], ids=lambda show: show["title"])
def test_the_persons_of_a_show_are_found_and_nobody_else(show):
    items = [episode(notes + show["end"], title, number) for number, (title, notes, _) in enumerate(show["rows"])]
    results = extract([replace(feed(*items, title=show["title"]), language=show["language"])])
    right, found = {}, {}
    for number, (row, result) in enumerate(zip(show["rows"], results, strict=True)):
        right.update(((number, name), role) for name, (role, _) in read_persons(row[2]).items())
        for one in reversed(result.mentions):
            if one.ref.kind == "person" and one.relation == "mentions":
                found[number, one.ref.label] = one.role
    assert len(right.keys() & found.keys()) >= 0.9 * len(right), sorted(right.keys() - found.keys())
    others = {key for key in found.keys() - right.keys() if found[key] != "host"}
    assert len(others) <= 0.1 * len(right), sorted(others)
    assert sum(found.get(key) == role for key, role in right.items()) >= 0.9 * len(right)
