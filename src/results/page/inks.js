// Colours of what is seen, on light and on dark ground.

/** Kinds of arrows, and of what the longest of them is. */
const ARROWS = { forces: "force", reactions: "reaction", contacts: "contact force" };
/** Colours of less light than this are made lighter on dark ground, by this part of the way to white. */
const DARK = 0.12, LIGHTER = 0.18;
/** Floors and supports on dark ground: this part of their light. */
const DIMMED = 0.22;
/** Light of the middle of the background, see view.css. */
const BACKGROUND = { light: 0.86, dark: 0.033 };
/** Solid shapes of less contrast to the background than this have an outline (WCAG 2.2, relative luminance), so wide [px]. */
const LEAST_CONTRAST = 1.5, OUTLINE = 1.5;
/** Colours of outlines: they stand out a little from the background. */
const OUTLINES = { light: 0x8a95a3, dark: 0x8b98a8 };

const lightOf = ({ r, g, b }) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
const contrastOf = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

/** What lies behind a shape and looks out around it, so many pixels of `pixel`, which has the size of one where the picture reaches from -1 to 1. */
const outlineOf = (mesh, pixel) => {
  // The faces that look away (BackSide is 1), pushed outwards.
  const material = new THREE.MeshBasicMaterial({ side: 1 });
  material.onBeforeCompile = (shader) => {
    shader.uniforms.pixel = { value: pixel };
    shader.vertexShader = `uniform vec2 pixel;\n${shader.vertexShader.replace("#include <project_vertex>", `#include <project_vertex>
      vec2 outwards = (normalMatrix * normal).xy;
      gl_Position.xy += ${OUTLINE.toFixed(1)} * pixel * gl_Position.w * outwards / max(length(outwards), 1e-6);`)}`;
  };
  const outline = new THREE.Mesh(mesh.geometry, material);
  // It is no shape of its own: nobody points at it or fits it.
  Object.assign(outline, { frustumCulled: false, raycast: () => {}, userData: { outline: true } });
  mesh.add(outline);
  return outline;
};

/** The colours of the nodes below `root`; each has a material of its own, so that it can be changed alone. */
const makeInks = (root) => {
  const inks = [], pixel = new THREE.Vector2(0.002, 0.002);
  root.traverse((node) => {
    if (!node.material) return;
    const { group, painted } = node.userData, material = node.material.clone();
    node.material = material;
    inks.push({ node, material, own: material.color.clone(), group, painted, outline: null });
    // The lines of the ground are there to be stood on.
    if (node.isLineSegments && group === "ground") Object.assign(material, { transparent: true, opacity: 0.4 });
    // Signs that lie in the surface of a body are seen before it.
    if (group === "springs" || group === "joints") Object.assign(material, { polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -1 });
    // An arrow within a body is seen all the same.
    if (group in ARROWS) [material.depthTest, material.transparent, node.renderOrder] = [false, true, 1];
  });
  /**
   * On dark ground dark signs are lighter, and floors do not glare; a colour that the model says stays. Who would not be told from the background has
   * an outline.
   */
  const paint = (theme) => {
    const white = new THREE.Color(1, 1, 1), isDark = theme === "dark";
    for (const ink of inks) {
      const { node, material, own, group, painted } = ink;
      material.color.copy(own);
      if (isDark && !painted) {
        if (node.isMesh && group === "ground") material.color.multiplyScalar(DIMMED);
        else if (lightOf(own) < DARK) material.color.lerp(white, LIGHTER);
      }
      const isSolid = node.isMesh && (group === "bodies" || group === "ground");
      const isFaint = isSolid && contrastOf(lightOf(material.color), BACKGROUND[theme]) < LEAST_CONTRAST;
      if (isFaint) ink.outline ??= outlineOf(node, pixel);
      if (ink.outline) ink.outline.visible = isFaint;
      if (isFaint) ink.outline.material.color.set(OUTLINES[theme]);
    }
  };
  /** Colours of the nodes of a group, each once, as the page writes them. */
  const coloursOf = (name) => [...new Set(inks.filter(({ group }) => group === name).map(({ own }) => `#${own.getHexString()}`))];
  const resize = (width, height) => pixel.set(2 / width, 2 / height);
  return { paint, coloursOf, resize };
};
