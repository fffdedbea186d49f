(() => {
  const { summary } = data;
  const head = document.getElementById("head");
  // A model need not have a name.
  const title = summary.model || "Results";
  head.append(element("h1", title), element("span", summary.status, "status " + summary.status));
  head.append(element("p", `${data.description ? data.description + ". " : ""}Simulated to t = ${number(summary.end_time)} s.`, "lead"));
  if (summary.error) head.append(element("p", summary.error, "error"));
  for (const warning of summary.warnings ?? []) head.append(element("p", warning, "warning"));
  document.title = title + " \u2013 fourbar";

  const curveOf = new Map(data.plots.flatMap(({ curves }) => curves.map((curve) => [curve.name, curve])));
  const noiseOf = (name) => curveOf.get(name)?.noise ?? 0;
  // Times of pages have seven digits, those of views single precision.
  const isEnd = (at) => at >= summary.end_time - 1e-6 * Math.abs(summary.end_time);
  // A run that ended between two outputs is drawn up to its end.
  if (data.times.length > 0 && !isEnd(data.times[data.times.length - 1])) {
    data.times.push(summary.end_time);
    for (const { name, values, noise } of curveOf.values()) values.push(summary.final[name] === null ? null : withoutNoise(summary.final[name], noise));
  }
  /** The plot that shows a measure, in whose unit the table has it. */
  const plotOf = new Map();
  let showValues = () => {};

  const plots = document.getElementById("plots");
  if (data.times.length > 1) {
    head.append(pageTools());
    const every = data.stride > 1 ? ` Every ${ordinal(data.stride)} output is drawn.` : "";
    plots.append(element("p", "Drag over a plot to zoom, double-click to see all of it, click a name under it to hide or show a curve." + every, "hint"));
    const across = { name: "time", unit: "s" };
    const columns = data.plots.flatMap(({ unit, curves }) => curves.map(({ name }) => ({ name, unit })));
    const curves = data.plots.flatMap((plot) => plot.curves.map(({ values }) => values));
    const source = tableSource({ across, columns, lists: [data.times, ...curves] });
    for (const { unit, curves: own, is_diagnostic: isDiagnostic } of data.plots) {
      const plot = draw({ unit, names: own.map(({ name }) => name), source, noise: noiseOf, told: () => showValues(timeCursor.at) }, isDiagnostic ? "Integration" : undefined);
      own.forEach(({ name }) => plotOf.set(name, plot));
    }
    const { times, sizes } = data.steps, step = { name: "step of the integrator", unit: "s" };
    const steps = tableSource({ across, columns: [step], lists: [times, sizes] });
    if (new Set(sizes).size > 1) draw({ unit: "s", names: [step.name], source: steps, log: true }, "Integration");
  } else {
    plots.append(element("p", "The run gave no curve to draw.", "hint"));
  }

  const tables = document.getElementById("tables");
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  const last = Object.entries(summary.final).map(([name, value], i) => ({ name, value, unit: data.units[i] }));
  const titleAt = (at) => `${capital(data.columns_title)} at t = ${at} s`;
  const lastTable = table("", last.map(({ name }) => [name, 0, ""]));
  tables.append(lastTable);
  const cells = lastTable.querySelectorAll("tr > td:nth-child(2)");
  // At the end as it was computed; before it on straight lines between the rows of the page, which have seven digits.
  showValues = (at) => {
    const ended = at === null || isEnd(at);
    lastTable.firstChild.textContent = titleAt(ended ? number(summary.end_time) : number(at, 5));
    last.forEach(({ name, value, unit }, k) => {
      const shown = ended ? value : valueAt({ x: data.times, y: curveOf.get(name).values }, at);
      const own = plotOf.get(name)?.unit() ?? shownUnit(unit, Math.abs(value ?? 0));
      const text = typeof shown === "number" ? number(withoutNoise(shown, noiseOf(name)) * own.factor, 7) : ended ? "not finite" : "\u2013";
      cells[k].firstChild.textContent = text;
      cells[k].lastChild.textContent = typeof shown === "number" ? printedUnit(own.unit) : "";
    });
  };
  timeCursor.heard.add(showValues);
  // What the page shows first is the end, in all its parts.
  timeCursor.set(summary.end_time);
  showValues(timeCursor.at);
  const long = (rows) => rows.some(([, cell]) => typeof cell === "string" && cell.length > 60);
  const others = data.tables.filter(({ title }) => title !== "statistics");
  for (const { title, rows } of others.filter(({ rows }) => !long(rows))) {
    const own = rows.map(([name, cell]) => [name, ...[cell].flat()]);
    // Where the energy is is known of the end alone.
    const card = title === "energy" ? table(`Energy at t = ${number(summary.end_time)} s`, suited(own)) : table(capital(title), own);
    tables.append(card);
  }
  // Every counter there is, by the names of the JSON object; what it nests belongs to the name before it.
  const names = { newton: "Newton", jacobian: "Jacobian" };
  const words = (name) => (name === "orders" ? "steps of order 1, 2, .." : name.split("_").map((word) => names[word] ?? word).join(" "));
  const counters = (name, value) => {
    if (name === "energy") return [];
    // Up to the highest order that was used.
    const used = name === "orders" ? Math.max(1, value.findLastIndex((count) => count > 0) + 1) : undefined;
    if (Array.isArray(value)) return [[words(name), value.slice(0, used).join(" ")]];
    if (typeof value === "object") return Object.entries(value).map(([part, count]) => [`${words(name)}: ${words(part)}`, count]);
    return [[words(name), value, name.startsWith("step_") ? "s" : ""]];
  };
  const counts = Object.entries(summary.statistics).flatMap(([name, value]) => counters(name, value));
  tables.append(table("Statistics", [...counts, ["wall-clock time", summary.wall_seconds, "s"]]));
  tables.append(table("Settings", data.settings));
  for (const { title, rows } of others.filter(({ rows }) => long(rows))) {
    tables.append(list(capital(title), rows.map(([name, cell]) => [name, [cell].flat().join(" ")])));
  }
  const events = [...new Set((summary.events ?? []).map(({ time }) => time))];
  showAnimation(events);
  document.getElementById("foot").append(`fourbar ${data.version}`);
})();
