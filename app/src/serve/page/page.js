// The page: the live stream, the state, the commands, the faults.
import * as bodies from "./bodies.js";
import * as charts from "./charts.js";
import { keepInView } from "./columns.js";
import * as faults from "./faults.js";
import { differences, onRerun } from "./inputs.js";
import * as runs from "./runs.js";
import * as settings from "./settings.js";
import { at, element, number, send, steady } from "./words.js";

let revision = -1;
let run = -1;
/** The run that was shown before the connection broke. */
let broken = -1;
let state = "";

const loadSetup = async () => {
  const setup = await (await fetch("setup.json")).json();
  document.title = `${setup.name} – fourbar`;
  at("name").textContent = setup.name;
  at("name").title = setup.description;
  at("foot").textContent = `${setup.description ? setup.description + ". " : ""}fourbar ${setup.version}`;
  charts.prefer(setup.settings.connections.map(({ from }) => from));
  charts.list(setup.outputs, setup.inputs);
  settings.take(setup);
  bodies.open(setup.bodies, run);
  runs.tell(differences(setup));
};

const showState = (status) => {
  ({ state } = status);
  const badge = at("state");
  if (badge.textContent !== state) badge.textContent = state;
  badge.className = `state ${state}`;
  const end = status.end === null ? "" : ` of ${number(status.end)}`;
  at("clock").textContent = status.run > 0 ? `t = ${steady(status.time)}${end} s` : "";
  const progress = at("progress");
  progress.hidden = status.run === 0 || status.end === null;
  progress.value = status.end ? status.time / status.end : 0;
  const running = state === "running", paused = state === "paused";
  at("start").textContent = paused ? "Resume" : "Start";
  at("start").disabled = running;
  at("step").disabled = running;
  at("pause").disabled = !running;
  at("stop").disabled = !running && !paused;
  for (const id of ["csv", "json", "report"]) at(id).setAttribute("aria-disabled", String(status.run === 0));
  const failure = [status.failure, status.recording_failure].filter(Boolean).join(" ");
  at("failure").hidden = failure === "";
  at("failure").textContent = failure;
};

const showEffort = ({ statistics, pacing, wall, speed }) => {
  const rows = [
    ["simulated s per s", state === "running" && speed > 0 ? number(speed, 3) : "–"],
    ["time on the clock [s]", number(wall, 4)],
    ["communication steps", statistics.steps],
    ["steps undone", statistics.rejected],
    ["sweeps, most of a step", `${statistics.sweeps}, ${statistics.most_sweeps}`],
    ["not converged", statistics.unconverged],
    ["values held", statistics.held],
    ["faults and notices, warnings", `${statistics.faults}, ${statistics.warnings}`],
  ];
  if (pacing) {
    rows.push(["points too late", pacing.overruns], ["largest lateness [s]", number(pacing.latest, 3)], ["waited [s]", number(pacing.waited, 4)]);
  }
  at("effort").replaceChildren(...rows.map(([name, value]) => {
    const row = element("tr");
    row.append(element("td", name), element("td", String(value)));
    return row;
  }));
};

const showWarnings = ({ warnings }) => {
  at("warnings-of-run").hidden = warnings.length === 0;
  at("warnings").replaceChildren(...warnings.map((text) => element("li", text, "warn")));
};

const take = (update) => {
  if (update.status.run !== run) {
    // Of a break of the connection nothing is kept: the same run comes again.
    const before = run > 0 && update.status.run > run ? run : null;
    ({ run } = update.status);
    faults.clear();
    // After a break, and as the page comes, what is shown stays.
    if (run !== broken && broken >= 0 || before) charts.begin(before);
    broken = run;
    // The settings may be in force now that were pending.
    revision = -1;
  }
  showState(update.status);
  showEffort(update.status);
  charts.take(update);
  bodies.take();
  faults.take(update.incidents, update.lost_incidents);
  showWarnings(update.status);
  if (update.revision !== revision) {
    ({ revision } = update);
    loadSetup();
  }
};

const listen = () => {
  const events = new EventSource("events");
  events.addEventListener("message", (event) => take(JSON.parse(event.data)));
  events.addEventListener("error", () => {
    at("state").textContent = "no connection";
    at("state").className = "state lost";
    for (const id of ["start", "step", "pause", "stop"]) at(id).disabled = true;
    // What comes after a break begins from the start.
    run = -1;
  });
};

const command = async (name) => {
  // A run that is paused goes on as it is; a new one begins with what the fields say.
  const begins = (name === "start" || name === "step") && state !== "paused";
  if (begins && settings.isDirty() && !(await settings.apply())) return;
  const answer = await send("command", name);
  if (!answer.ok) settings.refuse(answer);
};

onRerun(async () => {
  if (state === "running" || state === "paused") await send("command", "stop");
  state = "stopped";
  await command("start");
});
for (const name of ["start", "pause", "step", "stop"]) at(name).addEventListener("click", () => command(name));
keepInView();
loadSetup().then(listen);
