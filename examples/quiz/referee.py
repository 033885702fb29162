"""Answers a quiz by asking pymorph: what a perfect answerer says."""

import json
import sys

import pymorph

for line in sys.stdin:
    question = json.loads(line)
    position = pymorph.Position.parse(question["position"])
    # Every question that is not listed as open is read by default, unless the position rules it.
    defaults = position.ruleset.defaults
    read = {name: defaults[name] for name in defaults if name not in question["open_questions"]}
    position = position.with_rulings({**read, **position.rulings})
    text = f"position: {json.dumps(position.line())}\nclaims: [{json.dumps(question['claim'])}]\n"
    (verdict,) = pymorph.adjudicate(pymorph.Case.parse(text)).claims
    answer = {
        "id": question["id"],
        "verdict": verdict.verdict,
        "rules": verdict.rules,
        "depends_on": [*verdict.depends_on, *verdict.hidden],
    }
    print(json.dumps(answer), flush=True)
