"""The JSON files: their list, their format, and the comparison with the files on disk."""

import json
import sys
from pathlib import Path
from typing import Any, Callable, Dict, List

from . import cases_header, cases_keys, cases_time, cases_v1, cases_v2_ecmascript
from . import cases_v2_python, cases_v2_source, cases_v3, cases_webhook
from .suite import Suite

FOLDER = Path(__file__).resolve().parent.parent

SUITES: List[Callable[[], Suite]] = [
    cases_header.suite,
    cases_v1.suite,
    cases_v2_source.suite,
    cases_v2_ecmascript.suite,
    cases_v2_python.suite,
    cases_v3.suite,
    cases_time.suite,
    cases_keys.suite,
    cases_webhook.suite,
]


def rendered() -> Dict[str, str]:
    documents = [build().document() for build in SUITES]
    return {f"{document['suite']}.json": render(document) for document in documents}


def render(document: Any) -> str:
    return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def write() -> int:
    for name, text in rendered().items():
        (FOLDER / name).write_bytes(text.encode("ascii"))
        print(f"{name}: {json.loads(text)['numberOfTests']} tests")
    return 0


def check() -> int:
    expected = rendered()
    problems = [
        problem
        for name, text in expected.items()
        for problem in differences(name, text)
    ]
    for path in sorted(FOLDER.glob("*.json")):
        if path.name not in expected and path.name != "schema.json":
            problems.append(f"{path.name}: not made by generate.py")
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        print("Run: python3 generate.py", file=sys.stderr)
    return 1 if problems else 0


def differences(name: str, text: str) -> List[str]:
    path = FOLDER / name
    if not path.exists():
        return [f"{name}: missing"]
    on_disk = path.read_bytes()
    if on_disk == text.encode("ascii"):
        return []
    lines = on_disk.decode("utf-8", "replace").split("\n")
    wanted = text.split("\n")
    for number, pair in enumerate(zip(lines, wanted), start=1):
        if pair[0] != pair[1]:
            return [f"{name}:{number}: is {clip(pair[0])}, should be {clip(pair[1])}"]
    return [f"{name}: {len(lines)} lines, should be {len(wanted)}"]


def clip(line: str) -> str:
    line = line.strip()
    return line if len(line) <= 80 else line[:77] + "..."
