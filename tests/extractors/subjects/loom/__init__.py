"""A subject that is made up: all that it takes is this folder."""

from pathlib import Path

from podgraph.extractors import Code, Proposals, Subject

SUBJECT = Subject(
    name="Loom",
    words=("loom",),
    repo="weavers/loom",
    family=("weavers/",),
    homes=("feeds.example/loom", "loom.example"),
    docs="https://docs.loom.example/stable/",
    docs_project="loom",
    proposals=Proposals(repo="weavers/proposals", project="loom-rfcs"),
    code=Code(roots=("loom",), namespaces=("lm",), core=frozenset(("lm",)), owners=("loom",), top_folders=frozenset(("loom",))),
    folder=str(Path(__file__).parent),
    names="names.tsv",
)  # fmt: skip
