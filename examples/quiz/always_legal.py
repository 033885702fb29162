"""Answers a quiz as if every action were legal and every other claim true."""

import json
import sys

for line in sys.stdin:
    question = json.loads(line)
    verdict = "rejected" if question["claim"].startswith("illegal(") else "upheld"
    print(json.dumps({"id": question["id"], "verdict": verdict}), flush=True)
