// What fits to what was chosen so far: the name of an action, some of its parts, what was clicked.

const NAME = /[a-z_][A-Za-z0-9_]*|\d+/g;

// The names in a part, in order: of a list, its items.
export const tokens = (part) => part.match(NAME) ?? [];

const middle = ([x, y, wide, high]) => [x + wide / 2, y + high / 2];
const inside = ([x, y], [left, top, wide, high]) => x >= left && x <= left + wide && y >= top && y <= top + high;

// Under which names each area of a board may occur in an action: its own, that of what is on it or
// under it, and on a board of squares that of its column.
export function aliases(areas, onTable) {
  const named = new Map(areas.map((area) => [area.term, new Set([area.term])]));
  const places = areas.filter((area) => area.kind === "place" && !onTable);
  for (const piece of areas.filter((area) => area.kind === "piece")) {
    const place = places.find(({ box }) => inside(middle(piece.box), box));
    if (!place) continue;
    named.get(piece.term).add(place.term);
    named.get(place.term).add(piece.term);
  }
  for (const { term, column } of areas) {
    const letters = column && /^([a-z]+)\d+$/.exec(term)?.[1];
    if (letters && !named.has(letters)) named.get(term).add(letters);
  }
  return named;
}

export class Choosing {
  // The legal *actions*, and the *forms* of those that somebody enters.
  constructor(legal, forms, areas, onTable) {
    this.legal = legal;
    this.forms = forms;
    this.aliases = aliases(areas, onTable);
    this.known = new Set([...this.aliases.values()].flatMap((names) => [...names]));
    this.clear();
  }

  clear() {
    this.actor = null;
    this.name = null;
    this.parts = new Map(); // the number of an argument, and what it is
    this.clicked = []; // areas, in order
    this.wide = false; // also actions in which the first click is not what acts
  }

  get isEmpty() {
    return !this.name && !this.actor && !this.clicked.length && !this.parts.size;
  }

  names(term) {
    return this.aliases.get(term) ?? new Set([term]);
  }

  // The names of places and pieces in an action; who acts is the first, if it is a piece.
  targets(action) {
    return action.slice(1).flatMap(tokens).filter((token) => this.known.has(token));
  }

  // Where in an action each click occurs, in the order of the clicks, or null.
  places(action, inOrder) {
    const found = this.targets(action);
    const taken = [];
    for (const term of this.clicked) {
      const names = this.names(term);
      const after = inOrder && taken.length ? taken.at(-1) + 1 : 0;
      const at = found.findIndex((token, n) => n >= after && !taken.includes(n) && names.has(token));
      if (at < 0) return null;
      taken.push(at);
    }
    return taken;
  }

  chosen(action) {
    return (!this.name || action[0] === this.name) && (!this.actor || action[1] === this.actor)
      && [...this.parts].every(([n, part]) => action[n] === part);
  }

  // All legal actions in which everything occurs that was chosen; and all forms.
  get all() {
    return this.legal.filter((action) => this.chosen(action) && this.places(action, false));
  }

  get awaited() {
    return this.forms.filter((action) => this.chosen(action) && this.places(action, false));
  }

  // Of them those in which the clicks come in order, beginning with who or what acts, if there are such.
  get fitting() {
    const all = this.all;
    if (this.wide || !this.clicked.length) return all;
    const inOrder = all.filter((action) => this.places(action, true));
    const acting = inOrder.filter((action) => this.places(action, true)[0] === 0);
    return [acting, inOrder, all].find((some) => some.length) ?? [];
  }

  // The one action that fits, if all its places and pieces were clicked, and not only who acts.
  get complete() {
    const [action, ...others] = this.fitting;
    if (!action || others.length || this.awaited.length) return null;
    const clicked = new Set(this.clicked.flatMap((term) => [...this.names(term)]));
    const has = (part) => tokens(part).some((name) => clicked.has(name));
    return action.slice(2).some(has) && this.isDone(action, clicked) ? action : null;
  }

  isDone(action, clicked) {
    const alike = this.legal.filter((other) => other[0] === action[0]);
    return action.every((part, n) => {
      if (n < 2 || this.parts.get(n) === part) return true;
      const places = tokens(part).filter((token) => this.known.has(token));
      if (places.length) return clicked.has(places.at(-1)) && clicked.has(places[0]);
      return alike.every((other) => other[n] === part);
    });
  }

  // Does what was clicked first act in some action?
  get isActing() {
    return [...this.all, ...this.awaited].some((action) => this.places(action, true)?.[0] === 0);
  }

  // The names of places and pieces with which a click goes on.
  get next() {
    const found = new Set();
    for (const action of [...this.fitting, ...this.awaited]) {
      const targets = this.targets(action);
      const taken = this.places(action, true) ?? this.places(action, false) ?? [];
      const open = targets.filter((_, n) => !taken.includes(n));
      for (const token of this.clicked.length ? open : open.slice(0, 1)) found.add(token);
    }
    return found;
  }

  // The terms of areas that have one of these names.
  areas(names) {
    return new Set([...this.aliases].filter(([, own]) => [...own].some((name) => names.has(name))).map(([term]) => term));
  }

  // A click goes on, starts anew, or is taken back. If nothing legal has all that was clicked,
  // everything stays as it was, and the names of what was clicked are returned.
  click(term) {
    if (this.clicked.includes(term)) {
      this.clicked = this.clicked.filter((one) => one !== term);
      return null;
    }
    this.clicked.push(term);
    if (this.all.length || this.awaited.length) return null;
    this.clicked.pop();
    if (this.clicked.length && !this.isActing) this.clear(); // a target came first, and leads nowhere
    const { clicked, name, actor, parts } = this;
    this.clear();
    this.clicked = [term];
    if (this.isActing) return null;
    Object.assign(this, { clicked, name, actor, parts });
    return [...clicked, term].map((one) => [...this.names(one)]);
  }
}
