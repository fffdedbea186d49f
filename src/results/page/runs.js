// Runs laid over those of the page, and plots in groups that fold.

/** A line of CSV as fields (RFC 4180). */
const fieldsOf = (line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted?.replaceAll("\"\"", "\"") ?? plain);

/** A table of results, CSV or JSON with `columns` and `rows`, as a source. */
const sourceOf = (text, label) => {
  let columns, rows;
  if (text.trimStart().startsWith("{")) ({ columns, rows } = JSON.parse(text));
  else {
    const [head, ...lines] = text.trim().split(/\r?\n/);
    columns = fieldsOf(head);
    rows = lines.map((line) => line.split(",").map(Number));
  }
  if (!Array.isArray(columns) || !Array.isArray(rows) || rows.some((row) => row.length !== columns.length)) throw new Error("no table of results");
  const [across, ...measures] = columns.map(splitUnit);
  const lists = columns.map((_, k) => rows.map((row) => row[k]));
  if (!lists[0].every((value, k) => Number.isFinite(value) && (k === 0 || value >= lists[0][k - 1]))) throw new Error(`"${across.name}" does not ascend`);
  return tableSource({ label, across, columns: measures, lists });
};

/** A source of lists: the first is the variable. */
const tableSource = ({ label = "", across, columns, lists }) => {
  const places = new Map(columns.map(({ name }, k) => [name, k + 1]));
  return { label, across: { log: false, ...across }, columns, x: () => lists[0], column: (name) => lists[places.get(name)] };
};

/** Runs that are laid over, and what tells the plots of them. */
const laidOver = [];
const allPlots = [];
const redrawAll = () => allPlots.forEach((plot) => plot.rebuild());

/** Plots of one quantity fold together. */
const groupOf = (name) => {
  const place = document.getElementById("plots");
  const known = [...place.querySelectorAll("details.group")].find((group) => group.dataset.name === name);
  if (known) return known;
  const group = element("details", undefined, "group");
  group.open = true;
  group.dataset.name = name;
  group.append(element("summary", name));
  place.append(group);
  return group;
};

/** Draws curves of a source in the group of their quantity. */
const draw = (spec, group) => {
  const plot = makePlot(groupOf(group ?? quantityOf(spec.unit)?.name ?? "Others"), { ...spec, runs: () => laidOver });
  allPlots.push(plot);
  return plot;
};

/** The tools of the page: lay a run over, fold, light and dark. */
const pageTools = () => {
  const node = element("div", undefined, "page-tools");
  const label = element("label", "Lay a run over\u2026", "button");
  const file = element("input");
  [file.type, file.accept, file.id] = ["file", ".csv,.json", "lay-over"];
  const note = element("span", undefined, "hint");
  note.setAttribute("role", "status");
  const list = element("span", undefined, "laid");
  label.append(file);
  const show = () => {
    list.replaceChildren(...laidOver.map((run) => {
      const button = element("button", `${run.label} \u00d7`);
      button.type = "button";
      button.title = "Take this run away";
      button.addEventListener("click", () => { laidOver.splice(laidOver.indexOf(run), 1); show(); });
      return button;
    }));
    redrawAll();
  };
  file.addEventListener("change", async () => {
    note.textContent = "";
    for (const one of file.files) {
      try {
        const run = sourceOf(await one.text(), one.name.replace(/\.(csv|json)$/i, ""));
        // The same file again takes the place of the one before.
        const known = laidOver.findIndex(({ label }) => label === run.label);
        laidOver.splice(known < 0 ? laidOver.length : known, 1, run);
      } catch (error) {
        note.textContent = `${one.name}: ${error.message}`;
      }
    }
    file.value = "";
    show();
  });
  const fold = element("button", "Fold all");
  fold.type = "button";
  fold.id = "fold";
  fold.addEventListener("click", () => {
    const groups = [...document.querySelectorAll("details.group")], open = groups.some((group) => group.open);
    groups.forEach((group) => { group.open = !open; });
    fold.textContent = open ? "Unfold all" : "Fold all";
  });
  node.append(label, list, fold, themeSwitch(), note);
  return node;
};
