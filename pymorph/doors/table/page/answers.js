// Answers: the server sends each as a tree of elements, with a class and texts; here it is built.

import { el, tell, words } from "./dom.js";

// The elements that an answer may have. Of any other, only the texts are shown.
const KNOWN = new Set(["div", "p", "span", "code", "table", "tr", "th", "td", "pre", "details", "summary"]);

export function build([name, kind, ...children]) {
  const inner = children.map((child) => (typeof child === "string" ? child : build(child)));
  if (kind === "do") return el("button", { type: "button", class: "do", onclick: ({ target }) => tell(target, "play", target.textContent) }, ...inner);
  if (kind === "rule") return el("details", { class: "rule", open: true }, el("summary", {}, inner[0]), ...inner.slice(1));
  return el(KNOWN.has(name) ? name : "span", { class: kind || null }, ...inner);
}

// An answer as it is built, or its lines, if it has no tree.
export const shown = ({ tree, lines }) =>
  el("div", { class: "answer" }, tree ? build(tree) : el("pre", {}, lines.join("\n")));

// The rows of all tables in a tree, by what their first cell says.
export function rowsOf([name, , ...children], found = new Map()) {
  if (name === "tr" && typeof children[0]?.[2] === "string") found.set(children[0][2], children.slice(1));
  for (const child of children) if (Array.isArray(child)) rowsOf(child, found);
  return found;
}

class Answer extends HTMLElement {
  // The lines of an answer, or with a tree, that; *action* is what it is about, if it can be disputed.
  show(lines, verdict = null, tree = null, action = "") {
    const good = verdict === null ? null : verdict ? "yes" : "no";
    const body = tree ? shown({ tree, lines }) : el("pre", { class: good, tabindex: "0" }, lines.join("\n"));
    const claim = { kind: verdict ? "illegal" : "legal", what: action };
    const dispute = el("button", { type: "button", onclick: () => tell(this, "dispute", claim) }, "Dispute this");
    this.replaceChildren(body, ...(action ? [el("p", {}, dispute)] : []));
  }
}

// A field of a form with its name above it; a list completes what is typed.
export function field(name, label, attributes = {}, options = []) {
  const list = options.length ? el("datalist", { id: `${name}-list` }, ...options.map((value) => el("option", { value }))) : null;
  const input = el("input", { name, autocomplete: "off", list: `${name}-list`, ...attributes });
  return el("label", {}, el("span", {}, label), input, list);
}

// A field with a few values, each with what it is called.
export function choice(name, label, options, attributes = {}) {
  const made = options.map(([value, called]) => el("option", { value }, called ?? words(value)));
  return el("label", {}, el("span", {}, label), el("select", { name, ...attributes }, ...made));
}

// Puts other values into the list that completes a field.
export function complete(form, name, values) {
  form.querySelector(`#${name}-list`)?.replaceChildren(...values.map((value) => el("option", { value })));
}

customElements.define("pymorph-answer", Answer);
