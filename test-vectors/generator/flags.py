"""Every flag of the vectors with its note, by file of notes."""

from typing import Any, Dict

from .flags_body import BODY_FLAGS
from .flags_header import HEADER_FLAGS
from .flags_json import JSON_FLAGS
from .flags_keys import KEY_FLAGS
from .flags_time import TIME_FLAGS

FLAGS: Dict[str, Dict[str, Any]] = {**HEADER_FLAGS, **TIME_FLAGS, **BODY_FLAGS, **JSON_FLAGS, **KEY_FLAGS}
