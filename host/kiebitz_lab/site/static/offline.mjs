// Lets the pages work without a network after the first visit: asks the service worker to keep all files of this version.

const PATIENCE_MS = 1000; // the page itself comes first

function keep() {
  const address = new URL("./service_worker.js", import.meta.url);
  navigator.serviceWorker.register(address).catch(() => {}); // a browser that may not keep files still shows the page
}

if ("serviceWorker" in navigator) addEventListener("load", () => setTimeout(keep, PATIENCE_MS));
