"""Subjects: the names, topics, people and addresses of a software project, as data behind one small interface."""
