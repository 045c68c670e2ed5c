"""The commands, one a file: ``add_arguments(parser)`` says what it takes, ``run(arguments)`` gives the exit status."""
