// Modes of a linearized machine: one at a time moves the bodies about their rest, in a size that is chosen, at a phase that is the time of the page.

/** Time in which a mode is shown once [s], whatever its frequency, and pictures in it. */
const MODE_PERIOD = 2, MODE_PICTURES = 48;
/**
 * Largest size that can be chosen, of the usual one, in which nothing moves further than a tenth of the scene; and the turn of a body [rad] beyond which none
 * goes: modes are linear, and joints come apart with the square of the turn.
 */
const MODE_SIZE = 2, MODE_TURN = 0.35;

/** The modes as what drives a stage, see `makeDriver`, and the controls that choose one. */
const makeModes = (modes) => {
  let shown = modes[0], size = 1;
  const times = Array.from({ length: MODE_PICTURES + 1 }, (_, k) => MODE_PERIOD * k / MODE_PICTURES);
  const way = new THREE.Vector3(), turn = new THREE.Vector3(), axis = new THREE.Vector3(), across = new THREE.Vector3(), turned = new THREE.Quaternion();
  /** The factor of real and imaginary parts at a time: once round, or back to rest or away from it. */
  const factor = (time) => {
    const part = time / MODE_PERIOD, { growth } = shown;
    if (growth !== 0) return [size * Math.exp(growth * (growth > 0 ? part - 1 : part)), 0];
    return [size * Math.cos(2 * Math.PI * part), -size * Math.sin(2 * Math.PI * part)];
  };
  /** Moves a pose from where it rests along the twist of its way and turn: the exponential of that, a screw motion. */
  const place = (body, time, rest, pose) => {
    const ways = shown.ways[body], [re, im] = factor(time);
    const of = (k) => re * ways[k] + im * ways[6 + k];
    way.set(of(0), of(1), of(2));
    turn.set(of(3), of(4), of(5));
    const angle = turn.length();
    pose.r.copy(rest.r);
    pose.q.copy(rest.q);
    if (!(angle > 0)) { pose.r.add(way); return; }
    axis.copy(turn).divideScalar(angle);
    across.copy(axis).cross(way);
    const half = Math.sin(angle / 2), along = axis.dot(way) * (1 - Math.sin(angle) / angle);
    pose.r.addScaledVector(way, Math.sin(angle) / angle).addScaledVector(across, 2 * half * half / angle).addScaledVector(axis, along);
    pose.q.premultiply(turned.setFromAxisAngle(axis, angle));
  };
  /** The largest size of the mode that is shown. */
  const largest = () => {
    const turns = shown.ways.map((way) => Math.hypot(...way.slice(3, 6), ...way.slice(9, 12)));
    return Math.min(MODE_SIZE, MODE_TURN / Math.max(...turns, 1e-300));
  };
  /** What stands beside the slider of the time: the phase, or what is left of the way. */
  const phase = (time) => {
    const degrees = 360 * time / MODE_PERIOD;
    return shown.growth === 0 ? `phase ${number(degrees, 3)}\u00b0` : `${number(100 * factor(time)[0] / (size || 1), 2)} %`;
  };
  /** The choice of a mode, its size, and what it does; `changed` is called after each choice, with whether it is another mode. */
  const controls = (changed) => {
    const told = element("p", shown.told, "hint");
    told.id = "view-told";
    const choice = choiceOf("Mode that is shown", modes.map(({ name }, k) => [k, name]));
    choice.id = "view-mode";
    const label = element("label", "size ", "check"), slider = element("input");
    [slider.type, slider.id] = ["range", "view-size"];
    slider.title = "Size of the mode: at the end a body turns by 20\u00b0, or something moves by a fifth of the scene";
    /** The size that was asked for last, as far as this mode goes. */
    let wanted = 1;
    const fitSize = () => {
      [slider.min, slider.max, slider.step] = [0, largest(), "any"];
      slider.value = Math.min(wanted, largest());
      size = Number(slider.value);
    };
    fitSize();
    slider.addEventListener("input", () => { size = wanted = Number(slider.value); changed(false); });
    choice.addEventListener("change", () => {
      shown = modes[Number(choice.value)];
      told.textContent = shown.told;
      fitSize();
      changed(true);
    });
    label.append(slider);
    return { nodes: [choice, label], told };
  };
  return { drive: { widths: [[shown.ways.length, 0, 0]], times: () => times, place }, phase, controls };
};
