"""Facts about languages: stop words, stems, and word boundaries."""
