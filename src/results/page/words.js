"use strict";
// Elements, names and numbers.

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

/** A number beside an axis, where there is little room. */
const tick = (value) => {
  const text = number(value, 6);
  if (text.length <= 7) return text;
  const [mantissa, exponent] = value.toExponential(5).split("e");
  return `${mantissa.replace(/\.?0+$/, "")}e${Number(exponent)}`.replaceAll("-", "\u2212");
};

/** 2nd, 3rd, 11th. */
const ordinal = (count) => `${count}${(Math.floor(count / 10) % 10 === 1 ? null : [null, "st", "nd", "rd"][count % 10]) ?? "th"}`;
