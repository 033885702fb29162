// What somebody enters: the open parts of an action, the outcome of a roll.

import { el, tell, term, words } from "./dom.js";

const TENTHS = 10; // of a unit, to which a point is entered that was clicked

// The forms of what play waits for; those that are answered by an action among others have none.
export function entries(screen, choices) {
  const wanted = choices.choosing.awaited;
  const forms = screen.awaited.filter((each) => wanted.includes(each.form)).map((each) => form(each, screen, choices));
  const filled = () => forms.filter((each) => each.checkValidity());
  const all = forms.length > 1
    ? [choices.button("Enter all that is filled in", () => tell(choices, "plays", filled().map((each) => each.written())))]
    : [];
  return [...forms, ...all];
}

function form({ form: parts, most, rule, rules }, screen, choices) {
  const { sorts, elided } = screen.actions[parts[0]];
  const isOpen = (part, n) => part === sorts[n] && !elided[n] && screen.sorts[part].members?.join() !== part;
  const fields = parts.slice(1).map((part, n) => (isOpen(part, n) ? field(part, screen) : null));
  const shown = parts.slice(1).map((part, n) => {
    if (fields[n]) return el("label", {}, `${words(part)} `, fields[n]);
    return elided[n] ? "" : `${choices.called(part)} `;
  });
  const note = [most ? `up to ${most}` : "", rules[rule]?.title ?? rule].filter(Boolean).join("; ");
  const entered = (event) => {
    event.preventDefault();
    tell(choices, event.submitter?.value || "play", made.written());
  };
  const made = el("form", { class: "entry", "data-form": parts[0], onsubmit: entered }, `${words(parts[0])} `, ...shown,
    el("button", { class: "legal" }, "Enter"), el("button", { value: "why" }, "Why?"), el("small", {}, note));
  made.written = () => term([parts[0], ...parts.slice(1).map((part, n) => (fields[n] ? written(fields[n]) : part))]);
  return made;
}

// Points stand in brackets; a list of them in two.
function written(input) {
  const text = input.value.trim();
  return input.dataset.kind === "points" && !text.startsWith("[[") ? `[${text}]` : text;
}

function field(name, screen) {
  const sort = screen.sorts[name];
  if (sort.from !== undefined) return el("input", { type: "number", name, min: sort.from, max: sort.to, required: true });
  if (sort.measured || sort.list) {
    const kind = sort.list ? "points" : sort.aimed ? "aimed" : "point";
    const such = { points: "[6, 8], [9 1/2, 8]", point: "[6, 8]", aimed: "towards NAME, or [3, 1]" }[kind];
    return el("input", { type: "text", name, "data-kind": kind, placeholder: such, required: true, autocomplete: "off" });
  }
  return el("select", { name, required: true }, ...sort.members.map((member) => el("option", { value: member }, screen.names[member] ?? words(member))));
}

// A click on a table in lengths enters a point, or whom something is aimed at. False, where none is open.
export function enterPoint(choices, [x, y], scale, area) {
  const inputs = [...choices.querySelectorAll("input[data-kind]")];
  const input = inputs.find((each) => each === choices.entering) ?? (inputs.length === 1 ? inputs[0] : null);
  const aimed = input?.dataset.kind === "aimed" && area?.kind === "piece";
  if (!input || (area?.kind === "piece" && !aimed)) return false;
  const units = (pixels) => Math.round((pixels / scale.pixels) * TENTHS) / TENTHS;
  const point = `[${units(x - scale.origin[0])}, ${units(scale.origin[1] - y)}]`;
  if (aimed) input.value = `towards ${area.term}`;
  else input.value = input.dataset.kind === "points" && input.value.trim() ? `${input.value.trim()}, ${point}` : point;
  return true;
}

// A roll that is due: made by the server, or entered from real dice.
export function rolls(screen, choices) {
  const due = screen.rolls[0];
  const about = (due.about ?? []).map(words).join(", ");
  const head = el("p", {}, `Due: ${words(due.roll)}${about ? `, for ${about}` : ""}`);
  if (!screen.seat.master) return [head];
  const shown = (action) => action.replace(/\)$/, "").split(", ").at(-1);
  const outcomes = due.outcomes.map(({ action, odds }) =>
    choices.button([words(shown(action)), el("small", {}, ` ${odds}`)], () => tell(choices, "rolled", action), { class: "legal", "data-action": action }));
  const enter = (event) => {
    event.preventDefault();
    const found = due.outcomes.find(({ action }) => shown(action) === event.target.elements.outcome.value.trim());
    if (found) tell(choices, "rolled", found.action);
    else tell(choices, "wrong", new Error("No roll that is due can show that."));
  };
  const typed = el("form", { onsubmit: enter }, el("input", { name: "outcome", "aria-label": "what came up", placeholder: "what came up", autocomplete: "off" }), el("button", {}, "Enter"));
  return [head, choices.button("Roll", () => tell(choices, "rolled", "")), el("div", { class: "options long", role: "group", "aria-label": "what came up" }, ...outcomes), typed];
}
