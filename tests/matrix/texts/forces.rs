//! Forces, inputs and actuators; sensors and what switches; states and blocks.

pub(crate) const BUSHING: &str = r#"
[[force]]
name = "elastic"
type = "bushing"
i = "block"
j = "ground"
stiffness = [50, 60, 500, 5, 6, 7]
damping = [1, 1, 1, 0.1, 0.1, 0.1]
"#;

pub(crate) const BEAM: &str = r#"
[[force]]
name = "elastic"
type = "beam"
i = "block"
j = { body = "ground", position = [-0.5, 0, 0] }
length = 0.5
area = 1e-6
iyy = 1e-9
izz = 1e-9
ixx = 2e-9
youngs_modulus = 7e9
shear_modulus = 2.7e9
damping_ratio = 0.01
"#;

pub(crate) const FIELD: &str = r#"
[[force]]
name = "elastic"
type = "field"
i = "block"
j = "ground"
stiffness_matrix = [[50, 5, 0, 0, 0, 0], [5, 60, 0, 0, 0, 0], [0, 0, 500, 0, 0, 0], [0, 0, 0, 5, 0, 0], [0, 0, 0, 0, 6, 0], [0, 0, 0, 0, 0, 7]]
damping_matrix = [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 0.1, 0, 0], [0, 0, 0, 0, 0.1, 0], [0, 0, 0, 0, 0, 0.1]]
"#;

pub(crate) const SPLINE: &str = r#"
[[spline]]
name = "law"
x = [-0.1, 0, 0.1, 0.3]
y = [20, 0, -20, -90]
[[force]]
name = "curved"
type = "force"
i = "cart"
value = ["akispl(x, law)", 0, 0]
"#;

pub(crate) const INPUT: &str = r#"
[[input]]
name = "u"
unit = "N"
value = 2
[[force]]
name = "set"
type = "force"
i = "cart"
value = ["u", 0, 0]
"#;

pub(crate) const ACTUATOR: &str = r#"
[[actuator]]
name = "jack"
i = "cart"
j = { body = "ground", position = [-1, 0, 0] }
start = 2
"#;

pub(crate) const TORQUE_ACTUATOR: &str = r#"
[[actuator]]
name = "motor"
type = "torque"
i = "wheel"
j = "ground"
start = 0.3
"#;

pub(crate) const SENSOR: &str = r#"
[[force]]
name = "kick"
type = "force"
i = "cart"
value = [4, 0, 0]
active = 0
[[sensor]]
name = "reached"
expression = "x"
value = 0.001
direction = "rising"
activate = ["kick"]
"#;

pub(crate) const ACTIVE_FORCE: &str = r#"
[[force]]
name = "kick"
type = "force"
i = "cart"
value = [4, 0, 0]
active = "x - 0.001"
"#;

pub(crate) const ACTIVE_JOINT: &str = r#"
[[joint]]
name = "latch"
type = "distance"
i = "wheel"
j = "cart"
active = "time - 0.03"
"#;

pub(crate) const STATE: &str = r#"
[[state]]
name = "s"
rate = "(x - s)/0.05"
[[force]]
name = "feedback"
type = "force"
i = "cart"
value = ["-40*s", 0, 0]
"#;

pub(crate) const ZERO: &str = r#"
[[state]]
name = "s"
zero = "s^3 + s - 10*x"
[[force]]
name = "feedback"
type = "force"
i = "cart"
value = ["-4*s", 0, 0]
"#;

pub(crate) const TRANSFER_FUNCTION: &str = r#"
[[transfer_function]]
name = "lag"
input = "x"
numerator = [1]
denominator = [0.05, 1]
[[force]]
name = "feedback"
type = "force"
i = "cart"
value = ["-40*lag", 0, 0]
"#;

pub(crate) const STATE_SPACE: &str = r#"
[[state_space]]
name = "filter"
inputs = ["x"]
a = [[0, 1], [-400, -40]]
b = [[0], [400]]
c = [[1, 0]]
[[force]]
name = "feedback"
type = "force"
i = "cart"
value = ["-40*filter", 0, 0]
"#;

pub(crate) const PID: &str = r#"
[[pid]]
name = "control"
input = "0.02 - x"
kp = 50
ki = 20
kd = 1
filter = 0.01
[[force]]
name = "feedback"
type = "force"
i = "cart"
value = ["control", 0, 0]
"#;
