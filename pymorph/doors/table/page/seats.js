// The seats, for whoever runs the game: their links, who is there, and who is played by a computer.

import { get, post } from "./api.js";
import { el, tell, words } from "./dom.js";

const TAKES_TIME = "search"; // the way to play for which seconds count

class Seats extends HTMLElement {
  async load(task = () => get("seats")) {
    try {
      this.show(await task());
      if (!this.offered) this.closest("pymorph-tabs").offer("master");
      this.offered = true;
    } catch (error) {
      if (this.offered) tell(this, "wrong", error);
    }
  }

  show({ seats, ways, at_work: atWork, resting, trouble }) {
    const focused = this.contains(document.activeElement) ? document.activeElement.id : "";
    const heads = ["Seat", "Here", "Played by", "Link"].map((head) => el("th", { scope: "col" }, head));
    const rest = el("p", {},
      el("button", { type: "button", id: "computers-stop", onclick: () => this.change({ stop: !resting }) }, resting ? "Let computers go on" : "Stop computers"),
      resting ? " They wait." : atWork ? " They choose an action." : "");
    this.replaceChildren(
      el("table", { class: "seats" }, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...seats.map((seat) => this.row(seat, ways)))),
      ...(seats.some((seat) => seat.computer) ? [rest] : []),
      ...(trouble ? [el("p", { class: "no" }, `The computer has stopped: ${trouble}`)] : []));
    if (focused) this.querySelector(`#${CSS.escape(focused)}`)?.focus();
  }

  row(seat, ways) {
    const plays = seat.name !== "master" && seat.name !== "spectator";
    const copy = el("button", { type: "button", id: `copy-${seat.name}`, "aria-label": `Copy the link of ${words(seat.name)}`, onclick: () => this.copy(copy, seat) }, "Copy");
    return el("tr", {},
      el("th", { scope: "row" }, el("a", { href: seat.link, target: "_blank", rel: "noopener" }, words(seat.name))),
      el("td", {}, seat.pages ? "yes" : "no"),
      el("td", {}, ...(plays ? this.player(seat, ways) : [])),
      el("td", {}, copy));
  }

  player(seat, ways) {
    const { how = "", seconds = 2 } = seat.computer ?? {};
    const change = () => this.change({ seat: seat.name, how: choice.value, seconds: Number(time.value) });
    const choice = el("select", { id: `how-${seat.name}`, "aria-label": `Who plays ${words(seat.name)}`, onchange: change },
      ...["", ...Object.keys(ways)].map((way) => el("option", { value: way, selected: way === how, title: ways[way] }, way ? `computer: ${words(way)}` : "a person")));
    const time = el("input", { id: `seconds-${seat.name}`, type: "number", min: "0.1", max: "20", step: "any", value: seconds, "aria-label": `Seconds for an action of ${words(seat.name)}`, onchange: change });
    return how === TAKES_TIME ? [choice, " ", time, " seconds"] : [choice];
  }

  change(given) {
    return this.load(() => post("computers", given));
  }

  // A page that came over plain HTTP from another machine may not write to the clipboard.
  async copy(button, seat) {
    const address = new URL(seat.link, location.href).href;
    try {
      await navigator.clipboard.writeText(address);
      button.textContent = "Copied";
    } catch {
      const text = el("input", { readonly: true, value: address, "aria-label": `Link of ${words(seat.name)}` });
      button.replaceWith(text);
      text.select();
    }
  }
}

customElements.define("pymorph-seats", Seats);
