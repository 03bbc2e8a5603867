from typing import Any

FORMATS = Format = render = None
