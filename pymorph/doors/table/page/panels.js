// The panels beside the board: the record, the values, the seats.

import { el, tell, words } from "./dom.js";

class RecordPanel extends HTMLElement {
  show(screen, step) {
    const rows = screen.record.map((row, n) => {
      const jump = el("button", { type: "button", "aria-current": step === n + 1 ? "step" : false, onclick: () => tell(this, "jump", n + 1) }, row.action || "something hidden");
      const told = [...row.rolls, ...row.events, ...(row.events.length ? [] : row.changes)];
      return el("li", {}, jump, el("span", {}, told.length ? ` ${told.join("; ")}` : ""));
    });
    const nav = el("p", {},
      el("button", { type: "button", onclick: () => tell(this, "jump", 0) }, "Start"),
      el("button", { type: "button", onclick: () => tell(this, "jump", null) }, "Now"),
      ...(screen.seat.master ? [
        el("button", { type: "button", onclick: () => tell(this, "undo") }, "Undo"),
        el("button", { type: "button", onclick: () => tell(this, "redo") }, "Redo"),
      ] : []));
    this.replaceChildren(nav, el("ol", {}, ...rows));
  }
}

class Tableau extends HTMLElement {
  show(rows) {
    this.replaceChildren(...rows.map((row) => el("section", {}, row.head ? el("h3", {}, row.head) : null, el("pre", {}, row.lines.join("\n")))));
  }
}

class Seats extends HTMLElement {
  show(links) {
    const rows = Object.entries(links).map(([name, path]) => el("li", {}, `${words(name)}: `, el("a", { href: path }, new URL(path, location.href).href)));
    this.replaceChildren(el("ul", {}, ...rows));
  }
}

customElements.define("pymorph-record", RecordPanel);
customElements.define("pymorph-tableau", Tableau);
customElements.define("pymorph-seats", Seats);
