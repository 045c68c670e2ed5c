"""Guests and hosts, by the words beside their names, in titles and notes of many languages."""

import pytest

from podgraph.extractors.mentions.guests import find_guests

# A title, and whom it names for sure.
TITLES = [
    ("Clay at home with Ann Example", ["Ann Example"]), ("12: Clay, with Ann Example and Bo Lindqvist", ["Ann Example", "Bo Lindqvist"]),
    ("Clay with Ann Example, Carl Example, and Eva Example", ["Ann Example", "Carl Example", "Eva Example"]),
    ("Ann Example on clay", ["Ann Example"]), ("Ann Example: the art of clay", ["Ann Example"]),
    ("The art of clay | guest: Ann Example", ["Ann Example"]), ("The art of clay (with Ann Example)", ["Ann Example"]),
    ("Interview: Ann Example", ["Ann Example"]), ("An Interview with Ann Example", ["Ann Example"]),
    ("Talking to Ann Example about clay", ["Ann Example"]), ("Clay ft. Ann Example", ["Ann Example"]), ("Clay w/ Ann Example", ["Ann Example"]),
    ("Ann Example's glazes", ["Ann Example"]), ("Clay by Anna de la Example", ["Anna de la Example"]),
    ("Ton und Glasur mit Jürgen Beispiel", ["Jürgen Beispiel"]), ("Zu Gast: Sabine Beispiel", ["Sabine Beispiel"]),
    ("L'argile avec Benoît Exemple", ["Benoît Exemple"]), ("Barro con Lucía Ejemplo", ["Lucía Ejemplo"]),
    ("Barro com Joana Exemplo", ["Joana Exemplo"]), ("Глина с Анной Примеровой", ["Анна Примерова"]), ("Гость: Иван Примеров", ["Иван Примеров"]),
    ("第3回 ゲスト: 山田花子さん", ["山田花子"]), ("山田花子さんと窯の話", ["山田花子"]), ("嘉宾：王小明 聊陶艺", ["王小明"]), ("חומר עם ישראל ישראלי", ["ישראל ישראלי"]),
    ("Building with Example Cloud", []), ("Getting Started with Visual Basic", []), ("Machine Learning with React Native", []),
    ("Clay and Glaze", []), ("Talking About Kilns", []), ("The State of Clay", []), ("Kilns on fire", []),
]  # fmt: skip


@pytest.mark.parametrize(("title", "names"), TITLES)
def test_titles(title, names):
    assert [guest.name for guest in find_guests(title, title=True) if guest.sure] == names


# Notes, and whom they name.
NOTES = [
    ("We are joined by Ann Example to talk about clay.", ["Ann Example"]),
    ("We are joined by the potter, author of many books, Ann Example.", ["Ann Example"]),
    ("Today I talk with Qwyl Zarthos about clay.", ["Qwyl Zarthos"]), ("Our special guest is Ann Example.", ["Ann Example"]),
    ("My special guest Ann Example fires pots.", ["Ann Example"]), ("Ann Example joins us.", ["Ann Example"]),
    ("Ann Example explains glazes.", ["Ann Example"]), ("Guest: Ann Example", ["Ann Example"]),
    ("Guests: Ann Example (Kiln Works), Qwyl Zarthos", ["Ann Example", "Qwyl Zarthos"]),
    ("Hosts: Ann Example & Bo Example", ["Ann Example", "Bo Example"]),
    ("Producer: Kiln Works\nCo-host: Vrux Zarthos\nGuest: Qwyl Bnarl", ["Vrux Zarthos", "Qwyl Bnarl"]),
    ("Guests\n\nAnn Example - potter\nQwyl Zarthos, Kiln Works\n\nLinks\n\nThe Big Kiln", ["Ann Example", "Qwyl Zarthos"]),
    ("Zu Gast ist Sabine Beispiel.", ["Sabine Beispiel"]), ("Moderation: Jürgen Beispiel", ["Jürgen Beispiel"]),
    ("Notre invité est Benoît Exemple.", ["Benoît Exemple"]), ("Hoy charlamos con Lucía Ejemplo.", ["Lucía Ejemplo"]),
    ("Conversamos com Joana Exemplo.", ["Joana Exemplo"]), ("В гостях Иван Примеров.", ["Иван Примеров"]),
    ("Беседуем с Иваном Примеровым о глине.", ["Иван Примеров"]), ("ゲストは山田花子さんです。", ["山田花子"]), ("ゲスト: 禁止", []), ("司会: 番組情報", []), ("主持人：转载", []),
    ("今回は山田花子さんをお迎えして", ["山田花子"]), ("本期嘉宾：王小明", ["王小明"]), ("אורח: ישראל ישראלי", ["ישראל ישראלי"]),
    ("Ann Example & Bo Example join us to talk.", ["Ann Example", "Bo Example"]), ("Ann Example, a potter, explains glazes.", ["Ann Example"]),
    ("We chat with the brilliance behind Kiln Works, Ann Example.", ["Ann Example"]), ("Host: Ann Example. We like Bo Example.", ["Ann Example"]),
    ("We talk with Kiln Foundation.", []), ("We were joined by friends from New York.", []), ("Thanks to Example Ware for the clay.", []),
    ("Links: Example Ware, Big Kiln", []),
]  # fmt: skip


@pytest.mark.parametrize(("notes", "names"), NOTES)
def test_notes(notes, names):
    assert [guest.name for guest in find_guests(notes) if guest.sure] == names
