"""The calls and strings of a Swift source, read without a compiler."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

STRING = re.compile(r'(#*)("""|")')
# Comments, regular expressions, strings, brackets and commas of Swift.
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|(?<=[\s(,:])/(?!\s)(?:\\.|[^\n/\\])+/|#*"|[()\[\]{},]', re.S)
NAME = re.compile(r"[^\w.?!]")
DECLARATION = re.compile(r"\b(?:func|case)\s+$")
ARGUMENT = re.compile(r"\s*(?:(\w+):\s\s*)?(.*)", re.S)


@dataclass
class Argument:
    """An argument of a call: its label or an empty text, the expression, and the line on which it begins."""

    label: str
    text: str
    line: int


@dataclass
class Call:
    """A call in Swift: the name with its receiver, and the arguments."""

    name: str
    arguments: list[Argument]

    @property
    def first(self) -> list[Argument]:
        """The arguments before the first label."""
        labels = [bool(argument.label) for argument in self.arguments] + [True]
        return self.arguments[:labels.index(True)]

    def labelled(self, *labels: str) -> list[Argument]:
        return [argument for argument in self.arguments if argument.label in labels]


def string_end(text: str, start: int) -> int:
    """The offset after a string; a quote that is not closed in its line is no string and ends with the line."""
    match = STRING.match(text, start)
    escape, closing, offset = "\\" + match[1], match[2] + match[1], match.end()
    while offset < len(text) and not text.startswith(closing, offset):
        if text.startswith(escape + "(", offset):
            offset = group_end(text, offset + len(escape))
        elif text.startswith(escape, offset):
            offset += len(escape) + 1
        elif text[offset] == "\n" and match[2] == '"':
            return offset
        else:
            offset += 1
    return offset + len(closing)


def tokens(text: str, start: int = 0) -> Iterator[tuple[str, int, int]]:
    """The brackets, commas and strings, each with where it begins and ends."""
    while match := TOKEN.search(text, start):
        start = string_end(text, match.start()) if match[0].endswith('"') else match.end()
        if match[0][0] != "/":
            yield match[0], match.start(), start


def group_end(text: str, start: int) -> int:
    """The offset after the bracket that closes the one at `start`."""
    depth = 0
    for token, _, end in tokens(text, start):
        depth += (token in "([{") - (token in ")]}")
        if depth == 0:
            return end
    return len(text)


def calls_and_strings(text: str) -> tuple[list[Call], list[tuple[int, int]], bool]:
    """The calls and the strings of a source, and whether its brackets match. If they do not, calls may be missing."""
    calls, strings, open_brackets, surplus = [], [], [], 0
    for token, start, end in tokens(text):
        if token.endswith('"'):
            strings.append((start, end))
        elif token in "([{":
            open_brackets.append([start])
        elif token == "," and open_brackets:
            open_brackets[-1].append(start)
        elif token in ")]}" and not open_brackets:
            surplus += 1
        elif token in ")]}":
            edges = [*open_brackets.pop(), start]
            name = called(text, edges[0]) if token == ")" else ""
            if name:
                arguments = [argument(text, left + 1, right) for left, right in zip(edges, edges[1:])]
                calls.append(Call(name, [one for one in arguments if one.text]))
    return calls, strings, not open_brackets and not surplus


def called(text: str, bracket: int) -> str:
    """The name before a bracket; empty when the bracket belongs to no call, as in a declaration."""
    before = text[max(0, bracket - 100):bracket]
    name = NAME.split(before)[-1]
    is_declaration = name == "init" or DECLARATION.search(before[:len(before) - len(name)][-20:])
    return "" if is_declaration else name


def argument(text: str, start: int, end: int) -> Argument:
    match = ARGUMENT.fullmatch(text, start, end)
    return Argument(match[1] or "", match[2].strip(), text.count("\n", 0, match.start(2)) + 1)


def split(text: str) -> list[str]:
    """The parts between the commas of a list."""
    edges, depth = [-1], 0
    for token, start, _ in tokens(text):
        depth += (token in "([{") - (token in ")]}")
        edges += [start] if token == "," and depth == 0 else []
    parts = [text[left + 1:right] for left, right in zip(edges, [*edges[1:], len(text)])]
    return [part for part in parts if part.strip()]


def choices(text: str) -> list[str] | None:
    """The literals that an expression chooses from or lists; `None` when it can have another value."""
    if text.startswith(("(", "[")) and group_end(text, 0) == len(text):
        parts = [choices(part.strip()) for part in split(text[1:-1])]
        return None if None in parts else [name for part in parts for name in part]
    if text == "nil":
        return []
    if text.startswith('"') and string_end(text, 0) == len(text):
        return None if "\\" in text or text.startswith('"""') else [text[1:-1]]
    hidden = list(text)
    for token, start, end in tokens(text):
        end = group_end(text, start) if token in "([{" else end
        hidden[start:end] = "_" * (end - start)
    match = re.fullmatch(r"[^?:]*\s\?\s+(.*?)\s+:\s+(.*)", "".join(hidden), re.S)
    sides = [choices(text[match.start(side):match.end(side)]) for side in (1, 2)] if match else [None]
    return None if None in sides else [name for side in sides for name in side]
