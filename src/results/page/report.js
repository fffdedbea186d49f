"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { summary } = data;
  // Colours that stay apart for colour-blind readers (Okabe and Ito), then two more.
  const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8c6d00", "#56b4e9", "#1c2430", "#7f3fbf"];
  const HEIGHT = 300;

  const element = (tag, text, className) => {
    const node = document.createElement(tag);
    if (text !== undefined) node.textContent = text;
    if (className) node.className = className;
    return node;
  };

  /** A name that may be broken behind its dots and underscores, and nowhere else. */
  const breakable = (node, name) => {
    for (const part of name.split(/(?<=[._])/)) node.append(part, document.createElement("wbr"));
    return node;
  };

  /** A number with `digits` significant digits, plain where that is short. */
  const number = (value, digits = 10) => {
    if (value === null || value === undefined) return "not finite";
    if (typeof value !== "number") return String(value);
    if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value).replace("-", "\u2212");
    const size = Math.abs(value);
    const plain = size === 0 || (size >= 1e-3 && size < 1e7);
    const [mantissa, exponent] = (plain ? value.toPrecision(digits) : value.toExponential(digits - 1)).split("e");
    const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
    return (exponent === undefined ? short : `${short}e${Number(exponent)}`).replaceAll("-", "\u2212");
  };

  const table = (title, rows, digits = 4) => {
    const card = element("div", undefined, "card");
    card.append(element("h2", title));
    const body = element("table");
    for (const [name, value, unit] of rows) {
      const row = body.insertRow();
      row.append(breakable(element("td"), name));
      const cell = element("td", typeof value === "number" ? number(value, digits) : value, typeof value === "string" ? "words" : "");
      if (unit) cell.append(" ", element("span", unit, "unit"));
      row.append(cell);
    }
    card.append(body);
    return card;
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

  /** A number beside an axis, where there is little room. */
  const tick = (value) => {
    const text = number(value, 6);
    if (text.length <= 7) return text;
    const [mantissa, exponent] = value.toExponential(5).split("e");
    return `${mantissa.replace(/\.?0+$/, "")}e${Number(exponent)}`.replaceAll("-", "\u2212");
  };

  const head = document.getElementById("head");
  // A model need not have a name.
  const title = summary.model || "Results";
  head.append(element("h1", title), element("span", summary.status, "status " + summary.status));
  head.append(element("p", `${data.description ? data.description + ". " : ""}Simulated to t = ${number(summary.end_time)} s.`, "lead"));
  if (summary.error) head.append(element("p", summary.error, "error"));
  for (const warning of summary.warnings ?? []) head.append(element("p", warning, "warning"));
  document.title = title + " \u2013 fourbar";

  const axisLabel = (plot) => {
    const names = plot.curves.map((curve) => curve.name);
    const name = names.length === 1 ? names[0] : names.length <= 3 ? names.join(", ") : "";
    const unit = plot.unit ? `[${plot.unit}]` : "[1]";
    // A longer one does not fit the height of a plot; the legend names the curves anyway.
    return name && name.length <= 30 ? `${name} ${unit}` : unit;
  };

  /** Room beside an axis for its longest tick, of 8 pixels a character. */
  const room = (chart, ticks) => Math.max(76, 20 + 8 * Math.max(0, ...(ticks ?? []).map((text) => text.length)));

  /** Draws the curves of `plot` over `times`, on a logarithmic axis if `log`. */
  const draw = (plot, times, log = false) => {
    const card = element("div", undefined, "card");
    const place = element("div");
    card.append(place);
    document.getElementById("plots").append(card);
    const width = () => Math.max(320, card.clientWidth - 34);
    const value = (chart, shown) => (shown === null ? "" : number(shown, 7));
    const axis = (label, extra) => ({
      label, labelFont: "14px system-ui, sans-serif", font: "12px system-ui, sans-serif", stroke: "#1c2430",
      grid: { stroke: "#e8ecf0", width: 1 }, ticks: { stroke: "#c9d1da" }, ...extra,
    });
    const chart = new uPlot({
      width: width(), height: HEIGHT,
      scales: { x: { time: false }, y: log ? { distr: 3 } : {} },
      cursor: { drag: { x: true, y: true, uni: 20 }, sync: { key: "time", scales: ["x", null] } },
      axes: [
        axis("time [s]", { values: (chart, ticks) => ticks.map(tick) }),
        axis(axisLabel(plot), { size: room, values: (chart, ticks) => ticks.map((value) => (value === null ? "" : tick(value))) }),
      ],
      legend: { markers: { width: 0, fill: (chart, i) => chart.series[i].stroke(chart, i) } },
      series: [
        { label: "time [s]", value },
        ...plot.curves.map((curve, i) => ({
          label: plot.unit ? `${curve.name} [${plot.unit}]` : curve.name, value,
          stroke: COLOURS[i % COLOURS.length], width: 1.6, dash: i < COLOURS.length ? undefined : [6, 4],
          points: { show: times.length < 40 },
        })),
      ],
    }, [times, ...plot.curves.map((curve) => curve.values)], place);
    new ResizeObserver(() => chart.setSize({ width: width(), height: HEIGHT })).observe(card);
  };

  const plots = document.getElementById("plots");
  if (data.times.length > 1) {
    const every = data.stride > 1 ? ` Every ${data.stride}th output is drawn.` : "";
    plots.append(element("p", "Drag over a plot to zoom, double-click to see all of it, click a name under it to hide or show a curve." + every, "hint"));
    data.plots.forEach((plot) => draw(plot, data.times));
    const { times, sizes } = data.steps;
    if (new Set(sizes).size > 1) draw({ unit: "s", curves: [{ name: "step of the integrator", values: sizes }] }, times, true);
  } else {
    plots.append(element("p", "The run gave no curve to draw.", "hint"));
  }

  const tables = document.getElementById("tables");
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  const last = Object.entries(summary.final).map(([name, value], i) => [name, value === null ? "not finite" : value, data.units[i]]);
  tables.append(table(`${capital(data.columns_title)} at t = ${number(summary.end_time)} s`, last, 10));
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
  document.getElementById("foot").append(`fourbar ${data.version}`);
})();
