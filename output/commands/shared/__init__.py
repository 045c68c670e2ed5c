"""What several commands take and say alike."""
