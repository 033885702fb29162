// The page of a seat: it shows what the server says, and asks what somebody chooses.

import { ask, get, listen, post } from "./api.js";
import "./board.js";
import "./choices.js";
import { words } from "./dom.js";
import "./answers.js";
import "./disputes.js";
import "./lookahead.js";
import "./panels.js";

const one = (name) => document.querySelector(name);
const parts = Object.fromEntries(["board", "choices", "answer", "record", "tableau", "seats", "disputes", "forecast", "job"].map((name) => [name, one(`pymorph-${name}`)]));
let screen = null;
let step = null; // the step that is looked at; null: the last one
let wanted = 0;

function say(...lines) {
  one("#news").textContent = lines.filter(Boolean).join(". ");
}

function wrong(error) {
  parts.answer.show([error.message], false);
  say(error.message);
}

async function load() {
  const mine = ++wanted;
  try {
    const found = await get("screen", step === null ? {} : { step });
    if (mine !== wanted) return;
    const before = screen;
    screen = found;
    show();
    if (before && screen.record.length > before.record.length) {
      const rows = screen.record.slice(before.record.length);
      say(...rows.map((row) => [row.action, ...row.events].filter(Boolean).join(": ")), turn());
    }
  } catch (error) {
    wrong(error);
  }
}

function turn() {
  if (screen.over?.length) return screen.over.join(" ");
  const actors = new Set((screen.legal ?? []).map((action) => action[1]));
  const own = [...actors].map(words).join(", ");
  if (own) return `${own} may act`;
  return screen.waiting?.length ? `waiting for ${screen.waiting.map(words).join(", ")}` : "";
}

function show() {
  document.title = `${screen.game.title} (${screen.seat.name})`;
  one("#title").textContent = screen.game.title;
  one("#headline").textContent = [screen.headline, turn()].filter(Boolean).join(" · ");
  one("#seat").textContent = `Seat: ${words(screen.seat.name)}`;
  parts.board.show(screen.board);
  parts.choices.show(screen);
  parts.record.show(screen, step);
  parts.tableau.show(screen.tableau);
  for (const part of [parts.disputes, parts.forecast, parts.job]) part.show(screen, step);
  document.body.dataset.ready = "";
}

async function play(action) {
  try {
    const answer = await post("play", { action });
    const refused = answer.data.illegal ?? answer.data.why;
    parts.answer.show(answer.lines, !refused, answer.tree, refused ? action : "");
    if (refused) say(answer.lines[0]);
    await load();
  } catch (error) {
    wrong(error);
  }
}

async function why(action) {
  try {
    const answer = await ask("why", { what: action });
    parts.answer.show(answer.lines, answer.data.legal, answer.tree, action);
    say(answer.lines[0]);
  } catch (error) {
    wrong(error);
  }
}

async function change(task) {
  try {
    await post(task, { steps: 1 });
    step = null;
    await load();
  } catch (error) {
    wrong(error);
  }
}

const on = (name, act) => document.addEventListener(name, (event) => act(event.detail));
on("play", play);
on("why", why);
on("wrong", wrong);
on("say", say);
on("dispute", (claim) => parts.disputes.fill(claim));
on("chosen", (area) => parts.choices.pick?.(area.term));
on("partial", ({ next, picked }) => parts.board.mark(next, picked));
on("jump", (number) => { step = number; load(); });
on("undo", () => change("undo"));
on("redo", () => change("redo"));

listen(() => load(), () => say("The server is not there. The page tries again."));
get("seats").then((links) => { one("#master").hidden = false; parts.seats.show(links); }, () => {});
