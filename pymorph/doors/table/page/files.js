// The records, positions and cases of the folder, and the games that can start, for whoever runs the game.

import { get, post } from "./api.js";
import { el, tell, words } from "./dom.js";

class Files extends HTMLElement {
  connectedCallback() {
    this.replaceChildren(el("button", { type: "button", onclick: () => this.load() }, "List what can be opened"));
  }

  async load() {
    try {
      const { files, games } = await get("files");
      const rows = files.map((file) => el("li", {}, ...this.row(file)));
      this.replaceChildren(
        el("h3", {}, "Files of this folder"), rows.length ? el("ul", { class: "long" }, ...rows) : el("p", {}, "There are none."),
        el("h3", {}, "Start a game"), el("div", { class: "options" }, ...games.map((game) => this.button(words(game), { game }))));
      this.querySelector("a, button")?.focus();
    } catch (error) {
      tell(this, "wrong", error);
    }
  }

  // A record has a link; a position, or a case, starts a game of its own.
  row({ name, kind, cases, link }) {
    if (link) return [el("a", { href: link }, name), ` ${kind}`];
    const buttons = cases.length ? cases.map((id) => this.button(id, { file: name, case: id })) : [this.button(name, { file: name })];
    return [`${cases.length ? `${name}: ` : ""}`, ...buttons, ` ${kind}`];
  }

  button(text, given) {
    return el("button", { type: "button", onclick: () => this.open(given) }, text);
  }

  async open(given) {
    try {
      location.assign((await post("open", given)).link);
    } catch (error) {
      tell(this, "wrong", error);
    }
  }
}

customElements.define("pymorph-files", Files);
