// The curves of the outputs that are chosen, in plots by unit and magnitude as in reports; they grow while the run goes on.
// Plots and their tools are those of reports: plots.js, whose names all scripts of the page see.
import { at, element, number, steady } from "./words.js";
import * as memory from "./memory.js";
import * as runs from "./runs.js";

const HEIGHT = 230;
/** Curves that are shown at first. */
const FIRST = 8;

/** Columns that carry poses of bodies are not listed. */
const isHidden = (name) => name.includes("fourbar_scene_");
let hidden = [];

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
/** Columns that share a plot, and of each the size of values that are round-off. */
let groups = [];
let noise = [];
/** Largest size of each column so far. */
let largest = [];
/** Whether each column has been whole numbers without a unit so far: then it counts something. */
let counts = [];
/** Part of the time axis that is shown; null for all of it. */
let range = null;
let frozen = false;
let scheduled = false;
/** What runs have in common. */
const across = { name: "time", unit: "s", log: false };
/** The run that is shown. */
const source = {
  label: "", across, x: () => times,
  get columns() { return names.map((name, i) => ({ name, unit: units[i] })).filter(({ name }) => !isHidden(name)); },
  column: (name) => columns[names.indexOf(name)],
};

/** A plot of these outputs, which share a unit. */
const plot = (curves) => {
  const own = curves.map((i) => names[i]);
  const made = makePlot(at("plots"), {
    unit: units[curves[0]], names: own, source, height: HEIGHT, runs: runs.shown, zoom: (wanted) => show(wanted),
    colour: (name) => places[names.indexOf(name)], noise: (name) => noise[names.indexOf(name)] ?? 0,
  });
  made.card.setAttribute("role", "group");
  made.card.setAttribute("aria-label", `${own.join(", ")} over time`);
  return { ...made, curves };
};

/** Draws the plots anew: for other curves, other groups, or for another run with other outputs. Those that stay the same stay. */
const rebuild = (all = false) => {
  const listed = order.filter((i) => chosen.has(i));
  const wanted = groups.map((group) => listed.filter((i) => group.includes(i))).filter((curves) => curves.length > 0);
  wanted.sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  // Before the first values there is nothing to draw.
  const next = times.length === 0 ? [] : wanted;
  const isSame = ({ curves }) => !all && next.some((one) => one.join() === curves.join());
  plots.filter((one) => !isSame(one)).forEach((one) => one.close());
  const kept = plots.filter(isSame);
  plots = next.map((curves) => kept.find((one) => one.curves.join() === curves.join()) ?? plot(curves));
  at("plots").querySelector("p")?.remove();
  plots.forEach(({ card }, k) => { if (at("plots").children[k] !== card) at("plots").insertBefore(card, at("plots").children[k]); });
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
const paint = ([swatch, i]) => { swatch.style.background = swatchOf(colourOf(places[i]), dashOf(places[i])); };
repaints.add(() => swatches.forEach(paint));

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
    swatches.push([swatch, i]);
    paint([swatch, i]);
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

/** In which unit each column is shown: that of its plot; else the one that suits its group. */
const shownUnits = () => {
  const found = [];
  for (const group of groups) {
    const shown = shownUnit(units[group[0]], Math.max(...group.map((i) => largest[i])));
    for (const i of group) found[i] = shown;
  }
  for (const one of plots) for (const i of one.curves) found[i] = one.unit();
  return found;
};

const showValues = (present) => {
  if (frozen) return;
  const shown = shownUnits();
  present.forEach((one, i) => {
    if (!cells[i]) return;
    const { unit, factor } = shown[i] ?? { unit: units[i], factor: 1 };
    const value = typeof one === "number" ? withoutNoise(one, noise[i]) * factor : one;
    cells[i].textContent = `${(counts[i] ? number : steady)(value)} ${printedUnit(unit)}`;
  });
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
  [names, units] = [newNames, newUnits];
  times = [];
  largest = names.map(() => 0);
  counts = units.map((unit) => plainUnit(unit) === "");
  columns = names.map(() => []);
  hidden = columns.filter((_, i) => isHidden(names[i]));
  if (same) return;
  groups = [];
  const rank = (i) => (inputs.has(names[i]) ? 2 : connected.has(names[i]) ? 0 : 1);
  order = [...names.keys()].filter((i) => !isHidden(names[i])).sort((a, b) => rank(a) - rank(b) || a - b);
  chosen = new Set(order.filter((i) => rank(i) < 2).slice(0, FIRST));
  recall();
  places = [];
  order.forEach((i, place) => { places[i] = place; });
  remember();
  listValues();
  rebuild(true);
};

const append = (time, row) => {
  times.push(time);
  row.forEach((one, i) => {
    columns[i].push(one);
    if (Math.abs(one) > largest[i]) largest[i] = Math.abs(one);
    counts[i] &&= one === null || Number.isInteger(one);
  });
};

/** Other groups; whether they are. */
const regroup = (told) => {
  const before = JSON.stringify(groups);
  groups = told.map((group) => group.columns);
  told.forEach((group) => group.columns.forEach((i, k) => { noise[i] = group.noise[k]; }));
  return JSON.stringify(groups) !== before;
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
  const isRegrouped = update.groups && regroup(update.groups);
  if (isRegrouped && plots.length > 0 && !frozen) rebuild();
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

/** A new run: all of it is shown; the one before is kept with its number. */
export const begin = (number) => {
  range = null;
  remember();
  if (number && times.length > 1) runs.keep({ number, across, x: [...times], columns: source.columns, lists: columns.filter((_, i) => !isHidden(names[i])).map((column) => [...column]) });
};

runs.onChange(() => { plots.forEach((one) => one.rebuild()); draw(); });
at("view-tools").append(themeSwitch());

at("freeze").addEventListener("click", (event) => {
  frozen = !frozen;
  event.target.setAttribute("aria-pressed", String(frozen));
  if (!frozen) rebuild();
});
at("zoom-in").addEventListener("click", () => zoom(0.5, 0));
at("zoom-out").addEventListener("click", () => zoom(2, 0));
at("earlier").addEventListener("click", () => zoom(1, -0.25));
at("later").addEventListener("click", () => zoom(1, 0.25));
at("all").addEventListener("click", () => show(null));
rebuild();
