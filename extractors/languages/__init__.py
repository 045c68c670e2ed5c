"""What is known of languages: words that say nothing, stems, and how words are told apart."""
