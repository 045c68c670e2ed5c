"""What the links lead to: a local clone, GitHub and the pages themselves are asked for titles, states, files."""
