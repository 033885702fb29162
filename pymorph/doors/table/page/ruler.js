// What is laid over the board: a ruler from a point or a thing, and what a question shades.

import { el, tell, words } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const PAUSE = 150; // milliseconds that the pointer rests before something is asked
// What can be shaded about something that is chosen: what it is called, and the option that asks it.
const SHADES = { reach: "Where it can move", threat: "What it threatens", sight: "Line of sight from the ruler's start" };

const drawn = (name, attributes) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};
const middle = ({ box: [x, y, wide, high] }) => [x + wide / 2, y + high / 2];

export class Ruler {
  constructor(host) {
    this.host = host;
    this.from = this.to = null; // where it starts and ends: what is there, or a point
    this.toggle = el("button", { type: "button", "aria-pressed": "false", onclick: () => this.turn(!this.on) }, "Ruler");
    this.choice = el("select", { "aria-label": "Shade over the board", onchange: () => this.pick() });
    this.more = el("span", {});
    this.bar = el("span", { class: "tools" }, this.toggle, this.choice, this.more);
  }

  get on() {
    return this.toggle.getAttribute("aria-pressed") === "true";
  }

  turn(on) {
    this.toggle.setAttribute("aria-pressed", String(on));
    if (!on) this.clear();
    tell(this.host, "said", on ? "Choose where the ruler starts" : "The ruler is put away");
  }

  // The layer in which the ruler is drawn; a click on the bare table is a point of it.
  layer() {
    const [left, top, width, height] = this.host.board.surface;
    this.svg = drawn("svg", { class: "ruler", viewBox: `${left} ${top} ${width} ${height}`, "aria-hidden": "true" });
    this.host.picture.onpointermove = (event) => this.moved(event);
    if (this.from && !(this.still(this.from) && this.still(this.to ?? this.from))) this.from = this.to = null;
    if (this.from && this.to) this.line(this.to);
    return this.svg;
  }

  still({ term, box }) {
    return !term || this.host.areas.some((area) => area.term === term && String(area.box) === String(box));
  }

  // The questions whose answers this board can be shaded with.
  tools(board) {
    const option = (value, text) => el("option", { value }, text);
    const templates = Object.keys(board.templates).map((name) => option(name, `Template: ${words(name)}`));
    const options = [...board.shades.map((kind) => option(kind, SHADES[kind])), ...templates];
    const chosen = this.choice.value;
    this.choice.replaceChildren(option("", "Shade nothing"), ...options);
    this.choice.value = chosen;
    this.choice.hidden = !options.length;
  }

  // What a template needs beside where it is laid.
  pick() {
    tell(this.host, "over", {});
    const sorts = this.template?.sorts ?? [];
    this.more.replaceChildren(...sorts.slice(1).map((sort) => el("input", { "aria-label": words(sort), placeholder: words(sort), size: 8 })));
  }

  get template() {
    return this.host.board.templates?.[this.choice.value];
  }

  // -- points --------------------------------------------------------------------------------------

  // The point of the picture under the pointer, as an area without width.
  point(event) {
    const [left, top, width, height] = this.host.board.surface;
    const box = this.host.picture.getBoundingClientRect();
    const x = left + ((event.clientX - box.left) / box.width) * width;
    const y = top + ((event.clientY - box.top) / box.height) * height;
    return { box: [x, y, 0, 0], term: "", title: "here" };
  }

  // A point as the rules write it, in tenths of the table's unit.
  written(area) {
    const { origin, pixels } = this.host.board.scale;
    const [x, y] = middle(area);
    return `[${((x - origin[0]) / pixels).toFixed(1)}, ${((origin[1] - y) / pixels).toFixed(1)}]`;
  }

  named(area) {
    return area.term || (this.host.board.scale ? this.written(area) : "");
  }

  // -- what is chosen ------------------------------------------------------------------------------

  // Takes what is chosen on the board, if the ruler or a shade is in use.
  takes(area) {
    if (this.choice.value) this.shade(area);
    else if (!this.on) return false;
    else if (this.from) this.measure(area);
    else this.start(area);
    return true;
  }

  start(area) {
    if (!this.named(area)) return;
    this.toggle.setAttribute("aria-pressed", "true");
    [this.from, this.to] = [area, null];
    tell(this.host, "said", `The ruler starts at ${area.title}`);
  }

  measure(area) {
    if (!this.named(area)) return;
    this.line(area);
    tell(this.host, "asked", { verb: "measure", options: { one: this.named(this.from), other: this.named(area) } });
  }

  clear() {
    this.from = this.to = null;
    this.toggle.setAttribute("aria-pressed", "false");
    this.svg.replaceChildren();
    tell(this.host, "over", {});
  }

  moved(event) {
    if (this.on && this.from) this.line(this.areaAt(event));
    clearTimeout(this.timer);
    if (this.template && this.host.board.scale) this.timer = setTimeout(() => this.shade(this.areaAt(event)), PAUSE);
  }

  areaAt(event) {
    const button = event.target.closest("button");
    const piece = button?.classList.contains("piece") && this.host.areas[this.host.buttons.indexOf(button)];
    return piece || this.point(event);
  }

  // The keyboard is at something.
  reaches(area) {
    if (this.on && this.from) this.line(area);
  }

  // Draws the ruler to something, with the distance in the table's unit, as the picture has it.
  line(area) {
    this.to = area;
    const [[x, y], [u, v]] = [middle(this.from), middle(area)];
    const { scale } = this.host.board;
    const text = drawn("text", { x: (x + u) / 2, y: (y + v) / 2 - 6 });
    if (scale) {
      const whole = Math.hypot(u - x, v - y) / scale.pixels;
      const bases = [this.from, area].reduce((sum, { kind, box }) => sum + (kind === "piece" ? box[2] / 2 / scale.pixels : 0), 0);
      text.textContent = `${whole.toFixed(1)} ${scale.units}${bases ? `, from the rim ${Math.max(0, whole - bases).toFixed(1)}` : ""}`;
    }
    this.svg.replaceChildren(drawn("line", { x1: x, y1: y, x2: u, y2: v, class: "under" }), drawn("line", { x1: x, y1: y, x2: u, y2: v }), text);
  }

  // -- shades --------------------------------------------------------------------------------------

  // The page draws the board anew, with what is asked over it.
  shade(area) {
    const kind = this.choice.value;
    const { template } = this;
    if (kind === "sight" && !this.from) return this.start(area);
    const name = template?.point ? this.written(area) : this.named(area);
    const given = [name, ...[...this.more.children].map((field) => field.value)].join(", ");
    const about = kind === "sight" ? [this.named(this.from), name] : template ? `${kind}(${given})` : name;
    tell(this.host, "over", { [template ? "template" : kind]: about });
  }
}
