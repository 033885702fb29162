// Panels of which one is seen at a time: each section of it gets a tab with the text of its heading.

import { el, tell } from "./dom.js";

class Tabs extends HTMLElement {
  connectedCallback() {
    this.list = el("div", { role: "tablist", "aria-label": "Panels", onkeydown: (event) => this.onKey(event) });
    this.tabs = [...this.children].map((panel) => this.tab(panel));
    this.prepend(this.list);
    this.list.append(...this.tabs.filter((tab) => !tab.panel.hidden));
    this.open(this.list.firstElementChild.panel.id);
  }

  tab(panel) {
    const head = panel.querySelector("h2");
    const tab = el("button", { type: "button", role: "tab", id: `${panel.id}-tab`, "aria-controls": panel.id, onclick: () => this.open(panel.id) }, head.textContent);
    tab.panel = panel;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    head.classList.add("unseen");
    return tab;
  }

  // Gives a tab to a panel that was hidden.
  offer(id) {
    this.list.append(...this.tabs.filter((tab) => tab.panel.id === id));
    this.open(this.opened);
  }

  open(id) {
    this.opened = id;
    for (const tab of this.tabs) {
      const seen = tab.panel.id === id;
      tab.setAttribute("aria-selected", String(seen));
      tab.setAttribute("tabindex", seen ? "0" : "-1");
      tab.panel.hidden = !seen;
      if (seen) tell(tab.panel, "opened");
    }
  }

  onKey(event) {
    const tabs = [...this.list.children];
    const now = tabs.indexOf(document.activeElement);
    const next = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const tab = tabs.at(next % tabs.length);
    tab.focus();
    this.open(tab.panel.id);
  }
}

customElements.define("pymorph-tabs", Tabs);
