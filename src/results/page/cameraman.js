// Who holds the camera: it shows all until a person moves it, and goes with a run that goes on.

/** Moving the camera takes at most so long at once [s]: a page that was hidden does not leap. */
const LONGEST_MOVE = 0.1;
/** What OrbitControls do as a person turns, by mouse and by finger; all else moves or zooms. */
const TURNS = [0, 3];

/** Keeps what is seen in the picture of a stage. */
const makeCameraman = (stage) => {
  const { controls, driver } = stage, isLive = driver?.grows === true;
  // Whether a person has turned the camera, has moved it or chosen a body to go with, and is at it.
  let [turned, held, busy] = [false, false, false];
  // Whether a body was in the picture; null where that is not to be held against a person.
  let saw = null, last = null;
  const hold = () => { [turned, held, saw] = [true, true, null]; };
  controls.addEventListener("start", () => {
    [turned, busy] = [true, true];
    if (!TURNS.includes(controls.state)) hold();
  });
  controls.addEventListener("end", () => { [busy, saw] = [false, null]; });
  const fit = () => { held = false; stage.fit(); };
  const first = () => { [turned, held] = [false, false]; stage.fit(stage.first()); };
  /** Something else is shown, arrows for instance. */
  const refit = () => { if (!held) stage.fit(); };
  /** Until somebody turns it, all of it stays in a picture of another form. */
  const resized = () => { if (!turned) stage.fit(stage.first()); else if (isLive) refit(); };
  /** Before a picture at a time of the clock [ms]: goes with the run; whether more is to do. `goWith` is told the body with which the camera goes. */
  const frame = (time, goWith) => {
    const passed = Math.min((time - (last ?? time)) / 1000, LONGEST_MOVE);
    last = time;
    if (!isLive || busy) { last = null; return false; }
    let sees = stage.look();
    // A stage must not be empty: not even where a person has looked at what has gone.
    if (!sees && saw) held = false;
    const lead = stage.lead(), own = stage.follows();
    const isFree = !held && (own === null || own === stage.bodies.get(lead));
    if (isFree && own === null && lead !== null) goWith(lead);
    const goesOn = isFree && sees && stage.approach(passed);
    if (isFree && !sees) { stage.fit(); sees = true; }
    saw = sees;
    if (!goesOn) last = null;
    return goesOn;
  };
  return { fit, first, refit, resized, frame, hold, turned: () => { turned = true; } };
};
