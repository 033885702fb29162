// A bot that plays both sides of connect four at random: node bot.mjs

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const command = spawn("pymorph", ["serve", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const lines = createInterface({ input: command.stdout })[Symbol.asyncIterator]();
let number = 0;

async function ask(method, params) {
  const request = { jsonrpc: "2.0", id: ++number, method, params };
  command.stdin.write(JSON.stringify(request) + "\n");
  const response = JSON.parse((await lines.next()).value);
  if (response.error) throw new Error(response.error.message);
  return response.result.answer;
}

await ask("load", { ruleset: "connect_four", handle: "@game" });
let outcome = null;
for (;;) {
  const { actions } = await ask("legal", { file: "@game" });
  if (actions.length === 0) break;
  const { action } = actions[Math.floor(Math.random() * actions.length)];
  ({ outcome } = await ask("apply", { file: "@game", actions: action, output: "@game" }));
  console.log(action);
}
console.log(JSON.stringify(outcome));
command.stdin.end();
