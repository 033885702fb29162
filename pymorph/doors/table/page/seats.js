// The seats, for whoever runs the game: their links, who is there, and who is played by a computer.

import { get, post } from "./api.js";
import { el, tell, words } from "./dom.js";

class Seats extends HTMLElement {
  async load(task = () => get("seats")) {
    try {
      this.show(await task());
      this.closest("pymorph-tabs").offer("master");
      this.offered = true;
    } catch (error) {
      if (this.offered) tell(this, "wrong", error);
    }
  }

  show({ seats, ways, at_work: atWork, resting, trouble }) {
    const computers = seats.some((seat) => seat.computer);
    const focused = this.contains(document.activeElement) ? document.activeElement.id : "";
    this.replaceChildren(
      el("ul", { class: "seats" }, ...seats.map((seat) => this.row(seat, ways))),
      computers ? el("p", {},
        el("button", { type: "button", id: "computers-stop", onclick: () => this.change({ stop: !resting }) }, resting ? "Let computers go on" : "Stop computers"),
        el("span", {}, resting ? " They wait." : atWork ? " They choose an action." : "")) : null,
      trouble ? el("p", { class: "no" }, `A computer has stopped: ${trouble}`) : null);
    if (focused) this.querySelector(`#${CSS.escape(focused)}`)?.focus();
  }

  row(seat, ways) {
    const address = new URL(seat.link, location.href).href;
    const plays = seat.name !== "master" && seat.name !== "spectator";
    return el("li", {},
      el("a", { href: seat.link, target: "_blank", rel: "noopener" }, words(seat.name)),
      el("span", {}, seat.pages ? ` is here (${seat.pages} open) ` : " is not here "),
      el("button", { type: "button", id: `copy-${seat.name}`, onclick: (event) => this.copy(event.target, address) }, "Copy link"),
      el("input", { readonly: true, value: address, "aria-label": `Link of ${words(seat.name)}` }),
      plays ? this.player(seat, ways) : null);
  }

  player(seat, ways) {
    const { how = "", seconds = 2 } = seat.computer ?? {};
    const change = () => this.change({ seat: seat.name, how: choice.value, seconds: Number(time.value) });
    const choice = el("select", { id: `how-${seat.name}`, "aria-label": `Who plays ${words(seat.name)}`, onchange: change },
      ...["", ...Object.keys(ways)].map((way) => el("option", { value: way, selected: way === how, title: ways[way] ?? "" }, way ? `computer: ${words(way)}` : "a person")));
    const time = el("input", { id: `seconds-${seat.name}`, type: "number", min: "0.1", max: "20", step: "any", value: seconds, "aria-label": `Seconds for an action of ${words(seat.name)}`, onchange: change });
    return el("span", {}, " ", choice, how ? time : null, how ? " seconds" : null);
  }

  change(given) {
    return this.load(() => post("computers", given));
  }

  async copy(button, address) {
    try {
      await navigator.clipboard.writeText(address);
      button.textContent = "Copied";
    } catch {
      button.parentElement.querySelector("input").select(); // to be copied by hand
    }
  }
}

customElements.define("pymorph-seats", Seats);
