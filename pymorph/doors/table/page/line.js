// A line that somebody types: an action, or a question about the position, completed from the names in play.

import { el, tell, term } from "./dom.js";

const OVER = { reach: 1, threat: 1, template: 1, path: 1, sight: 2 }; // what is drawn over the board, and about how many
const ABOUT_ACTIONS = ["why", "path"];
const MOST = 200; // completions

class Line extends HTMLElement {
  show(screen, over) {
    this.screen = screen;
    if (!this.field) this.build();
    this.clear.hidden = !Object.keys(over).length;
    this.complete();
  }

  build() {
    this.field = el("input", { name: "action", autocomplete: "off", list: "lines", maxlength: "400", "aria-label": "An action, or a question such as why, reach, sight", placeholder: "an action, why ..., reach NAME, sight FROM TO", oninput: () => this.complete() });
    this.list = el("datalist", { id: "lines" });
    this.clear = el("button", { type: "button", hidden: true, onclick: () => tell(this, "over", {}) }, "Clear the board");
    this.replaceChildren(el("form", { onsubmit: (event) => this.entered(event) }, this.field, this.list, el("button", {}, "Do"), el("button", { value: "why" }, "Why?"), this.clear));
  }

  // Lines that begin as what is there, with a word more.
  complete() {
    const { screen } = this;
    const [verb, ...rest] = this.field.value.trimStart().split(" ");
    const actions = (screen.legal ?? []).map(term);
    const names = [...new Set([...(screen.board?.areas ?? []).map((area) => area.term), ...Object.keys(screen.seat.players)])];
    let lines = [...["why", "legal", "forecast", ...Object.keys(OVER)].map((word) => `${word} `), ...actions];
    if (ABOUT_ACTIONS.includes(verb)) lines = [...actions, ...Object.keys(screen.actions ?? {})].map((action) => `${verb} ${action}`);
    else if (verb === "forecast") lines = screen.figures.map((name) => `forecast ${name}`);
    else if (verb in OVER) lines = names.map((name) => [verb, ...rest.slice(0, -1), name].join(" "));
    this.list.replaceChildren(...lines.filter((line) => line.startsWith(this.field.value)).slice(0, MOST).map((value) => el("option", { value })));
  }

  entered(event) {
    event.preventDefault();
    const text = this.field.value.trim();
    const [verb, ...rest] = text.split(/\s+/);
    const about = text.slice(verb.length).trim();
    if (!text) return;
    if (verb === "why" || event.submitter?.value === "why") tell(this, "why", verb === "why" ? about : text);
    else if (verb in OVER) tell(this, "over", { [verb]: OVER[verb] === 2 ? rest.slice(0, 2) : about });
    else if (verb === "forecast") tell(this, "asked", { verb, options: about ? { names: rest } : {} });
    else if (verb === "legal") tell(this, "asked", { verb, options: {} });
    else tell(this, "play", text);
    this.field.select();
  }
}

customElements.define("pymorph-line", Line);
