// What of a scene takes up which place: what is to be in the picture.

/** Times at which the place is measured that bodies take up. */
const LOOKS = 40;
/**
 * What is seen over all times may be so many times as large as what is seen at the start; else what stays within so many sizes of the start fills the
 * picture. Where nothing stays, all of it may be so many times as large: a body is some 40 pixels then. Beyond that the camera goes with a body.
 */
const GROWS = 4, STAYS = 1, FLIES = 12;
/** Where nothing stays and more is to come, the camera goes with a body from here on: it does not go ever farther back first. */
const GOES = 2.5;

const diagonalOf = (box) => box.getSize(new THREE.Vector3()).length();

/** What is seen below `root`, arrows too where they are shown, with the body that it is part of. */
const shapesSeen = (root, bodies) => {
  const found = [];
  const visit = (node, body, shown) => {
    const own = bodies.get(node.name) === node ? node.name : body, seen = shown && node.visible;
    if (node.isMesh && seen && node.userData.group !== "markers" && !node.userData.outline) found.push([node, own]);
    node.children.forEach((child) => visit(child, own, seen));
  };
  visit(root, null, true);
  return found;
};

/** The boxes of shapes at the time that is shown, each with its body. What is stretched as bodies go counts as at first: it follows them. */
const boxesOf = (shapes) => shapes.filter(([node]) => node.scale.x !== 0).map(([node, body]) => {
  if (!node.geometry.boundingBox) node.geometry.computeBoundingBox();
  return [node.geometry.boundingBox.clone().applyMatrix4(node.userData.rest ?? node.matrixWorld), body];
});

/** What is seen from the first boxes on that are added; `size` stands for that of nothing. `goes` says whether more is to come. */
const makeSurvey = (size, goes) => {
  const start = new THREE.Box3(), all = new THREE.Box3(), reach = new THREE.Box3(), middle = new THREE.Vector3();
  // What stays near, by body; what is of none under null. Of a body that leaves, null.
  const near = new Map([[null, new THREE.Box3()]]);
  let length = 0;
  const add = (boxes) => {
    if (length === 0) {
      boxes.forEach(([box]) => start.union(box));
      if (start.isEmpty()) start.set(new THREE.Vector3(-size, -size, -size), new THREE.Vector3(size, size, size));
      length = diagonalOf(start) || size;
      reach.copy(start).expandByScalar(STAYS * length);
    }
    for (const [box, body] of boxes) {
      if (!Number.isFinite(box.min.x + box.max.x + box.min.y + box.max.y + box.min.z + box.max.z)) continue;
      all.union(box);
      if (!near.has(body)) near.set(body, new THREE.Box3());
      const isNear = reach.containsPoint(box.getCenter(middle));
      if (!isNear && body !== null) near.set(body, null); else if (isNear) near.get(body)?.union(box.intersect(reach));
    }
  };
  /** What fills the picture, and the body with which the camera goes where all fly away. */
  const result = () => {
    if (all.isEmpty()) return { box: start, lead: null };
    const known = [...near.keys()].filter((body) => body !== null), staying = known.filter((body) => near.get(body));
    const leave = staying.length === 0 ? known : [], grown = diagonalOf(all) / length;
    if (goes && leave.length > 0 && grown > GOES) return { box: start, lead: leave[0] };
    if (grown <= GROWS) return { box: all, lead: null };
    if (staying.length > 0) return { box: [null, ...staying].reduce((box, body) => box.union(near.get(body)), new THREE.Box3()), lead: null };
    return grown <= FLIES ? { box: all, lead: null } : { box: start, lead: leave[0] ?? null };
  };
  /** Around the body with which the camera goes: what of these boxes is near to it, no smaller than what was seen at the start. */
  const around = (lead, boxes) => {
    const box = new THREE.Box3(), place = new THREE.Vector3();
    boxes.filter(([, body]) => body === lead).forEach(([own]) => box.union(own));
    const close = box.clone().expandByScalar(STAYS * length);
    boxes.forEach(([own]) => { if (close.containsPoint(own.getCenter(middle))) box.union(own.clone().intersect(close)); });
    return box.union(start.clone().translate(box.getCenter(place).sub(start.getCenter(middle))));
  };
  return { add, result, around };
};
