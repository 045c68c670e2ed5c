"""Speech: transcripts and chapters, read as notes are, with their times."""
