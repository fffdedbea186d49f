// Playing: simulated time over the time on the clock, slower around events.

/** Speeds, in simulated seconds a second. */
const SPEEDS = [1 / 1000, 1 / 300, 1 / 100, 1 / 30, 1 / 10, 1 / 3, 1, 3, 10, 30, 100, 300, 1000];
/** A run is shown in real time where that takes so long [s]; else in the speed that comes nearest to the shorter or longer one. */
const SHOWN = [1.5, 30];
/** Around an event, for this part of the whole time, the speed is this part of the chosen one. */
const EVENT_ROOM = 0.01, EVENT_SPEED = 0.1;

/** The speed at which `span` seconds are shown at first. */
const firstSpeed = (span) => {
  const [short, long] = SHOWN;
  if (!(span > 0) || (span >= short && span <= long)) return 1;
  const wanted = span < short ? span / (2 * short) : span / long;
  return SPEEDS.reduce((best, one) => (Math.abs(Math.log(one / wanted)) < Math.abs(Math.log(best / wanted)) ? one : best));
};

/** Plays from the first to the last of `span()`; `tell` is called as it starts and stops. Where `repeats()`, the end is followed by the beginning. */
const makePlayer = ({ span, events, repeats, tell }) => {
  const player = { playing: false, speed: 1, slow: false };
  let last = 0;
  const near = (at) => {
    const [from, to] = span(), room = EVENT_ROOM * (to - from);
    return events.some((event) => Math.abs(event - at) < room);
  };
  const frame = (now) => {
    if (!player.playing) return;
    const [from, to] = span();
    // A page that was hidden goes on where it was.
    const passed = Math.min((now - last) / 1000, 0.1) * player.speed;
    last = now;
    const at = Math.min(Math.max(timeCursor.at ?? from, from), to);
    let next = at + passed * (player.slow && near(at) ? EVENT_SPEED : 1);
    // An event is not leapt over.
    if (player.slow) {
      const event = events.find((one) => one > at && one <= next);
      if (event !== undefined && !near(at)) next = event - 0.5 * EVENT_ROOM * (to - from);
      next = Math.max(next, at);
    }
    if (next >= to) {
      if (repeats()) next = from + (next - to) % (to - from); else player.pause();
    }
    timeCursor.set(Math.min(next, to), player);
    if (player.playing) requestAnimationFrame(frame);
  };
  player.play = () => {
    const [from, to] = span();
    if (player.playing || !(to > from)) return;
    if (!(timeCursor.at < to)) timeCursor.set(from, player);
    player.playing = true;
    last = performance.now();
    requestAnimationFrame(frame);
    tell();
  };
  player.pause = () => {
    player.playing = false;
    tell();
  };
  return player;
};
