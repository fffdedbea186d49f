// Faults and notices of the run: the newest first, repeats in one line.
import { at, element, number } from "./words.js";

/** Lines by what they repeat, and how many faults and notices there are. */
let lines = new Map();
let faults = 0;
let notices = 0;

export const clear = () => {
  [lines, faults, notices] = [new Map(), 0, 0];
  at("faults").replaceChildren();
};

// No line is cut: the list stands at whole lines, also after a drag of its edge.
for (const list of [at("faults"), at("warnings")]) {
  const whole = (length) => { const line = parseFloat(getComputedStyle(list).lineHeight); return line * Math.max(Math.round(length / line), 0); };
  list.addEventListener("scrollend", () => { if (Math.abs(list.scrollTop - whole(list.scrollTop)) > 1) list.scrollTop = whole(list.scrollTop); });
  new ResizeObserver(() => { if (list.style.height) list.style.height = `${whole(list.clientHeight)}px`; }).observe(list);
}

/** A time as it is read: 3.1 ms, 1.2 s. */
const span = (seconds) => (seconds < 1 ? `${number(1e3 * seconds, seconds < 0.1 ? 2 : 3)} ms` : `${number(seconds, 3)} s`);

/** The text without the time before it. */
const rest = (message) => message.replace(/^t = \S+ s: /, "");

/** What all repeats of an incident share: of those behind the wall clock all but how much. */
const shared = ({ message, level, handling, late }) => JSON.stringify([late === undefined ? rest(message) : "late", level, handling]);

/** One line for `count` incidents, the last of which is given; `most` is the largest lateness. */
const told = ({ message, time, late }, count, most) => {
  if (count === 1) return message;
  const last = `the last at t = ${number(time)} s`;
  if (late === undefined) return `${count} times, ${last}: ${rest(message)}`;
  const remedy = message.slice(message.indexOf("; ") + 2);
  return `${count} times behind the wall clock, at most ${span(most)}, ${last}; ${remedy}`;
};

const note = (incident) => {
  const { level, handling, late } = incident, key = shared(incident), line = lines.get(key) ?? { count: 0, most: 0, item: element("li", undefined, level) };
  line.count += 1;
  line.most = Math.max(line.most, late ?? 0);
  line.last = incident;
  if (level === "inform") notices += 1; else faults += 1;
  lines.set(key, line);
  line.text = `${level}: ${handling}`;
  return line;
};

/** Takes what has come; `lost` are those that are counted only. */
export const take = (incidents, lost) => {
  for (const line of new Set(incidents.map(note))) {
    line.item.replaceChildren(told(line.last, line.count, line.most), element("span", line.text, "handling"));
    // The newest first: it is the one that says why a run has ended.
    at("faults").prepend(line.item);
  }
  const some = (count, word) => (count === 1 ? `1 ${word}` : `${count} ${word}s`);
  const parts = [faults > 0 ? String(faults) : "none"];
  if (notices > 0) parts.push(some(notices, "notice"));
  if (lost > 0) parts.push(`${lost} more that are not listed`);
  at("fault-count").textContent = parts.join(", ");
};
