// What lies ahead: the forecast as a time line, and long questions with their progress.

import { choice, complete, field, build, rowsOf, shown } from "./answers.js";
import { get, post } from "./api.js";
import { el, tell, term, words } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const EVERY = 600; // milliseconds after which a job is asked for news
const GOING = ["waiting", "running"];

function draw(name, attributes, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

// A number with its unit, which is in the plural.
const measured = (number, unit) => `${number} ${words(Math.abs(number) === 1 ? unit.replace(/s$/, "") : unit)}`;

// The name of a figure, and what it is about: whom first.
function split(name) {
  const [, kind, inner] = /^(\w+)(?:\((.*)\))?$/.exec(name) ?? [null, name, ""];
  const [who = "", ...rest] = (inner ?? "").split(", ");
  return { kind: words(kind), who: words(who), rest: rest.map(words).join(", ") };
}

class Forecast extends HTMLElement {
  connectedCallback() {
    this.form = el("form", { class: "fields", onsubmit: (event) => this.ask(event) },
      el("label", { class: "tick" }, el("input", { type: "checkbox", name: "next" }), " Also what may come next"),
      el("button", {}, "Show the forecast"));
    this.found = el("div", {});
    this.replaceChildren(this.form, this.found);
  }

  show(_, step) {
    this.at = step === null ? {} : { step };
    this.found.replaceChildren();
  }

  async ask(event) {
    event.preventDefault();
    const next = this.form.elements.next.checked ? { next: 1 } : {};
    try {
      this.answer = await get("forecast", { ...this.at, ...next });
      this.result();
      tell(this, "said", `${this.answer.data.figures.length} figures`);
    } catch (error) {
      tell(this, "wrong", error);
    }
  }

  result() {
    const units = [...new Set(this.answer.data.figures.map(({ unit }) => unit))].filter(Boolean);
    const first = this.answer.times.find((unit) => units.includes(unit)) ?? "";
    this.line = el("div", {});
    const pick = choice("unit", "Time line in", units.map((unit) => [unit]), { onchange: ({ target }) => this.drawIn(target.value) });
    const all = el("details", { open: !first }, el("summary", {}, "All figures"), shown(this.answer));
    this.found.replaceChildren(...(units.length ? [el("div", { class: "fields" }, pick)] : []), this.line, all);
    if (!units.length) return;
    pick.querySelector("select").value = first || units[0];
    if (first) this.drawIn(first);
  }

  drawIn(unit) {
    const figures = this.answer.data.figures.filter((figure) => figure.unit === unit && Number.isInteger(figure.value));
    const marks = figures.sort((one, other) => one.value - other.value).map((figure, n) => ({ ...figure, ...split(figure.name), sign: String(n + 1) }));
    this.line.replaceChildren(this.picture(marks, unit), this.listed(marks, unit));
  }

  // A row for each of whom figures are about, a column for each time. The list below says the same.
  picture(marks, unit) {
    const rows = [...new Set(marks.map(({ who }) => who))];
    const most = Math.max(1, ...marks.map(({ value }) => value));
    const least = Math.min(0, ...marks.map(({ value }) => value));
    const [left, wide, high] = [140, 460, 34];
    const x = (value) => left + 20 + (wide * (value - least)) / (most - least);
    const taken = new Map();
    const spots = marks.map((mark) => {
      const key = `${mark.who} ${mark.value}`;
      taken.set(key, (taken.get(key) ?? 0) + 1);
      return [mark, taken.get(key) - 1];
    });
    const deep = new Map(rows.map((who) => [who, Math.max(...spots.filter(([mark]) => mark.who === who).map(([, nth]) => nth)) + 1]));
    const tops = new Map();
    let end = 8;
    for (const who of rows) {
      tops.set(who, end);
      end += deep.get(who) * high;
    }
    const svg = draw("svg", { viewBox: `0 0 ${left + wide + 50} ${end + 34}`, class: "timeline", "aria-hidden": "true" });
    const step = Math.ceil((most - least) / 12);
    for (let value = least; value <= most; value += step) {
      svg.append(draw("line", { x1: x(value), x2: x(value), y1: 4, y2: end, class: "grid" }));
      svg.append(draw("text", { x: x(value), y: end + 22, "text-anchor": "middle" }, String(value)));
    }
    svg.append(draw("text", { x: 4, y: end + 22 }, words(unit)));
    for (const who of rows) svg.append(draw("text", { x: 4, y: tops.get(who) + 22 }, who.slice(0, 16)));
    for (const [mark, nth] of spots) {
      const y = tops.get(mark.who) + nth * high + 16;
      svg.append(draw("circle", { cx: x(mark.value), cy: y, r: 13, class: "mark" }), draw("text", { x: x(mark.value), y: y + 5, "text-anchor": "middle", class: "sign" }, mark.sign));
    }
    return svg;
  }

  listed(marks, unit) {
    const made = rowsOf(this.answer.tree);
    const dispute = ({ name, value }) => () => tell(this, "dispute", { kind: "figure", what: name, value: String(value) });
    const item = (mark) => el("li", {},
      el("span", { class: "number" }, mark.sign), ` ${mark.who}: ${mark.kind}${mark.rest ? ` (${mark.rest})` : ""}`,
      el("details", {}, el("summary", {}, "Made of"), ...(made.get(mark.name)?.slice(1) ?? []).map(([, , ...parts]) => build(["p", "answer", ...parts])), el("button", { type: "button", onclick: dispute(mark) }, "Dispute this")));
    const times = [...new Set(marks.map(({ value }) => value))];
    return el("ol", { class: "times" }, ...times.map((value) =>
      el("li", {}, el("span", { class: "bold" }, measured(value, unit)), el("ul", {}, ...marks.filter((mark) => mark.value === value).map(item)))));
  }
}

class Job extends HTMLElement {
  connectedCallback() {
    const rolls = [["", "as usual"], ["chosen", "as the player likes"], ["adversarial", "against the player"]];
    const plan = el("form", { class: "fields", onsubmit: (event) => this.start(event, "plan"), onfocusin: () => this.suggest(plan) },
      field("goal", "Plan for the goal", { required: true }, [""]), field("within", "Within (such as 6)"),
      choice("by", "Played by", [["", "everybody"]]), choice("rolls", "Rolls come", rolls), el("button", {}, "Plan"));
    const odds = el("form", { class: "fields", onsubmit: (event) => this.start(event, "odds") },
      field("actions", "Odds of the action", {}, [""]), field("policy", "Then everybody plays by (if any)"), el("button", {}, "Work out the odds"));
    [this.plan, this.odds] = [plan, odds];
    this.bar = el("progress", { "aria-label": "Progress" });
    this.halt = el("button", { type: "button", onclick: () => this.stop() }, "Stop");
    this.going = el("p", { hidden: true }, this.bar, " ", this.halt);
    this.found = el("div", {});
    this.replaceChildren(plan, odds, this.going, this.found);
    this.follow();
  }

  show(screen, step) {
    [this.screen, this.at] = [screen, step === null ? {} : { step }];
    complete(this.odds, "actions", (screen.legal ?? []).slice(0, 300).map(term));
    const by = Object.entries(screen.seat.players).map(([name, called]) => el("option", { value: name }, called));
    this.plan.elements.by.replaceChildren(el("option", { value: "" }, "everybody"), ...by);
  }

  async suggest(form) {
    if (this.goals) return;
    this.goals = true;
    const { outcomes, figures } = await get("claims", this.at);
    complete(form, "goal", [...outcomes, ...figures]);
  }

  async start(event, kind) {
    event.preventDefault();
    const given = Object.fromEntries([...new FormData(event.target)].filter(([, value]) => value));
    if (given.actions) given.actions = given.actions.split(";");
    if (given.policy) given.policy = [given.policy];
    try {
      await post("job", { kind, options: given, ...this.at });
      tell(this, "said", "The work has begun");
      this.follow(true);
    } catch (error) {
      tell(this, "wrong", error);
    }
  }

  async stop() {
    await post("job", { stop: true });
  }

  // Ask for news until the job has ended.
  async follow(mine = false) {
    clearTimeout(this.timer);
    const job = await get("job");
    const going = GOING.includes(job.state);
    this.going.hidden = !going;
    this.dataset.state = job.state;
    if (going) this.timer = setTimeout(() => this.follow(true), EVERY);
    const { decisions, bound } = job.answer?.data ?? {};
    if (bound) [this.bar.max, this.bar.value] = [bound.most, decisions];
    else this.bar.removeAttribute("value");
    if (job.error) this.found.replaceChildren(el("pre", { class: "no" }, job.error.message));
    else if (job.answer) this.found.replaceChildren(shown(job.answer));
    else this.found.replaceChildren(el("p", {}, job.state === "none" ? "" : job.state));
    if (mine && !going) tell(this, "said", job.error?.message ?? job.answer?.lines.slice(0, 2).join(": ") ?? job.state);
  }
}

customElements.define("pymorph-forecast", Forecast);
customElements.define("pymorph-job", Job);
