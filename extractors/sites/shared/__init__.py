"""What several rules share: how documentation lays out its pages, names made of slugs."""
