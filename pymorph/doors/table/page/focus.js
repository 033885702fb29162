// The focus is never lost: where the button that has it is drawn anew, or goes, another one gets it.

const WIDGETS = "button, input, select, textarea, a[href], summary, [tabindex='0']";
const name = (element) => element.dataset.key ?? element.getAttribute("aria-label") ?? element.textContent;
let held = null; // what has the focus: the element, what it is called, its panel and its number in it

const reachable = (panel) => [...panel.querySelectorAll(WIDGETS)].filter((each) => !each.disabled && each.checkVisibility());

document.addEventListener("focusin", ({ target }) => {
  const panel = target.closest("[data-panel]");
  held = panel && { element: target, called: name(target), panel, number: reachable(panel).indexOf(target) };
});

// The same again, or what comes next there, or what was in its place, or the panel.
function keep() {
  if (!held || held.element.isConnected || document.activeElement !== document.body) return;
  const { called, panel, number } = held;
  const all = reachable(panel);
  const next = all.find((each) => name(each) === called) ?? panel.querySelector("[data-next], .legal") ?? all[Math.min(number, all.length - 1)];
  (next ?? panel).focus();
}

new MutationObserver(keep).observe(document.querySelector("main"), { childList: true, subtree: true });
