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

export function download(name, type, text) {
  const link = document.createElement("a");
  link.download = name;
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.click();
  URL.revokeObjectURL(link.href);
}

// Calls back with what the screen is now, whenever it is another one, and when seats change. A page
// that nobody sees does not listen: a browser has few connections for one server.
export function listen(onScreen, onSeats, onLost) {
  let source = null;
  const start = () => {
    source = new EventSource("events");
    source.onmessage = (message) => onScreen(message.data);
    source.addEventListener("seats", onSeats);
    source.onerror = onLost;
  };
  const turn = () => {
    source?.close();
    source = null;
    if (document.visibilityState === "visible") start();
  };
  document.addEventListener("visibilitychange", turn);
  turn();
}
