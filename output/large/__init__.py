"""Builds too large for memory: shows as parts, distributed by Dask, merged by DuckDB."""
