// The settings: fields and connections; errors are shown at the field they belong to.
import { showInputs, showParameters } from "./inputs.js";
import { at, clearErrors, element, inPrint, send, showErrors } from "./words.js";

const form = at("settings");
/** Characters of a gain or an offset that there is room for beside another. */
const SHORT = 6;
let setup = null;
/** Whether somebody has changed a field since the settings were shown. */
let dirty = false;

const fields = () => [...form.querySelectorAll("[data-field]")];

const showIterated = () => {
  const { value } = at("algorithm-field");
  for (const node of form.querySelectorAll(".iterated")) node.hidden = value !== "iterated";
  at("order-field").disabled = value === "jacobi_delayed";
};

const choice = (ends, chosen, field, label) => {
  const select = element("select");
  select.dataset.field = field;
  select.setAttribute("aria-label", label);
  const names = ends.map((end) => end.name);
  if (!names.includes(chosen)) ends = [...ends, { name: chosen, unit: "" }];
  for (const { name, unit } of ends) {
    const option = element("option", name === "" ? "choose" : inPrint(unit) ? `${name} [${inPrint(unit)}]` : name);
    option.value = name;
    select.append(option);
  }
  select.value = chosen;
  return select;
};

const showConnections = (connections) => {
  const list = at("connections");
  list.replaceChildren(...connections.map(({ from, to, gain, offset }, index) => {
    const item = element("li");
    // Numbers with many digits stand below each other, where there is room for them.
    const numbers = element("div", undefined, [gain, offset].some((text) => text.length > SHORT) ? "numbers long" : "numbers");
    const field = (part, label, value) => {
      const input = element("input");
      input.dataset.field = `connections.${index}.${part}`;
      input.setAttribute("aria-label", `${label} of connection ${index + 1}`);
      input.value = value;
      input.inputMode = "decimal";
      input.autocomplete = "off";
      numbers.append(element("span", label, "soft"), input);
    };
    field("gain", "gain", gain);
    field("offset", "offset", offset);
    const remove = element("button", "×");
    remove.type = "button";
    remove.setAttribute("aria-label", `Remove connection ${index + 1}`);
    remove.addEventListener("click", () => {
      const rows = read().connections;
      rows.splice(index, 1);
      showConnections(rows);
      changed();
    });
    item.append(
      element("span", "from", "soft"), choice(setup.outputs, from, `connections.${index}.from`, `Output of connection ${index + 1}`), remove,
      element("span", "to", "soft"), choice(setup.inputs, to, `connections.${index}.to`, `Input of connection ${index + 1}`), element("span"),
      numbers,
    );
    return item;
  }));
};

/** The form as it is sent. */
const read = () => {
  const settings = { connections: [] };
  for (const node of fields()) {
    const [name, index, part] = node.dataset.field.split(".");
    if (index === undefined) settings[name] = node.value;
    else (settings.connections[index] ??= {})[part] = node.value;
  }
  return settings;
};

const changed = () => {
  dirty = true;
  at("applied").textContent = "";
};

const showSettings = () => {
  clearErrors(form);
  for (const node of fields()) {
    const value = setup.settings[node.dataset.field];
    if (value !== undefined) node.value = value;
  }
  showConnections(setup.settings.connections);
  showIterated();
  dirty = false;
};

/** Takes the settings that are in force; what somebody has changed here and not applied stays. */
export const take = (content) => {
  setup = content;
  at("pending").hidden = !content.pending;
  if (!dirty) showSettings();
  document.body.classList.toggle("single", content.single);
  showInputs(content);
  showParameters(content);
};

/** Sends the form if it was changed; whether the settings can be used. */
export const apply = async () => {
  clearErrors(form);
  const answer = await send("settings", read());
  if (!answer.ok) {
    showErrors(form, answer.errors, answer.message);
    return false;
  }
  dirty = false;
  return true;
};

export const isDirty = () => dirty;

/** Shows what a command was refused for. */
export const refuse = ({ errors, message }) => {
  clearErrors(form);
  showErrors(form, errors ?? [], message);
};

form.addEventListener("input", () => { changed(); showIterated(); });
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  at("applied").textContent = "";
  if (await apply()) at("applied").textContent = at("pending").hidden ? "applied" : "applied from the next start on";
});
at("reset").addEventListener("click", () => { showSettings(); at("applied").textContent = ""; });
at("add").addEventListener("click", () => {
  showConnections([...read().connections, { from: "", to: "", gain: "1", offset: "0" }]);
  changed();
  at("connections").lastElementChild.querySelector("select").focus();
});
