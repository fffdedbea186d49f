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

  const plots = document.getElementById("plots");
  if (data.times.length > 1) {
    head.append(pageTools());
    const every = data.stride > 1 ? ` Every ${ordinal(data.stride)} output is drawn.` : "";
    plots.append(element("p", "Drag over a plot to zoom, double-click to see all of it, click a name under it to hide or show a curve." + every, "hint"));
    const across = { name: "time", unit: "s" };
    const columns = data.plots.flatMap(({ unit, curves }) => curves.map(({ name }) => ({ name, unit })));
    const curves = data.plots.flatMap((plot) => plot.curves.map(({ values }) => values));
    const source = tableSource({ across, columns, lists: [data.times, ...curves] });
    for (const plot of data.plots) draw({ unit: plot.unit, names: plot.curves.map(({ name }) => name), source });
    const { times, sizes } = data.steps, step = { name: "step of the integrator", unit: "s" };
    const steps = tableSource({ across, columns: [step], lists: [times, sizes] });
    if (new Set(sizes).size > 1) draw({ unit: "s", names: [step.name], source: steps, log: true }, "Integration");
  } else {
    plots.append(element("p", "The run gave no curve to draw.", "hint"));
  }

  const tables = document.getElementById("tables");
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  const last = Object.entries(summary.final).map(([name, value], i) => [name, value === null ? "not finite" : value, data.units[i]]);
  const titleAt = (at) => `${capital(data.columns_title)} at t = ${at} s`;
  const lastTable = table(titleAt(number(summary.end_time)), last, 10);
  tables.append(lastTable);
  // At the end as it was computed; before it on straight lines between the rows of the page.
  const lists = new Map(data.plots.flatMap(({ curves }) => curves.map(({ name, values }) => [name, { x: data.times, y: values }])));
  const cells = lastTable.querySelectorAll("tr > td:nth-child(2)");
  timeCursor.heard.add((at) => {
    const ended = at >= summary.end_time;
    lastTable.firstChild.textContent = titleAt(ended ? number(summary.end_time) : number(at, 5));
    last.forEach(([name, value], k) => {
      const shown = ended ? value : valueAt(lists.get(name), at);
      cells[k].firstChild.textContent = typeof shown === "number" ? number(shown, ended ? 10 : 6) : shown ?? "\u2013";
    });
  });
  const long = (rows) => rows.some(([, cell]) => typeof cell === "string" && cell.length > 60);
  const others = data.tables.filter(({ title }) => title !== "statistics");
  for (const { title, rows } of others.filter(({ rows }) => !long(rows))) {
    tables.append(table(capital(title), rows.map(([name, cell]) => [name, ...[cell].flat()])));
  }
  // Every counter there is, by the names of the JSON object; what it nests belongs to the name before it.
  const words = (name) => (name === "orders" ? "steps of order 1, 2, .." : name.replaceAll("_", " "));
  const counters = (name, value) => {
    if (name === "energy") return [];
    if (Array.isArray(value)) return [[words(name), value.join(" ")]];
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
