"""One note: the meaning of a flag. The texts are copied to the JSON files unchanged."""

from typing import Any, Dict


def note(bug_class: str, description: str, effect: str, *seen_in: str) -> Dict[str, Any]:
    made: Dict[str, Any] = {"bugClass": bug_class, "description": description, "effect": effect}
    if seen_in:
        made["seenIn"] = list(seen_in)
    return made
