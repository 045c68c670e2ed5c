"""A question is one row: the command, the library and the assistants take what it says."""

import inspect

from podgraph import Graph
from podgraph.graph import QUESTIONS
from podgraph.output.parser import COMMANDS, parser


def test_each_method_takes_what_the_row_says():
    wrong = {}
    for name, question in QUESTIONS.items():
        taken = {one for one in inspect.signature(getattr(Graph, name)).parameters if one != "self"}
        if taken != (said := {one.name for one in question.parameters}):
            wrong[name] = taken ^ said
    assert wrong == {}


def test_each_command_takes_what_the_row_says():
    wrong = {}
    for name, question in QUESTIONS.items():
        command = parser([name])._subparsers._group_actions[0].choices[name]
        taken = {action.dest for action in command._actions}
        if missing := {one.name for one in question.parameters} - taken:
            wrong[name] = missing
    assert (wrong, QUESTIONS.keys() - COMMANDS.keys()) == ({}, set())


def test_assistants_take_parameters_of_the_row():
    wrong = {name: set(one.tools) - {given.name for given in one.parameters} for name, one in QUESTIONS.items()}
    assert {name: names for name, names in wrong.items() if names} == {}
