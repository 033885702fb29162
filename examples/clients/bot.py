"""A bot that plays both sides of connect four at random: python bot.py [SEED]."""

import json
import random
import subprocess
import sys


class Referee:
    """pymorph in a process of its own: one request and one response a line."""

    def __init__(self):
        command = ["pymorph", "serve", "--stdio"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
        self.number = 0

    def ask(self, method, **params):
        self.number += 1
        request = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        print(json.dumps(request), file=self.process.stdin, flush=True)
        response = json.loads(self.process.stdout.readline())
        if "error" in response:
            raise ValueError(response["error"]["message"])
        return response["result"]["answer"]


random.seed(sys.argv[1] if len(sys.argv) > 1 else None)
referee = Referee()
referee.ask("load", ruleset="connect_four", handle="@game")
while actions := referee.ask("legal", file="@game")["actions"]:
    action = random.choice(actions)["action"]
    outcome = referee.ask("apply", file="@game", actions=action, output="@game")["outcome"]
    print(action)
print(json.dumps(outcome))
