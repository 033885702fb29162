"""Plants faults in a ruleset, one at a time, and sees whether anything notices."""
