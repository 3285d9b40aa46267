// The sentences of the pages in the language of the reader: fills in every element that names one.

let sentences = {};

// The language chosen before, else the first of the browser's that there is.
export function wantedLanguage() {
  const languages = Array.from(document.getElementById("language").options, (option) => option.value);
  const wishes = [localStorage.getItem("kiebitz-language"), ...navigator.languages.map((code) => code.slice(0, 2))];
  return wishes.find((code) => languages.includes(code)) ?? "en";
}

export async function speak(language) {
  const answer = await fetch(new URL(`./texts/${language}.json`, import.meta.url));
  sentences = await answer.json();
  document.documentElement.lang = document.getElementById("language").value = language;
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = text(element.dataset.text);
  document.title = `${document.querySelector("h1").textContent} · Kiebitz`;
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", text(element.dataset.label));
}

export const hasText = (key) => key in sentences;

export function text(key, places = {}) {
  return (sentences[key] ?? key).replace(/{(\w+)}/g, (_, name) => places[name] ?? "");
}

export function keepLanguage(language) {
  localStorage.setItem("kiebitz-language", language);
}
