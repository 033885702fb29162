"""Checks of the house that need no game loaded: its plan, its rulebooks, its pages, its weight."""
