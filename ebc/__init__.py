"""The conductor: the command line, and the order in which the rooms work."""

__version__ = "0.1.0"
