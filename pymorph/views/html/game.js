const buttons = [...this.querySelectorAll('button')];
const pressed = buttons.find(button =>
  event.type === 'click' ? button === event.target : button.dataset.key === event.key);
if (pressed) {
  const boards = [...this.querySelectorAll('figure')];
  const now = boards.findIndex(board => !board.hidden), last = boards.length - 1;
  const steps = {first: 0, back: Math.max(now - 1, 0), next: Math.min(now + 1, last), last};
  boards[now].hidden = true;
  boards[steps[pressed.value]].hidden = false;
  event.preventDefault();
  event.stopPropagation();
}
