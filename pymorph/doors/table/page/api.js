// Questions to the server. Each is about the seat whose link this page has.

import { Refused } from "./refused.js";

async function read(response) {
  const text = await response.text();
  let answer = null;
  try {
    answer = JSON.parse(text);
  } catch {
    answer = { message: text };
  }
  if (!response.ok) throw new Refused(answer);
  return answer;
}

export const get = async (task, query = {}) =>
  read(await fetch(`${task}?${new URLSearchParams(query)}`));

export const post = async (task, body) =>
  read(await fetch(task, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }));

export const ask = (verb, options, step) => post("ask", { verb, options, step });

// Calls back with the version of the game, now and whenever it goes on.
export function listen(onVersion, onLost) {
  const source = new EventSource("events");
  source.onmessage = (message) => onVersion(Number(message.data));
  source.onerror = () => onLost();
  return source;
}
