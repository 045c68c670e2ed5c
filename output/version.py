"""The version, as the project file says it too (a test compares them)."""

__version__ = "0.1.0"
