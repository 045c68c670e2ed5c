"""The tables of the graph at rest: their version and their columns."""

APPLICATION_ID = 0x706F6467  # "podg"
VERSION = 5  # of the tables

# Columns of the tables. Other attributes, and values of another type, are JSON in `attributes`; a list is JSON.
NODE_COLUMNS = (
    "kind label title url date podcast type guid audio_url area repo path author state status community summary "
    "number season duration rank x y aliases names"
).split()
EVIDENCE_COLUMNS = "url field start end quote method extractor confidence ref lines time".split()
