"""Look-ups of link targets: titles, states and files from a local clone, GitHub and the pages themselves."""
