// What may be done: an action is built part by part. What is forbidden is there too, and says why.

import { post } from "./api.js";
import { el, tell, term, words } from "./dom.js";

class Choices extends HTMLElement {
  show(screen) {
    this.screen = screen;
    this.start();
  }

  start() {
    this.picked = []; // the name of the action, and its arguments so far
    this.judged = new Map(); // of the partial choice: each complete action, and its rules
    this.draw();
  }

  get legal() {
    return this.screen.legal ?? [];
  }

  // The legal actions that begin with what was picked.
  get fitting() {
    return this.legal.filter((action) => this.picked.every((part, n) => action[n] === part));
  }

  async pick(part) {
    this.picked.push(part);
    this.skip();
    const sorts = this.sorts();
    if (this.picked.length > sorts.length) return this.done();
    this.draw();
    const open = sorts.slice(this.picked.length - 1).map(() => "_");
    try {
      const answer = await post("choices", { action: term([...this.picked, ...open]) });
      this.judged = new Map(answer.choices.map((each) => [each.action[this.picked.length], each]));
      this.texts = answer.rules ?? {};
      this.draw();
    } catch (error) {
      tell(this, "wrong", error);
    }
  }

  // Parts that leave no choice are filled in.
  skip() {
    while (this.picked.length <= this.sorts().length) {
      const next = new Set(this.fitting.map((action) => action[this.picked.length]));
      if (next.size !== 1 || this.members().length !== 1) return;
      this.picked.push([...next][0]);
    }
  }

  sorts() {
    return this.screen.actions[this.picked[0]]?.sorts ?? [];
  }

  members() {
    const sort = this.screen.sorts[this.sorts()[this.picked.length - 1]];
    return sort?.members ?? [];
  }

  back() {
    this.picked.pop();
    this.draw();
  }

  done() {
    const action = this.picked;
    const legal = this.legal.some((each) => term(each) === term(action));
    tell(this, legal ? "play" : "why", term(action));
    this.start();
  }

  draw() {
    const next = new Set(this.fitting.map((action) => action[this.picked.length]));
    const options = this.picked.length ? this.members() : Object.keys(this.screen.actions ?? {});
    const shown = [...new Set([...next, ...options])];
    const head = this.picked.length
      ? el("p", {}, `${words(this.picked.join(" "))} … `, el("button", { type: "button", onclick: () => this.back() }, "Back"))
      : null;
    const buttons = shown.map((option) => this.button(option, next.has(option)));
    this.replaceChildren(...(head ? [head] : []), el("div", { class: "options", role: "group", "aria-label": "choices" }, ...buttons), this.typed());
    tell(this, "partial", { next, picked: new Set(this.picked) });
  }

  button(option, legal) {
    const called = this.screen.names?.[option] ?? words(option);
    const judged = this.judged.get(option);
    const why = !legal && judged ? judged.rules.map((rule) => this.texts[rule]?.title ?? rule).join(", ") : "";
    return el(
      "button",
      { type: "button", class: legal ? "legal" : "forbidden", "data-option": option, onclick: () => this.pick(option) },
      called,
      legal ? null : el("small", {}, why ? ` not legal: ${why}` : " not legal"),
    );
  }

  typed() {
    const field = el("input", { name: "action", autocomplete: "off", list: "actions", "aria-label": "An action in words of the rules" });
    const list = el("datalist", { id: "actions" }, ...this.legal.slice(0, 500).map((action) => el("option", { value: term(action) })));
    const form = el("form", { onsubmit: (event) => this.entered(event, field) }, field, list, el("button", {}, "Do"), el("button", { value: "why" }, "Why?"));
    return form;
  }

  entered(event, field) {
    event.preventDefault();
    if (field.value.trim()) tell(this, event.submitter?.value === "why" ? "why" : "play", field.value.trim());
  }
}

customElements.define("pymorph-choices", Choices);
