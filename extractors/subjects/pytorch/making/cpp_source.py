"""What a C++ header declares and where: a scanner of namespaces, types, functions and macros, no compiler.

It knows just enough of the grammar (ISO C++ 20, [dcl], [class], [namespace]) to follow the braces: comments and
literals are blanked, of ``#if … #else …`` the first branch is read, the bodies of functions are skipped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLANK = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<tag>[^()\s\\]{0,16})\(.*?\)(?P=tag)"|"(?:[^"\\\n]|\\.)*"|(?<![\w])\'(?:[^\'\\\n]|\\.)+\'',
    re.DOTALL,
)
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)((?:\\\r?\n|[^\n])*)", re.MULTILINE)
_MACRO = re.compile(r"[ \t]+([A-Za-z_]\w*)")
_TOKEN = re.compile(r"[{};]|\b(?:public|private|protected)\s*:(?!:)")
_NAMESPACE = re.compile(r"(?<!\w)(inline\s+)?namespace\b([^;(){}=]*)\Z")
_TYPE = re.compile(r"\b(?:class|struct|union|enum(?:\s+(?:class|struct))?)\b(?![^<]*>)")
_TYPE_TOKEN = re.compile(r"[A-Za-z_]\w*|[()<>]|::")
_COLON = re.compile(r"(?<!:):(?!:)")
_ATTRIBUTE = re.compile(
    r"\[\[.*?\]\]|\balignas\s*\([^()]*\)|__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|__declspec\s*\([^()]*\)"
)
_USING = re.compile(r"\busing\s+(\w+)\s*(?:\[\[[^\]]*\]\]\s*)?=")
_TYPEDEF = re.compile(r"\btypedef\b.*?(\w+)\s*\Z", re.DOTALL)
_CALL = re.compile(r"([A-Za-z_~]\w*)\s*\(")
_TEMPLATE = re.compile(r"\s*template\s*<")
_MACRO_CALL = re.compile(r"\s*([A-Z][A-Z0-9_]{3,})\s*\(([^()]|\([^()]*\))*\)(?=\s*[\w#])")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
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
    text = _BLANK.sub(_blanked, source)
    macros: list[tuple[str, int]] = []
    text = _without_directives(text, macros)
    for name, offset in macros:
        yield Declaration(name, "macro", source.count("\n", 0, offset) + 1)
    counter = _Lines(text)
    for name, kind, offset in _walk(text):
        plain, _, target = kind.partition(" ")
        yield Declaration(name, plain, counter.line(offset), target)


class _Lines:
    """Line numbers of growing offsets, counted once."""

    def __init__(self, text: str) -> None:
        self._text, self._at, self._line = text, 0, 1

    def line(self, offset: int) -> int:
        if offset < self._at:
            self._at, self._line = 0, 1
        self._line += self._text.count("\n", self._at, offset)
        self._at = offset
        return self._line


def _blanked(match: re.Match[str]) -> str:
    """Return as many lines as the literal or comment had; a literal stays an operand."""
    text = match[0]
    filler = " " if text.startswith("/") else '""'
    return (filler + "\n" * text.count("\n") + " " * len(text))[: len(text)] if "\n" not in text else _keep_lines(text)


def _keep_lines(text: str) -> str:
    return "".join(c if c == "\n" else " " for c in text)


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
    # A namespace's part of the name ("" when it adds none), "(" for braces in parentheses, None for anything else.
    scopes: list[str | None] = []
    inside = 0  # how many scopes are no namespaces
    start = 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark == "}":
            scope = scopes.pop() if scopes else ""
            inside -= scope is None or scope == "("
            if scope != "(" or inside:
                start = token.end()
        elif inside:
            if mark == "{":
                scopes.append(None)
                inside += 1
        elif mark in "{;":
            head = text[start : token.start()]
            if head.count("(") > head.count(")"):
                if mark == "{":  # within parentheses: a default argument or a lambda
                    scopes.append("(")
                    inside += 1
                continue
            prefix = "".join(f"{scope}::" for scope in scopes if scope)
            space = _NAMESPACE.search(head) if mark == "{" else None
            if space is not None:
                # An inline or anonymous namespace adds nothing to the names in it.
                name = "" if space[1] else re.sub(r"\s+|\[\[.*?\]\]", "", space[2])
                scopes.append(name)
                if name:
                    yield prefix + name, "namespace", start + space.start(2) + len(space[2]) - len(space[2].lstrip())
            else:
                for name, kind, offset in _declared(head, mark):
                    yield prefix + name, kind, start + offset
                if mark == "{":
                    transparent = head.strip().startswith("extern") and "(" not in head
                    scopes.append("" if transparent else None)
                    inside += not transparent
            start = token.end()
        elif mark not in "{};":
            start = token.end()


def _declared(head: str, mark: str) -> Iterator[tuple[str, str, int]]:
    """Yield (name, kind, offset in ``head``) of what a statement's head declares."""
    at = _skip_templates(head, 0)
    while macro := _MACRO_CALL.match(head, at):  # a macro call needs no semicolon behind it
        place = _DECLARING.get(macro[1])
        if place is not None and len(arguments := list(_IDENTIFIER.finditer(head, macro.end(1), macro.end()))) > place:
            argument = arguments[0] if place == 0 else arguments[-1]
            yield argument[0], "class" if place == 0 else "function", argument.start()
        at = _skip_templates(head, macro.end())
    body = head[at:]
    if match := _USING.search(body):
        same = re.fullmatch(rf"\s*(?:::)?((?:\w+::)+{match[1]})\s*", body[match.end() :])
        yield match[1], f"alias {same[1]}" if same else "class", at + match.start(1)
    elif "typedef" in body:
        if mark == ";" and "(" not in body and (match := _TYPEDEF.search(body)):
            yield match[1], "class", at + match.start(1)
    else:
        clean = _ATTRIBUTE.sub(lambda m: " " * len(m[0]), body)
        word = _TYPE.search(clean)
        if word is not None and "(" not in clean[: word.start()]:
            found = _type_name(clean, word.end()) if mark == "{" else None
        else:
            found = _function_name(clean)
        if found is not None:
            yield found[0], found[1], at + found[2]


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
