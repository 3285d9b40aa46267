// Keeps live pages and the front panel up to date, and turns clicks and keys into key presses of the device.
"use strict";

const find = (id) => document.getElementById(id);
const HOLD_MS = 600;

// --- one stream a page ---

function listen(address, takers) {
  const stream = new EventSource(address);
  for (const [name, take] of Object.entries(takers)) {
    stream.addEventListener(name, (event) => take(event.data, event.lastEventId));
  }
  const offline = find("offline");
  stream.onerror = () => { if (offline) offline.hidden = false; };
  stream.onopen = () => { if (offline) offline.hidden = true; };
  addEventListener("pagehide", () => stream.close());
}

// --- the live table ---

function follow(live) {
  let state = live.dataset.state;
  listen(live.dataset.stream + "?state=" + encodeURIComponent(state), {
    live: (markup, newState) => {
      if (newState === state) return;
      state = live.dataset.state = newState;
      live.innerHTML = markup;
      const said = live.querySelector("[data-say]");
      find("said").textContent = said ? said.dataset.say : "";
      live.dispatchEvent(new CustomEvent("shown"));
    },
  });
}

function offerFullScreen(button) {
  if (!document.fullscreenEnabled) return;
  button.hidden = false;
  const toggle = () => document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  button.addEventListener("click", toggle);
  addEventListener("keydown", (event) => {
    if (event.key === "f" && !event.ctrlKey && !event.metaKey && !event.altKey) toggle();
  });
  document.addEventListener("fullscreenchange", () => document.body.classList.toggle("tv", !!document.fullscreenElement));
}

// Off by default: a browser must not speak before somebody has asked for it
function offerReadingAloud(button, live) {
  if (!window.speechSynthesis) return;
  button.hidden = false;
  const isOn = () => button.getAttribute("aria-pressed") === "true";
  const speak = () => {
    speechSynthesis.cancel();  // a new entry matters more than the end of an old sentence
    const found = live.querySelector("[data-aloud]") || live.querySelector("[data-say]");
    if (!found) return;
    const said = new SpeechSynthesisUtterance(found.dataset.aloud || found.dataset.say);
    said.lang = document.documentElement.lang;
    said.voice = speechSynthesis.getVoices().find((voice) => voice.lang.startsWith(said.lang)) || null;
    speechSynthesis.speak(said);
  };
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", String(!isOn()));
    if (isOn()) speak(); else speechSynthesis.cancel();
  });
  live.addEventListener("shown", () => { if (isOn()) speak(); });
  addEventListener("pagehide", () => speechSynthesis.cancel());
}

// --- the front panel ---

function show(canvas, data) {
  const { w, h, pages, tints = "", colours = [[225, 240, 255]] } = JSON.parse(data);
  const [bytes, rectangles] = [pages, tints].map((text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
  if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
  canvas.classList.toggle("square", w === h);
  const context = canvas.getContext("2d");
  const image = context.createImageData(w, h);
  const colour = new Uint8Array(w * h);  // of each pixel that is lit; a later rectangle is over those before
  for (let k = 0; k < rectangles.length; k += 5) {
    const [left, top, right, bottom, number] = rectangles.subarray(k, k + 5);
    for (let y = top; y < bottom; y++) colour.fill(number, y * w + left, y * w + right);
  }
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const lit = (bytes[(y >> 3) * w + x] >> (y & 7)) & 1;
      image.data.set(lit ? [...(colours[colour[y * w + x]] || colours[0]), 255] : [6, 8, 12, 255], 4 * (y * w + x));
    }
  }
  context.putImageData(image, 0, 0);
  canvas.dataset.shown = +(canvas.dataset.shown || 0) + 1;
}

const TYPED = {
  ArrowUp: "UP", ArrowDown: "DOWN", ArrowLeft: "LEFT", ArrowRight: "RIGHT",
  Enter: "OK", " ": "OK", Backspace: "UNDO", u: "UNDO", U: "UNDO",
};

function offerKeys(keys) {
  let last = Promise.resolve();
  const press = (key, hold) => {
    // One after the other: two presses must not overtake each other on the way
    last = last.then(async () => {
      const body = new URLSearchParams({ key, hold: hold ? "1" : "0" });
      try {
        const answer = await fetch(keys.dataset.place, { method: "POST", body });
        find("said").textContent = answer.ok ? "" : await answer.text();
      } catch (error) {
        find("offline").hidden = false;
      }
    });
  };
  for (const button of keys.querySelectorAll("[data-key]")) {
    let since = 0;
    let timer = 0;
    const key = button.dataset.key;
    button.addEventListener("pointerdown", () => {
      since = Date.now();
      timer = setTimeout(() => { since = 0; press(key, true); }, HOLD_MS);
    });
    const release = () => clearTimeout(timer);
    button.addEventListener("pointerup", release);
    button.addEventListener("pointerleave", release);
    button.addEventListener("click", () => {
      clearTimeout(timer);
      if (since || !timer) press(key, false);
      since = timer = 0;
    });
  }
  addEventListener("keydown", (event) => {
    const key = TYPED[event.key];
    if (!key || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("a, input, textarea, select")) return;
    event.preventDefault();
    press(key, event.shiftKey);
  });
}

if (find("live")) follow(find("live"));
if (find("full")) offerFullScreen(find("full"));
if (find("aloud")) offerReadingAloud(find("aloud"), find("live"));
if (find("display")) {
  listen(find("display").dataset.stream, {
    screen: (data) => show(find("display"), data),
    plugged: (data) => { find("unplugged").hidden = data === "1"; },
  });
}
if (find("keys")) offerKeys(find("keys"));
