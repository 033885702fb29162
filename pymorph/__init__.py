"""A referee that can be asked: the rules of a game as data, every answer with its rules."""

__version__ = "0.1.0"
