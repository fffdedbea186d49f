// The curves: one plot for each unit, of the outputs that are chosen; they grow while the run goes on.
// Plots and their tools are those of reports: plots.js, whose names all scripts of the page see.
import { at, element, inPrint, steady } from "./words.js";
import * as memory from "./memory.js";
import * as runs from "./runs.js";

const HEIGHT = 230;
/** Curves that are shown at first. */
const FIRST = 8;

/** Columns that carry poses of bodies are not listed. */
const isHidden = (name) => name.includes("fourbar_scene_");
let hidden = [];

let names = [];
/** As they are printed, and as they came. */
let units = [];
let rawUnits = [];
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
/** What runs have in common. */
const across = { name: "time", unit: "s", log: false };
/** The run that is shown. */
const source = {
  label: "", across, x: () => times,
  get columns() { return names.map((name, i) => ({ name, unit: rawUnits[i] })).filter(({ name }) => !isHidden(name)); },
  column: (name) => columns[names.indexOf(name)],
};

/** A plot of these outputs, which share a unit. */
const plot = (unit, curves) => {
  const own = curves.map((i) => names[i]);
  const made = makePlot(at("plots"), {
    unit, names: own, source, height: HEIGHT, runs: runs.shown, zoom: (wanted) => show(wanted), colour: (name) => places[names.indexOf(name)],
  });
  made.card.setAttribute("role", "group");
  made.card.setAttribute("aria-label", `${own.join(", ")} over time`);
  return made;
};

/** Draws the plots anew: for other curves, or for another run with other outputs. */
const rebuild = () => {
  plots.forEach((one) => one.close());
  const groups = new Map();
  order.filter((i) => chosen.has(i)).forEach((i) => groups.set(rawUnits[i], [...(groups.get(rawUnits[i]) ?? []), i]));
  // Before the first values there is nothing to draw.
  plots = times.length === 0 ? [] : [...groups].map(([unit, curves]) => plot(unit, curves));
  at("plots").querySelector("p")?.remove();
  if (plots.length === 0) {
    const text = times.length === 0 ? "Start a run: its curves grow here." : "Choose a curve in the table of values.";
    at("plots").append(element("p", text, "card note"));
  }
  draw();
};

const draw = () => {
  scheduled = false;
  plots.forEach((one) => one.refresh(range));
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
  remember();
  draw();
};

const zoom = (factor, shift) => {
  if (times.length < 2) return;
  const [low, high] = range ?? [times[0], times[times.length - 1]];
  const middle = (low + high) / 2 + shift * (high - low), half = ((high - low) / 2) * factor;
  if (half > 0) show([middle - half, middle + half]);
};

/** The swatches of the table of values. */
let swatches = [];
repaints.add(() => swatches.forEach(([swatch, i]) => { swatch.style.background = colourOf(places[i]); }));

const listValues = () => {
  cells = [];
  swatches = [];
  at("values").tBodies[0].replaceChildren(...order.map((i) => {
    const row = element("tr");
    const box = element("input");
    box.type = "checkbox";
    box.id = `curve-${i}`;
    box.checked = chosen.has(i);
    box.addEventListener("change", () => {
      if (box.checked) chosen.add(i); else chosen.delete(i);
      remember();
      rebuild();
    });
    const first = element("td"), swatch = element("span", undefined, "swatch");
    swatch.style.background = colourOf(places[i]);
    swatches.push([swatch, i]);
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
  present.forEach((one, i) => { if (cells[i]) cells[i].textContent = `${steady(one)} ${units[i]}`; });
};

/** For a page that is loaded again: the list, what is chosen, and the part of time that is shown. */
const remember = () => memory.keep("curves", { order: order.map((i) => names[i]), chosen: [...chosen].map((i) => names[i]), range });

/** As it was before the page was loaded again, as far as there are outputs of these names; connections may have come and gone since. */
const recall = () => {
  const kept = memory.recall("curves");
  if (!kept) return;
  const place = (i) => { const at = kept.order.indexOf(names[i]); return at < 0 ? Infinity : at; };
  if (order.every((i) => place(i) === Infinity)) return;
  order.sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
  chosen = new Set(order.filter((i) => kept.chosen.includes(names[i])));
  ({ range } = kept);
};

const setColumns = (newNames, newUnits) => {
  const same = newNames.length === names.length && newNames.every((name, i) => name === names[i]);
  [names, units, rawUnits] = [newNames, newUnits.map(inPrint), newUnits];
  times = [];
  columns = names.map(() => []);
  hidden = columns.filter((_, i) => isHidden(names[i]));
  if (same) return;
  const rank = (i) => (inputs.has(names[i]) ? 2 : connected.has(names[i]) ? 0 : 1);
  order = [...names.keys()].filter((i) => !isHidden(names[i])).sort((a, b) => rank(a) - rank(b) || a - b);
  chosen = new Set(order.filter((i) => rank(i) < 2).slice(0, FIRST));
  recall();
  places = [];
  order.forEach((i, place) => { places[i] = place; });
  remember();
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
  if (plots.length === 0 && times.length > 0 && chosen.size > 0) {
    rebuild();
    memory.scrollBack();
  }
  showValues(update.present);
  at("thinned").textContent = update.stride > 1 ? `Every ${update.stride}th communication point is drawn.` : "";
  schedule();
};

/** Times that have come, and the columns that carry poses. */
export const timesSoFar = () => times;
export const poses = () => hidden;

/** Names the outputs that feed something: of these the first are shown at first. */
export const prefer = (outputs) => { connected = new Set(outputs); };

/** Lists outputs and inputs before the first run, for curves to be chosen. */
export const list = (given, taken) => {
  const values = [...given, ...taken];
  inputs = new Set(taken.map(({ name }) => name));
  if (names.length === 0) setColumns(values.map(({ name }) => name), values.map(({ unit }) => unit));
};

/** A new run: all of it is shown; the one before is kept under this name. */
export const begin = (label) => {
  range = null;
  remember();
  if (label && times.length > 1) runs.keep({ label, across, x: [...times], columns: source.columns, lists: columns.filter((_, i) => !isHidden(names[i])).map((column) => [...column]) });
};

runs.onChange(() => { plots.forEach((one) => one.rebuild()); draw(); });
at("view-tools").append(themeSwitch());

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
