"""Facts become the graph, and questions are answered on it. Pure: no network, no files, no clock."""
