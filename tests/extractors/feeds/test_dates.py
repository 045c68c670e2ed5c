"""Dates and durations as they are met in feeds."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podgraph.extractors.feeds.dates import is_guess, parse_date, parse_duration
from podgraph.extractors.feeds.parse import parse_feed

DATES = [
    ("Sun, 4 Aug 2024 01:47:46 +0000", "2024-08-04T01:47:46+00:00"),
    ("Sun, 04 Aug 2024 01:47:46 GMT", "2024-08-04T01:47:46+00:00"),
    ("Sun, 04 Aug 2024 01:47:46 -0000", "2024-08-04T01:47:46+00:00"),
    ("Sun, 04 Aug 2024 01:47:46 -0730", "2024-08-04T01:47:46-07:30"),
    ("Sun, 04 Aug 2024 01:47:46 PDT", "2024-08-04T01:47:46-07:00"),
    ("Sun, 04 Aug 2024 01:47:46 CEST", "2024-08-04T01:47:46+02:00"),
    ("Sun, 04 Aug 2024 01:47:46 (JST)", "2024-08-04T01:47:46+09:00"),
    ("Sun, 04 Aug 2024 01:47:46 GMT+2", "2024-08-04T01:47:46+02:00"),
    ("Sun, 04 Aug 2024 01:47:46 UTC-05:30", "2024-08-04T01:47:46-05:30"),
    ("Sun, 04 Aug 2024 01:47:46 Somewhere/Else", "2024-08-04T01:47:46+00:00"),
    ("Sun, 04 Aug 2024 01:47:60 GMT", "2024-08-04T01:47:59+00:00"),
    ("Sun, 4 Aug 24 01:47 EST", "2024-08-04T01:47:00-05:00"),
    ("Sunday, 4 August 2024 01:47:46 +0000", "2024-08-04T01:47:46+00:00"),
    ("Mon, 04 Aug 2024 01:47:46 GMT", "2024-08-04T01:47:46+00:00"),  # the wrong day of the week
    ("  Sun,\n 4 Aug 2024  01:47:46   +0000 ", "2024-08-04T01:47:46+00:00"),
    ("4 Aug 2024", "2024-08-04T00:00:00+00:00"),
    ("Aug 4, 2024", "2024-08-04T00:00:00+00:00"),
    ("August 4, 2024 1:47 PM", "2024-08-04T13:47:00+00:00"),
    ("August 4, 2024 12:05 PM", "2024-08-04T12:05:00+00:00"),
    ("August 4, 2024 12:05 a.m.", "2024-08-04T00:05:00+00:00"),
    ("Sun Aug  4 01:47:46 2024", "2024-08-04T01:47:46+00:00"),
    ("2024-08-04T01:47:46Z", "2024-08-04T01:47:46+00:00"),
    ("2024-08-04t01:47:46z", "2024-08-04T01:47:46+00:00"),
    ("2024-08-04T01:47:46.5+02:00", "2024-08-04T01:47:46.500000+02:00"),
    ("2024-08-04T01:47+0200", "2024-08-04T01:47:00+02:00"),
    ("2024-08-04 01:47:46 +0200", "2024-08-04T01:47:46+02:00"),
    ("2024-08-04 01:47:46 UTC", "2024-08-04T01:47:46+00:00"),
    ("2024-08-04T01:47:46", "2024-08-04T01:47:46+00:00"),
    ("2024-08-04", "2024-08-04T00:00:00+00:00"),
    ("2024/08/04", "2024-08-04T00:00:00+00:00"),
    ("2024-08", "2024-08-01T00:00:00+00:00"),
    ("2024", "2024-01-01T00:00:00+00:00"),
    ("20240804T014746Z", "2024-08-04T01:47:46+00:00"),
    ("2021-08-5", "2021-08-05T00:00:00+00:00"),
    ("2021.08.05", "2021-08-05T00:00:00+00:00"),
    ("2021.8.5 10:00", "2021-08-05T10:00:00+00:00"),
    ("2021.08.05.1", None),
    ("2021-13-5", None),
    ("5-Aug-2021", "2021-08-05T00:00:00+00:00"),
    ("2021-06-30T23:59:60Z", "2021-06-30T23:59:59+00:00"),
    ("Sun, 4 Aug 2024 01:47:46 +05", "2024-08-04T01:47:46+05:00"),
    ("Sun, 4 Aug 2024 01:47:46 +05:30", "2024-08-04T01:47:46+05:30"),
    ("2021-W31-1", "2021-08-02T00:00:00+00:00"),
    ("2021W311", "2021-08-02T00:00:00+00:00"),
    ("2021-w31-7T10:30Z", "2021-08-08T10:30:00+00:00"),
    ("2020-W53-7", "2021-01-03T00:00:00+00:00"),
    ("2021-W31", "2021-08-02T00:00:00+00:00"),
    ("2021-W53-1", None),
    ("2021-W00-1", None),
    ("2021-W31-8", None),
    ("Κυρ, 11 Ιούλ 2004 12:00:00 EST", "2004-07-11T12:00:00-05:00"),
    ("Mi, 02 Dez 2015 10:00:00 +0100", "2015-12-02T10:00:00+01:00"),
    ("mar., 14 févr. 2017 08:50:00 +0100", "2017-02-14T08:50:00+01:00"),
    ("Чт, 06 мая 2021 10:00:00 +0300", "2021-05-06T10:00:00+03:00"),
    ("3 de junio de 2020", "2020-06-03T00:00:00+00:00"),
    ("5 listopadu 2020", "2020-11-05T00:00:00+00:00"),
    ("5 listopada 2020", None),  # October in Croatian, November in Polish
    ("02.09.2015 10:00", "2015-09-02T10:00:00+00:00"),
    ("2019年10月31日 星期四", "2019-10-31T00:00:00+00:00"),
    ("2024 sometime", None),
    ("31 2021 Aug", None),
    ("<&>", None),
    ("2021-214", None),
    ("2021-366", None),
    ("2021-000", None),
    ("9999-366", None),
    ("2024年8月4日", "2024-08-04T00:00:00+00:00"),
    ("2024년 08월 04일 01:47:46", "2024-08-04T01:47:46+00:00"),
    ("Thu, 31 Dec 1899 23:59:59 GMT", None),
    ("Mon, 01 Jan 0001 00:00:00 +0000", None),
    ("0001-01-01T00:00:00Z", None),
    ("9999-12-31T23:59:59-05:00", None),
    ("12024-01-01", None),
    ("1722735000", None),
    ("Sun, 4 Aug 2024 25:47:46 +0000", None),
    ("Sun, 4 Aug 2024 01:47:46 +9999", None),
    ("2024-13-45", None),
    ("04/08/2024", None),
    ("12:30", None),
    ("soon", None),
    ("", None),
]

DURATIONS = [
    ("00:16:33", 993),
    ("16:33", 993),
    ("993", 993),
    ("993.7", 993),
    ("1:02:03", 3723),
    ("62:03", 3723),
    ("1:02:03.250", 3723),
    (" 16:33 ", 993),
    ("PT16M33S", 993),
    ("PT1H", 3600),
    ("1h 2m", 3720),
    ("45 min", 2700),
    ("90 seconds", 90),
    ("0", None),
    ("00:00:00", None),
    ("12:99", None),
    ("-5", None),
    ("999999999", None),
    ("::", None),
    ("PT", None),
    ("long", None),
    ("", None),
]

FIRST, LAST = (datetime.fromisoformat(text) for text in ("1900-01-01", "9998-12-31"))


@pytest.mark.parametrize(("text", "expected"), DATES)
def test_parse_date(text, expected):
    date = parse_date(text)
    assert (date and date.isoformat()) == expected


CERTAIN = """
    Sun, 4 Aug 2024 01:47:46 +0000|4 Aug 2024|Aug 4, 2024|August 4, 2024 1:47 PM|Sun Aug  4 01:47:46 2024
    Sun, 04 Aug 2024 01:47:46 GMT+2|Sun, 4 Aug 24 01:47 EST|Sun, 04-Aug-2024 01:47:46 GMT|Sun, 04 Aug 2024 01:47:46 (JST)
    Sun, 04 Aug 2024 01:47:46 Somewhere/Else|Sun Aug 4 01:47:46 UTC 2024|2024-08-04|2024-08-04T01:47:46Z|2024/08/04
    20240804T014746Z|2024年8月4日|2021-W31-1|2021-08-5|2021.08.05|5-Aug-2021|2021-06-30T23:59:60Z
    Sun, 4 Aug 2024 01:47:46 +05|Sun, 4 Aug 2024 01:47:46 +0000 (UTC)
"""
GUESSED = "2024|2024-08|2021-W31"


@pytest.mark.parametrize(
    "text", [text.strip() for line in CERTAIN.split("\n") for text in line.split("|") if text.strip()]
)
def test_what_stands_there_is_certain(text):
    assert parse_date(text)
    assert not is_guess(text)


@pytest.mark.parametrize("text", GUESSED.split("|"))
def test_what_is_guessed_is_not(text):
    assert is_guess(text)


def test_a_guessed_date_is_uncertain_and_warned_of():
    items = "".join(
        f"<item><title>{date}</title><pubDate>{date}</pubDate></item>" for date in ("2021-W31-1", "2021-08")
    )
    read = parse_feed(f"<rss><channel><title>f</title>{items}</channel></rss>".encode(), source="f")
    assert [(str(item.date)[:10], item.uncertain) for item in read.episodes] == [
        ("2021-08-02", ()),
        ("2021-08-01", ("date",)),
    ]
    assert [line for line in read.warnings if "date" in line] == [
        'item 2 ("2021-08"): its date "2021-08" is taken for 2021-08-01, which is not certain'
    ]


def test_the_language_decides_about_a_month_of_two():
    assert [parse_date("5 listopada 2020", language).month for language in ("hr", "pl")] == [10, 11]


@pytest.mark.parametrize(("text", "seconds"), DURATIONS)
def test_parse_duration(text, seconds):
    assert parse_duration(text) == seconds


@given(st.text() | st.from_regex(r"\w{3}, \d{1,3} [A-Z][a-z]{2} \d{1,5} \d\d:\d\d(:\d\d)? ([+-]\d{4}|[A-Z]{1,4})"))
def test_dates_never_raise_and_are_aware(text):
    date = parse_date(text)
    assert date is None or (date.utcoffset() is not None and 1900 <= date.year <= 9998)


@given(st.datetimes(FIRST, LAST), st.integers(-23 * 60, 23 * 60))
def test_iso_dates_come_back(moment, minutes):
    date = moment.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    assert parse_date(date.isoformat()) == date


@given(st.text())
def test_durations_never_raise(text):
    assert (parse_duration(text) or 1) > 0
