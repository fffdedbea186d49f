//! The equations of a mechanism in one formulation, with their workspace.

mod dae;

use super::effect::Effect;
use super::emit::Places;
use super::kinds;
use super::plane::{Place, Plane};
use super::sizes::{self, Sizes};
use super::state_sizes::StateSizes;
use super::states;
use super::timed::Timed;
use super::{Formulation, Layout};
use crate::analysis::Crossing;
use crate::dae::{Kind, Unknown};
use crate::drive::TimeFunction;
use crate::expression::Stack;
use crate::force::{FrictionLoads, Loads};
use crate::input::Inputs;
use crate::interrupt::Interrupt;
use crate::mechanism::Mechanism;
use crate::orientation::{Chart, Euler};
use crate::space::{Pose, V3};
use crate::state::{State, Tracked};
use nalgebra_sparse::pattern::SparsityPattern;
use num_dual::Dual2_64;
use std::iter::repeat_n;
use std::sync::Arc;

/// A mechanism as F(t, y, y') = 0. Holds the orientation charts, the angle counters and all scratch of the evaluations; the
/// mechanism itself is shared.
#[derive(Debug, Clone)]
pub struct Equations {
    pub(super) mechanism: Arc<Mechanism>,
    pub(super) formulation: Formulation,
    pub(super) layout: Layout,
    pub(super) unknowns: Vec<Unknown>,
    pub(super) pattern: SparsityPattern,
    pub(super) slots: Vec<u32>,
    /// The plane in which the equations stand, instead of space.
    pub(super) plane: Option<Arc<Plane>>,
    pub(super) places: Vec<Place>,
    /// Of each body.
    pub(super) charts: Vec<Chart>,
    pub(super) tracked: Vec<Tracked>,
    pub(super) poses: Vec<Pose>,
    pub(super) eulers: Vec<Euler>,
    pub(super) drives: Vec<[f64; 3]>,
    /// Time of the last evaluation \[s\].
    pub(super) time: f64,
    pub(super) stack: Stack<Dual2_64>,
    pub(super) loads: Loads,
    pub(super) friction: FrictionLoads,
    pub(super) wrenches: Vec<[V3; 2]>,
    pub(super) timed: Timed,
    /// Made at the first break.
    pub(super) crossing: Option<Box<Crossing>>,
    /// L^-2: a turn counts as much as the way it moves a point at the length of the mechanism, where mu moves bodies.
    pub(super) metric: f64,
    pub(super) sizes: Sizes,
    pub(super) state_sizes: StateSizes,
    /// Second derivatives of the unknowns of the user at the last start.
    pub(super) seconds: Vec<f64>,
    pub(super) effects: Vec<Effect>,
    /// Largest force of a row so far \[N\], where multipliers are integrated.
    pub(super) force: f64,
    /// Joints that follow each other.
    pub(super) chain: usize,
    pub(super) interrupt: Interrupt,
}

impl Equations {
    /// Sets up the equations, with charts chosen for `state`.
    #[must_use]
    pub fn new(mechanism: Arc<Mechanism>, formulation: Formulation, state: &State) -> Self {
        Self::set_up(mechanism, formulation, state, None)
    }

    /// As [`Equations::new`], but of a mechanism that moves in one plane with the unknowns and rows of that plane alone, seven a body and two a hinge
    /// ([the module](super)). Their solutions are the same.
    #[must_use]
    pub fn fewest(mechanism: Arc<Mechanism>, formulation: Formulation, state: &State) -> Self {
        let plane = Plane::of(&mechanism, &state.poses).map(Arc::new);
        Self::set_up(mechanism, formulation, state, plane)
    }

    fn set_up(mechanism: Arc<Mechanism>, formulation: Formulation, state: &State, plane: Option<Arc<Plane>>) -> Self {
        let n = mechanism.bodies.len();
        let [linear, angular] = if plane.is_some() { [2, 1] } else { [3, 3] };
        let layout = Layout {
            bodies: n,
            linear,
            angular,
            rows: plane.as_ref().map_or_else(|| mechanism.row_count(), |plane| plane.row_count()),
            drives: mechanism.drive_unknowns(),
            states: mechanism.user_states().len(),
            stabilized: formulation.stabilized(),
            integrated: formulation.integrated(),
        };
        let chain = mechanism.longest_chain();
        let mut poses = state.poses.clone();
        poses.push(Pose::ground());
        let mut equations = Self {
            unknowns: unknowns(&mechanism, &layout, formulation),
            pattern: SparsityPattern::zeros(0, 0),
            slots: Vec::new(),
            places: vec![Place::ground(); n + 1],
            charts: if plane.is_some() { Vec::new() } else { vec![Chart::PLAIN; n] },
            tracked: state.angles.clone(),
            eulers: vec![Euler::new(&[0.0, std::f64::consts::FRAC_PI_2, 0.0]); n],
            drives: vec![[0.0; 3]; mechanism.drives.len()],
            time: state.time,
            stack: TimeFunction::stack(&mechanism.drives),
            loads: Loads::new(&mechanism),
            friction: FrictionLoads::new(&mechanism),
            wrenches: vec![[V3::zeros(); 2]; n + 1],
            crossing: None,
            metric: mechanism.length.powi(-2),
            sizes: Sizes::new(&mechanism, &state.poses, sizes::implicit(chain)),
            state_sizes: StateSizes::new(&mechanism, mechanism.states_in(&state.drives), sizes::implicit(chain)),
            seconds: vec![0.0; mechanism.user_states().len()],
            effects: Effect::of(&mechanism, &poses),
            force: 0.0,
            chain,
            interrupt: Interrupt::default(),
            timed: Timed::new(&mechanism, &layout),
            poses,
            mechanism,
            formulation,
            layout,
            plane,
        };
        if let Some(plane) = equations.plane.clone() {
            equations.put_in_plane(&plane, &state.poses);
            equations.effects = plane.effects(&equations.poses, &equations.places);
        }
        equations.loads.hold(&equations.mechanism);
        equations.lay_out();
        equations
    }

    /// Follows `mechanism`, which differs from the one of before in which rows are kept alone, at `poses`. The pattern becomes another one.
    pub(crate) fn renumber(&mut self, mechanism: Arc<Mechanism>, poses: &[Pose]) {
        self.mechanism = mechanism;
        self.poses[..poses.len()].copy_from_slice(poses);
        // At the start, which an analysis that is restored from bytes knows as well.
        let mut start = self.mechanism.start().poses.clone();
        start.push(Pose::ground());
        self.effects = Effect::of(&self.mechanism, &start);
        self.friction = FrictionLoads::new(&self.mechanism);
        self.timed = Timed::new(&self.mechanism, &self.layout);
        self.crossing = None;
        self.lay_out();
    }

    /// Finds the pattern.
    fn lay_out(&mut self) {
        let mut places = Places::default();
        let zeros = vec![0.0; self.layout.dimension()];
        self.emit(&zeros, &zeros, 1.0, &mut places);
        (self.pattern, self.slots) = places.finish(self.layout.dimension());
    }

    /// Whether they are those in a plane.
    #[must_use]
    pub fn is_planar(&self) -> bool {
        self.plane.is_some()
    }

    /// The mechanism.
    #[must_use]
    pub fn mechanism(&self) -> &Arc<Mechanism> {
        &self.mechanism
    }

    /// Which formulation this is.
    #[must_use]
    pub fn formulation(&self) -> Formulation {
        self.formulation
    }

    /// The inputs on which forces depend, to set them between steps.
    pub fn inputs_mut(&mut self) -> &mut Inputs {
        // Conditions on them may hold on the other side now.
        self.loads.release();
        self.loads.inputs_mut()
    }

    /// From now on conditions of forces hold as the point of each evaluation says, instead of on one side as long as a step lasts: F is a
    /// function of (t, y, y') alone, as integrators want it that know nothing of [`Dae::switch`](crate::dae::Dae::switch).
    pub fn let_conditions_go(&mut self) {
        self.loads.let_go();
    }

    /// Evaluations fail once this is raised.
    pub fn set_interrupt(&mut self, interrupt: Interrupt) {
        self.interrupt = interrupt;
    }

    /// Positions and velocities of the bodies at y.
    #[inline]
    pub(super) fn place(&mut self, y: &[f64]) {
        let l = self.layout;
        self.loads.set_states(&y[l.state()..]);
        if let Some(plane) = &self.plane {
            return plane.place(y, &mut self.places, &mut self.poses);
        }
        for b in 0..l.bodies {
            let euler = self.charts[b].euler(&y[l.e(b)..l.e(b) + 3]);
            self.eulers[b] = euler;
            self.poses[b] =
                Pose { x: at(y, l.x(b)), a: euler.e * self.charts[b].body, v: at(y, l.v(b)), w: at(y, l.w(b)) };
        }
    }
}

#[inline]
pub(super) fn at(y: &[f64], k: usize) -> V3 {
    V3::new(y[k], y[k + 1], y[k + 2])
}

#[inline]
pub(super) fn put(y: &mut [f64], k: usize, v: &V3) {
    y[k] = v.x;
    y[k + 1] = v.y;
    y[k + 2] = v.z;
}

/// Kinds, error test and scaling by h: integrators.md sections 3 and 4. Of the velocities the differential ones are tested, V
/// and H: omega follows from H and e without a derivative, so differences of omega underestimate its error. Lengths are
/// measured by the size of the mechanism and momenta by the inertia of the body, so that tolerances do not depend on units.
fn unknowns(mechanism: &Mechanism, l: &Layout, formulation: Formulation) -> Vec<Unknown> {
    let (velocity_power, multiplier_power) = match formulation {
        Formulation::I3 => (1, 2),
        Formulation::Si2 => (0, 1),
        Formulation::Si1 => (0, 0),
    };
    let (multiplier, stabilizer) = if formulation.integrated() {
        (kinds::MULTIPLIER_INTEGRAL, kinds::STABILIZER_INTEGRAL)
    } else {
        (kinds::MULTIPLIER, kinds::STABILIZER)
    };
    let tested = formulation.stabilized();
    let unknown = |kind, error_tested, scale_power, typical| Unknown { kind, error_tested, scale_power, typical };
    let length = mechanism.length;
    let mut out = Vec::with_capacity(l.dimension());
    for body in &mechanism.bodies {
        let inertia = body.inertia.trace() / 3.0;
        let turns = inertia > 0.0;
        let momentum = unknown(kinds::MOMENTUM, tested && turns, velocity_power, if turns { inertia } else { 1.0 });
        out.extend(repeat_n(unknown(kinds::POSITION, true, 0, length), l.linear));
        out.extend(repeat_n(unknown(kinds::ORIENTATION, true, 0, 1.0), l.angular));
        out.extend(repeat_n(unknown(kinds::VELOCITY, tested, velocity_power, length), l.linear));
        out.extend(repeat_n(unknown(kinds::ANGULAR_VELOCITY, false, velocity_power, 1.0), l.angular));
        out.extend(repeat_n(momentum, l.angular));
    }
    out.resize(out.len() + l.rows, unknown(multiplier, formulation.integrated(), multiplier_power, 1.0));
    if l.stabilized {
        out.resize(out.len() + l.rows, unknown(stabilizer, false, multiplier_power, 1.0));
    }
    out.resize(out.len() + l.drives, unknown(Kind::STATE, true, 0, 1.0));
    out.extend(states::unknowns(mechanism));
    out
}
