// Numbers, elements, errors at fields.

/** An element with this text and class. */
export const element = (tag, text, className) => {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  if (className) node.className = className;
  return node;
};

export const at = (id) => document.getElementById(id);

/** A number with at most `digits` significant digits, plain where that is short. */
export const number = (value, digits = 6) => {
  if (typeof value !== "number") return "–";
  const size = Math.abs(value);
  const plain = size === 0 || (size >= 1e-3 && size < 1e7);
  const [mantissa, exponent] = (plain ? value.toPrecision(digits) : value.toExponential(digits - 1)).split("e");
  const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return (exponent === undefined ? short : `${short}e${Number(exponent)}`).replaceAll("-", "\u2212");
};

/** A number that keeps its digits, so that it does not flicker. */
export const steady = (value, digits = 6) => {
  if (typeof value !== "number") return "–";
  const size = Math.abs(value);
  const text = size === 0 || (size >= 1e-3 && size < 1e6) ? value.toPrecision(digits) : value.toExponential(digits - 1);
  return text.replace("e+", "e").replaceAll("-", "\u2212");
};

/** A unit as it is printed, in plots and everywhere else. */
export const inPrint = printedUnit;

/** Sends JSON; the answer with `ok`, or with `errors` at fields and a `message`. */
export const send = async (path, content) => {
  try {
    const response = await fetch(path, {
      method: "POST", headers: { "Content-Type": "application/json", "X-Fourbar-Page": "1" }, body: JSON.stringify(content),
    });
    const text = await response.text();
    const json = (response.headers.get("Content-Type") ?? "").startsWith("application/json");
    const answer = json ? JSON.parse(text) : { errors: [], message: text };
    // What is refused comes with the reason; by its status alone, a browser would log it as a fault of the page.
    return { ok: response.ok && answer.errors.length === 0 && answer.message === "", ...answer };
  } catch {
    return { ok: false, errors: [], message: "fourbar does not answer; has it been ended?" };
  }
};

/** Takes away the errors that are shown in a form. */
export const clearErrors = (place) => {
  for (const node of place.querySelectorAll("p.field-error")) if (node.id === "general") node.hidden = true; else node.remove();
  for (const node of place.querySelectorAll("[aria-invalid]")) {
    node.removeAttribute("aria-invalid");
    node.removeAttribute("aria-describedby");
  }
};

/** Shows errors at their fields; what has no field goes to the end of the form. */
export const showErrors = (place, errors, message) => {
  const rest = [];
  for (const { field, message: text } of errors) {
    const node = [...place.querySelectorAll("[data-field]")].find((one) => one.dataset.field === field);
    if (!node) { rest.push(text); continue; }
    const note = element("p", text, "field-error");
    note.id = `error-${field}`;
    note.setAttribute("role", "alert");
    node.setAttribute("aria-invalid", "true");
    node.setAttribute("aria-describedby", note.id);
    (node.closest(".numbers") ?? node).after(note);
  }
  if (errors.length === 0 && message) rest.push(message);
  const general = at("general");
  general.textContent = rest.join(" ");
  general.hidden = rest.length === 0;
  place.querySelector("[aria-invalid]")?.focus();
};
