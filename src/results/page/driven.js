// Bodies that are moved by poses as they come, in place of an animation of the file.

/** A floor that has grown leads further by so many times what it leads beyond bodies: it grows in steps. A rail ends as in reports. */
const FURTHER = 5;

/** What is stretched along axes of its own so that it leads beyond points, as far as these have been seen. */
const followerOf = (node, unit) => {
  const { axes, beyond, depth, points } = node.userData.following;
  const { position, quaternion } = node, start = position.clone(), back = quaternion.clone().invert();
  if (!node.geometry.boundingBox) node.geometry.computeBoundingBox();
  const { min, max } = node.geometry.boundingBox, low = min.clone(), high = max.clone(), room = beyond / unit, grown = (1 + (axes.length > 1 ? FURTHER : 0)) * room;
  /** Takes a place that is seen; what lies deeper than a floor is not on it. */
  const take = (place) => {
    const at = place.sub(start).applyQuaternion(back);
    if (!Number.isFinite(at.x + at.y + at.z) || (depth !== null && at.z < -depth / unit)) return;
    for (const axis of axes) {
      const own = at.getComponent(axis);
      if (own - room < low.getComponent(axis)) low.setComponent(axis, own - grown);
      if (own + room > high.getComponent(axis)) high.setComponent(axis, own + grown);
    }
  };
  const put = () => {
    const shift = new THREE.Vector3();
    for (const axis of axes) {
      const factor = (high.getComponent(axis) - low.getComponent(axis)) / (max.getComponent(axis) - min.getComponent(axis));
      node.scale.setComponent(axis, factor);
      shift.setComponent(axis, low.getComponent(axis) - factor * min.getComponent(axis));
    }
    position.copy(start).add(shift.applyQuaternion(quaternion));
  };
  return { points, take, put };
};

/**
 * Moves the nodes of a scene. `widths` has numbers of bodies, force elements and reactions of each mechanism, `times()` and `columns()` what has come: seven columns of a
 * body (place and quaternion, its scalar first), three of an element, six of a reaction, mechanism by mechanism. Without columns `place` says where a body is at a time that
 * rests as the file has it.
 */
const makeDriver = (root, { widths, times, columns, place }) => {
  const told = root.children[0]?.userData ?? {};
  const unit = told.unit || 1, start = new THREE.Vector3(...(told.origin ?? [0, 0, 0]));
  /** A place of the model, in metres, as one of the scene. */
  const placeOf = (place) => place.sub(start).divideScalar(unit);
  const bodyNodes = new Map(), springs = [], arrows = [], followers = [];
  root.traverse((node) => {
    const { body, span, bend, force, reaction } = node.userData;
    if (body !== undefined) bodyNodes.set(body, node);
    if (span || bend) springs.push(node);
    if (force?.at || reaction?.at) arrows.push(node);
    if (node.userData.following) followers.push(followerOf(node, unit));
  });
  const bodyAt = [], elementAt = [], reactionAt = [];
  widths.reduce((first, [bodies, elements, reactions]) => {
    const elementsFrom = first + 7 * bodies, reactionsFrom = elementsFrom + 3 * elements;
    for (let k = 0; k < bodies; k += 1) bodyAt.push(first + 7 * k);
    for (let k = 0; k < elements; k += 1) elementAt.push(elementsFrom + 3 * k);
    for (let k = 0; k < reactions; k += 1) reactionAt.push(reactionsFrom + 6 * k);
    return reactionsFrom + 6 * reactions;
  }, 0);
  // In metres, as poses are.
  const rests = bodyAt.map((_, body) => ({ r: bodyNodes.get(body)?.position.clone().multiplyScalar(unit).add(start), q: bodyNodes.get(body)?.quaternion.clone() }));
  const poses = [...bodyAt, null].map(() => ({ r: new THREE.Vector3(), q: new THREE.Quaternion() }));
  const longest = { forces: { force: 0, torque: 0 }, reactions: { force: 0, torque: 0 } };

  /** The row at or before a time, and how far it is to the next; the time itself where there are no rows. */
  const rowAt = (time) => {
    if (place) return time;
    const all = times();
    let [low, high] = [0, all.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (all[middle] <= time) low = middle; else high = middle;
    }
    return [low, high, high > low ? Math.min(Math.max((time - all[low]) / (all[high] - all[low] || 1), 0), 1) : 0];
  };
  const numberAt = (k, [low, high, part]) => {
    const column = columns()[k];
    return column[low] + part * (column[high] - column[low]);
  };
  const poseOf = (body, row, { r, q }) => {
    if (place) {
      if (rests[body].r) place(body, row, rests[body], { r, q });
      return;
    }
    const [x, y, z, e0, e1, e2, e3] = [0, 1, 2, 3, 4, 5, 6].map((k) => numberAt(bodyAt[body] + k, row));
    r.set(x, y, z);
    q.set(e1, e2, e3, e0).normalize();
  };
  const vector = (values) => new THREE.Vector3(...values);
  const origin = ({ body, r }) => vector(r).applyQuaternion(poses[body].q).add(poses[body].r);
  const axis = ({ body, c }, k) => vector(c.slice(3 * k, 3 * k + 3)).applyQuaternion(poses[body].q);
  const hide = (node) => node.scale.set(0, 0, 0);
  /**
   * Puts a node to a place with its z along `way`. At first its x is as near to `x` as can be; from then on it turns with `body`, if there is one, and
   * no further than its way asks for.
   */
  const put = (node, place, way, { x, along, body }) => {
    const z = way.clone().normalize(), turn = body === undefined ? null : poses[body].q, { last } = node.userData, q = node.quaternion;
    if (last) {
      q.copy(last.q);
      if (turn) q.premultiply(last.turn.clone().invert()).premultiply(turn);
      q.premultiply(new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1).applyQuaternion(q), z)).normalize();
    } else {
      const y = z.clone().cross(x);
      if (y.length() > 1e-3) q.setFromRotationMatrix(new THREE.Matrix4().makeBasis(y.normalize().clone().cross(z), y, z));
      else q.setFromUnitVectors(new THREE.Vector3(0, 0, 1), z);
    }
    node.userData.last = { q: q.clone(), turn: turn?.clone() };
    node.position.copy(placeOf(place));
    node.scale.set(1, 1, along);
  };
  const putSpan = (node, { i, j, part }) => {
    const [from, to] = [origin(i), origin(j)], way = to.clone().sub(from), length = way.length();
    if (!(length > 0)) return hide(node);
    const back = part === "second";
    return put(node, back ? to : from, back ? way.negate() : way, { x: axis(i, 0), along: part === "stretched" ? length : 1, body: i.body });
  };
  /** A piece of Hermite's cubic between two frames. */
  const putBend = (node, { i, j, from_to: ends }) => {
    const [start, end] = [origin(i), origin(j)], chord = end.distanceTo(start), leaving = axis(i, 2), arriving = axis(j, 2);
    const at = (s, t = 1 - s) => start.clone().multiplyScalar(t * t * (1 + 2 * s)).addScaledVector(leaving, chord * s * t * t)
      .addScaledVector(arriving, -chord * s * s * t).addScaledVector(end, s * s * (3 - 2 * s));
    const [from, to] = ends.map((s) => at(s)), way = to.clone().sub(from), length = way.length(), middle = (ends[0] + ends[1]) / 2;
    if (!(length > 0)) return hide(node);
    node.userData.last = null;
    return put(node, from, way, { x: axis(i, 0).multiplyScalar(1 - middle).addScaledVector(axis(j, 0), middle), along: length });
  };
  const putArrow = (node, { force, reaction }, row) => {
    const { torque, at } = force ?? reaction, first = force ? elementAt[force.element] : reactionAt[reaction.number] + (torque ? 3 : 0);
    const load = vector([0, 1, 2].map((k) => numberAt(first + k, row))), size = load.length();
    const most = longest[force ? "forces" : "reactions"], key = torque ? "torque" : "force";
    if (size > most[key]) most[key] = size;
    const part = size / most[key];
    // Shorter than its head is thick.
    if (!(part > 1e-3)) return hide(node);
    put(node, origin(at), load, { x: axis(at, 0), along: 1 });
    return node.scale.setScalar(part * told.arrow);
  };
  const putFollower = (follower) => {
    const at = new THREE.Vector3();
    for (const [body, ...r] of follower.points) follower.take(placeOf(at.set(...r).applyQuaternion(poses[body].q).add(poses[body].r)));
    follower.put();
  };
  const show = (time) => {
    if (times().length === 0) return;
    const row = rowAt(time);
    bodyAt.forEach((_, body) => {
      poseOf(body, row, poses[body]);
      const node = bodyNodes.get(body);
      node?.position.copy(placeOf(poses[body].r.clone()));
      node?.quaternion.copy(poses[body].q);
    });
    springs.forEach((node) => (node.userData.span ? putSpan(node, node.userData.span) : putBend(node, node.userData.bend)));
    arrows.forEach((node) => putArrow(node, node.userData, row));
    followers.forEach(putFollower);
    for (const [group, { force, torque }] of Object.entries(longest)) {
      Object.assign(told.arrows?.[group] ?? {}, { newton_per_metre: force / told.arrow, newton_metre_per_metre: torque / told.arrow });
    }
  };
  const span = () => (times().length > 0 ? [times()[0], times()[times().length - 1]] : [0, 0]);
  /** Where a point of a body was at `kept` of the times that have come. */
  const way = (node, point, most) => {
    const all = times(), stride = Math.ceil(all.length / most) || 1, pose = { r: new THREE.Vector3(), q: new THREE.Quaternion() };
    const kept = [...all.keys()].filter((k) => k % stride === 0 || k === all.length - 1);
    const places = kept.flatMap((k) => {
      poseOf(node.userData.body, place ? all[k] : [k, k, 0], pose);
      return point.clone().applyQuaternion(pose.q).add(placeOf(pose.r)).toArray();
    });
    return { times: kept.map((k) => all[k]), places: Float32Array.from(places) };
  };
  return { show, span, way, times, grows: !place };
};
