// The view of bodies in motion with its controls: play, speed, scrub, turn, follow, traces, arrows.

/** Kinds of things that are shown at first; the others can be switched on. */
const SHOWN_FIRST = new Set(["bodies", "ground", "joints", "springs"]);
/** In this order they are listed, of those that a scene has; the live page has no forces of contacts, which come between its points. */
const LISTED = ["bodies", "ground", "joints", "springs", "markers", "forces", "reactions", "contacts"];
const KEYS = "Drag to turn, right-drag or two fingers to move, wheel to zoom once it is clicked. Keys: space, arrows, shift and arrows, + and \u2212, F.";
/** Turn of a key [rad], and zoom of one. */
const KEY_TURN = 0.12, KEY_ZOOM = 1.15;

const canDraw = () => {
  const context = document.createElement("canvas").getContext("webgl2");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
};

/** A value with its unit, in the one that suits it. */
const inUnit = (value, unit) => {
  const chosen = suitable(unit, value), [, factor] = unitsFor(unit).find(([name]) => name === chosen) ?? [unit, 1];
  return `${number(value * factor, 3)} ${printedUnit(chosen)}`;
};

const buttonOf = (text, id, label, act) => {
  const button = element("button", text);
  [button.type, button.id, button.title] = ["button", id, label];
  button.setAttribute("aria-label", label);
  button.addEventListener("click", act);
  return button;
};

const checkOf = (text, id, on, act) => {
  const label = element("label", undefined, "check"), box = element("input");
  [box.type, box.id, box.checked] = ["checkbox", id, on];
  box.addEventListener("change", () => act(box.checked));
  label.append(box, text);
  return label;
};

/** Where nothing can be drawn in 3-D: a picture. */
const showStill = (place, still) => {
  const picture = element("img", undefined, "still");
  picture.alt = "The machine at the start";
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(still)}`;
  place.append(picture, element("p", "This browser draws nothing in 3-D (WebGL 2): a picture of the start.", "hint"));
};

/** The row below the picture: play, scrub, time, speed; events where there are some. */
const playBar = (player, { span, events, print }) => {
  const bar = element("div", undefined, "view-bar");
  const play = buttonOf("\u25b6", "view-play", "Play", () => (player.playing ? player.pause() : player.play()));
  const scrub = element("input"), time = element("output", "", "view-time");
  [scrub.type, scrub.id, scrub.step] = ["range", "view-scrub", "any"];
  scrub.setAttribute("aria-label", "Time");
  scrub.addEventListener("input", () => { player.pause(); timeCursor.set(Number(scrub.value), scrub); });
  const speed = choiceOf("Speed, simulated seconds a second", SPEEDS.map((one) => [one, `${one < 1 ? `1/${Math.round(1 / one)}` : one} \u00d7`]));
  speed.id = "view-speed";
  speed.addEventListener("change", () => { player.speed = Number(speed.value); });
  bar.append(play);
  const jump = (way) => () => {
    const left = events.filter((one) => way * (one - timeCursor.at) > 1e-9 * (span()[1] - span()[0]));
    player.pause();
    if (left.length > 0) timeCursor.set(way > 0 ? Math.min(...left) : Math.max(...left), bar);
  };
  if (events.length > 0) bar.append(buttonOf("\u25c2!", "view-event-before", "Event before", jump(-1)), buttonOf("!\u25b8", "view-event-after", "Event after", jump(1)));
  bar.append(scrub, time, speed);
  const tell = () => {
    play.textContent = player.playing ? "\u275a\u275a" : "\u25b6";
    play.title = player.playing ? "Pause" : "Play";
    play.setAttribute("aria-label", play.title);
  };
  /** Another span, or another speed. */
  const take = () => {
    [scrub.min, scrub.max] = span();
    scrub.value = timeCursor.at ?? scrub.min;
    speed.value = player.speed;
  };
  const show = (at) => {
    if (document.activeElement !== scrub || player.playing) scrub.value = at;
    time.textContent = print(at);
  };
  return { bar, tell, take, show };
};

/** A dash in a colour. */
const arrowSwatch = (colour) => {
  const dash = element("i", undefined, "view-swatch");
  dash.style.background = colour;
  return dash;
};

/** What is shown: kinds of things, and what the longest arrows stand for; `switched` is called once other arrows are shown. */
const groupChecks = (stage, changed, switched) => {
  const node = element("fieldset", undefined, "view-groups"), legend = element("div", undefined, "view-legend");
  node.append(element("legend", "Show"));
  const shown = new Set([...stage.groups.keys()].filter((group) => SHOWN_FIRST.has(group)));
  const show = () => {
    stage.groups.forEach((_, group) => stage.setShown(group, shown.has(group)));
    legend.replaceChildren(...Object.entries(ARROWS).filter(([group]) => shown.has(group)).flatMap(([group, name]) => {
      const { newton_per_metre: force, newton_metre_per_metre: torque, color, torque_color: other } = stage.told.arrows?.[group] ?? {};
      const longest = (value, unit, what, [r, g, b]) => {
        if (!(value > 0)) return [];
        const line = element("span");
        line.append(arrowSwatch(`rgb(${r}, ${g}, ${b})`), `longest ${what}: ${inUnit(value * stage.told.arrow, unit)}`);
        return [line];
      };
      return [...longest(force, "N", name, color), ...longest(torque, "N m", `torque of ${group}`, other)];
    }));
    changed();
  };
  const rank = (group) => (LISTED.indexOf(group) + LISTED.length + 1) % (LISTED.length + 1);
  for (const group of [...stage.groups.keys()].sort((a, b) => rank(a) - rank(b))) {
    const check = checkOf(group, `view-show-${group}`, shown.has(group), (on) => {
      if (on) shown.add(group); else shown.delete(group);
      show();
      if (group in ARROWS) switched();
    });
    // Arrows in their colours: of forces, and of torques.
    if (group in ARROWS) check.append(...stage.coloursOf(group).map(arrowSwatch));
    node.append(check);
  }
  show();
  return { node, legend, show };
};

/** Follow a body, and the traces of points. */
const bodyTools = (stage, traces, changed, camera) => {
  const names = [...stage.bodies].map(([name, node]) => [name, node.userData.name ?? name]);
  const follow = choiceOf("Body that the camera follows", [["", "follow no body"], ...names.map(([name, text]) => [name, `follow ${text}`])]);
  follow.id = "view-follow";
  follow.addEventListener("change", () => { camera.hold(); stage.follow(follow.value); changed(); });
  const trace = choiceOf("Trace of a body's origin, or of a joint or corner where that stands still; click on a body for that of another point", [["", "add a trace \u2026"], ...names]);
  trace.id = "view-trace";
  const list = element("span", undefined, "laid");
  const show = () => {
    list.replaceChildren(...traces.traces.map((one) => {
      const button = buttonOf(`${stage.bodies.get(one.name).userData.name ?? one.name} \u00d7`, "", "Take this trace away", () => { traces.remove(one); show(); });
      button.style.borderColor = colourOf(one.k);
      return button;
    }));
    traces.show(stage.now());
    changed();
  };
  const add = (name, point) => { if (traces.add(name, point)) show(); };
  trace.addEventListener("change", () => { add(trace.value, traces.pointOf(trace.value)); trace.value = ""; });
  repaints.add(() => { traces.repaint(); show(); });
  const goWith = (name) => { follow.value = name; stage.follow(name); };
  return { nodes: [follow, trace, list], add, goWith };
};

/** Keys and clicks in the picture. */
const listen = (canvas, stage, player, { add, changed, step, camera }) => {
  const turn = (aside, up) => { camera.turned(); stage.turn(aside, up); }, zoom = (factor) => { camera.hold(); stage.turn(0, 0, factor); };
  const acts = {
    " ": () => (player.playing ? player.pause() : player.play()),
    ArrowLeft: (shift) => (shift ? turn(-KEY_TURN, 0) : step(-1)), ArrowRight: (shift) => (shift ? turn(KEY_TURN, 0) : step(1)),
    ArrowUp: (shift) => shift && turn(0, KEY_TURN), ArrowDown: (shift) => shift && turn(0, -KEY_TURN),
    "+": () => zoom(1 / KEY_ZOOM), "-": () => zoom(KEY_ZOOM), f: () => camera.fit(), Home: () => step(-Infinity), End: () => step(Infinity),
  };
  canvas.addEventListener("keydown", (event) => {
    const act = acts[event.key] ?? acts[event.key.toLowerCase()];
    if (!act || event.ctrlKey || event.metaKey || event.altKey || act(event.shiftKey) === false) return;
    event.preventDefault();
    changed();
  });
  let from = null;
  canvas.addEventListener("pointerdown", ({ offsetX, offsetY }) => { from = [offsetX, offsetY]; canvas.focus({ preventScroll: true }); });
  canvas.addEventListener("click", ({ offsetX, offsetY }) => {
    // A drag is none.
    if (!from || Math.hypot(offsetX - from[0], offsetY - from[1]) > 4) return;
    const hit = stage.pick(2 * offsetX / canvas.clientWidth - 1, 1 - 2 * offsetY / canvas.clientHeight);
    if (hit) add(hit.body, hit.point);
  });
  // A page that is scrolled shall not zoom what comes under the mouse.
  stage.controls.enableZoom = false;
  canvas.addEventListener("focus", () => { stage.controls.enableZoom = true; });
  canvas.addEventListener("blur", () => { stage.controls.enableZoom = false; });
  stage.controls.addEventListener("change", changed);
};

/**
 * Shows the bodies of a glTF file (`bytes`) in `place`. `still` is a picture for browsers without WebGL; `events` are times [s] around which the player
 * may be slow; `modes` move the bodies one at a time; `load` brings three.js;
 * `drive` moves the bodies where the file has no animation.
 */
const makeView = async (place, { bytes, still, stride = 1, modes = [], events = [], load, drive }) => {
  place.classList.add("card", "view3d");
  place.hidden = false;
  if (!canDraw()) return showStill(place, still);
  await load();
  const gltf = await readScene(bytes);
  const canvas = element("canvas"), frame = element("div", undefined, "view-frame");
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `The machine in motion. ${KEYS}`);
  frame.append(canvas);
  const shapes = modes.length > 0 ? makeModes(modes) : null;
  const stage = makeStage(canvas, gltf, shapes?.drive ?? drive);
  const camera = makeCameraman(stage);
  let wanted = false;
  const changed = () => {
    if (wanted) return;
    wanted = true;
    requestAnimationFrame((time) => {
      wanted = false;
      const goesOn = camera.frame(time, (lead) => bodies.goWith(lead));
      stage.draw();
      if (goesOn) changed();
    });
  };
  const paint = () => { stage.paint(theme()); changed(); };
  paint();
  repaints.add(paint);
  const span = () => stage.span();
  const traces = makeTraces(stage, (k) => colourOf(k));
  const player = makePlayer({ span, events, repeats: () => shapes !== null, tell: () => controls.tell() });
  const controls = playBar(player, { span, events, print: shapes?.phase ?? ((at) => `${number(at, 4)} s`) });
  player.speed = stage.driver ? 1 : firstSpeed(span()[1] - span()[0]);
  controls.take();
  const tools = element("div", undefined, "tools view-tools");
  const checks = groupChecks(stage, changed, () => camera.refit()), bodies = bodyTools(stage, traces, changed, camera);
  tools.append(buttonOf("Fit", "view-fit", "All in the picture", () => { camera.fit(); changed(); }));
  tools.append(buttonOf("First look", "view-first", "As it was seen at first", () => { camera.first(); changed(); }), ...bodies.nodes);
  if (events.length > 0) tools.append(checkOf("slow at events", "view-slow", false, (on) => { player.slow = on; }));
  tools.append(checks.node);
  frame.append(checks.legend);
  const chosen = shapes?.controls((isOther) => {
    if (isOther) timeCursor.set(span()[0], chosen);
    traces.renew();
    show(timeCursor.at);
  });
  if (chosen) tools.prepend(...chosen.nodes);
  // As flat as what is seen, within the bounds of the style.
  frame.style.setProperty("--aspect", stage.aspectFrom(stage.first()).toFixed(3));
  place.append(frame);
  if (stage.clip || stage.driver) place.append(controls.bar);
  if (chosen) place.append(chosen.told);
  place.append(tools, element("p", KEYS + (stride > 1 ? ` Every ${ordinal(stride)} output is shown.` : ""), "hint"));
  const show = (at) => {
    stage.show(at);
    traces.show(at);
    controls.show(at);
    changed();
  };
  const step = (ways) => {
    const times = stage.times(), [from, to] = span();
    const now = times.findIndex((one) => one >= stage.now() - 1e-9 * (to - from));
    player.pause();
    timeCursor.set(Math.min(Math.max(times[Math.min(Math.max(now + ways, 0), times.length - 1)], from), to), canvas);
  };
  const lead = stage.lead();
  if (lead !== null) bodies.goWith(lead);
  listen(canvas, stage, player, { add: bodies.add, changed, step, camera });
  timeCursor.heard.add(show);
  new ResizeObserver(() => {
    // Before it has both there is no picture.
    if (frame.clientWidth === 0 || frame.clientHeight === 0) return;
    stage.resize(frame.clientWidth, frame.clientHeight);
    camera.resized();
    place.dataset.ready = "true";
    changed();
  }).observe(frame);
  if (timeCursor.at === null) timeCursor.set(shapes ? span()[0] : span()[1], player); else show(timeCursor.at);
  /** Takes what has come since, where the bodies are driven. */
  const renew = () => {
    controls.take();
    traces.renew();
    checks.show();
    show(timeCursor.at);
  };
  const close = () => {
    player.pause();
    [timeCursor.heard, repaints].forEach((set) => [show, paint].forEach((one) => set.delete(one)));
    stage.close();
  };
  return { stage, player, traces, controls, renew, close };
};
