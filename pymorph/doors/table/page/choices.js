// What may be done: by clicks on the board, or part by part. What is forbidden is there too, and says why.

import { post } from "./api.js";
import { Choosing, tokens } from "./choosing.js";
import { el, tell, term, words } from "./dom.js";
import { entries, rolls } from "./entries.js";

const FEW = 12; // actions that are listed one by one; more are folded by name and part
const MANY = 16; // from which a field filters them

const grouped = (items, key) => {
  const groups = new Map();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
};

class Choices extends HTMLElement {
  show(screen, settings) {
    this.screen = screen;
    this.settings = settings;
    const forms = (screen.awaited ?? []).filter((each) => each.open).map((each) => each.form);
    this.choosing = new Choosing(screen.legal ?? [], forms, screen.board?.areas ?? [], Boolean(screen.board?.scale));
    this.start();
  }

  start() {
    this.choosing.clear();
    this.reason = null;
    this.draw();
  }

  // -- what somebody does ---------------------------------------------------------------------

  // An area of the board was clicked.
  async click(area) {
    if (!this.screen.legal) return;
    this.reason = null;
    const failed = this.choosing.click(area.term);
    const complete = failed ? null : this.choosing.complete;
    if (complete) return this.play(complete);
    this.draw();
    if (failed) await this.explain(failed, area);
  }

  // Of a place to which nothing legal leads: the forbidden action that is meant most likely.
  async explain(clicked, area) {
    const answer = await this.asked({ name: this.choosing.name ?? "", clicked });
    if (!answer) return;
    this.reason = answer.choices.length ? answer : { choices: [], area };
    this.draw();
    const [first] = answer.choices;
    if (first) tell(this, "said", `${this.say(first.action, true)} is not legal: ${this.rules(first, answer.rules)}`);
  }

  async asked(query) {
    const mine = (this.query = {});
    try {
      const answer = await post("forbidden", query);
      return mine === this.query ? answer : null;
    } catch (error) {
      tell(this, "wrong", error);
      return null;
    }
  }

  pick(change) {
    Object.assign(this.choosing, change);
    this.reason = null;
    const fitting = this.choosing.fitting;
    if (fitting.length === 1 && this.choosing.name) return this.play(fitting[0]);
    this.draw();
  }

  play(action) {
    tell(this, "play", term(action));
    this.start();
  }

  // -- in words -------------------------------------------------------------------------------

  called(part) {
    return this.screen.names?.[part] ?? (tokens(part).map((name) => this.screen.names?.[name] ?? words(name)).join(" ") || part);
  }

  // An action in words; parts that go without saying are left out.
  say([name, ...parts], withActor = false) {
    const { elided = [] } = this.screen.actions?.[name] ?? {};
    const said = parts.filter((_, n) => !elided[n] && (n > 0 || withActor));
    return [words(name), ...said.map((part) => this.called(part))].join(" ");
  }

  rules(row, texts) {
    const named = row.rules.map((rule) => texts[rule]?.title ?? rule);
    return [...named, ...(row.depends_on.length ? [`depends on ${row.depends_on.join(", ")}`] : [])].join("; ");
  }

  // -- drawing --------------------------------------------------------------------------------

  draw() {
    const held = this.contains(document.activeElement) ? document.activeElement.dataset.key ?? "" : null;
    const { screen, choosing } = this;
    const parts = screen.legal ? this.parts() : [el("p", {}, "This is an earlier step: nothing can be done here.")];
    this.replaceChildren(...parts.filter(Boolean));
    tell(this, "partial", { next: choosing.areas(choosing.next), picked: new Set(choosing.clicked), fitting: choosing.isEmpty ? [] : choosing.fitting });
    if (held !== null) (this.querySelector(`[data-key="${CSS.escape(held)}"]`) ?? this.querySelector(".legal") ?? this.querySelector("button"))?.focus();
    if (screen.legal && !screen.over.length && !screen.rolls.length) this.fill();
  }

  parts() {
    const { screen, settings } = this;
    if (screen.over.length) return [el("p", { class: "over" }, screen.over.join("\n"))];
    if (screen.rolls.length) return [settings.dice, ...rolls(screen, this)];
    this.list = el("div", { class: "not-legal" });
    return [this.head(), this.why(), ...entries(screen, this), ...this.legal(), ...this.unsettled(), this.list, this.waiting(), settings.dice];
  }

  head() {
    const { choosing } = this;
    if (choosing.isEmpty) return null;
    const chosen = [choosing.actor, choosing.name, ...choosing.parts.values(), ...choosing.clicked].filter(Boolean);
    const said = [...new Set(chosen)].map((part) => this.called(part)).join(" ");
    return el("p", { class: "chosen" }, `${said} … `, this.button("Start again", () => this.start(), { "data-key": "start again" }));
  }

  // Why nothing legal leads to a place that was clicked.
  why() {
    const { reason } = this;
    if (!reason) return null;
    const [first, ...others] = reason.choices;
    if (!first) return el("p", { class: "reason" }, `No action of this game fits ${this.called(reason.area.term)} here.`);
    const texts = first.rules.map((rule) => el("p", {}, `${reason.rules[rule]?.says ?? ""} [${rule}]`));
    const more = this.forbidden(others.slice(0, 3), reason.rules);
    return el("div", { class: "reason" }, el("p", {}, ...this.forbidden([first], reason.rules)), ...texts, ...more);
  }

  legal() {
    const { choosing } = this;
    const { fitting, all } = choosing;
    if (!fitting.length) return [];
    const found = [];
    for (const [actor, actions] of grouped(fitting, (action) => action[1] ?? "")) {
      const options = this.options(actor, actions, fitting.length);
      if (actor) found.push(el("h3", {}, `${this.called(actor)} may`));
      if (options.length > MANY) found.push(this.filter(options));
      found.push(el("div", { class: "options", role: "group", "aria-label": `${this.called(actor)} may` }, ...options));
    }
    const hidden = all.length - fitting.length;
    if (hidden) found.push(this.button(`${hidden} more with ${this.called(choosing.clicked[0])}`, () => this.pick({ wide: true })));
    return found;
  }

  // The actions of an actor: one by one where they are few, else by name, else by the next part.
  options(actor, actions, total) {
    const { choosing } = this;
    if (total <= FEW) return actions.map((action) => this.action(action));
    const names = grouped(actions, (action) => action[0]);
    if (!choosing.name && (names.size > 1 || actions.length <= FEW)) {
      return [...names].map(([name, some]) => some.length === 1 ? this.action(some[0])
        : this.option(`${words(name)} (${some.length})`, { name, actor }, name));
    }
    const at = [...actions[0].keys()].slice(1).find((n) => new Set(actions.map((action) => action[n])).size > 1);
    if (at === undefined) return actions.map((action) => this.action(action));
    const before = actions[0].slice(0, at);
    const values = grouped(actions, (action) => action[at]);
    return [...values].map(([value, some]) => {
      if (some.length === 1) return this.action(some[0]);
      const parts = new Map(choosing.parts).set(at, value);
      const change = { name: before[0], actor, parts };
      return this.option(`${choosing.name ? "" : `${words(before[0])} `}${this.called(value)} (${some.length})`, change, value);
    });
  }

  option(text, change, key) {
    return this.button(`${text} …`, () => this.pick(change), { class: "legal", "data-option": key, "data-key": key });
  }

  action(action) {
    const text = term(action);
    return this.button(this.say(action), () => this.play(action), { class: "legal", "data-action": text, "data-key": text });
  }

  unsettled() {
    return (this.screen.unsettled ?? []).filter((action) => this.choosing.chosen(action)).slice(0, FEW).map((action) =>
      this.button([this.say(action, true), el("small", {}, " depends on something hidden")], () => this.play(action), { class: "legal", "data-action": term(action) }));
  }

  button(content, act, more = {}) {
    return el("button", { type: "button", onclick: act, ...more }, ...[content].flat());
  }

  forbidden(rows, texts) {
    return rows.map((row) => this.button(
      [this.say(row.action, true), el("small", {}, ` not legal: ${this.rules(row, texts)}`)],
      () => tell(this, "why", term(row.action)),
      { class: "forbidden", "data-action": term(row.action), "data-key": `not ${term(row.action)}` },
    ));
  }

  // What is forbidden of what was chosen, as soon as the server says it.
  async fill() {
    const { choosing, list } = this;
    const { sorts = [] } = this.screen.actions[choosing.name] ?? {};
    const set = choosing.name ? sorts.map((_, n) => choosing.parts.get(n + 1) ?? (n === 0 && choosing.actor) ?? "_") : [];
    const parts = set.map((part) => part || "_");
    const clicked = choosing.clicked.map((one) => [...choosing.names(one)]);
    const answer = await this.asked({ name: choosing.name ?? "", parts, clicked });
    if (!answer || list !== this.list || !answer.choices.length) return;
    const buttons = this.forbidden(answer.choices, answer.rules);
    const details = el("details", { open: this.opened ?? buttons.length <= MANY },
      el("summary", { "data-key": "not legal", onclick: () => { this.opened = !details.open; } }, `Not legal (${buttons.length})`),
      buttons.length > MANY ? this.filter(buttons) : null,
      el("div", { class: "options long", role: "group", "aria-label": "not legal" }, ...buttons));
    list.replaceChildren(details);
  }

  filter(buttons) {
    const sift = (event) => {
      const wanted = event.target.value.toLowerCase().split(/\s+/);
      for (const button of buttons) button.hidden = !wanted.every((word) => button.textContent.toLowerCase().includes(word));
    };
    return el("input", { type: "search", class: "filter", placeholder: "filter", "aria-label": "filter", oninput: sift });
  }

  waiting() {
    const { waiting } = this.screen;
    return waiting?.length ? el("p", {}, `Waiting for ${waiting.map(words).join(", ")}.`) : null;
  }
}

customElements.define("pymorph-choices", Choices);
