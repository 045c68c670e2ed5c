"""From code to episodes: a name or a path (``where``), a diff (``review``), a pasted text (``explain``)."""
