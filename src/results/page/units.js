// Units of axes: the one list of quantities, of what each is measured in, and how large that is in SI.

/** Values that differ by less than this part of them are the same: pages carry seven digits. */
const SAME = 1e-6;

/** Name of the quantity; units with their sizes, ascending; those behind `also` are never chosen by themselves. */
const QUANTITIES = [
  ["Length", [["\u00b5m", 1e-6], ["mm", 1e-3], ["m", 1], ["km", 1e3]]],
  ["Speed", [["mm/s", 1e-3], ["m/s", 1]], [["km/h", 1 / 3.6]]],
  ["Acceleration", [["m/s^2", 1]], [["mm/s^2", 1e-3]]],
  ["Angle", [["rad", 1]], [["deg", Math.PI / 180]]],
  ["Angular velocity", [["rad/s", 1]], [["1/min", Math.PI / 30], ["deg/s", Math.PI / 180]]],
  ["Angular acceleration", [["rad/s^2", 1]]],
  ["Force", [["mN", 1e-3], ["N", 1], ["kN", 1e3], ["MN", 1e6]]],
  ["Torque", [["mN m", 1e-3], ["N m", 1], ["kN m", 1e3], ["MN m", 1e6]], [["N mm", 1e-3]]],
  ["Pressure", [["Pa", 1], ["kPa", 1e3], ["bar", 1e5]], [["MPa", 1e6]]],
  ["Volume", [["mm^3", 1e-9], ["cm^3", 1e-6], ["L", 1e-3], ["m^3", 1]]],
  ["Flow", [["cm^3/min", 1e-6 / 60], ["L/min", 1e-3 / 60], ["m^3/s", 1]]],
  ["Energy", [["mJ", 1e-3], ["J", 1], ["kJ", 1e3], ["MJ", 1e6]]],
  ["Power", [["mW", 1e-3], ["W", 1], ["kW", 1e3], ["MW", 1e6]]],
  ["Mass", [["g", 1e-3], ["kg", 1], ["t", 1e3]]],
  ["Time", [["\u00b5s", 1e-6], ["ms", 1e-3], ["s", 1]], [["min", 60], ["h", 3600]]],
  ["Frequency", [["mHz", 1e-3], ["Hz", 1], ["kHz", 1e3]]],
  ["Impulse", [["N s", 1]]],
  ["Ratio", [["", 1]], [["%", 0.01]]],
].map(([name, units, also = []]) => ({ name, units, also }));

const quantityOf = (unit) => {
  const wanted = plainUnit(unit);
  return QUANTITIES.find(({ units, also }) => [...units, ...also].some(([name]) => name === wanted));
};

/** The units in which something measured in `unit` can be shown: name, and factor from `unit`. */
const unitsFor = (unit) => {
  const quantity = quantityOf(unit);
  if (!quantity) return [[unit, 1]];
  const all = [...quantity.units, ...quantity.also];
  const own = all.find(([name]) => name === plainUnit(unit))[1];
  return all.map(([name, size]) => [name, own / size]);
};

/** The unit that suits values up to `largest`, measured in `unit`: the largest of which that is at least one. */
const suitable = (unit, largest) => {
  const quantity = quantityOf(unit);
  if (!quantity || !(largest > 0) || !quantity.units.some(([name]) => name === plainUnit(unit))) return plainUnit(unit);
  const factors = new Map(unitsFor(unit));
  // A thousandth less: what reaches one in figures of a plot counts as one.
  const fits = quantity.units.filter(([name]) => largest * factors.get(name) >= 0.999);
  // Noise about zero is no reason for thousandths.
  if (fits.length === 0) return largest < 1e-9 ? plainUnit(unit) : quantity.units[0][0];
  return fits[fits.length - 1][0];
};

/**
 * The unit `name`, or a smaller one where values differ by less than a hundredth of it and have no more than six digits before the point in the smaller:
 * what goes to and fro by millimetres far away is not told in kilometres. Values that stay the same have no say.
 */
const resolving = (unit, name, largest, span) => {
  const names = quantityOf(unit)?.units.map(([one]) => one) ?? [], factors = new Map(unitsFor(unit));
  // Values below one of the unit are small themselves.
  if (!(span > SAME * largest && largest * factors.get(name) >= 0.999)) return name;
  let at = names.indexOf(name);
  while (at > 0 && span * factors.get(names[at]) < 0.01 && largest * factors.get(names[at - 1]) < 1e6) at -= 1;
  return names[at] ?? name;
};

/** The unit `chosen`, or else the one that suits values up to `largest` that differ by `span`, with its factor from `unit`. */
const shownUnit = (unit, largest, chosen, span = largest) => {
  const wanted = chosen ?? resolving(unit, suitable(unit, largest), largest, span), [name, factor] = unitsFor(unit).find(([one]) => one === wanted) ?? [unit, 1];
  return { unit: name, factor };
};

/** A value without what is no more than round-off. */
const withoutNoise = (value, noise) => (Math.abs(value) <= noise ? 0 : value);

const RAISED = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b", LEVEL = "0123456789-";
const exchanged = (text, from, to) => [...text].map((one) => to[from.indexOf(one)]).join("");

/** A unit in the one spelling that it has here, whatever a model writes: `m^3/s`, `N m`, `deg`, nothing for one. */
const plainUnit = (unit) => {
  const text = unit.replace(new RegExp(`[${RAISED}]+`, "g"), (powers) => `^${exchanged(powers, RAISED, LEVEL)}`);
  return text === "1" ? "" : text.replace(/[*\u00b7\u22c5]/g, " ").replace(/\u00b0(?![CF])/g, "deg");
};

/** A unit as it is printed. */
const printedUnit = (unit) => {
  const text = plainUnit(unit).replace(/\^(-?\d+)(?![\d.])/g, (_, power) => exchanged(power, LEVEL, RAISED));
  return text.replace(/\bdeg\b/g, "\u00b0");
};

/** A name with its unit. */
const withUnit = (name, unit) => (printedUnit(unit) ? `${name} [${printedUnit(unit)}]` : name);

/** `angle [rad]` as name and unit. */
const splitUnit = (heading) => {
  const found = /^(.*) \[([^\]]*)\]$/.exec(heading);
  return found ? { name: found[1], unit: found[2] } : { name: heading, unit: "" };
};

const largestOf = (values) => values.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0);

/** By how much the finite values of lists differ at most. */
const spanOf = (lists) => {
  let [low, high] = [Infinity, -Infinity];
  for (const list of lists) {
    for (const value of list) {
      if (!Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return Math.max(0, high - low);
};
