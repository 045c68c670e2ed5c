"""The commands that are not questions, one in each file.

A module has ``add_arguments(parser)`` and ``run(arguments)``, which returns the exit status. Its docstring is the
command's help.
"""
