"""What is said: transcripts and chapters read as notes are, with their moments."""
