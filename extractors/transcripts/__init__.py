"""Transcripts and chapters: files of many forms become cues, and find the episode that they are of."""
