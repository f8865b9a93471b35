"""A strict reader of JSON (RFC 8259) that keeps every token as it is in the source.

Python's own json module is not enough here: it accepts NaN, and it forgets whether the
source said 10.0 or 1e1.
"""

import re
import sys
from typing import Any, List, NamedTuple, Tuple

MAX_DEPTH = 512
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

# Two Python frames per level, and some room for the caller.
sys.setrecursionlimit(max(sys.getrecursionlimit(), 10 * MAX_DEPTH))

SPACE = re.compile(r"[ \t\n\r]*")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"')
ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")
ESCAPED = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class NotJson(ValueError):
    """The body is not strict JSON in valid UTF-8, or nested deeper than MAX_DEPTH."""


class Literal(NamedTuple):
    token: str  # true, false or null


class Number(NamedTuple):
    token: str


class String(NamedTuple):
    token: str  # with its quotes and escapes
    value: str  # decoded; may hold lone surrogates


class Array(NamedTuple):
    items: List[Any]


class Object(NamedTuple):
    members: List[Tuple[String, Any]]  # in source order, repeated keys included


def decode_text(body: bytes) -> str:
    """The text of a body; one leading byte order mark is ignored (RFC 8259, 8.1)."""
    if body.startswith(BYTE_ORDER_MARK):
        body = body[len(BYTE_ORDER_MARK):]
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotJson("not UTF-8") from error


def read(body: bytes) -> Any:
    return Reader(decode_text(body)).document()


def unescape(token: str) -> str:
    def one(match: Any) -> str:
        unit, letter = match.groups()
        return chr(int(unit, 16)) if unit else ESCAPED[letter]

    text = ESCAPE.sub(one, token[1:-1])
    # Two escapes of a surrogate pair are one character; a lone surrogate stays.
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


class Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0

    def document(self) -> Any:
        self.skip_space()
        node = self.value()
        self.skip_space()
        if self.at != len(self.text):
            raise NotJson("something follows the value")
        return node

    def value(self) -> Any:
        first = self.text[self.at:self.at + 1]
        if first == "{":
            return self.nested(self.object)
        if first == "[":
            return self.nested(self.array)
        if first == '"':
            return self.string()
        for word in ("true", "false", "null"):
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return Literal(word)
        return Number(self.token(NUMBER))

    def nested(self, read_inside: Any) -> Any:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NotJson("nested too deep")
        self.at += 1
        node = read_inside()
        self.depth -= 1
        return node

    def array(self) -> Array:
        items: List[Any] = []
        self.skip_space()
        if self.take("]"):
            return Array(items)
        while True:
            self.skip_space()
            items.append(self.value())
            self.skip_space()
            if self.take("]"):
                return Array(items)
            self.need(",")

    def object(self) -> Object:
        members: List[Tuple[String, Any]] = []
        self.skip_space()
        if self.take("}"):
            return Object(members)
        while True:
            self.skip_space()
            key = self.string()
            self.skip_space()
            self.need(":")
            self.skip_space()
            members.append((key, self.value()))
            self.skip_space()
            if self.take("}"):
                return Object(members)
            self.need(",")

    def string(self) -> String:
        token = self.token(STRING)
        return String(token, unescape(token))

    def token(self, pattern: Any) -> str:
        match = pattern.match(self.text, self.at)
        if match is None:
            raise NotJson(f"unexpected character at {self.at}")
        self.at = match.end()
        return match.group()

    def skip_space(self) -> None:
        self.at = SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]

    def take(self, character: str) -> bool:
        found = self.text.startswith(character, self.at)
        self.at += found
        return found

    def need(self, character: str) -> None:
        if not self.take(character):
            raise NotJson(f"expected {character} at {self.at}")
