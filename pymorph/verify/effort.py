"""How much work verification does before it stops: one record of every limit."""

from __future__ import annotations

from typing import NamedTuple


class Effort(NamedTuple):
    """Limits of time, positions and size, by what they limit.

    Seconds are those of the processor, and end what takes too long; where they are measured on the
    clock, the comment says so.
    """

    # a run, where nobody says how long it may take
    run_seconds: float = 8.0  # in each process, and a second more for each
    run_statements: int = 300  # statements of the ruleset
    sampling_seconds: float = 60.0  # of a run; in less, fewer known positions and lines are tried
    sampling_share: float = 0.5  # of their time, at least; small games are through long before

    # a piece of work, and what is put together in one
    piece_seconds: float = 40.0  # on the clock, where nobody says
    piece_terms: int = 200  # actions or figures, unless one name alone has more
    piece_names: int = 10  # of actions or figures, as each has rules of its own
    widest_name: int = 1000  # actions; one name with more is cut by who acts, where files list them

    # the size of the positions, where the bounds do not name it
    board_side: int = 3  # columns and rows, where the game does not draw its own
    list_length: int = 2  # of the longest list
    fewest_cards: int = 1  # of each sort, where all the bounds allow is too hard
    low_numbers: int = 6  # the highest number there, and where everybody may act

    # which bounds are tried
    easy_facts: int = 4_000  # open ones; with more of them, narrower bounds are settled first
    narrowings: int = 4  # of bounds within which something is not settled
    widening_seconds: float = 20.0  # on the clock, for wider bounds, where nobody says

    # a search over open positions
    open_facts: int = 40_000  # of 20 kB each, as a rule
    conflicts: int = 40_000  # that one search may meet with, so that every run is alike
    conflicts_of_all: int = 10_000  # for all goals together
    search_seconds: float = 30.0  # on the clock
    positions_counted: int = 10
    barring_seconds: float = 10.0  # on the clock, to ask which bound keeps all positions out

    # play from the starts, on compiled rules
    play_positions: int = 20_000  # from which it is followed further
    play_seconds: float = 10.0
    play_actions: int = 1_500  # of a table whose rules are compiled
    play_rules: int = 25_000  # of such a table

    # lines of play with all transitions
    line_transitions: int = 8_000
    line_faults: int = 5
    entries_asked: int = 60  # of what may be entered where play waits, spread over all there is
    entries_made: int = 3  # of those that are legal
    witness_positions: int = 400  # among which a line of play to a witness is sought
    witness_seconds: float = 5.0  # on the clock

    # known positions and cases
    known_positions: int = 60  # in one piece of work, and in one grounding
    examples_at_once: int = 6  # of questions; more would be lost where a piece is late
    cases: int = 2_000  # positions, each with what is asked there
    sample_lines: int = 80  # of the file of known positions, in a sample
    sample_cases: int = 200  # positions of cases in a sample
    sample_seconds: float = 1.0  # on the clock, of play for a sample

    # endless
    endless_starts: int = 400  # positions that play reaches from the starts
    endless_others: int = 150  # positions that it reaches from others
    endless_seconds: float = 15.0  # on the clock, for each of both
    endless_share: int = 10  # so many times fewer after an edit of cards alone
    endless_loops: int = 50  # searches for a shortest loop

    # figures, and stuck
    acting_cards: int = 2  # where everybody may act
    figure_totals: int = 5  # that a figure may depend on, to be searched as it is
    figure_numbers: int = 3  # the highest number, for those that depend on more
    figures_at_once: int = 6  # of those
    figure_positions: int = 40  # that are tried, where lists are made

    # asymmetry
    asymmetry_play: int = 200  # positions from play
    asymmetry_seconds: float = 10.0
    asymmetry_longest: float = 20.0  # on the clock

    # leak
    leak_play: int = 60  # positions from play
    leak_changes: int = 24  # of what a player does not see, until some look alike
    leak_pairs: int = 3  # of one position and one player
    leak_actions: int = 60  # that are asked about at once
    leak_seconds: float = 5.0
    leak_longest: float = 10.0  # on the clock

    # two versions
    git_seconds: float = 60.0  # on the clock


EFFORT = Effort()
