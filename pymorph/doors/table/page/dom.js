// Elements of the page. What people wrote is always a text in them, never markup.

export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// A name of the rules as words.
export const words = (name) => name.replaceAll("_", " ");

// The parts of an action as a term.
export const term = ([name, ...parts]) => (parts.length ? `${name}(${parts.join(", ")})` : name);

// Another part of the page hears of this.
export function tell(element, name, detail) {
  element.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
}
