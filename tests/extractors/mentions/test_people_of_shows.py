"""Persons and their roles in whole shows of five languages, made up for this: two have sponsors and a template."""

import pytest

from podgraph.extractors.mentions.extraction import extract
from podgraph.extractors.model import Episode, Feed
from podgraph.extractors.notes.text import to_text

# Each item: title, notes, and its persons (h: host, g: guest, m: mentioned; an affiliation behind an @).
KILNS = [  # English, with sponsors, credits and a template; its notes name organisations
    ("#1 Wheels with Maria Keller", "Nora Field talks with Maria Keller of Wheel Works about her first wheel.", "h Nora Field; g Maria Keller @ Wheel Works"),
    ("#2 Is porcelain hard? With Tom Oduya", "Tom Oduya joins Nora to explain why porcelain cracks.", "g Tom Oduya"),
    ("#3 Glaze chemistry, says Ines Marlow", "We talk with Ines Marlow, head of research at Silica Labs, about frits.", "g Ines Marlow @ Silica Labs"),
    ("#4 News of the month", "Bright Clay buys Silica Labs, and Open Kiln moves to Leeds.", ""),
    ("#5 Peter Yang: firing with wood", "Peter built nine kilns. His book is at Open Kiln.", "g Peter Yang"),
    ("#6 The museum, part one", "Our guests are Ada Brook (City Museum), Hal Winter and Joan Okafor.", "g Ada Brook @ City Museum; g Hal Winter; g Joan Okafor"),
    ("#7 Tools we love", "Links:\nThe slab roller - an interview with Rita Solano\nBright Clay starter kit", "m Rita Solano"),
    ("#8 Handles", "Special guest Leo Brandt drops by. The method is by Anna Pereira.", "g Leo Brandt"),
    ("#9 Questions and answers", "Nora Field answers your letters, together with Open Kiln.", "h Nora Field"),
    ("#10 Big Pots & Little Pots", "Nora sits down with Dr. Susan Vale from Bright Clay.", "g Susan Vale @ Bright Clay"),
    ("#11 Raku with Kenji Mori & Paula Reyes", "Kenji and Paula fire outdoors.", "g Kenji Mori; g Paula Reyes"),
    ("#12 A visit to Open Kiln", "How Open Kiln became a school. With thanks to Bright Clay.", ""),
    ("#13 Ash glazes", "Guests: Omar Haddad (Ash & Co), Lena Fischer\nLinks:\nOpen Kiln's page", "g Omar Haddad @ Ash & Co; g Lena Fischer"),
    ("#14 Fidel Cracklestro", "A pun, and the cracks of the week.", ""),
]  # fmt: skip
KILNS_END = (
    "\n\nSponsored by Bright Clay: clay for everyone. Use the code KILN for ten percent.\n"
    "Host: Nora Field\nMusic: Piet Sanders\nWebsite Icon\nFollow @kilntalk on https://github.com/kilntalk"
)
BREAD = [  # German
    ("BT001 Sauerteig mit Jonas Albrecht", "Im Gespräch mit Karla Witt erzählt Jonas Albrecht von seinem ersten Brot.", "h Karla Witt; g Jonas Albrecht"),
    ("BT002 Roggen", "Zu Gast ist Müllerin Heike Lorenz von der Mühle Nord.", "g Heike Lorenz @ Mühle Nord"),
    ("BT003 Hefe", "Karla Witt spricht mit Professor Dieter Sommer über Hefe.", "h Karla Witt; g Dieter Sommer"),
    ("BT004 Die Neue Backstube", "Ein Besuch in der Neuen Backstube am Alten Markt.", ""),
    ("BT005 Öfen (mit Sabine Kraft)", "Sabine baut Öfen aus Lehm.", "g Sabine Kraft"),
    ("BT006 Fragen und Antworten", "Eure Fragen zum Mehl.\nGäste: Jens Vogel, Petra Ohm", "g Jens Vogel; g Petra Ohm"),
    ("BT007 Dinkel", "Unser Gast Uwe Stein erklärt, was im Korn steckt.", "g Uwe Stein"),
    ("BT008 Salz", "Wir sprechen mit Martin Huber von Lotum.", "g Martin Huber @ Lotum"),
    ("BT009 Brezeln", "Moderation: Karla Witt\nZu Gast: Franz Moser", "h Karla Witt; g Franz Moser"),
    ("BT010 Wiener Brot", "Interview mit Elisabeth Gruber.", "g Elisabeth Gruber"),
]  # fmt: skip
CHEESE = [  # French
    ("1. Le lait avec Camille Roussel", "Nous recevons Camille Roussel, fondatrice de Lait Vif.", "g Camille Roussel @ Lait Vif"),
    ("2. Les caves", "Notre invité est Julien Moreau. Présenté par Sophie Lambert.", "g Julien Moreau; h Sophie Lambert"),
    ("3. La Grande Foire", "Une visite à la Grande Foire de Lyon.", ""),
    ("4. Le sel", "Invités : Marc Petit, Claire Dubois", "g Marc Petit; g Claire Dubois"),
    ("5. Chèvres", "Entretien avec Hélène Fabre sur ses chèvres.", "g Hélène Fabre"),
    ("6. Le marché", "Antoine Garnier nous raconte son premier marché.", "g Antoine Garnier"),
    ("7. Bleu", "Sophie Lambert discute avec Luc Bernard.", "h Sophie Lambert; g Luc Bernard"),
]  # fmt: skip
OLIVES = [  # Spanish, with a sponsor and a template
    ("#1 La cosecha con Lucía Romero", "Charlamos con Lucía Romero de Oliva Clara.", "g Lucía Romero @ Oliva Clara"),
    ("#2 El molino", "Nuestro invitado es Carlos Medina.", "g Carlos Medina"),
    ("#3 Noticias", "Aceite Sur abre un molino en Jaén.", ""),
    ("#4 La poda", "Entrevista a Ana Torres y Pablo Núñez.", "g Ana Torres; g Pablo Núñez"),
    ("#5 Suelos", "Nos acompaña Miguel Herrera, profesor de la Universidad de Jaén.", "g Miguel Herrera @ Universidad de Jaén"),
    ("#6 Plagas", "Elena Vargas nos cuenta su método.", "g Elena Vargas"),
    ("#7 Exportar", "Hoy hablamos con Javier Molina de Aceite Sur.", "g Javier Molina @ Aceite Sur"),
    ("#8 La mesa", "Invitados: Rosa Campos, Diego Fuentes", "g Rosa Campos; g Diego Fuentes"),
    ("#9 Agua", "Sobre el riego, con Aceite Sur.", ""),
    ("#10 Cierre", "Presentador: Álvaro Ruiz\nInvitada: Marta Gil", "h Álvaro Ruiz; g Marta Gil"),
    ("#11 Sol", "Sol y sombra.", ""),
    ("#12 Viento", "El viento de marzo.", ""),
    ("#13 Vino y aceite", "Conversamos con Teresa Blanco.", "g Teresa Blanco"),
]  # fmt: skip
OLIVES_END = "\n\nPatrocina Aceite Sur, el aceite de siempre.\nSonido: Iván Prado"
TEA = [  # Japanese and Russian
    ("第1回 ゲスト: 山田花子さん", "ゲストは山田花子さんです。", "g 山田花子"),
    ("第2回 お茶", "今回は佐藤健さんをお迎えして、お茶の話。", "g 佐藤健"),
    ("第3回 急須", "パーソナリティ：田中一郎\nゲスト：鈴木美咲", "h 田中一郎; g 鈴木美咲"),
    ("Выпуск 4. Чай с Анной Беловой", "В гостях Анна Белова.", "g Анна Белова"),
    ("Выпуск 5. Самовар", "Беседуем с Иваном Петровым о самоварах.", "g Иван Петров"),
    ("Выпуск 6. Горы", "Ведущий: Сергей Орлов\nГость: Ольга Зимина", "h Сергей Орлов; g Ольга Зимина"),
    ("Выпуск 7. Новости", "Новый Чайный Дом открылся в Казани.", ""),
    ("Выпуск 8. Мята", "Мария Лебедева рассказывает о мяте.", "g Мария Лебедева"),
]  # fmt: skip
SHOWS = [
    ("Kiln Talk", "en", KILNS, KILNS_END), ("Brotzeit", "de", BREAD, ""), ("Caves", "fr", CHEESE, ""), ("Oliva", "es", OLIVES, OLIVES_END),
    ("Tea", "ja", TEA, ""),
]  # fmt: skip


def wanted(text):
    """Return {name: (role, affiliation)} of the last column of a table."""
    found = {}
    for one in filter(None, text.split("; ")):
        name, _, affiliation = one[2:].partition(" @ ")
        found[name] = ({"h": "host", "g": "guest", "m": "mentioned"}[one[0]], affiliation)
    return found


def persons(title, language, rows, end):
    """Return, for each item, the persons found: {name: (role, affiliation)}."""
    items = tuple(
        Episode(f"episode:p/{number}", "episode", "podcast:p", name, *to_text(notes + end))
        for number, (name, notes, _) in enumerate(rows)
    )
    results = extract([Feed("f", "podcast", "podcast:p", title, items, language=language)])
    return [
        {
            one.ref.label: (one.role, one.affiliation)
            for one in reversed(result.mentions)
            if one.ref.kind == "person" and one.relation == "mentions"
        }
        for result in results
    ]


@pytest.mark.parametrize(("title", "language", "rows", "end"), SHOWS, ids=[title for title, *_ in SHOWS])
def test_the_persons_of_a_show_are_found_and_nobody_else(title, language, rows, end):
    found = persons(title, language, rows, end)
    right = [(number, name) for number, row in enumerate(rows) for name in wanted(row[2])]
    names = {(number, name) for number, one in enumerate(found) for name in one}
    assert len(names.intersection(right)) >= 0.9 * len(right), sorted(set(right) - names)
    others = {(number, name) for number, name in names.difference(right) if found[number][name][0] != "host"}
    assert len(others) <= 0.1 * len(right), sorted(others)
    roles = [(number, name) for number, name in right if found[number].get(name, ("",))[0] == wanted(rows[number][2])[name][0]]  # fmt: skip
    assert len(roles) >= 0.9 * len(right), sorted(set(right) - set(roles))
