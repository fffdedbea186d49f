// Inputs and parameters as sliders: inputs and tunable parameters hold at once, other parameters from the next start on.
import { at, clearErrors, element, inPrint, number, send, showErrors } from "./words.js";

/** Parts of a slider. */
const PARTS = 200;

let rerun = () => {};
/** Ends of the sliders; they stay while a value moves. */
const ranges = new Map();

/** The ends of a slider about `value`: from zero to twice its size; of zero from -1 to 1. Other values are typed. */
const rangeOfSlider = (name, value) => {
  const known = ranges.get(name);
  if (known && value >= known[0] && value <= known[1]) return known;
  const ends = value === 0 ? [-1, 1] : [Math.min(0, 2 * value), Math.max(0, 2 * value)];
  ranges.set(name, ends);
  return ends;
};

/** Digits that fields show; they have room for these, and the title has all. */
const DIGITS = 8;
const plain = (value, digits = DIGITS) => number(value, digits).replaceAll("\u2212", "-");

/** A slider and a field with one value; `give` is told a value as text, and says what is wrong with it. */
const slider = (field, name, unit, value, give) => {
  const label = element("label", name);
  if (inPrint(unit)) label.append(" ", element("span", `[${inPrint(unit)}]`, "unit"));
  const [bar, text] = [element("input"), element("input")];
  text.id = field;
  label.htmlFor = field;
  text.dataset.field = field;
  text.inputMode = "decimal";
  text.autocomplete = "off";
  bar.type = "range";
  bar.setAttribute("aria-label", `${name}, slider`);
  const [low, high] = rangeOfSlider(field, value);
  [bar.min, bar.max, bar.step] = [low, high, (high - low) / PARTS];
  [bar.value, text.value, text.title] = [value, plain(value), plain(value, 17)];
  bar.addEventListener("input", () => { text.value = plain(Number(bar.value)); });
  bar.addEventListener("change", () => give(text.value));
  text.addEventListener("change", () => { bar.value = text.value; give(text.value); });
  return [label, bar, text];
};

const giver = (card, path, name, then = () => {}) => async (value) => {
  clearErrors(card);
  const answer = await send(path, { name, value });
  if (answer.ok) then(); else showErrors(card, answer.errors, answer.message);
};

/** Whether somebody is at work in there: nothing is put in its place then. */
const isHeld = (place) => place.contains(document.activeElement);

export const showInputs = (setup) => {
  const fed = new Set(setup.settings.connections.map(({ to }) => to));
  const free = setup.inputs.filter(({ name }) => !fed.has(name));
  const card = at("inputs-card"), place = at("inputs");
  card.hidden = free.length === 0;
  if (isHeld(place)) return;
  place.replaceChildren(...free.flatMap(({ name, unit, start }) => {
    const give = giver(card, "input", name);
    const nodes = slider(`input.${name}`, name, unit, setup.set[name] ?? start, give);
    // It holds at once: also while it is moved.
    nodes[1].addEventListener("input", () => give(nodes[2].value));
    return nodes;
  }));
};

export const showParameters = (setup) => {
  const { parameters } = setup;
  const card = at("parameters-card"), place = at("parameters");
  card.hidden = parameters.length === 0;
  if (isHeld(place)) return;
  place.replaceChildren(...parameters.flatMap(({ name, unit, value, original, tunable }) => {
    const nodes = slider(`parameter.${name}`, shortName(setup, name), unit, value, giver(card, "parameter", name, () => {
      if (at("rerun").checked) rerun();
    }));
    nodes[0].classList.toggle("changed", value !== original);
    if (tunable) nodes[0].append(" ", element("span", "live", "unit"));
    nodes[0].title = `${number(original, 17)} in the file`;
    return nodes;
  }));
};

/** Of a model that stands alone the name of its simulator says nothing. */
const shortName = ({ single }, name) => (single ? name.replace(/^[^.]*\./, "") : name);

/** What runs have otherwise than the file, as text by their numbers. */
export const differences = ({ single, runs }) => new Map(runs.map(({ run, changes }) => [run, changes.map(([name, value]) => `${shortName({ single }, name)} = ${value}`).join(", ")]));

export const onRerun = (call) => { rerun = call; };

for (const id of ["inputs-card", "parameters-card"]) at(id).addEventListener("submit", (event) => event.preventDefault());
