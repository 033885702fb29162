"""Answers a quiz by chance, with the seed that the command line gives (1)."""

import json
import random
import sys

dice = random.Random(sys.argv[1] if len(sys.argv) > 1 else "1")
for line in sys.stdin:
    question = json.loads(line)
    verdict = dice.choice(["upheld", "rejected", "depends"])
    answer = {"id": question["id"], "verdict": verdict}
    answer["rules"] = [dice.choice(sorted(question["rules"]))]
    if verdict == "depends" and question["open_questions"]:
        answer["depends_on"] = [dice.choice(sorted(question["open_questions"]))]
    print(json.dumps(answer), flush=True)
