// On a phone, shares a page's file or picture with other apps. Browsers allow this on https and localhost only; anywhere
// else the links save the file and open the picture.
"use strict";

const fetched = new Map();  // by address

function canShare(file) {
  return !!navigator.canShare && navigator.canShare({ files: [file] });
}

async function share(event) {
  const link = event.target.closest("a[data-share]");
  if (!link) return;
  event.preventDefault();
  const said = document.getElementById("shared");
  try {
    const file = fetched.get(link.href) || await fetchFile(link.href);
    if (!canShare(file)) { location.assign(link.href); return; }
    fetched.set(link.href, file);
    said.textContent = "";
    await navigator.share({ files: [file], title: document.title });
    fetched.delete(link.href);
  } catch (error) {
    // A browser shares only soon after a tap: if the file took too long, it is here for the next tap
    if (error.name === "NotAllowedError") said.textContent = said.dataset.again;
    else if (error.name !== "AbortError") location.assign(link.href);
  }
}

async function fetchFile(address) {
  const answer = await fetch(address, { cache: "no-store" });
  if (!answer.ok) throw new Error(answer.status);
  const name = /filename="(.+)"/.exec(answer.headers.get("content-disposition"))[1];
  return new File([await answer.blob()], name, { type: answer.headers.get("content-type").split(";")[0] });
}

if (matchMedia("(pointer: coarse)").matches && canShare(new File([""], "kiebitz.png", { type: "image/png" }))) {
  document.documentElement.classList.add("can-share");
  document.addEventListener("click", share);
}
