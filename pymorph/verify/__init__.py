"""Do the rules of a game hold together? Properties of a ruleset, proved or broken by a position."""
