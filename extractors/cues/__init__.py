"""Words that say what stands beside them, by language: tables that anyone extends by a line."""
