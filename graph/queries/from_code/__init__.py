"""From code to what explains it: a name or a path (``where``), a whole diff (``review``)."""
