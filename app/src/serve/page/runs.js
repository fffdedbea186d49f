// Runs before the present one, kept side by side while the page is open.
import { at, element } from "./words.js";

/** Runs that are kept; the oldest goes first. */
const MOST = 8;

let kept = [];
let changed = () => {};

/** Those that are drawn. */
export const shown = () => kept.filter((run) => run.shown);

export const onChange = (call) => { changed = call; };

const list = () => {
  at("runs-card").hidden = kept.length === 0;
  at("runs").replaceChildren(...kept.map((run) => {
    const item = element("li"), box = element("input"), label = element("label", run.label), remove = element("button", "×");
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

let count = 0;

/** Keeps a run; the newest is drawn, and those that were drawn before stay so. */
export const keep = ({ label, across, x, columns, lists }) => {
  const places = new Map(columns.map(({ name }, k) => [name, lists[k]]));
  count += 1;
  kept.push({ number: count, label, across, columns, x: () => x, column: (name) => places.get(name), shown: true });
  kept = kept.slice(-MOST);
  list();
  changed();
};
