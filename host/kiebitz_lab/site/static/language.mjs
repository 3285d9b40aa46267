// The language of the reader on every page: leads to the page in that language, and lets the reader choose another one.
//
// Pages with a device change their sentences themselves.

import { keepLanguage, wantedLanguage } from "./texts.mjs";

const choice = document.getElementById("language");
const pageIn = (language) => choice.querySelector(`[value="${language}"]`).dataset.page;
const wanted = wantedLanguage();

if ("translated" in choice.dataset && wanted !== document.documentElement.lang) location.replace(pageIn(wanted) + location.hash);

choice.addEventListener("change", () => {
  keepLanguage(choice.value);
  if (pageIn(choice.value)) location.assign(pageIn(choice.value));
});
