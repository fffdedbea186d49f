// Ways of chosen points: pale over all times, full up to the present one.

/** Points of a way at most. */
const TRACE_POINTS = 4000;
/** A way shorter than this part of the size of the scene is none: less than a pixel. */
const NO_WAY = 1e-3;

/** The traces in a stage; `colour(k)` is that of the k-th. */
const makeTraces = (stage, colour) => {
  const traces = [];
  let next = 0;
  /** Where a point of a body is at all times of its tracks, in the frame of the model. */
  const wayOf = (body, point) => {
    if (stage.driver) return stage.driver.way(body, point, TRACE_POINTS);
    const tracks = Object.fromEntries(stage.clip.tracks.filter(({ name }) => name.slice(0, name.lastIndexOf(".")) === body.name)
      .map((track) => [track.name.slice(track.name.lastIndexOf(".") + 1), track.createInterpolant()]));
    const all = stage.clip.tracks[0].times, stride = Math.ceil(all.length / TRACE_POINTS);
    const times = all.filter((_, k) => k % stride === 0 || k === all.length - 1);
    const at = new THREE.Vector3(), turn = new THREE.Quaternion(), places = new Float32Array(3 * times.length);
    times.forEach((time, k) => {
      at.copy(point).applyQuaternion(tracks.quaternion ? turn.fromArray(tracks.quaternion.evaluate(time)) : body.quaternion);
      const [x, y, z] = tracks.position ? tracks.position.evaluate(time) : body.position.toArray();
      places.set([at.x + x, at.y + y, at.z + z], 3 * k);
    });
    return { times, places };
  };
  const lengthOf = ({ places }) => {
    let sum = 0;
    for (let k = 3; k < places.length; k += 3) sum += Math.hypot(places[k] - places[k - 3], places[k + 1] - places[k - 2], places[k + 2] - places[k - 1]);
    return sum;
  };
  /** The corner of a body that is farthest from its origin; null without a shape. */
  const farthest = (body) => {
    const at = new THREE.Vector3(), found = new THREE.Vector3();
    for (const node of body.children.filter(({ isMesh }) => isMesh)) {
      const corners = node.geometry.getAttribute("position");
      for (let k = 0; k < corners.count; k += 1) {
        at.fromBufferAttribute(corners, k).applyMatrix4(node.matrix);
        if (at.lengthSq() > found.lengthSq()) found.copy(at);
      }
    }
    return found.lengthSq() > 0 ? found : null;
  };
  /** The point of a body whose way is shown where nobody points at one: its origin, or where that stands still the joint or corner that goes farthest. */
  const pointOf = (name) => {
    const body = stage.bodies.get(name), origin = new THREE.Vector3();
    if (!body || !(stage.clip || stage.driver)) return origin;
    const ways = (point) => lengthOf(wayOf(body, point));
    if (ways(origin) > NO_WAY * stage.size) return origin;
    const joints = body.children.filter(({ userData }) => userData.group === "joints").map(({ position }) => position.clone());
    const all = joints.map((point) => [point, ways(point)]).filter(([, way]) => way > NO_WAY * stage.size);
    const corner = all.length > 0 ? null : farthest(body);
    if (corner) all.push([corner, ways(corner)]);
    return all.reduce((best, one) => (one[1] > best[1] ? one : best), [origin, 0])[0];
  };
  const line = (geometry, k, opacity) => {
    const node = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: colour(k), transparent: opacity < 1, opacity }));
    node.frustumCulled = false;
    return node;
  };
  /** Adds the trace of a point in the frame of a body. */
  const add = (name, point) => {
    const body = stage.bodies.get(name);
    if (!body || !(stage.clip || stage.driver)) return null;
    const { times, places } = wayOf(body, point);
    const whole = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(places, 3)), past = whole.clone();
    const k = next++, pale = line(whole, k, 0.35), full = line(past, k, 1);
    const dot = new THREE.Mesh(new THREE.SphereGeometry(0.008 * stage.size, 16, 12), new THREE.MeshBasicMaterial({ color: colour(k) }));
    dot.position.copy(point);
    body.add(dot);
    body.parent.add(pale, full);
    const trace = { name, k, point: point.clone(), times, pale, full, dot };
    traces.push(trace);
    return trace;
  };
  const remove = (trace) => {
    traces.splice(traces.indexOf(trace), 1);
    for (const node of [trace.pale, trace.full, trace.dot]) {
      node.removeFromParent();
      node.geometry.dispose();
      node.material.dispose();
    }
  };
  /** Takes what has come since. */
  const renew = () => {
    for (const trace of traces) {
      const { times, places } = wayOf(stage.bodies.get(trace.name), trace.point);
      trace.times = times;
      for (const { geometry } of [trace.pale, trace.full]) {
        // What is drawn already has its room on the graphics card.
        geometry.dispose();
        geometry.setAttribute("position", new THREE.BufferAttribute(places, 3));
      }
    }
  };
  const show = (time) => {
    for (const { times, full } of traces) full.geometry.setDrawRange(0, times.findLastIndex((one) => one <= time) + 1);
  };
  const repaint = () => {
    for (const { k, pale, full, dot } of traces) [pale, full, dot].forEach((node) => node.material.color.set(colour(k)));
  };
  return { traces, add, pointOf, remove, renew, show, repaint };
};
