"use strict";
// What the pages of runs and of analyses share: numbers, tables, curves.
const data = JSON.parse(document.getElementById("data").textContent);
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

const axisLabel = (plot) => {
  const names = plot.curves.map((curve) => curve.name);
  const name = names.length === 1 ? names[0] : names.length <= 3 ? names.join(", ") : "";
  const unit = plot.unit ? `[${plot.unit}]` : "[1]";
  // A longer one does not fit the height of a plot; the legend names the curves anyway.
  return name && name.length <= 30 ? `${name} ${unit}` : unit;
};

/** Room beside an axis for its longest tick, of 8 pixels a character. */
const room = (chart, ticks) => Math.max(76, 20 + 8 * Math.max(0, ...(ticks ?? []).map((text) => text.length)));

/** Draws the curves of `plot` over `times`, on a logarithmic axis if `log`; over something else as `across` says. */
const draw = (plot, times, log = false, across = { label: "time [s]", log: false }) => {
  const card = element("div", undefined, "card");
  if (plot.title) card.append(element("h2", plot.title));
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
    scales: { x: { time: false, ...(across.log ? { distr: 3 } : {}) }, y: log ? { distr: 3 } : {} },
    cursor: { drag: { x: true, y: true, uni: 20 }, sync: { key: across.label, scales: ["x", null] } },
    axes: [
      axis(across.label, { values: (chart, ticks) => ticks.map((value) => (value === null ? "" : tick(value))) }),
      axis(axisLabel(plot), { size: room, values: (chart, ticks) => ticks.map((value) => (value === null ? "" : tick(value))) }),
    ],
    legend: { markers: { width: 0, fill: (chart, i) => chart.series[i].stroke(chart, i) } },
    series: [
      { label: across.label, value },
      ...plot.curves.map((curve, i) => ({
        label: plot.unit ? `${curve.name} [${plot.unit}]` : curve.name, value,
        stroke: COLOURS[i % COLOURS.length], width: 1.6, dash: i < COLOURS.length ? undefined : [6, 4],
        points: { show: times.length < 40 },
      })),
    ],
  }, [times, ...plot.curves.map((curve) => curve.values)], place);
  new ResizeObserver(() => chart.setSize({ width: width(), height: HEIGHT })).observe(card);
};

