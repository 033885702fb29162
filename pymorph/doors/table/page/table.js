// The page of a seat: it shows what the server says, and asks what somebody chooses.

import { ask, download, get, listen, post } from "./api.js";
import "./board.js";
import "./choices.js";
import "./answers.js";
import "./disputes.js";
import { el, words } from "./dom.js";
import { enterPoint } from "./entries.js";
import "./focus.js";
import "./line.js";
import "./lookahead.js";
import "./panels.js";
import "./seats.js";
import "./tabs.js";

const one = (name) => document.querySelector(name);
const parts = Object.fromEntries(["board", "choices", "line", "answer", "record", "tableau", "seats", "disputes", "forecast", "job"].map((name) => [name, one(`pymorph-${name}`)]));
let screen = null;
let step = null; // the step that is looked at; null: the last one
let over = {}; // what is drawn over the board
let realDice = false;
let playing = false;
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
    const found = await post("screen", { ...(Object.keys(over).length ? { over } : {}), ...(step === null ? {} : { step }) });
    if (mine !== wanted) return;
    const before = screen;
    if (Object.keys(over).length) say(...found.notes);
    screen = found;
    show();
    if (step !== null) say(one("#headline").textContent);
    if (before && step === null && screen.record.length > before.record.length) {
      const rows = screen.record.slice(before.record.length);
      say(...rows.map((row) => [row.action, ...row.rolls, ...row.events].filter(Boolean).join(": ")), turn());
    }
  } catch (error) {
    if (mine !== wanted) return;
    wrong(error);
    if (Object.keys(over).length) lay({});
  }
}

function turn() {
  if (screen.over?.length) return screen.over[0];
  if (screen.rolls?.length) return "a roll is due";
  const actors = new Set([...(screen.legal ?? []), ...(screen.awaited ?? []).map((each) => each.form)].map((action) => action[1]));
  const own = [...actors].map(words).join(", ");
  const others = (screen.waiting ?? []).map(words).join(", ");
  return [own && `${own} may act`, others && `waiting for ${others}`].filter(Boolean).join("; ");
}

function show() {
  document.title = `${screen.game.title} (${screen.seat.name})`;
  one("#title").textContent = screen.game.title;
  const at = step === null ? turn() : `step ${step} of ${screen.record.length}, not now`;
  one("#headline").textContent = [screen.headline, at].filter(Boolean).join(" · ");
  one("#headline").classList.toggle("earlier", step !== null);
  one("#seat").textContent = `Seat: ${words(screen.seat.name)}`;
  one("#notes").textContent = screen.notes.join("\n");
  parts.board.show(screen.board);
  parts.choices.show(screen, { dice: dice() });
  parts.line.show(screen, over);
  parts.record.show(screen, step);
  parts.tableau.show(screen.tableau);
  for (const part of [parts.disputes, parts.forecast, parts.job]) part.show(screen, step);
  document.body.dataset.ready = "";
}

// Whether rolls are made by the server, or entered.
function dice() {
  if (!screen.chance && !screen.rolls?.length) return null;
  const box = el("input", { type: "checkbox", checked: realDice, onchange: () => { realDice = box.checked; } });
  return el("label", { class: "dice" }, box, " we roll real dice and enter what comes up");
}

// Carries out an action, one at a time. False, if it was not carried out.
async function play(action) {
  if (playing) return false;
  playing = true;
  over = {};
  step = null;
  say("…");
  try {
    const answer = await post("play", { action, ...(realDice ? { rolls: [] } : {}) });
    const refused = answer.data.illegal ?? answer.data.why;
    if (answer.lines.length) parts.answer.show(answer.lines, !refused, answer.tree, refused ? action : "");
    if (refused) say(answer.lines[0]);
    await load();
    return !refused;
  } catch (error) {
    wrong(error);
    return false;
  } finally {
    playing = false;
  }
}

async function plays(actions) {
  for (const action of actions) if (!(await play(action))) return;
}

async function asked({ verb, options }) {
  try {
    const answer = await ask(verb, options, step ?? undefined);
    parts.answer.show(answer.lines, answer.data.legal ?? null, answer.tree, verb === "why" ? options.what : "");
    say(...answer.lines.slice(0, 3).map((line) => line.trim()));
  } catch (error) {
    wrong(error);
  }
}

async function change(task, steps) {
  try {
    await post(task, { steps });
    step = null;
    await load();
    if (task === "undo") say("Taken back", turn());
  } catch (error) {
    wrong(error);
  }
}

function lay(asked) {
  over = asked;
  return load();
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say("Copied");
  } catch {
    parts.answer.show([text]); // where a page may not write to the clipboard
    say("Copy it from the answer");
  }
}

async function save() {
  try {
    const { text } = await get("record");
    await download(`${screen.game.ruleset}.yaml`, "application/yaml", text);
  } catch (error) {
    wrong(error);
  }
}

function chosen(area) {
  if (!screen.board?.scale || area.kind === "piece") parts.choices.click(area);
}

function spot({ point, area }) {
  const entered = enterPoint(parts.choices, point, screen.board.scale, area);
  if (!entered && area?.kind === "place") parts.choices.click(area);
}

const on = (name, act) => document.addEventListener(name, (event) => act(event.detail));
on("play", play);
on("plays", plays);
on("rolled", play);
on("why", (action) => asked({ verb: "why", options: { what: action } }));
on("asked", asked);
on("over", lay);
on("wrong", wrong);
on("answered", ({ lines, verdict }) => parts.answer.show(lines, verdict)); // in a chat, what the agent asked
on("said", say);
on("keys", () => one("#keys").showModal());
on("chosen", chosen);
on("spot", spot);
on("dispute", (claim) => { one("pymorph-tabs").open("disputes"); parts.disputes.fill(claim); });
on("partial", ({ next, picked }) => parts.board.mark(next, picked));
on("jump", (number) => { step = number === screen.record.length ? null : number; load(); });
on("undo", (steps) => change("undo", steps));
on("redo", (steps) => change("redo", steps));
on("copy", copy);
on("save", save);

one("#help").addEventListener("click", () => one("#keys").showModal());

listen(() => playing || load(), () => parts.seats.load(), () => say("The server is not there. The page tries again."));
