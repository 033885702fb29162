"""Colours for Answer Set Programming, as clingo reads it: a lexer for Pygments."""

from __future__ import annotations

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text


class AspLexer(RegexLexer):
    """Rules, directives, aggregates, and the comments of clingo."""

    name = "Answer Set Programming"
    aliases = ("asp", "clingo", "prolog")  # Markdown elsewhere knows none nearer than Prolog
    filenames = ("*.lp",)
    tokens = {  # noqa: RUF012  # as Pygments declares it
        "root": [
            (r"\s+", Text),
            (r"%\*", Comment.Multiline, "comment"),
            (r"%[^\n]*", Comment.Single),
            (r'"(\\.|[^"\\\n])*"', String.Double),
            (
                r"#(show|defined|const|external|include|minimize|maximize|program|project"
                r"|script|theory|heuristic|edge|end)\b",
                Keyword.Declaration,
            ),
            (r"#(count|sum\+?|min|max|inf|sup|true|false)\b", Keyword),
            (r"\bnot\b", Keyword),
            (r"(@)(_*[a-z][\w']*)", bygroups(Operator, Name.Function)),
            (r"_*[a-z][\w']*(?=\()", Name.Function),
            (r"_*[a-z][\w']*", Name.Constant),
            (r"_*[A-Z][\w']*|_", Name.Variable),
            (r"\d+", Number.Integer),
            (r":-|:~|\.\.|[<>!=]=|[-+*/\\\\<>=&?^~|:@]", Operator),
            (r"[(){}\[\],;.]", Punctuation),
            (r".", Text),
        ],
        "comment": [
            (r"[^*%]+", Comment.Multiline),
            (r"%\*", Comment.Multiline, "#push"),
            (r"\*%", Comment.Multiline, "#pop"),
            (r"[*%]", Comment.Multiline),
        ],
    }
