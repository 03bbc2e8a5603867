"""`python -m ebc`."""

import sys

from ebc.cli import main

if __name__ == "__main__":
    sys.exit(main())
