// What the view uses of three.js; esbuild leaves the rest out.
export {
  AnimationClip, AnimationMixer, Box3, BufferAttribute, BufferGeometry, Color, DirectionalLight, HemisphereLight, Line, LineBasicMaterial, Matrix4, Mesh,
  MeshBasicMaterial, PerspectiveCamera, Quaternion, Raycaster, Scene, SphereGeometry, Vector2, Vector3, WebGLRenderer,
} from "three";
export { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
export { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
