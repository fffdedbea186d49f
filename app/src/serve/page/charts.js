// The curves: one plot for each unit, of the outputs that are chosen; they grow while the run goes on.
import { at, element, inPrint, number, steady } from "./words.js";

// Colours that stay apart for colour-blind readers (Okabe and Ito), then two more.
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8c6d00", "#56b4e9", "#1c2430", "#7f3fbf"];
const HEIGHT = 230;
/** Curves that are shown at first. */
const FIRST = 8;

let names = [];
let units = [];
let times = [];
let columns = [];
/** Whether the last point is the present one, which the next update replaces. */
let provisional = false;
/** Outputs and inputs as they are listed, outputs that feed something first and inputs last; and the place of each. */
let order = [];
let places = [];
let cells = [];
let chosen = new Set();
let connected = new Set();
let inputs = new Set();
let plots = [];
/** Part of the time axis that is shown; null for all of it. */
let range = null;
let frozen = false;
let scheduled = false;

const colour = (i) => COLOURS[places[i] % COLOURS.length];

const value = (chart, shown) => (shown === null || shown === undefined ? "" : number(shown, 7));

const axis = (label, extra) => ({
  label, labelFont: "13px system-ui, sans-serif", font: "12px system-ui, sans-serif", labelSize: 22, stroke: "#1c2430",
  grid: { stroke: "#e8ecf0", width: 1 }, ticks: { stroke: "#c9d1da" }, ...extra,
});

const data = (curves) => [times, ...curves.map((i) => columns[i])];

/** A plot of these outputs, which share a unit. */
const plot = (unit, curves) => {
  const card = element("div", undefined, "card plot");
  card.tabIndex = 0;
  card.setAttribute("role", "img");
  card.setAttribute("aria-label", `${curves.map((i) => names[i]).join(", ")} over time`);
  const width = () => Math.max(260, card.clientWidth - 26);
  at("plots").append(card);
  const chart = new uPlot({
    width: width(), height: HEIGHT,
    scales: { x: { time: false } },
    cursor: { drag: { x: true, y: false, setScale: false }, sync: { key: "time", scales: ["x", null] } },
    axes: [
      axis("time [s]", { size: 34, values: (_, ticks) => ticks.map((tick) => number(tick, 6)) }),
      axis(unit ? `[${unit}]` : "[1]", { size: 70, values: (_, ticks) => ticks.map((tick) => number(tick, 6)) }),
    ],
    legend: { markers: { width: 0, fill: (u, i) => u.series[i].stroke(u, i) } },
    series: [
      { label: "time [s]", value },
      ...curves.map((i) => ({
        label: unit ? `${names[i]} [${unit}]` : names[i], value, stroke: colour(i), width: 1.6,
        dash: places[i] < COLOURS.length ? undefined : [6, 4], points: { show: false }, pxAlign: 0,
      })),
    ],
    hooks: {
      setSelect: [(u) => {
        const { left, width: wide } = u.select;
        if (wide > 4) show([u.posToVal(left, "x"), u.posToVal(left + wide, "x")]);
        u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
      }],
    },
  }, data(curves), card);
  chart.over.addEventListener("dblclick", () => show(null));
  card.addEventListener("keydown", (event) => moveCursor(event, chart));
  const resized = new ResizeObserver(() => chart.setSize({ width: width(), height: HEIGHT }));
  resized.observe(card);
  return { chart, curves, close: () => { resized.disconnect(); chart.destroy(); card.remove(); } };
};

const moveCursor = (event, chart) => {
  const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!way || times.length < 2) return;
  event.preventDefault();
  const { width, height } = chart.over.getBoundingClientRect();
  const now = chart.cursor.left ?? -1;
  const left = now < 0 ? width / 2 : now + way * (event.shiftKey ? 20 : 3);
  const place = { left: Math.min(Math.max(left, 0), width - 1), top: height / 2 };
  plots.forEach((one) => one.chart.setCursor(place));
};

/** Draws the plots anew: for other curves, or for another run with other outputs. */
const rebuild = () => {
  plots.forEach((one) => one.close());
  const groups = new Map();
  order.filter((i) => chosen.has(i)).forEach((i) => groups.set(units[i], [...(groups.get(units[i]) ?? []), i]));
  // Before the first values there is nothing to draw.
  plots = times.length === 0 ? [] : [...groups].map(([unit, curves]) => plot(unit, curves));
  at("plots").querySelector("p")?.remove();
  if (plots.length === 0) {
    const text = times.length === 0 ? "Start a run: its curves grow here." : "Choose a curve in the table of exchanged values.";
    at("plots").append(element("p", text, "card note"));
  }
  draw();
};

const draw = () => {
  scheduled = false;
  for (const { chart, curves } of plots) {
    chart.setData(data(curves), range === null);
    if (range) chart.setScale("x", { min: range[0], max: range[1] });
  }
  // For whoever reads the page without eyes: how many points there are, and which part of the time is shown.
  const { dataset } = at("plots");
  const whole = times.length > 1 ? times[times.length - 1] - times[0] : 1;
  dataset.points = times.length;
  dataset.span = range ? (range[1] - range[0]) / whole : 1;
};

const schedule = () => {
  if (frozen || scheduled) return;
  scheduled = true;
  requestAnimationFrame(draw);
};

/** Shows a part of the time axis in all plots, or all of it. */
const show = (wanted) => {
  range = wanted;
  draw();
};

const zoom = (factor, shift) => {
  if (times.length < 2) return;
  const [low, high] = range ?? [times[0], times[times.length - 1]];
  const middle = (low + high) / 2 + shift * (high - low), half = ((high - low) / 2) * factor;
  if (half > 0) show([middle - half, middle + half]);
};

const listValues = () => {
  cells = [];
  at("values").tBodies[0].replaceChildren(...order.map((i) => {
    const row = element("tr");
    const box = element("input");
    box.type = "checkbox";
    box.id = `curve-${i}`;
    box.checked = chosen.has(i);
    box.addEventListener("change", () => {
      if (box.checked) chosen.add(i); else chosen.delete(i);
      rebuild();
    });
    const first = element("td"), swatch = element("span", undefined, "swatch");
    swatch.style.background = colour(i);
    first.append(box, swatch);
    const second = element("td"), label = element("label");
    // A long name is broken behind a dot.
    label.append(...names[i].split(/(?<=\.)/).flatMap((part) => [part, element("wbr")]));
    label.htmlFor = box.id;
    second.append(label);
    cells[i] = element("td", "–");
    row.append(first, second, cells[i]);
    return row;
  }));
};

const showValues = (present) => {
  if (frozen) return;
  present.forEach((one, i) => { cells[i].textContent = `${steady(one)} ${units[i]}`; });
};

const setColumns = (newNames, newUnits) => {
  const same = newNames.length === names.length && newNames.every((name, i) => name === names[i]);
  [names, units] = [newNames, newUnits.map(inPrint)];
  times = [];
  columns = names.map(() => []);
  if (same) return;
  const rank = (i) => (inputs.has(names[i]) ? 2 : connected.has(names[i]) ? 0 : 1);
  order = [...names.keys()].sort((a, b) => rank(a) - rank(b) || a - b);
  places = [];
  order.forEach((i, place) => { places[i] = place; });
  chosen = new Set(order.filter((i) => rank(i) < 2).slice(0, FIRST));
  listValues();
  rebuild();
};

const append = (time, row) => {
  times.push(time);
  row.forEach((one, i) => columns[i].push(one));
};

/** Takes what is new in the shared state. */
export const take = (update) => {
  if (provisional) {
    times.pop();
    columns.forEach((column) => column.pop());
    provisional = false;
  }
  if (update.replace) setColumns(update.names, update.units);
  update.times.forEach((time, k) => append(time, update.values.slice(k * names.length, (k + 1) * names.length)));
  if (update.present.length > 0 && update.present.length === names.length && update.now !== times[times.length - 1]) {
    append(update.now, update.present);
    provisional = true;
  }
  if (plots.length === 0 && times.length > 0 && chosen.size > 0) rebuild();
  showValues(update.present);
  at("thinned").textContent = update.stride > 1 ? `Every ${update.stride}th communication point is drawn.` : "";
  schedule();
};

/** Names the outputs that feed something: of these the first are shown at first. */
export const prefer = (outputs) => { connected = new Set(outputs); };

/** Lists outputs and inputs before the first run, for curves to be chosen. */
export const list = (given, taken) => {
  const values = [...given, ...taken];
  inputs = new Set(taken.map(({ name }) => name));
  if (names.length === 0) setColumns(values.map(({ name }) => name), values.map(({ unit }) => unit));
};

/** A new run: all of it is shown. */
export const begin = () => { range = null; };

at("freeze").addEventListener("click", (event) => {
  frozen = !frozen;
  event.target.setAttribute("aria-pressed", String(frozen));
  schedule();
});
at("zoom-in").addEventListener("click", () => zoom(0.5, 0));
at("zoom-out").addEventListener("click", () => zoom(2, 0));
at("earlier").addEventListener("click", () => zoom(1, -0.25));
at("later").addEventListener("click", () => zoom(1, 0.25));
at("all").addEventListener("click", () => show(null));
rebuild();
