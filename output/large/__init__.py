"""Many shows: each built by itself into its own graph, and these graphs merged into one."""
