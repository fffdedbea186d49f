// Bodies in motion as three.js draws them: scene, light, camera, and where all is at a time.

/** Angle of view across the picture, from top to bottom [deg]: narrow, so that bodies are little distorted. */
const LENS = 30;
/** Free room around what is fitted into the picture. */
const ROOM = 1.12;
/** And where more is to come. */
const MORE_ROOM = 1.5;
/** A planar mechanism is seen from a little aside and above, so that it has depth [rad]. */
const ASIDE = [-0.3, 0.22];
/** Times in which the camera has come closer by a factor of 2.7 to where it belongs [s]: where more is to be seen, and where less is. */
const OUT = 0.25, BACK = 1.2;
/** It is there where it lacks less than this part of its distance. */
const THERE = 1e-3;

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
  const inks = makeInks(root);

  // A shape bears the group of its body's kind, arrows and joints their own.
  const setShown = (group, shown) => groups.get(group)?.forEach((node) => {
    if (node.visible !== shown) survey = null;
    node.visible = shown;
  });

  const [clip] = gltf.animations;
  const mixer = clip && new THREE.AnimationMixer(root), action = mixer?.clipAction(clip);
  action?.play();
  const driver = drive && makeDriver(root, drive);
  const span = () => driver?.span() ?? (clip ? [clip.tracks[0].times[0], clip.duration] : [0, 0]);
  /** The times of pictures. */
  const times = () => driver?.times() ?? clip?.tracks[0].times ?? [0];
  let now = span()[0], followed = null;
  // What has been seen; none where it is to be looked for anew.
  let survey = null, shapes = [];
  root.updateMatrixWorld(true);
  root.traverse((node) => { if (node.userData.following) node.userData.rest = node.matrixWorld.clone(); });
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

  const grows = driver?.grows === true;
  /** Looks at all times without moving the camera, and tells all boxes. */
  const lookAround = (tell) => {
    const [begin, end] = span(), at = now, follow = followed;
    followed = null;
    for (let k = 0; k < (end > begin ? LOOKS : 1); k += 1) {
      show(begin + (end - begin) * k / (LOOKS - 1));
      tell(boxesOf(shapes));
    }
    show(at);
    followed = follow;
  };
  /** What fills the picture, and the body with which the camera goes where all fly away. */
  const measure = () => {
    // Modes move otherwise each time.
    if (!survey || (driver && !grows)) {
      survey = makeSurvey(size, grows);
      shapes = shapesSeen(root, bodies);
      lookAround(survey.add);
    }
    const { box, lead } = survey.result();
    return { box: lead !== null && followed === bodies.get(lead) ? survey.around(lead, boxesOf(shapes)) : box, lead };
  };

  /** Size of what fills the picture. */
  let depth = size;
  /** How far from the middle of the box the camera is that sees all of it along `way`, and the extents of the box across. */
  const distanceTo = (box, way) => {
    const middle = box.getCenter(new THREE.Vector3()), eye = new THREE.PerspectiveCamera();
    eye.position.copy(middle).add(way);
    eye.lookAt(middle);
    eye.updateMatrixWorld();
    const turn = new THREE.Matrix4().extractRotation(eye.matrixWorld).transpose();
    const slope = Math.tan(LENS * Math.PI / 360), room = grows ? MORE_ROOM : ROOM;
    let [far, wide, high] = [0, 0, 0];
    for (let k = 0; k < 8; k += 1) {
      const corner = new THREE.Vector3(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z);
      corner.sub(middle).applyMatrix4(turn);
      [wide, high] = [Math.max(wide, Math.abs(corner.x)), Math.max(high, Math.abs(corner.y))];
      far = Math.max(far, corner.z + room * Math.max(Math.abs(corner.y) / slope, Math.abs(corner.x) / (slope * camera.aspect)));
    }
    return { middle, far: far || size, wide, high };
  };
  const stand = (box, target, way, far) => {
    camera.position.copy(target).addScaledVector(way, far);
    depth = diagonalOf(box) + size;
    camera.far = far + 50 * depth;
    controls.target.copy(target);
    controls.update();
  };
  const wayOfLook = () => {
    const way = camera.position.clone().sub(controls.target);
    return way.lengthSq() === 0 ? way.set(0, 0, 1) : way.normalize();
  };
  /** Puts the camera so far back, in the direction in which it looks or in another, that all is seen. */
  const fit = (direction) => {
    const way = direction?.clone().normalize() ?? wayOfLook(), { box } = measure(), { middle, far } = distanceTo(box, way);
    stand(box, middle, way, far);
  };
  /** Width over height of all that is seen from a direction. */
  const aspectFrom = (direction) => {
    const { wide, high } = distanceTo(measure().box, direction.clone().normalize());
    return wide / high || 1;
  };
  /** Whether anything of a body is in the picture; true without bodies. */
  const seesBodies = () => {
    const corner = new THREE.Vector3();
    camera.updateMatrixWorld();
    const boxes = boxesOf(shapes).filter(([, body]) => body !== null);
    return boxes.length === 0 || boxes.some(([{ min, max }]) => {
      const seen = new THREE.Box3();
      for (let k = 0; k < 8; k += 1) seen.expandByPoint(corner.set(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z).project(camera));
      return seen.min.x < 1 && seen.max.x > -1 && seen.min.y < 1 && seen.max.y > -1;
    });
  };
  /** Takes what is shown now to what has been seen; whether a body is in the picture. */
  const look = () => {
    measure();
    survey.add(boxesOf(shapes));
    return seesBodies();
  };
  /** Moves the camera for `passed` seconds towards where `fit` puts it; whether it is still on its way. */
  const approach = (passed) => {
    const way = wayOfLook(), { box } = measure(), { middle, far } = distanceTo(box, way);
    const distance = camera.position.distanceTo(controls.target), part = (time) => 1 - Math.exp(-passed / time);
    const next = distance + (far - distance) * part(far > distance ? OUT : BACK), target = controls.target.clone().lerp(middle, part(OUT));
    if (Math.abs(far - distance) + middle.distanceTo(controls.target) < THERE * distance) return false;
    stand(box, target, way, next);
    return true;
  };

  /** The direction of the first look. */
  const first = () => {
    const eye = new THREE.Vector3(...(told.eye ?? [0.5, 0.4, 1]));
    if (!told.planar || Math.abs(eye.y) > 0.7) return eye;
    const right = new THREE.Vector3(0, 1, 0).cross(eye).normalize();
    return eye.applyAxisAngle(new THREE.Vector3(0, 1, 0), ASIDE[0]).applyAxisAngle(right, -ASIDE[1]);
  };

  const resize = (width, height) => {
    inks.resize(width, height);
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
  return { scene, root, clip, driver, told, size, groups, bodies, span, times, camera, controls, show, fit, look, approach, aspectFrom, lead: () => measure().lead, follows: () => followed, first, resize, draw, gl, turn, paint: inks.paint, coloursOf: inks.coloursOf, pick, follow, setShown, close, now: () => now };
};
