"""Which files a change touches: what Git and other programs print, row by row."""

import pytest

from podgraph.graph.code.changes import parse_changes

GIT = """diff --git a/src/warp.c b/src/warp.c
index 1111111..2222222 100644
--- a/src/warp.c
+++ b/src/warp.c
@@ -1,2 +1,2 @@
 kept
-old
+new
"""
RENAMED = """diff --git a/old name.c b/new name.c
similarity index 100%
rename from old name.c
rename to new name.c
"""
BINARY = """diff --git a/pictures/loom.png b/pictures/loom.png
index 1111111..2222222 100644
Binary files a/pictures/loom.png and b/pictures/loom.png differ
"""
DELETED = """diff --git a/gone.c b/gone.c
deleted file mode 100644
--- a/gone.c
+++ /dev/null
@@ -1 +0,0 @@
-x
"""
# lines that look like headers, in a hunk
DISGUISED = """diff --git a/notes.md b/notes.md
--- a/notes.md
+++ b/notes.md
@@ -1,3 +1,3 @@
 diff --git a/no.c b/no.c
--- a/no.c
-+++ b/no.c
+++ b/never.c
+rename to never.c
"""

CASES = {
    "nothing": ("", []),
    "blank lines": ("\n \n\r\n", []),
    "names": ("a.c\nsrc/b.c\n", ["a.c", "src/b.c"]),
    "a name twice": ("a.c\na.c\n", ["a.c"]),
    "ends of lines, a mark at the head": ("\ufeffa.c\r\nb.c\r\n", ["a.c", "b.c"]),
    "names by NUL": ("a.c\0b\nc.c\0", ["a.c", "b\nc.c"]),
    "a name with a blank": ("my file.c\n", ["my file.c"]),
    "a quoted name": ('"caf\\303\\251 \\"x\\".c"\n', ['café "x".c']),
    "a name in folders of Windows": (".\\src\\a.c\n", ["src/a.c"]),
    "--name-status": ("M\ta.c\nR087\told.c\tnew.c\nD\tgone.c\n", ["a.c", "new.c < old.c", "gone.c"]),
    "--numstat": ("3\t1\ta.c\n-\t-\tb.png\n", ["a.c", "b.png"]),
    "a diff of Git": (GIT, ["src/warp.c"]),
    "with CRLF": (GIT.replace("\n", "\r\n"), ["src/warp.c"]),
    "two files": (GIT + GIT.replace("warp", "weft"), ["src/warp.c", "src/weft.c"]),
    "--no-prefix": (GIT.replace("a/src", "src").replace("b/src", "src"), ["src/warp.c"]),
    "mnemonic prefixes": (GIT.replace("a/src", "i/src").replace("b/src", "w/src"), ["src/warp.c"]),
    "a rename without a change": (RENAMED, ["new name.c < old name.c"]),
    "a binary": (BINARY, ["pictures/loom.png"]),
    "a mode": ("diff --git a/run b/run\nold mode 100644\nnew mode 100755\n", ["run"]),
    "a new file": (GIT.replace("--- a/src/warp.c", "--- /dev/null"), ["src/warp.c"]),
    "a deleted file": (DELETED, ["gone.c"]),
    "headers inside a hunk": (DISGUISED + GIT, ["notes.md", "src/warp.c"]),
    "a quoted diff": ('diff --git "a/\\303\\244.c" "b/\\303\\244.c"\nBinary files differ\n', ["ä.c"]),
    "diff -u": ("--- x.c.orig\t2021-01-01 00:00:00\n+++ x.c\t2021-01-02 00:00:00\n@@ -1 +1 @@\n-a\n+b\n", ["x.c < x.c.orig"]),
    "diff -u of two files": (
        "--- a/x.c\n+++ b/x.c\n@@ -1 +1 @@\n-a\n+b\n--- a/y.c\n+++ b/y.c\n@@ -1 +1 @@\n-a\n+b\n",
        ["x.c", "y.c"],
    ),
    "a message ahead of it": ("From 123\nSubject: M\tx\n\n---\n 1 file changed\n\n" + GIT, ["src/warp.c"]),
    "no newline at the end": (GIT + "\\ No newline at end of file\n" + BINARY, ["src/warp.c", "pictures/loom.png"]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "found"), CASES.values(), ids=CASES)
def test_changes(text, found):
    assert [f"{one.path} < {one.former}" if one.former else one.path for one in parse_changes(text)] == found
