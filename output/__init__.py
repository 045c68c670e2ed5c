"""The graph becomes what a person sees or another program reads."""
