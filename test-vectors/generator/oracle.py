"""Answers questions of property tests: one JSON object per line in, one per line out."""

import json
import sys
from typing import Any, Dict, Iterable

from .canonical import FORMS, canonical_text
from .signing import VERSIONS, digest
from .strict_json import NotJson


def answer(question: Dict[str, Any]) -> Dict[str, str]:
    body = bytes.fromhex(question["body"])
    form = question.get("form", "source")
    if form not in FORMS:
        raise ValueError(f"form must be one of {FORMS}")
    try:
        if question["op"] == "canonical":
            return {"text": canonical_text(body, form).encode("utf-8").hex()}
        if question["op"] == "digest" and question["version"] in VERSIONS:
            return {"digest": digest(question["version"], question["key"], body, question["t"], form)}
    except NotJson:
        return {"error": "not-json"}
    raise ValueError("unknown op or version")


def answer_line(line: bytes) -> Dict[str, str]:
    """Also answers an invalid question, so that every line has an answer."""
    try:
        return answer(json.loads(line))
    except (ValueError, KeyError, TypeError) as error:
        return {"error": "bad-question", "message": repr(error)}


def serve(lines: Iterable[bytes]) -> None:
    for line in lines:
        if line.strip():
            sys.stdout.write(json.dumps(answer_line(line)) + "\n")
            sys.stdout.flush()
