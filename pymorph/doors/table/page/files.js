// What whoever runs the game can open: a new game, and the records, positions and cases of the folder.

import { get, post } from "./api.js";
import { el, tell, words } from "./dom.js";

class Files extends HTMLElement {
  connectedCallback() {
    this.found = el("div", {});
    const fold = el("details", { ontoggle: () => fold.open && this.load() }, el("summary", {}, "Open another game"), this.found);
    this.replaceChildren(fold);
  }

  async load() {
    try {
      const { files, games } = await get("files");
      const game = this.choice("Game", games.map((name) => [name, words(name)]));
      const start = el("form", { onsubmit: (event) => { event.preventDefault(); this.open({ game: game.value }); } }, game, el("button", {}, "Start"));
      this.found.replaceChildren(start, el("ul", { class: "files" }, ...files.map((file) => this.row(file))));
    } catch (error) {
      tell(this, "wrong", error);
    }
  }

  row({ name, kind, cases, link }) {
    if (link) return el("li", {}, el("a", { href: link }, name), ` (${kind})`);
    const chosen = cases.length ? this.choice(`Case of ${name}`, cases.map((one) => [one, one])) : null;
    const open = el("button", { type: "button", "aria-label": `Open ${name}`, onclick: () => this.open({ file: name, case: chosen?.value }) }, "Open");
    return el("li", {}, `${name} (${kind}) `, chosen, open);
  }

  choice(label, options) {
    return el("select", { "aria-label": label }, ...options.map(([value, text]) => el("option", { value }, text)));
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
