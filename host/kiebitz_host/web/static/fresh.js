// Renews a page of results when the store has changed, without a reload: what is read, typed or unfolded stays.
"use strict";

const PAUSE_MS = 1000;  // between two renewals
const SPREAD_MS = 400;  // not everybody asks in the same moment

const main = document.getElementById("main");
let state = main.dataset.state;
let stream = null;
let wanted = false;
let timer = 0;

// Whoever is filling in a form gets the new page afterwards
const isInUse = () => !!document.activeElement.closest("main form");

// A page that nobody sees has no stream: a browser opens only a few to one server
function listen() {
  if (stream) stream.close();
  stream = null;
  if (document.hidden) return;
  stream = new EventSource("/events/store?state=" + encodeURIComponent(state));
  stream.addEventListener("store", (event) => { if (event.data !== state) renewSoon(); });
}

function renewSoon() {
  wanted = true;
  if (!timer && !isInUse()) timer = setTimeout(renew, Math.random() * SPREAD_MS);
}

async function renew() {
  wanted = false;
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    if (answer.ok) show(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch (error) {
    // The server is gone; when the stream is back, it tells the state again
  }
  setTimeout(() => { timer = 0; if (wanted) renewSoon(); }, PAUSE_MS);
}

function show(page) {
  const next = page.getElementById("main");
  if (!next || !next.dataset.state) return;
  if (isInUse()) { wanted = true; return; }
  const places = () => [...main.querySelectorAll("details, .scroll")];
  const before = places().map((place) => [place.open, place.scrollLeft]);
  const focused = main.contains(document.activeElement) && document.activeElement.getAttribute("href");
  state = main.dataset.state = next.dataset.state;
  document.title = page.title;
  main.replaceChildren(...next.childNodes);
  places().slice(0, before.length).forEach((place, k) => { [place.open, place.scrollLeft] = before[k]; });
  const again = focused && [...main.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused);
  if (again) again.focus({ preventScroll: true });
}

listen();
document.addEventListener("visibilitychange", listen);
addEventListener("pageshow", (event) => { if (event.persisted) listen(); });
addEventListener("pagehide", () => { if (stream) stream.close(); });
document.addEventListener("focusout", () => setTimeout(() => { if (wanted) renewSoon(); }));
