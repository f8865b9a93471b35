"""The text that v2 signs (section 6.4 of the API document), in the three forms of README.md."""

import json
import sys
from typing import Any, Callable, Dict, List, Tuple

from . import ecmascript, strict_json
from .strict_json import Array, Literal, Number, Object, String

# The order in which a verifier tries them.
FORMS = ("source", "ecmascript", "python")

# Python refuses to print integers of more than 4,300 digits unless asked to.
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)


def canonical_text(body: bytes, form: str) -> str:
    """Sorted, compact, and without any space or line break, inside strings too."""
    root = strict_json.read(body)
    if form == "python":
        text = python_text(strict_json.decode_text(body))
    else:
        text = print_node(root, PRINTERS[form])
    return text.replace(" ", "").replace("\n", "").replace("\r", "")


def python_text(text: str) -> str:
    """The form of a sender in Python: the json module itself."""
    return json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"))


class Printer:
    def __init__(
        self,
        number: Callable[[str], str],
        string: Callable[[String], str],
        sort_key: Callable[[str], Any],
    ) -> None:
        self.number = number
        self.string = string
        self.sort_key = sort_key


PRINTERS = {
    # Python compares str by code point.
    "source": Printer(lambda token: token, lambda node: node.token, lambda key: key),
    "ecmascript": Printer(
        lambda token: ecmascript.number(float(token)),
        lambda node: ecmascript.string(node.value),
        ecmascript.sort_key,
    ),
}


def print_node(node: Any, printer: Printer) -> str:
    if isinstance(node, Literal):
        return node.token
    if isinstance(node, Number):
        return printer.number(node.token)
    if isinstance(node, String):
        return printer.string(node)
    if isinstance(node, Array):
        return "[" + ",".join([print_node(item, printer) for item in node.items]) + "]"
    pairs = []
    for key, value in sorted_members(node, printer):
        pairs.append(printer.string(key) + ":" + print_node(value, printer))
    return "{" + ",".join(pairs) + "}"


def sorted_members(node: Object, printer: Printer) -> List[Tuple[String, Any]]:
    """The last of repeated keys (compared decoded) wins, with its own spelling."""
    last: Dict[str, Tuple[String, Any]] = {}
    for key, value in node.members:
        last[key.value] = (key, value)
    return sorted(last.values(), key=lambda member: printer.sort_key(member[0].value))
