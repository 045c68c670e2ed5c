"""What is known of a subject: its names, topics, people and addresses, as data behind one small interface."""
