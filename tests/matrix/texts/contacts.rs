//! Contacts of each kind, all named `floor`.

pub(crate) const SPHERE_PLANE: &str = r#"
[[contact]]
name = "floor"
type = "sphere_plane"
i = "ball"
radius = 0.1
j = "ground"
restitution = 0.5
friction = 0.3
"#;

pub(crate) const BOX_PLANE: &str = r#"
[[contact]]
name = "floor"
type = "box_plane"
i = "ball"
size = [0.2, 0.2, 0.2]
j = "ground"
friction = 0.3
"#;

pub(crate) const SPHERE_SPHERE: &str = r#"
[[contact]]
name = "floor"
type = "sphere_sphere"
i = "ball"
radius_i = 0.1
j = { body = "ground", position = [0, 0, -0.5] }
radius_j = 0.5
restitution = 0.5
friction = 0.3
"#;

pub(crate) const ROPE: &str = r#"
[[contact]]
name = "floor"
type = "rope"
i = "ball"
j = { body = "ground", position = [0, 0, 0.6] }
length = 0.5
"#;

pub(crate) const JOINT_STOP: &str = r#"
[[contact]]
name = "floor"
type = "joint_stop"
joint = "rail"
upper = 0.001
restitution = 0.5
"#;

pub(crate) const CURVE_CURVE: &str = r#"
[[contact]]
name = "floor"
type = "curve_curve"
i = "ball"
curve_i = { type = "circle", radius = 0.1 }
j = "ground"
curve_j = { type = "circle", radius = 0.101, hollow = true }
restitution = 0.5
"#;

pub(crate) const SHAPES: &str = r#"
[[shape]]
name = "round"
on = "ball"
type = "sphere"
radius = 0.1
[[shape]]
name = "flat"
on = "ground"
type = "half_space"
[[contact]]
name = "floor"
type = "shapes"
i = "round"
j = "flat"
restitution = 0.5
friction = 0.3
"#;
