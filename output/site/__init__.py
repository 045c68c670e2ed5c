"""The static site: a page for each episode, topic, person, route and source."""
