// What the pages of runs and of analyses share: tables, lists.

const table = (title, rows, digits = 4) => {
  const card = element("div", undefined, "card");
  card.append(element("h2", title));
  const body = element("table");
  for (const [name, value, unit] of rows) {
    const row = body.insertRow();
    row.append(breakable(element("td"), name));
    const cell = element("td", typeof value === "number" ? number(value, digits) : value, typeof value === "string" ? "words" : "");
    if (unit !== undefined) cell.append(" ", element("span", printedUnit(unit), "unit"));
    row.append(cell);
  }
  card.append(body);
  return card;
};

/** Rows of name, value and unit in units that suit: one for all rows of one unit. */
const suited = (rows) => {
  const most = new Map();
  for (const [, value, unit] of rows) if (typeof value === "number") most.set(unit, Math.max(most.get(unit) ?? 0, Math.abs(value)));
  return rows.map(([name, value, unit]) => {
    if (typeof value !== "number" || unit === undefined) return [name, value, unit];
    const shown = shownUnit(unit, most.get(unit));
    return [name, value * shown.factor, shown.unit];
  });
};

/** Sentences below each other, over the whole width: too long for a column of a table. */
const list = (title, rows) => {
  const card = element("div", undefined, "card wide");
  card.append(element("h2", title));
  const body = element("ul");
  // A name that says no more than the title is left out.
  const named = (name) => (title.toLowerCase().startsWith(name) || rows.every(([other]) => other === name) ? "" : `${name}: `);
  for (const [name, text] of rows) body.append(element("li", named(name) + text));
  card.append(body);
  return card;
};

/** The view of the bodies in motion, once it is there. */
let shownView = null;

/** Shows the bodies in motion, where the page has them. */
const showAnimation = async (events = []) => {
  if (!document.getElementById("packed-animation")) return;
  const bytes = await (await unpacked("animation")).arrayBuffer(), { still, stride, modes } = await (await unpacked("still")).json();
  shownView = await makeView(document.getElementById("view"), { bytes, still, stride, modes, events, load: () => runPacked("three") });
};
