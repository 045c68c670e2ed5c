"""What a C++ header declares and where: a scanner of namespaces, types, functions and macros, no compiler.

It knows just enough of the grammar (ISO C++ 20, [dcl], [class], [namespace]) to follow the braces: comments and
literals are blanked, of ``#if … #else …`` the first branch is read, the bodies of functions are skipped.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# Comments and literals.
_BLANK = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<tag>[^()\s\\]{0,16})\(.*?\)(?P=tag)"|"(?:[^"\\\n]|\\.)*"|(?<![\w])\'(?:[^\'\\\n]|\\.)+\'',
    re.DOTALL,
)
# A line of the preprocessor, with those that go on it: "#if X".
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)((?:\\\r?\n|[^\n])*)", re.MULTILINE)
# The name of what "#define" defines.
_MACRO = re.compile(r"[ \t]+([A-Za-z_]\w*)")
# What ends a statement or opens and closes a scope; "public:".
_TOKEN = re.compile(r"[{};]|\b(?:public|private|protected)\s*:(?!:)")
# The end of a head that opens a namespace: "inline namespace a::b".
_NAMESPACE = re.compile(r"(?<!\w)(inline\s+)?namespace\b([^;(){}=]*)\Z")
# The word before the name of a type.
_TYPE = re.compile(r"\b(?:class|struct|union|enum(?:\s+(?:class|struct))?)\b(?![^<]*>)")
# What the head of a type is made of.
_TYPE_TOKEN = re.compile(r"[A-Za-z_]\w*|[()<>]|::")
# The colon before the bases.
_COLON = re.compile(r"(?<!:):(?!:)")
# "[[nodiscard]]", "alignas(16)", "__attribute__((x))".
_ATTRIBUTE = re.compile(
    r"\[\[.*?\]\]|\balignas\s*\([^()]*\)|__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|__declspec\s*\([^()]*\)"
)
# "using X =".
_USING = re.compile(r"\busing\s+(\w+)\s*(?:\[\[[^\]]*\]\]\s*)?=")
# "typedef … X".
_TYPEDEF = re.compile(r"\btypedef\b.*?(\w+)\s*\Z", re.DOTALL)
# A name before a parenthesis.
_CALL = re.compile(r"([A-Za-z_~]\w*)\s*\(")
# "template <".
_TEMPLATE = re.compile(r"\s*template\s*<")
# "SOME_MACRO(x)" before what it decorates.
_MACRO_CALL = re.compile(r"\s*([A-Z][A-Z0-9_]{3,})\s*\(([^()]|\([^()]*\))*\)(?=\s*[\w#])")
# A name.
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_NO_NAMESPACE = (None, "(")
_DEEPEST = 100  # scopes in each other whose names are put together
_NO_NAMES = re.compile(r"\s+|\[\[.*?\]\]")  # spaces and attributes in the name of a namespace
# A name as macros have it.
_CAPITALS = re.compile(r"[A-Z][A-Z0-9_]*\Z")
_NO_NAME = frozenset(
    "alignas decltype noexcept requires static_assert sizeof operator if while for switch return".split()
)
# Macros that declare the name given as their nth argument.
_DECLARING = {"C10_DEFINE_DEPRECATED_USING": 0, "DECLARE_DISPATCH": 1}


@dataclass(frozen=True, slots=True)
class Declaration:
    """A C++ name: ``kind`` is ``namespace``, ``class``, ``specialisation``, ``function``, ``macro`` or ``alias``.

    ``line`` counts from 1; ``target`` is what an alias of the same last name stands for (``using X = c10::X``).
    """

    name: str
    kind: str
    line: int
    target: str = ""


def find_declarations(source: str) -> Iterator[Declaration]:
    r"""Yield the names a header declares, in order, as ``at::native::name``; macros have no namespace.

    Left out: members of classes and forward declarations.

    >>> text = "#define BOX(x) x\nnamespace shop::impl {\nclass Lid;\nstruct API Box final : Thing { };\n}"
    >>> [(d.name, d.kind, d.line) for d in find_declarations(text)]
    [('BOX', 'macro', 1), ('shop::impl', 'namespace', 2), ('shop::impl::Box', 'class', 4)]
    """
    macros: list[tuple[str, int]] = []
    text = _without_directives(_BLANK.sub(_blank, source), macros)
    line_ends = [match.start() for match in re.finditer("\n", source)]
    for name, offset in macros:
        yield Declaration(name, "macro", bisect_left(line_ends, offset) + 1)
    for name, kind, offset in _walk(text):
        plain, _, target = kind.partition(" ")
        yield Declaration(name, plain, bisect_left(line_ends, offset) + 1, target)


def _blank(match: re.Match[str]) -> str:
    """Return as many lines as the literal or comment had; a literal in one line stays an operand."""
    text = match[0]
    if "\n" in text:
        return _keep_lines(text)
    return ((" " if text.startswith("/") else '""') + " " * len(text))[: len(text)]


def _keep_lines(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _without_directives(text: str, macros: list[tuple[str, int]]) -> str:
    """Blank the preprocessor's lines and the branches not taken; note the macros that are meant for others."""
    pieces: list[str] = []
    taken: list[bool] = []
    dropped: set[str] = set()
    last = 0
    for match in _DIRECTIVE.finditer(text):
        between = text[last : match.start()]
        pieces.append(between if all(taken) else _keep_lines(between))
        last = match.end()
        word = match[1]
        if word in {"if", "ifdef", "ifndef"}:
            taken.append(match[2].strip() not in {"0", "false"})
        elif word in {"else", "elif"} and taken:
            taken[-1] = not taken[-1] and word == "else"
        elif word == "endif" and taken:
            taken.pop()
        elif word == "undef":
            dropped.add(match[2].strip())
        elif word == "define" and all(taken) and (name := _MACRO.match(match[2])):
            macros.append((name[1], match.start(2) + name.start(1)))
        pieces.append(_keep_lines(match[0]))
    pieces.append(text[last:])
    macros[:] = [macro for macro in macros if macro[0] not in dropped]
    return "".join(pieces)


def _walk(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield (name, kind, offset) at the depth of namespaces; everything deeper is counted, not read."""
    # for each open brace its namespace's part of the name, perhaps "", or "(" for one in parentheses, else None
    scopes: list[str | None] = []
    inside = 0  # braces that are no namespaces
    start = 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        opened: str | None = None
        if mark == "}":
            closed = scopes.pop() if scopes else ""
            inside -= closed in _NO_NAMESPACE
            if closed != "(" or inside:
                start = token.end()
            continue
        if not inside:
            head = text[start : token.start()]
            if mark in "{;" and head.count("(") > head.count(")"):
                opened = "("  # a default argument or a lambda
            else:
                if mark in "{;":
                    prefix = "".join(f"{scope}::" for scope in scopes if scope)
                    opened, found = _read_statement(head, mark)
                    is_space = found[:1] and found[0][1] == "namespace"
                    if not (is_space and len(scopes) >= _DEEPEST):
                        yield from ((prefix + name, kind, start + offset) for name, kind, offset in found)
                start = token.end()
        if mark == "{":
            scopes.append(None if len(scopes) >= _DEEPEST else opened)
            inside += scopes[-1] in _NO_NAMESPACE


def _read_statement(head: str, mark: str) -> tuple[str | None, list[tuple[str, str, int]]]:
    """Return the scope that a statement opens, and (name, kind, offset) of all that its head declares."""
    if mark == "{" and (space := _NAMESPACE.search(head)):
        # An inline or anonymous namespace adds nothing to the names in it.
        name = "" if space[1] else _NO_NAMES.sub("", space[2])
        offset = space.start(2) + len(space[2]) - len(space[2].lstrip())
        return name, [(name, "namespace", offset)] if name else []
    is_transparent = head.strip().startswith("extern") and "(" not in head
    return "" if is_transparent else None, list(_declared(head, mark))


def _declared(head: str, mark: str) -> Iterator[tuple[str, str, int]]:
    """Yield (name, kind, offset in ``head``) of what a statement's head declares."""
    at = _skip_templates(head, 0)
    while macro := _MACRO_CALL.match(head, at):  # a macro call needs no semicolon behind it
        place = _DECLARING.get(macro[1])
        if place is not None and len(arguments := list(_IDENTIFIER.finditer(head, macro.end(1), macro.end()))) > place:
            argument = arguments[0] if place == 0 else arguments[-1]
            yield argument[0], "class" if place == 0 else "function", argument.start()
        at = _skip_templates(head, macro.end())
    found = _declared_by(head[at:], mark)
    if found is not None:
        yield found[0], found[1], at + found[2]


def _declared_by(body: str, mark: str) -> tuple[str, str, int] | None:
    """Return (name, kind, offset) of what a statement without templates and macros declares."""
    if match := _USING.search(body):
        same = re.fullmatch(rf"\s*(?:::)?((?:\w+::)+{match[1]})\s*", body[match.end() :])  # of the same last name
        return match[1], f"alias {same[1]}" if same else "class", match.start(1)
    if "typedef" in body:
        match = _TYPEDEF.search(body) if mark == ";" and "(" not in body else None
        return (match[1], "class", match.start(1)) if match else None
    clean = _ATTRIBUTE.sub(lambda m: " " * len(m[0]), body)
    word = _TYPE.search(clean)
    if word is None or "(" in clean[: word.start()]:
        return _function_name(clean)
    return _type_name(clean, word.end()) if mark == "{" else None


def _skip_templates(head: str, at: int) -> int:
    """Return where the head goes on behind its ``template <…>`` clauses."""
    while match := _TEMPLATE.match(head, at):
        depth, at = 1, match.end()
        while depth and at < len(head):
            depth += (head[at] == "<") - (head[at] == ">" and head[at - 1] != "-")
            at += 1
    return at


def _type_name(body: str, after: int) -> tuple[str, str, int] | None:
    """Find the name of ``class API Box final : Base {``: the last word before the colon that is no ``final``.

    A name with arguments (``Box<int>``) is that of a specialisation.
    """
    colon = _COLON.search(body, after)
    name, offset, depth = "", 0, 0
    kind = "class"
    for match in _TYPE_TOKEN.finditer(body, after, colon.start() if colon else len(body)):
        piece = match[0]
        if piece == "::":
            return None  # a member of another class, defined outside it
        if piece == "<":
            kind = "specialisation"
            break
        if piece in "()":
            depth += 1 if piece == "(" else -1
        elif depth == 0 and piece != "final":
            name, offset = piece, match.start()
    return (name, kind, offset) if name else None


def _function_name(body: str) -> tuple[str, str, int] | None:
    match = _CALL.search(body)
    if match is None or "=" in body[: match.start()] or "operator" in body[: match.end()]:
        return None
    name = match[1]
    before = body[: match.start()].rstrip()
    if name in _NO_NAME or not before or before.endswith(("::", "~", ".", ",")) or _CAPITALS.match(name):
        return None
    if not _IDENTIFIER.search(before) or before.split()[-1] in {"return", "using", "friend", "new", "throw"}:
        return None
    return name, "function", match.start(1)
