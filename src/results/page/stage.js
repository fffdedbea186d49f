// Bodies in motion as three.js draws them: scene, light, camera, and where all is at a time.

/** Angle of view across the picture, from top to bottom [deg]: narrow, so that bodies are little distorted. */
const LENS = 30;
/** Free room around what is fitted into the picture. */
const ROOM = 1.12;
/** And where more is to come. */
const MORE_ROOM = 1.5;
/** Times at which the place is measured that bodies take up. */
const LOOKS = 40;
/**
 * What is seen over all times may be so many times as large as what is seen at the start; else what stays within so many sizes of the start fills the
 * picture. Where nothing stays, all of it may be so many times as large: a body is some 40 pixels then. Beyond that the camera goes with a body.
 */
const GROWS = 4, STAYS = 1, FLIES = 12;
/** Kinds of arrows, and of what the longest of them is. */
const ARROWS = { forces: "force", reactions: "reaction", contacts: "contact force" };
/** Colours of less light than this are made lighter on dark ground, by this part of the way to white. */
const DARK = 0.12, LIGHTER = 0.18;
/** Floors and supports on dark ground: this part of their light. */
const DIMMED = 0.22;
/** A planar mechanism is seen from a little aside and above, so that it has depth [rad]. */
const ASIDE = [-0.3, 0.22];

/** Reads a glTF file; nothing in it is elsewhere. */
const readScene = (bytes) => new Promise((done, fail) => { new THREE.GLTFLoader().parse(bytes, "", done, fail); });

/** What is shown in a canvas; `drive` moves it where the file has no animation, see `makeDriver`. */
const makeStage = (canvas, gltf, drive) => {
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  const scene = new THREE.Scene(), root = gltf.scene;
  scene.add(root);
  const camera = new THREE.PerspectiveCamera(LENS, 1, 0.01, 1000);
  // From above and, as a lamp at the camera does, from where one looks.
  const sky = new THREE.HemisphereLight(0xffffff, 0x9aa0aa, 2.4), lamp = new THREE.DirectionalLight(0xffffff, 2.2);
  camera.add(lamp, lamp.target);
  lamp.position.set(-0.4, 0.8, 0.6);
  lamp.target.position.set(0, 0, -3.4);
  scene.add(sky, camera);
  const controls = new THREE.OrbitControls(camera, canvas);
  const told = root.children[0]?.userData ?? {};
  // Lengths of the file are in a unit of its own.
  const size = (told.length || 1) / (told.unit || 1);

  const groups = new Map();
  const bodies = new Map();
  root.traverse((node) => {
    const { group } = node.userData;
    if (group) groups.set(group, [...(groups.get(group) ?? []), node]);
    if (node.parent?.name === "bodies" && !group) bodies.set(node.name, node);
    // Bounds of what is stretched and moved would have to be found anew each time.
    node.frustumCulled = false;
  });
  // Each node has a material of its own, so that it can be changed alone.
  const inks = [];
  root.traverse((node) => {
    if (!node.material) return;
    node.material = node.material.clone();
    inks.push([node.material, node.material.color.clone(), node.isMesh && node.userData.group === "ground"]);
    // The lines of the ground are there to be stood on.
    if (node.isLineSegments && node.userData.group === "ground") Object.assign(node.material, { transparent: true, opacity: 0.4 });
    // Signs that lie in the surface of a body are seen before it.
    if (node.userData.group === "springs" || node.userData.group === "joints") Object.assign(node.material, { polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -1 });
    // An arrow within a body is seen all the same.
    if (node.userData.group in ARROWS) [node.material.depthTest, node.material.transparent, node.renderOrder] = [false, true, 1];
  });
  /** Dark signs are lighter on dark ground, and floors do not glare. */
  const paint = (dark) => {
    const white = new THREE.Color(1, 1, 1);
    for (const [material, own, isGround] of inks) {
      const light = 0.2126 * own.r + 0.7152 * own.g + 0.0722 * own.b;
      material.color.copy(own);
      if (dark && isGround) material.color.multiplyScalar(DIMMED);
      else if (dark && light < DARK) material.color.lerp(white, LIGHTER);
    }
  };

  // A shape bears the group of its body's kind, arrows and joints their own.
  const setShown = (group, shown) => groups.get(group)?.forEach((node) => { node.visible = shown; });

  const [clip] = gltf.animations;
  const mixer = clip && new THREE.AnimationMixer(root), action = mixer?.clipAction(clip);
  action?.play();
  const driver = drive && makeDriver(root, drive);
  const span = () => driver?.span() ?? (clip ? [clip.tracks[0].times[0], clip.duration] : [0, 0]);
  /** The times of pictures. */
  const times = () => driver?.times() ?? clip?.tracks[0].times ?? [0];
  let now = span()[0], followed = null;
  const seen = new THREE.Vector3(), before = new THREE.Vector3();
  /** Puts everything to where it is at a time, the camera with the body that it follows. */
  const show = (time) => {
    followed?.getWorldPosition(before);
    const [first, last] = span();
    now = Math.min(Math.max(time, first), last);
    driver?.show(now);
    if (action) { action.time = now; mixer.update(0); }
    root.updateMatrixWorld(true);
    if (!followed) return;
    followed.getWorldPosition(seen).sub(before);
    camera.position.add(seen);
    controls.target.add(seen);
  };

  /** What is seen, arrows too where they are shown, with the body that it is part of. */
  const shapesSeen = () => {
    const found = [];
    const visit = (node, body, shown) => {
      const own = bodies.get(node.name) === node ? node.name : body, seen = shown && node.visible;
      if (node.isMesh && seen && node.userData.group !== "markers") found.push([node, own]);
      node.children.forEach((child) => visit(child, own, seen));
    };
    visit(root, null, true);
    return found;
  };
  /** Tells the box of each shape at the time that is shown. */
  const boxesNow = (shapes, tell) => {
    const own = new THREE.Box3();
    for (const [node, body] of shapes) {
      if (node.scale.x === 0) continue;
      if (!node.geometry.boundingBox) node.geometry.computeBoundingBox();
      tell(own.copy(node.geometry.boundingBox).applyMatrix4(node.matrixWorld), body);
    }
  };
  const diagonal = (box) => box.getSize(new THREE.Vector3()).length();
  /** Looks at all times without moving the camera, and tells all boxes. */
  const lookAround = (shapes, tell, looks = LOOKS) => {
    const [begin, end] = span(), at = now, follow = followed;
    followed = null;
    for (let k = 0; k < (end > begin ? looks : 1); k += 1) {
      show(begin + (end - begin) * k / (LOOKS - 1));
      boxesNow(shapes, tell);
    }
    show(at);
    followed = follow;
  };

  /** What fills the picture, and the body with which the camera goes where all fly away. */
  const measure = () => {
    const shapes = shapesSeen(), start = new THREE.Box3(), all = new THREE.Box3();
    lookAround(shapes, (box) => start.union(box), 1);
    if (start.isEmpty()) start.set(new THREE.Vector3(-size, -size, -size), new THREE.Vector3(size, size, size));
    const length = diagonal(start), reach = start.clone().expandByScalar(STAYS * length), middle = new THREE.Vector3();
    // What stays near, by body; what is of none under null. Of a body that leaves, null.
    const near = new Map([[null, new THREE.Box3()], ...shapes.map(([, body]) => [body, new THREE.Box3()])]);
    lookAround(shapes, (box, body) => {
      all.union(box);
      const isNear = reach.containsPoint(box.getCenter(middle));
      if (!isNear && body !== null) near.set(body, null); else if (isNear) near.get(body)?.union(box.intersect(reach));
    });
    if (all.isEmpty() || diagonal(all) <= GROWS * length) return { box: all.isEmpty() ? start : all, lead: null };
    const known = [...near.keys()].filter((body) => body !== null), staying = known.filter((body) => near.get(body));
    if (staying.length > 0) return { box: [null, ...staying].reduce((box, body) => box.union(near.get(body)), new THREE.Box3()), lead: null };
    return diagonal(all) <= FLIES * length ? { box: all, lead: null } : { box: start, lead: known[0] ?? null };
  };
  /** Around the body with which the camera goes: what is near to it at the time that is shown. */
  const boundsAround = (body, length) => {
    const shapes = shapesSeen(), box = new THREE.Box3(), middle = new THREE.Vector3();
    boxesNow(shapes.filter(([, own]) => own === body), (own) => box.union(own));
    const reach = box.clone().expandByScalar(STAYS * length);
    boxesNow(shapes, (own) => { if (reach.containsPoint(own.getCenter(middle))) box.union(own.intersect(reach)); });
    return box;
  };
  const bounds = () => {
    const { box, lead } = measure();
    return lead !== null && followed === bodies.get(lead) ? boundsAround(lead, diagonal(box)) : box;
  };

  /** Size of what fills the picture. */
  let depth = size;
  /** Puts the camera so far back, in the direction in which it looks or in another, that all is seen. */
  const fit = (direction) => {
    const box = bounds(), middle = box.getCenter(new THREE.Vector3());
    const way = direction?.clone() ?? camera.position.clone().sub(controls.target);
    if (way.lengthSq() === 0) way.set(0, 0, 1);
    way.normalize();
    camera.position.copy(middle).add(way);
    camera.lookAt(middle);
    camera.updateMatrixWorld();
    const turn = new THREE.Matrix4().extractRotation(camera.matrixWorld).transpose();
    const slope = Math.tan(LENS * Math.PI / 360);
    let far = 0;
    const room = driver?.grows ? MORE_ROOM : ROOM;
    for (let k = 0; k < 8; k += 1) {
      const corner = new THREE.Vector3(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z);
      corner.sub(middle).applyMatrix4(turn);
      far = Math.max(far, corner.z + room * Math.max(Math.abs(corner.y) / slope, Math.abs(corner.x) / (slope * camera.aspect)));
    }
    camera.position.copy(middle).addScaledVector(way, far || size);
    depth = diagonal(box) + size;
    camera.far = far + 50 * depth;
    controls.target.copy(middle);
    controls.update();
  };

  /** The direction of the first look. */
  const first = () => {
    const eye = new THREE.Vector3(...(told.eye ?? [0.5, 0.4, 1]));
    if (!told.planar || Math.abs(eye.y) > 0.7) return eye;
    const right = new THREE.Vector3(0, 1, 0).cross(eye).normalize();
    return eye.applyAxisAngle(new THREE.Vector3(0, 1, 0), ASIDE[0]).applyAxisAngle(right, -ASIDE[1]);
  };

  const resize = (width, height) => {
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
  };
  const draw = () => {
    // Who looks closely sees what is close.
    camera.near = Math.min(depth / 500, camera.position.distanceTo(controls.target) / 50);
    camera.updateProjectionMatrix();
    renderer.render(scene, camera);
  };
  const gl = () => renderer.getContext();

  /** Turns the camera about what it looks at [rad], and moves it closer by a factor. */
  const turn = (aside, up, factor = 1) => {
    const way = camera.position.clone().sub(controls.target), right = new THREE.Vector3(0, 1, 0).cross(way).normalize();
    const steep = Math.asin(way.y / way.length()) + up;
    if (Math.abs(steep) < 1.5) way.applyAxisAngle(right, -up);
    way.applyAxisAngle(new THREE.Vector3(0, 1, 0), aside).multiplyScalar(factor);
    camera.position.copy(controls.target).add(way);
    controls.update();
  };

  /** What of a body is at a place of the canvas, from -1 to 1 to the right and up: the body and the point in its frame. */
  const pick = (x, y) => {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(x, y), camera);
    const shapes = [...bodies.values()].flatMap((body) => body.children.filter((node) => node.visible));
    const [hit] = ray.intersectObjects(shapes, true);
    if (!hit) return null;
    let node = hit.object;
    while (node && bodies.get(node.name) !== node) node = node.parent;
    return node && { body: node.name, point: node.worldToLocal(hit.point.clone()) };
  };

  const follow = (name) => { followed = bodies.get(name) ?? null; };
  const close = () => { controls.dispose(); renderer.dispose(); };
  return { scene, root, clip, driver, told, size, groups, bodies, span, times, camera, controls, show, fit, lead: () => measure().lead, first, resize, draw, gl, turn, paint, pick, follow, setShown, close, now: () => now };
};
