// Keys by touch, mouse and keyboard: a key is down as long as a finger is on it, several at a time.

const KEYBOARD = { ArrowUp: 0, ArrowDown: 1, ArrowLeft: 2, ArrowRight: 3, Enter: 4, Backspace: 5 };

// Calls press(key, down) for the buttons in an element, and for the keyboard while nothing else has the focus.
export function listen(element, press) {
  for (const button of element.querySelectorAll("[data-key]")) {
    const key = Number(button.dataset.key);
    const move = (down) => {
      if (button.classList.contains("down") === down) return;
      button.classList.toggle("down", down);
      element.querySelector(`[data-cap="${key}"]`)?.classList.toggle("down", down);
      press(key, down);
    };
    button.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      button.setPointerCapture(event.pointerId);
      move(true);
    });
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) button.addEventListener(name, () => move(false));
    button.addEventListener("contextmenu", (event) => event.preventDefault()); // holding a key is meant
    // A screen reader, or the space bar on a focused button, only clicks
    button.addEventListener("click", (event) => {
      if (event.detail) return;
      move(true);
      setTimeout(() => move(false), 60);
    });
  }
  const elsewhere = (event) => event.target.closest("input, select, textarea, a, summary, button:not([data-key]), dialog");
  for (const [name, down] of [["keydown", true], ["keyup", false]]) {
    addEventListener(name, (event) => {
      const key = KEYBOARD[event.key];
      if (key === undefined || event.ctrlKey || event.altKey || event.metaKey || (down && elsewhere(event))) return;
      if (down) event.preventDefault();
      if (event.repeat) return; // the device repeats by itself
      element.querySelector(`[data-cap="${key}"]`)?.classList.toggle("down", down);
      press(key, down);
    });
  }
}
