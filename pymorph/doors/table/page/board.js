// The board: a picture, and over it a button for each place and each piece. A board with rows is a
// grid, any other a list; arrow keys go through it either way.

import { el, tell } from "./dom.js";
import { Ruler } from "./ruler.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ZOOM = { least: 1, most: 8, step: 1.25 };
const PAUSE = 1000; // milliseconds after which a typed name begins anew

class Board extends HTMLElement {
  zoom = 1;
  typed = "";

  show(board) {
    this.hidden = !board;
    if (this.hidden) return this.replaceChildren();
    this.board = board;
    this.areas = board.areas;
    this.isGrid = this.areas.length > 0 && this.areas.every((area) => area.row);
    this.buttons = this.areas.map((area) => this.button(area));
    this.ruler ??= new Ruler(this);
    if (!this.view) this.frame();
    const [, , width, height] = board.surface;
    this.picture.style.setProperty("--ratio", width / height);
    this.picture.replaceChildren(this.image(board.svg), this.isGrid ? this.grid() : this.list(), this.ruler.layer());
    this.ruler.tools(board);
    this.resize(this.zoom);
    const held = this.current?.dataset.key;
    this.current = this.buttons.find((button) => button.dataset.key === held) ?? this.buttons[0];
    this.current?.setAttribute("tabindex", "0");
  }

  frame() {
    this.picture = el("div", { class: "picture", onclick: (event) => this.onClick(event) });
    this.view = el("div", { class: "view", onwheel: (event) => this.onWheel(event) }, this.picture);
    this.picture.addEventListener("keydown", (event) => this.onKey(event));
    this.picture.addEventListener("focusin", (event) => this.onFocus(event.target));
    const zoom = (text, label, factor) => el("button", { type: "button", "aria-label": label, title: label, onclick: () => this.resize(factor && this.zoom * factor) }, text);
    this.bar = el("div", { class: "tools", role: "group", "aria-label": "View of the board" },
      zoom("+", "Zoom in", ZOOM.step), zoom("−", "Zoom out", 1 / ZOOM.step), zoom("Whole", "Whole board", 0), this.ruler.bar);
    this.replaceChildren(this.view, this.bar);
  }

  image(svg) {
    return el("img", { alt: "", draggable: "false", src: `data:image/svg+xml,${encodeURIComponent(svg)}` });
  }

  button(area) {
    const [left, top, width, height] = this.board.surface;
    const [x, y, wide, high] = area.box;
    const button = el("button", {
      type: "button", class: area.kind, "data-term": area.term, "data-key": `${area.kind} ${area.term}`, tabindex: "-1",
      "aria-label": area.title, title: area.title,
    });
    button.style.left = `${(100 * (x - left)) / width}%`;
    button.style.top = `${(100 * (y - top)) / height}%`;
    button.style.width = `${(100 * wide) / width}%`;
    button.style.height = `${(100 * high) / height}%`;
    return button;
  }

  grid() {
    const rows = new Map();
    this.areas.forEach(({ row, column }, n) => {
      const cells = rows.get(row) ?? rows.set(row, new Map()).get(row);
      cells.set(column, [...(cells.get(column) ?? []), this.buttons[n]]);
    });
    const cell = ([column, buttons]) => el("div", { role: "gridcell", "aria-colindex": column }, ...buttons);
    const line = ([row, cells]) => el("div", { role: "row", "aria-rowindex": row }, ...[...cells].map(cell));
    return el("div", { class: "areas", role: "grid", "aria-label": "Board", "aria-describedby": "board-keys" }, ...[...rows].map(line));
  }

  list() {
    const items = this.buttons.map((button) => el("div", { role: "listitem" }, button));
    return el("div", { class: "areas", role: items.length ? "list" : "none", "aria-label": "Board", "aria-describedby": "board-keys" }, ...items);
  }

  // Marks the places and pieces with which an action can continue, and those that it has.
  mark(terms, picked) {
    this.buttons?.forEach((button, n) => {
      const [open, taken] = [terms, picked].map((set) => set.has(button.dataset.term));
      button.classList.toggle("open", open);
      button.classList.toggle("taken", taken);
      const said = `${this.areas[n].title}${taken ? ", chosen" : open ? ", may be chosen" : ""}`;
      button.setAttribute("aria-label", said);
      button.title = said;
    });
  }

  // Of a table in lengths a click is also a point.
  onClick(event) {
    const area = this.areas[this.buttons.indexOf(event.target.closest("button"))];
    const spot = this.board.scale && event.detail ? this.ruler.areaAt(event) : null;
    if (!(spot || area) || this.ruler.takes(spot ?? area)) return;
    if (area) tell(this, "chosen", area);
    if (spot) tell(this, "spot", { point: this.ruler.point(event).box.slice(0, 2), area });
  }

  // -- keys ----------------------------------------------------------------------------------------

  onFocus(target) {
    if (!this.buttons.includes(target)) return;
    this.current?.setAttribute("tabindex", "-1");
    target.setAttribute("tabindex", "0");
    this.current = target;
    this.ruler.reaches(this.areas[this.buttons.indexOf(target)]);
  }

  onKey(event) {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    const now = this.buttons.indexOf(document.activeElement);
    if (now < 0 || altKey || metaKey) return;
    const act = {
      "+": () => this.resize(this.zoom * ZOOM.step), "-": () => this.resize(this.zoom / ZOOM.step),
      "=": () => this.resize(0), "?": () => tell(this, "keys"), Escape: () => this.ruler.clear(),
    }[key];
    const step = act ? -1 : key === "Enter" && shiftKey ? -1 : this.next(key, ctrlKey, now);
    if (act && !ctrlKey) act();
    else if (key === "Enter" && shiftKey) this.ruler.start(this.areas[now]);
    else if (step === undefined) return;
    event.preventDefault();
    if (step >= 0) this.buttons[step].focus();
  }

  // The number of the button that a key leads to.
  next(key, ctrl, now) {
    const last = this.areas.length - 1;
    if (ARROWS[key]) return this.isGrid ? this.inGrid(ARROWS[key], now) : this.ahead(ARROWS[key], now);
    if (key === "Home" || key === "End") return this.isGrid && !ctrl ? this.furthest(now, "row", key === "End") : key === "Home" ? 0 : last;
    if (key === "PageUp" || key === "PageDown") {
      if (this.isGrid) return this.furthest(now, "column", key === "PageDown");
      return Math.min(last, Math.max(0, now + (key === "PageUp" ? -1 : 1)));
    }
    return !ctrl && /^[\p{L}\p{N}]$/u.test(key) ? this.named(key) : undefined;
  }

  // To the sides through all of a row, up and down to the next place of the column that there is.
  inGrid([across, down], now) {
    const { row, column } = this.areas[now];
    if (across) return this.areas[now + across]?.row === row ? now + across : now;
    const there = this.areas.filter((area) => area.column === column && (area.row - row) * down > 0);
    if (!there.length) return this.ahead([0, down], now);
    const nearest = there.map((area) => area.row).reduce((a, b) => ((a - b) * down < 0 ? a : b));
    return this.areas.findLastIndex((area) => area.row === nearest && area.column === column);
  }

  furthest(now, way, last) {
    const same = (area) => area[way] === this.areas[now][way];
    return last ? this.areas.findLastIndex(same) : this.areas.findIndex(same);
  }

  // The nearest button in a direction.
  ahead(way, now) {
    const middle = ({ box: [x, y, wide, high] }) => [x + wide / 2, y + high / 2];
    const [x, y] = middle(this.areas[now]);
    let [best, least] = [now, Infinity];
    this.areas.forEach((area, number) => {
      const [u, v] = middle(area);
      const before = (u - x) * way[0] + (v - y) * way[1];
      const aside = Math.abs((u - x) * way[1]) + Math.abs((v - y) * way[0]);
      if (before > 0.5 && before + 3 * aside < least) [best, least] = [number, before + 3 * aside];
    });
    return best;
  }

  // The first button whose name begins with the letters that were typed; or with the last of them.
  named(letter) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.typed = ""), PAUSE);
    const called = (typed) => this.areas.findIndex((area) => area.title.toLowerCase().startsWith(typed));
    const typed = this.typed + letter.toLowerCase();
    this.typed = called(typed) < 0 ? letter.toLowerCase() : typed;
    const found = called(this.typed);
    return found < 0 ? undefined : found;
  }

  // -- zoom ----------------------------------------------------------------------------------------

  onWheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.resize(this.zoom * (event.deltaY < 0 ? ZOOM.step : 1 / ZOOM.step), event);
  }

  // Draws the board so many times as large; what is in the middle, or at the pointer, stays there.
  resize(zoom, at = null) {
    const box = this.view.getBoundingClientRect();
    const [x, y] = at ? [at.clientX - box.left, at.clientY - box.top] : [box.width / 2, box.height / 2];
    const before = this.zoom;
    this.zoom = Math.min(ZOOM.most, Math.max(ZOOM.least, zoom));
    const [left, top] = [this.view.scrollLeft, this.view.scrollTop].map((from, n) => ((from + [x, y][n]) * this.zoom) / before - [x, y][n]);
    this.picture.style.setProperty("--zoom", this.zoom);
    this.view.scrollTo(left, top);
  }
}

customElements.define("pymorph-board", Board);
