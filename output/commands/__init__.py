"""The commands, one a file: ``EXAMPLES`` (the end of its help) and ``run(arguments) -> exit status``.

``add_arguments(parser)`` is needed only for more than the arguments of a question.
"""
