"""Do the rules of a game hold together? Properties of a ruleset, proved or broken by a position."""

from pymorph.runtime.lazy import submodules_of

__getattr__ = submodules_of(__name__)
