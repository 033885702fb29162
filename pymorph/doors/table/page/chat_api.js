// What api.js is in a chat: questions go through the program that shows the page, which calls the
// tools of the server (the extension MCP Apps of the Model Context Protocol, of 2026-01-26).

import { el, tell } from "./dom.js";
import { Refused } from "./refused.js";

const POLL = 5000; // milliseconds after which the page looks whether the game went on
const host = window.parent;
const waiting = new Map(); // of a request: what hears of its answer
const played = []; // what was played on this page, which the agent is told
let last = 0;
let about = null; // the game, and the token of the seat, that the tool of the agent was about
let context = {};
let abilities = {}; // of the host

// -- messages to the host and from it ----------------------------------------------------------

const send = (message) => host.postMessage({ jsonrpc: "2.0", ...message }, "*");

const request = (method, params) => new Promise((resolve, reject) => {
  waiting.set(++last, { resolve, reject });
  send({ id: last, method, params });
});

window.addEventListener("message", ({ source, data }) => {
  if (source !== host || data?.jsonrpc !== "2.0") return;
  if (data.method === undefined) {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error) asked?.reject(new Refused(data.error));
    else asked?.resolve(data.result ?? {});
  } else if (data.id === undefined) {
    heard[data.method]?.(data.params ?? {});
  } else if (["ping", "ui/resource-teardown"].includes(data.method)) {
    if (data.method !== "ping") clearInterval(timer);
    send({ id: data.id, result: {} });
  } else {
    send({ id: data.id, error: { code: -32601, message: `unknown method ${data.method}` } });
  }
});

// -- what the agent did ------------------------------------------------------------------------

let begin;
const begun = new Promise((resolve) => { begin = resolve; });
let input = {};
let version; // of the game that is shown
let onVersion = () => {};
let timer;

const heard = {
  "ui/notifications/tool-input": ({ arguments: given }) => { input = given ?? {}; },
  "ui/notifications/tool-result": (result) => {
    const known = result.isError ? undefined : result.structuredContent?.game ?? input.game ?? "";
    const game = result._meta?.["pymorph/game"] ?? known; // a host may leave the metadata out
    const seat = input.seat ? { seat: input.seat } : {};
    if (game !== undefined) about = { ...(game ? { game } : {}), ...seat };
    const text = (result.content ?? []).filter((part) => part.type === "text").map((part) => part.text).join("\n");
    begin(text);
    news();
    answered(text, result);
  },
  "ui/notifications/tool-cancelled": ({ reason }) => { begin(reason || "the agent cancelled its question"); onVersion(); },
  "ui/notifications/host-context-changed": (changed) => { context = { ...context, ...changed }; dress(); },
};

// What is asked after the version is known shows that version, or a later one.
async function news() {
  version = about && (await call("version", {}).catch(() => ({}))).version;
  onVersion(version);
}

// Shows the answer to the agent, too, if it says more than the board.
function answered(text, { isError, structuredContent: data }) {
  if (!isError && typeof data?.legal === "boolean" && input.what) return tell(document, "why", input.what);
  const verdict = !isError && !(data?.illegal ?? data?.why);
  if (isError || data?.steps) tell(document, "answered", { lines: text.split("\n"), verdict });
}

// -- what the page asks ------------------------------------------------------------------------

async function call(task, given) {
  const text = await begun;
  if (about === null) throw new Refused({ message: text });
  const name = CHANGING.includes(task) ? "table_play" : "table_ask";
  const result = await request("tools/call", { name, arguments: { task, given, ...about } });
  if (result.isError) throw new Refused(result.structuredContent ?? { message: result.content?.[0]?.text });
  return result.structuredContent.answer;
}

export const get = (task, query = {}) => call(task, query);

export async function post(task, body) {
  const answer = await call(task, body);
  if (!CHANGING.includes(task)) return answer;
  report(task, body, answer);
  ({ version } = await call("version", {}));
  return answer;
}

export const ask = (verb, options, step) => post("ask", { verb, options, step });

// Gives a file to the host; where it takes none, the text is shown.
export async function download(name, mimeType, text) {
  const resource = { uri: `file:///${name}`, mimeType, text };
  if (abilities.downloadFile) await request("ui/download-file", { contents: [{ type: "resource", resource }] });
  else tell(document, "answered", { lines: text.split("\n") });
}

// Tells the agent what was played here; it learns of it with the next message of a person.
function report(task, body, answer) {
  if (answer.data?.illegal ?? answer.data?.why) return;
  played.push(answer.lines?.length ? answer.lines.join("\n") : [task, body.action].filter(Boolean).join(" "));
  const text = `On the page of the game${about.game ? ` ${about.game}` : ""}, a person played:\n${played.join("\n")}`;
  request("ui/update-model-context", { content: [{ type: "text", text }] }).catch(() => {});
}

// Calls back when the page is there, and whenever the game goes on, whoever plays.
export function listen(hear, _, onLost) {
  onVersion = hear;
  timer = setInterval(async () => {
    if (document.hidden || about === null) return;
    try {
      if ((await call("version", {})).version !== version) await news();
    } catch {
      onLost();
    }
  }, POLL);
}

// -- how the page looks in a chat --------------------------------------------------------------

function dress() {
  const root = document.documentElement;
  const { "--color-background-primary": ground, "--color-text-primary": ink } = context.styles?.variables ?? {};
  root.dataset.chat = context.displayMode ?? "inline";
  if (context.theme) root.style.colorScheme = context.theme;
  if (!ground || !ink) return;
  for (const name of ["--paper", "--ground"]) root.style.setProperty(name, ground);
  root.style.setProperty("--ink", ink);
}

function tellSize() {
  const root = document.documentElement;
  let before = "";
  new ResizeObserver(() => {
    root.style.height = "max-content";
    const height = Math.ceil(root.getBoundingClientRect().height);
    root.style.height = "";
    const size = { width: Math.ceil(window.innerWidth), height };
    if (JSON.stringify(size) !== before) send({ method: "ui/notifications/size-changed", params: size });
    before = JSON.stringify(size);
  }).observe(document.body);
}

// A host may forbid forms in its frames: then nothing submits them but this.
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("form button:not([type=button])");
  if (!button) return;
  event.preventDefault();
  if (button.form.method === "dialog") button.closest("dialog").close();
  else if (button.form.reportValidity()) button.form.dispatchEvent(new SubmitEvent("submit", { submitter: button, bubbles: true, cancelable: true }));
});

// Where no game is known, no part of the page is answered; the page says it once.
window.addEventListener("unhandledrejection", (event) => {
  if (!(event.reason instanceof Refused)) return;
  event.preventDefault();
  tell(document, "wrong", event.reason);
});

async function start() {
  const found = await request("ui/initialize", {
    appInfo: { name: "pymorph", version: VERSION },
    appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    protocolVersion: "2026-01-26",
  });
  context = found.hostContext ?? {};
  abilities = found.hostCapabilities ?? {};
  dress();
  send({ method: "ui/notifications/initialized" });
  tellSize();
  if (abilities.message) {
    const text = "I have played on the page of the game. Look at it with show, and continue.";
    const message = { role: "user", content: [{ type: "text", text }] };
    const button = el("button", { type: "button", onclick: () => request("ui/message", message).catch(() => {}) }, "Ask the agent to continue");
    document.querySelector("header").append(button);
  }
}

start();
