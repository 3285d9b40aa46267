// Shows a sheet: the parts that Python has made become paragraphs and tables, and nothing is computed here.

export function element(name, content = "", more = {}) {
  const made = Object.assign(document.createElement(name), more);
  made.append(...(Array.isArray(content) ? content : [content]));
  return made;
}

const words = (pieces) => pieces.map(([text, style]) => element("span", text, { className: style }));

export function scroll(title, table) {
  const box = element("div", [table], { className: "scroll", tabIndex: 0 });
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", title);
  return box;
}

function cell(name, content, isNumber, scope) {
  const made = element(name, content, { className: isNumber ? "n" : "" });
  if (scope) made.scope = scope;
  return made;
}

function partView(part, title) {
  if (part.text) {
    const text = part.text.map(([piece]) => piece).join("");
    return element(text.includes("\n") ? "pre" : "p", words(part.text));
  }
  const head = element("tr", part.headers.map((header, k) => cell("th", words(header), part.numbers[k], "col")));
  const rows = part.rows.map((row) => element("tr", row.map((content, k) => cell(k ? "td" : "th", words(content), part.numbers[k], k ? "" : "row"))));
  return scroll(title, element("table", [element("thead", [head]), element("tbody", rows)]));
}

// The elements of a sheet, with the table of entries closed at its end. Of a game that is over the rows say everything.
export function sheetView(sheet, title, entries) {
  const over = sheet.places[1].length > 0;
  const wanted = sheet.parts.filter((part) => (part.rows ? !over : part.text.length));
  const parts = wanted.map((part, k) => partView(part, `${title} ${k + 1}`)); // no two regions have the same name
  const line = (name, values, isFoot) => element("tr", [cell("th", name, false, "row"), ...values.map((value) => cell("td", value, true))], { className: isFoot ? "won" : "" });
  if (sheet.rows.length) {
    const head = element("tr", [cell("td", ""), ...sheet.names.map((name) => cell("th", name, true, "col"))]);
    const foot = [sheet.totals, ...(over ? [sheet.places] : [])];
    const body = [...sheet.rows.map(([name, values]) => line(name, values)), ...foot.map(([name, values]) => line(name, values, true))];
    parts.push(scroll(title, element("table", [element("thead", [head]), element("tbody", body)])));
  }
  let last = "";
  const rows = sheet.log.flatMap(([number, part, text, effect]) => {
    const row = element("tr", [cell("td", String(number), true), cell("td", text), cell("td", effect)]);
    if (part === last || !part) return [row];
    last = part;
    return [element("tr", [Object.assign(cell("th", part, false, "rowgroup"), { colSpan: 3 })], { className: "part" }), row];
  });
  const head = element("tr", sheet.columns.map((column, k) => cell("th", column, !k, "col")));
  const table = scroll(entries, element("table", [element("thead", [head]), element("tbody", rows)]));
  return [...parts, element("details", [element("summary", entries), table])];
}
