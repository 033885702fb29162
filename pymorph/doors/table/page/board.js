// The board: a picture, and over it a button for each place and each piece.

import { el, tell } from "./dom.js";

class Board extends HTMLElement {
  show(board) {
    this.hidden = board === null || board === undefined;
    if (this.hidden) return this.replaceChildren();
    const held = this.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const [left, top, width, height] = board.surface;
    const picture = el("img", { alt: "", draggable: "false", src: `data:image/svg+xml,${encodeURIComponent(board.svg)}` });
    const buttons = board.areas.map((area) => {
      const [x, y, wide, high] = area.box;
      const button = el("button", {
        type: "button", class: area.kind, "data-term": area.term, "data-key": `${area.kind} ${area.term}`,
        "aria-label": area.title, title: area.title, tabindex: "-1",
        onclick: () => tell(this, "chosen", area),
      });
      button.style.left = `${(100 * (x - left)) / width}%`;
      button.style.top = `${(100 * (y - top)) / height}%`;
      button.style.width = `${(100 * wide) / width}%`;
      button.style.height = `${(100 * high) / height}%`;
      return button;
    });
    const spot = (event) => {
      const { left: x, top: y, width: wide, height: high } = event.currentTarget.getBoundingClientRect();
      const point = [left + ((event.clientX - x) / wide) * width, top + ((event.clientY - y) / high) * height];
      if (board.scale && event.detail) tell(this, "spot", { point, area: board.areas[buttons.indexOf(event.target)] });
    };
    this.areas = board.areas;
    this.replaceChildren(el("div", { class: "picture", role: "group", "aria-label": "board", onclick: spot, onkeydown: (event) => this.onKey(event) }, picture, ...buttons));
    const first = buttons.find((button) => button.dataset.key === held) ?? buttons[0];
    first?.setAttribute("tabindex", "0");
    if (held) first?.focus();
  }

  // Marks the places and pieces that an action can go on with.
  mark(terms, picked) {
    for (const button of this.querySelectorAll("button")) {
      button.classList.toggle("open", terms.has(button.dataset.term));
      button.setAttribute("aria-pressed", String(picked.has(button.dataset.term)));
    }
  }

  onKey(event) {
    const buttons = [...this.querySelectorAll("button")];
    const now = buttons.indexOf(document.activeElement);
    const step = this.next(event.key, now, buttons);
    if (step === undefined) return;
    event.preventDefault();
    buttons[now]?.setAttribute("tabindex", "-1");
    buttons[step].setAttribute("tabindex", "0");
    buttons[step].focus();
  }

  // The button in the direction of an arrow key: the nearest one that lies there.
  next(key, now, buttons) {
    if (key === "Home") return 0;
    if (key === "End") return buttons.length - 1;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    if (!way || now < 0) return undefined;
    const middle = ({ box: [x, y, wide, high] }) => [x + wide / 2, y + high / 2];
    const [x, y] = middle(this.areas[now]);
    let best;
    let least = Infinity;
    this.areas.forEach((area, number) => {
      const [u, v] = middle(area);
      const ahead = (u - x) * way[0] + (v - y) * way[1];
      const aside = Math.abs((u - x) * way[1]) + Math.abs((v - y) * way[0]);
      if (ahead > 0.5 && ahead + 3 * aside < least) [best, least] = [number, ahead + 3 * aside];
    });
    return best;
  }
}

customElements.define("pymorph-board", Board);
