// The panels beside the board: the record, the values.

import { el, tell } from "./dom.js";

const button = (text, act, more = {}) => el("button", { type: "button", onclick: act, ...more }, text);

class RecordPanel extends HTMLElement {
  show(screen, step) {
    const last = screen.record.length;
    const now = step ?? last;
    const rows = screen.record.map((row, n) => {
      const jump = button(row.action || "something hidden", () => tell(this, "jump", n + 1), { "aria-current": now === n + 1 ? "step" : false, "data-step": n + 1 });
      const told = [...row.rolls, ...row.events, ...(row.events.length ? [] : row.changes)];
      return el("li", {}, jump, el("span", {}, told.length ? ` ${told.join("; ")}` : ""));
    });
    const jumps = [["Start", 0], ["Back", now - 1], ["Forward", now + 1], ["Now", null]].map(([text, to]) =>
      button(text, () => tell(this, "jump", to), { disabled: to !== null && (to < 0 || to > last || to === now) }));
    const changes = screen.seat.master ? [
      button("Undo", () => tell(this, "undo", 1)),
      button("Redo", () => tell(this, "redo", 1)),
      ...(now < last ? [button("Go on from here", () => tell(this, "undo", last - now))] : []),
    ] : [];
    const keep = [
      button("Copy the position", () => tell(this, "copy", screen.line)),
      button("Save the record", () => tell(this, "save")),
    ];
    this.replaceChildren(el("p", { class: "options" }, ...jumps, ...changes), el("ol", { class: "long" }, ...rows), el("p", { class: "options" }, ...keep));
    const list = this.querySelector("ol");
    const row = this.querySelector("[aria-current]")?.parentElement;
    if (row) list.scrollTop = row.offsetTop - list.offsetTop; // the list alone: the page stays where it is
  }
}

class Tableau extends HTMLElement {
  show(rows) {
    this.replaceChildren(...rows.map((row) => el("section", {}, row.head ? el("h3", {}, row.head) : null, el("pre", {}, row.lines.join("\n")))));
  }
}

customElements.define("pymorph-record", RecordPanel);
customElements.define("pymorph-tableau", Tableau);
