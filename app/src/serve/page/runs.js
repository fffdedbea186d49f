// Runs before the present one, kept side by side while the page is open.
import { at, element } from "./words.js";

/** Runs that are kept; the oldest goes first. */
const MOST = 8;

let kept = [];
let changed = () => {};

/** Those that are drawn. */
export const shown = () => kept.filter((run) => run.shown);

export const onChange = (call) => { changed = call; };

/** What runs have otherwise than the file, by their numbers. */
let told = new Map();
const othersOf = ({ number }) => told.get(number) ?? "";
const textOf = (run) => [run.label, othersOf(run)].filter(Boolean).join(": ");

const list = () => {
  at("runs-card").hidden = kept.length === 0;
  at("runs").replaceChildren(...kept.map((run) => {
    const item = element("li"), box = element("input"), remove = element("button", "×");
    const label = element("label", textOf(run));
    box.type = "checkbox";
    box.id = `run-${run.number}`;
    box.checked = run.shown;
    label.htmlFor = box.id;
    box.addEventListener("change", () => { run.shown = box.checked; changed(); });
    remove.type = "button";
    remove.setAttribute("aria-label", `Forget ${run.label}`);
    remove.addEventListener("click", () => { kept = kept.filter((other) => other !== run); list(); changed(); });
    item.append(box, label, remove);
    return item;
  }));
};

/** Names the runs after what they have otherwise; of those that the server has forgotten what was told before stays. */
export const tell = (differences) => {
  const before = kept.map(textOf).join();
  told = new Map([...told, ...differences]);
  if (kept.map(textOf).join() !== before) list();
};

/** Whether one run is the beginning of the other, or all of it. */
const isPartOf = (part, whole) => {
  const has = ({ name }) => whole.column(name) && part.column(name).every((value, k) => value === whole.column(name)[k]);
  return othersOf(part) === othersOf(whole) && part.x().every((time, k) => time === whole.x()[k]) && part.columns.every(has);
};

/** Keeps a run; the newest is drawn, and those that were drawn before stay so. A run that shows nothing but what another one shows is left out. */
export const keep = ({ number, across, x, columns, lists }) => {
  const places = new Map(columns.map(({ name }, k) => [name, lists[k]]));
  const run = { number, label: `run ${number}`, across, columns, x: () => x, column: (name) => places.get(name), shown: true };
  kept = kept.filter((other) => !isPartOf(other, run));
  if (!kept.some((other) => isPartOf(run, other))) kept.push(run);
  kept = kept.slice(-MOST);
  list();
  changed();
};
