// Disputes: who claims what, the verdict under each reading, what decides, and the ruling.

import { choice, complete, field, shown } from "./answers.js";
import { get, post } from "./api.js";
import { el, tell, term, words } from "./dom.js";

// What may be claimed, and how the claim is written.
const KINDS = {
  legal: ["an action is legal", (what) => `legal(${what})`],
  illegal: ["an action is not legal", (what) => `illegal(${what})`],
  figure: ["a figure has a value", (what, value) => `${what} = ${value}`],
  outcome: ["how the game has ended", (what) => what],
  other: ["something else, as a claim", (what) => what],
};
const SIGNS = { upheld: ["yes", "upheld"], rejected: ["no", "rejected"] };

class Disputes extends HTMLElement {
  connectedCallback() {
    this.claims = [];
    document.addEventListener("partial", ({ detail }) => { this.fitting = detail.fitting; });
    const kinds = Object.entries(KINDS).map(([kind, [says]]) => [kind, says]);
    this.form = el("form", { class: "fields", onsubmit: (event) => this.add(event), onfocusin: () => this.suggest() },
      field("by", "Who claims", {}, [""]),
      choice("kind", "What", kinds, { onchange: () => this.list() }),
      field("what", "Action, figure or claim", { required: true, onchange: () => this.known() }, [""]),
      field("value", "Value"),
      field("rule", "By rule (if named)"),
      field("after", "After the actions (if any)"),
      el("button", {}, "Add the claim"),
      el("button", { type: "button", onclick: () => this.fromBoard() }, "Take the choice on the board"));
    this.listed = el("ul", { class: "claims" });
    this.judge = el("button", { type: "button", disabled: true, onclick: () => this.ask() }, "Judge the claims");
    this.found = el("div", {});
    this.house = el("div", {});
    this.replaceChildren(this.form, this.listed, el("p", {}, this.judge), this.found, this.house);
    this.list();
    this.closest("section").addEventListener("opened", () => this.rulings());
  }

  show(screen, step) {
    [this.screen, this.step, this.claimable] = [screen, step, null];
    this.rulings();
  }

  field(name) {
    return this.form.elements[name];
  }

  // What may be claimed is asked for when somebody comes here.
  async suggest() {
    if (this.claimable) return;
    this.claimable = { figures: [], outcomes: [], parties: [] };
    try {
      this.claimable = await get("claims", this.at());
      complete(this.form, "by", this.claimable.parties);
      this.list();
    } catch (error) {
      tell(this, "wrong", error);
    }
  }

  at() {
    return this.step === null || this.step === undefined ? {} : { step: this.step };
  }

  list() {
    const kind = this.field("kind").value;
    const known = this.claimable ?? { figures: [], outcomes: [] };
    const actions = (this.screen?.legal ?? []).slice(0, 300).map(term);
    const of = { figure: known.figures.map((text) => text.split(" = ")[0]), outcome: known.outcomes, other: known.figures };
    complete(this.form, "what", of[kind] ?? actions);
    this.field("value").parentElement.hidden = kind !== "figure";
    this.field("value").required = kind === "figure";
  }

  // The value that a figure has now, until somebody writes another one.
  known() {
    const now = this.claimable?.figures.find((text) => text.startsWith(`${this.field("what").value} = `));
    if (this.field("kind").value === "figure" && now && !this.field("value").value) this.field("value").value = now.split(" = ")[1];
  }

  fill({ kind, what, value = "" }) {
    this.field("kind").value = kind;
    this.list();
    this.field("what").value = what;
    this.field("value").value = value;
    this.closest("pymorph-tabs").open("disputes");
    this.scrollIntoView({ block: "nearest" });
    this.field("by").focus();
    this.suggest();
  }

  // The action that is chosen on the board so far, with _ for each part that is open.
  fromBoard() {
    const [first, ...others] = this.fitting ?? [];
    if (!first || others.some(([name]) => name !== first[0])) return tell(this, "said", "Choose an action on the board first");
    this.fill({ kind: "legal", what: term(first.map((part, n) => (others.every((other) => other[n] === part) ? part : "_"))) });
  }

  add(event) {
    event.preventDefault();
    const given = Object.fromEntries(new FormData(this.form));
    const claim = KINDS[given.kind][1](given.what.trim(), given.value.trim());
    this.claims.push({ by: given.by, claim, rule: given.rule, after: given.after });
    for (const name of ["by", "value", "rule"]) this.field(name).value = "";
    this.draw();
    tell(this, "said", `Added: ${claim}`);
  }

  draw() {
    const remove = (n) => () => { this.claims.splice(n, 1); this.draw(); };
    this.listed.replaceChildren(...this.claims.map(({ by, claim, rule, after }, n) =>
      el("li", {}, `${by ? `${words(by)}: ` : ""}${claim}${after ? ` after ${after}` : ""}${rule ? ` by ${rule}` : ""} `,
        el("button", { type: "button", "aria-label": `Remove ${claim}`, onclick: remove(n) }, "Remove"))));
    this.judge.disabled = !this.claims.length;
  }

  async ask(said = "") {
    try {
      const answer = await post("dispute", { claims: this.claims, ...this.at() });
      this.result(answer);
      tell(this, "said", [said, ...answer.data.claims.map(({ by, claim, verdict }) => `${by ? `${by}: ` : ""}${claim}: ${verdict}`)].filter(Boolean).join(". "));
    } catch (error) {
      this.found.replaceChildren();
      tell(this, "wrong", error);
    }
  }

  result(answer) {
    const cited = answer.cited.filter(({ rule }) => rule)
      .map(({ rule, cites }) => el("li", {}, cites ? `The verdict cites ${rule}.` : `The verdict does not cite ${rule}.`));
    const master = this.screen.seat.master;
    this.why = field("why", "Why you rule so (if you like)");
    this.found.replaceChildren(
      el("h3", {}, "Verdicts"), shown(answer), ...(cited.length ? [el("ul", {}, ...cited)] : []),
      ...(answer.questions.length ? [el("h3", {}, "What decides"), ...(master ? [el("div", { class: "fields" }, this.why)] : [])] : []),
      ...answer.questions.map((question) => this.question(question, answer.data.claims)),
      ...(master ? [this.book()] : []));
  }

  // A question with its options: what each means, the verdicts under it, and a button to rule so.
  question({ id, asks, options }, claims) {
    const rows = options.map(({ option, says, default: usual, verdicts }) => {
      const marks = verdicts.map((verdict, n) => {
        const [kind, word] = SIGNS[verdict] ?? ["open", verdict];
        return el("li", {}, el("span", { class: kind }, word), claims[n].by ? `${claims[n].by}: ` : "", claims[n].claim);
      });
      const rule = el("button", { type: "button", onclick: () => this.rule(id, option) }, `Rule: ${words(option)}`);
      return el("li", {}, el("span", { class: "bold" }, words(option), usual ? " (default)" : ""), ` ${says}`, el("ul", { class: "marks" }, ...marks), this.screen.seat.master ? rule : null);
    });
    return el("section", { class: "answer", "aria-label": asks }, el("p", {}, `${asks} (${id})`), el("ul", {}, ...rows));
  }

  book() {
    const form = el("form", { class: "fields", onsubmit: (event) => this.save(event) },
      field("title", "Title of the case"), field("note", "Note"), el("button", {}, "Save the case to the book"));
    return el("section", { "aria-label": "The book" }, form);
  }

  async change(task, given, said) {
    try {
      const { changes } = await post(task, given);
      const done = `${said}${changes.length ? `. This changes ${changes.join(", ")}` : ""}`;
      if (this.claims.length && this.found.childElementCount) await this.ask(done);
      else tell(this, "said", done);
    } catch (error) {
      tell(this, "wrong", error);
    }
  }

  rule(question, option) {
    return this.change("rule", { question, option, why: this.why.querySelector("input").value }, `Ruled: ${words(option)}`);
  }

  async save(event) {
    event.preventDefault();
    const given = Object.fromEntries(new FormData(event.target));
    try {
      const { file } = await post("save", { ...given, claims: this.claims, ...this.at() });
      event.target.replaceChildren(el("p", {}, `Saved to ${file}`));
      tell(this, "said", `Saved to ${file}`);
    } catch (error) {
      tell(this, "wrong", error);
    }
  }

  async rulings() {
    if (this.closest("section").hidden) return;
    const { rulings } = await get("rulings");
    const rows = rulings.map(({ question, option, asks, why, date, from, here }) => {
      const withdraw = el("button", { type: "button", "aria-label": `Withdraw the ruling on ${words(question)}`, onclick: () => this.change("withdraw", { question }, `Withdrawn: ${words(question)}`) }, "Withdraw");
      const more = [from, date, why].filter(Boolean).join(", ");
      return el("li", {}, `${asks} `, el("span", { class: "bold" }, words(option)), ` (${question}; ${more}) `, here && this.screen.seat.master ? withdraw : null);
    });
    this.house.replaceChildren(el("h3", {}, "House rulings"), rows.length ? el("ul", {}, ...rows) : el("p", {}, "There are no rulings."));
  }
}

customElements.define("pymorph-disputes", Disputes);
