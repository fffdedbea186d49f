//! The equations of a mechanism in one formulation, with their workspace.

use super::effect::Effect;
use super::emit::Places;
use super::kinds;
use super::sizes::{self, Sizes};
use super::timed::Timed;
use super::{Formulation, Layout};
use crate::analysis::Crossing;
use crate::dae::{Dae, ErrorWeights, EvalError, History, Kind, RootEvent, StepErrors, Unknown};
use crate::drive::TimeFunction;
use crate::expression::Stack;
use crate::force::Loads;
use crate::input::Inputs;
use crate::interrupt::{self, Interrupt};
use crate::mechanism::Mechanism;
use crate::orientation::{self, Euler};
use crate::space::{M3, Pose, V3};
use crate::state::{State, Tracked};
use nalgebra_sparse::pattern::SparsityPattern;
use num_dual::Dual2_64;
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
    /// C^T of each body: A = E C^T.
    pub(super) charts: Vec<M3>,
    pub(super) tracked: Vec<Tracked>,
    pub(super) poses: Vec<Pose>,
    pub(super) eulers: Vec<Euler>,
    pub(super) drives: Vec<[f64; 3]>,
    pub(super) stack: Stack<Dual2_64>,
    pub(super) loads: Loads,
    pub(super) wrenches: Vec<[V3; 2]>,
    pub(super) timed: Timed,
    /// Made at the first break.
    pub(super) crossing: Option<Box<Crossing>>,
    /// L^-2: a turn counts as much as the way it moves a point at the length of the mechanism, where mu moves bodies.
    pub(super) metric: f64,
    pub(super) sizes: Sizes,
    pub(super) effects: Vec<Effect>,
    /// Joints that follow each other.
    pub(super) chain: usize,
    pub(super) interrupt: Interrupt,
}

impl Equations {
    /// Sets up the equations, with charts chosen for `state`.
    #[must_use]
    pub fn new(mechanism: Arc<Mechanism>, formulation: Formulation, state: &State) -> Self {
        let n = mechanism.bodies.len();
        let layout = Layout {
            bodies: n,
            rows: mechanism.row_count(),
            drives: mechanism.drive_unknowns(),
            stabilized: formulation.stabilized(),
        };
        let chain = mechanism.longest_chain();
        let mut poses = state.poses.clone();
        poses.push(Pose::ground());
        let mut equations = Self {
            unknowns: unknowns(&mechanism, &layout, formulation),
            pattern: SparsityPattern::zeros(0, 0),
            slots: Vec::new(),
            charts: vec![M3::identity(); n],
            tracked: state.angles.clone(),
            eulers: vec![Euler::new(&[0.0, std::f64::consts::FRAC_PI_2, 0.0]); n],
            drives: vec![[0.0; 3]; mechanism.drives.len()],
            stack: TimeFunction::stack(&mechanism.drives),
            loads: Loads::new(&mechanism),
            wrenches: vec![[V3::zeros(); 2]; n + 1],
            crossing: None,
            metric: mechanism.length.powi(-2),
            sizes: Sizes::new(&mechanism, &state.poses, sizes::implicit(chain)),
            effects: Effect::of(&mechanism, &poses),
            chain,
            interrupt: Interrupt::default(),
            timed: Timed::new(&mechanism, &layout),
            poses,
            mechanism,
            formulation,
            layout,
        };
        equations.loads.hold(&equations.mechanism);
        let mut places = Places::default();
        equations.emit(&vec![0.0; layout.dimension()], &vec![0.0; layout.dimension()], 1.0, &mut places);
        (equations.pattern, equations.slots) = places.finish(layout.dimension());
        equations
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
    /// function of (t, y, y') alone, as integrators want it that know nothing of [`Dae::switch`].
    pub fn let_conditions_go(&mut self) {
        self.loads.let_go();
    }

    /// Evaluations fail once this is raised.
    pub fn set_interrupt(&mut self, interrupt: Interrupt) {
        self.interrupt = interrupt;
    }

    /// Writes a state as y and y', choosing the charts for it.
    pub fn write(&mut self, state: &State, y: &mut [f64], yp: &mut [f64]) {
        self.write_with(state, y, yp, |own, b, pose| {
            let hint = if pose.w.norm() > 0.0 { pose.w } else { own.mechanism.bodies[b].turning_axis(pose) };
            let (chart, e) = orientation::choose_chart(&pose.a, &hint);
            own.charts[b] = chart.transpose();
            e
        });
    }

    /// Writes a state as y and y' in the charts of now, with angles near to those of `near`, another y.
    pub fn write_near(&mut self, state: &State, near: &[f64], y: &mut [f64], yp: &mut [f64]) {
        self.write_with(state, y, yp, |own, b, pose| {
            let first = own.layout.e(b);
            orientation::angles(&(pose.a * own.charts[b].transpose()), &[near[first], near[first + 1], near[first + 2]])
        });
    }

    fn write_with(
        &mut self,
        state: &State,
        y: &mut [f64],
        yp: &mut [f64],
        mut angles: impl FnMut(&mut Self, usize, &Pose) -> [f64; 3],
    ) {
        let l = self.layout;
        y.fill(0.0);
        yp.fill(0.0);
        for (b, pose) in state.poses.iter().enumerate() {
            let e = angles(self, b, pose);
            self.sizes.follow(b, pose);
            let inertia = self.mechanism.bodies[b].global_inertia(pose);
            let (momentum, [a, alpha]) = (inertia * pose.w, state.accelerations[b]);
            let rates = Euler::new(&e).rates(&pose.w);
            put(y, l.x(b), &pose.x);
            y[l.e(b)..l.e(b) + 3].copy_from_slice(&e);
            put(y, l.v(b), &pose.v);
            put(y, l.w(b), &pose.w);
            put(y, l.h(b), &momentum);
            put(yp, l.x(b), &pose.v);
            put(yp, l.e(b), &rates);
            put(yp, l.v(b), &a);
            put(yp, l.w(b), &alpha);
            put(yp, l.h(b), &(inertia * alpha + pose.w.cross(&momentum)));
        }
        y[l.lambda()..l.lambda() + l.rows].copy_from_slice(&state.multipliers);
        y[l.drive()..].copy_from_slice(&state.drives);
        self.tracked.copy_from_slice(&state.angles);
        self.write_drive_rates(state.time, y, yp);
    }

    fn write_drive_rates(&mut self, t: f64, y: &[f64], yp: &mut [f64]) {
        let first = self.layout.drive();
        let t = self.loads.break_state().sided(t);
        for drive in &self.mechanism.drives {
            let f = drive.evaluate(t, &y[first..], &mut self.stack);
            for k in 0..drive.law.unknowns() {
                yp[first + drive.first + k] = f[k + 1];
            }
        }
    }

    /// Lets the history go on with accelerations that jump by `change` (V' and omega' of each body) and multipliers by `multipliers`,
    /// as where forces jump: the polynomials become those of a past in which the forces of now had always acted.
    pub(crate) fn jump(&self, change: &[[V3; 2]], multipliers: &[f64], history: &mut dyn History) {
        let (l, h) = (self.layout, history.step());
        for (b, [a, alpha]) in change.iter().enumerate() {
            let euler = Euler::new(&[0, 1, 2].map(|k| history.coefficient(l.e(b) + k, 0)));
            let turned = euler.e * self.charts[b];
            let momentum = turned * (self.mechanism.bodies[b].inertia * turned.tr_mul(alpha));
            for (first, rate) in [(l.v(b), a), (l.w(b), alpha), (l.h(b), &momentum)] {
                add(history, first, 1, &(rate * h));
            }
            if history.order() > 1 {
                add(history, l.x(b), 2, &(a * (0.5 * h * h)));
                add(history, l.e(b), 2, &(euler.rates(alpha) * (0.5 * h * h)));
            }
        }
        for (k, change) in multipliers.iter().enumerate() {
            let old = history.coefficient(l.lambda() + k, 0);
            history.set_coefficient(l.lambda() + k, 0, old + change);
        }
    }

    /// Reads y at time `t` back into a state; accelerations are left as they are.
    pub fn read(&mut self, t: f64, y: &[f64], state: &mut State) {
        self.place(y);
        let l = self.layout;
        state.time = t;
        let n = l.bodies;
        state.poses.copy_from_slice(&self.poses[..n]);
        state.multipliers.copy_from_slice(&y[l.lambda()..l.lambda() + l.rows]);
        state.drives.copy_from_slice(&y[l.drive()..]);
        for (k, tracked) in self.tracked.iter().enumerate() {
            let [raw, rate] = self.mechanism.tracked_angle(k, &self.poses);
            state.angles[k] = Tracked { time: t, angle: tracked.continued(raw, t), rate };
        }
    }

    /// Positions and velocities of the bodies at y.
    #[inline]
    pub(super) fn place(&mut self, y: &[f64]) {
        let l = self.layout;
        for b in 0..l.bodies {
            let euler = Euler::new(&y[l.e(b)..l.e(b) + 3]);
            self.eulers[b] = euler;
            self.poses[b] = Pose { x: at(y, l.x(b)), a: euler.e * self.charts[b], v: at(y, l.v(b)), w: at(y, l.w(b)) };
        }
    }
}

fn add(history: &mut dyn History, first: usize, power: usize, value: &V3) {
    for k in 0..3 {
        let old = history.coefficient(first + k, power);
        history.set_coefficient(first + k, power, old + value[k]);
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
    };
    let tested = formulation.stabilized();
    let unknown = |kind, error_tested, scale_power, typical| Unknown { kind, error_tested, scale_power, typical };
    let length = mechanism.length;
    let mut out = Vec::with_capacity(l.dimension());
    for body in &mechanism.bodies {
        let inertia = body.inertia.trace() / 3.0;
        let turns = inertia > 0.0;
        out.extend([unknown(kinds::POSITION, true, 0, length); 3]);
        out.extend([unknown(kinds::ORIENTATION, true, 0, 1.0); 3]);
        out.extend([unknown(kinds::VELOCITY, tested, velocity_power, length); 3]);
        out.extend([unknown(kinds::ANGULAR_VELOCITY, false, velocity_power, 1.0); 3]);
        out.extend([unknown(kinds::MOMENTUM, tested && turns, velocity_power, if turns { inertia } else { 1.0 }); 3]);
    }
    out.resize(out.len() + l.rows, unknown(kinds::MULTIPLIER, false, multiplier_power, 1.0));
    if l.stabilized {
        out.resize(out.len() + l.rows, unknown(kinds::STABILIZER, false, 1, 1.0));
    }
    out.resize(out.len() + l.drives, unknown(Kind::STATE, true, 0, 1.0));
    out
}

impl Dae for Equations {
    fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    fn dimension(&self) -> usize {
        self.layout.dimension()
    }

    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }

    fn unknown_name(&self, i: usize) -> String {
        self.name(
            i,
            ["x", "y", "z", "psi", "theta", "phi", "Vx", "Vy", "Vz", "wx", "wy", "wz", "Hx", "Hy", "Hz"],
            ["lambda", "mu"],
        )
    }

    fn equation_name(&self, i: usize) -> String {
        const BODY: [&str; 15] = [
            "x' = Vx",
            "y' = Vy",
            "z' = Vz",
            "rotation x",
            "rotation y",
            "rotation z",
            "force balance x",
            "force balance y",
            "force balance z",
            "torque balance x",
            "torque balance y",
            "torque balance z",
            "momentum x",
            "momentum y",
            "momentum z",
        ];
        self.name(i, BODY, ["position constraint", "velocity constraint"])
    }

    fn pattern(&self) -> &SparsityPattern {
        &self.pattern
    }

    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], residual: &mut [f64]) -> Result<(), EvalError> {
        interrupt::check(&self.interrupt, t)?;
        self.evaluate_residual(t, y, yp, residual)
    }

    fn jacobian(&mut self, t: f64, y: &[f64], yp: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
        interrupt::check(&self.interrupt, t)?;
        self.evaluate_jacobian(t, y, yp, c, values)
    }

    fn after_step(&mut self, history: &mut dyn History) -> Result<bool, EvalError> {
        Ok(self.continue_charts(history))
    }

    fn next_break(&mut self, t: f64) -> f64 {
        self.loads.break_state_mut().from(t)
    }

    fn pass_jump(&mut self, t: f64, y: &mut [f64], yp: &mut [f64]) -> Result<bool, EvalError> {
        self.pass(t, y, yp)
    }

    fn weighs(&self) -> bool {
        true
    }

    fn weigh(&self, _y: &[f64], weights: &mut ErrorWeights<'_>) {
        let l = self.layout;
        let classes = self.sizes.classes(weights.step);
        let [x, e, mut v, mut w] = classes;
        if !l.stabilized {
            // Increments of h beta_0 u count beside those of positions.
            (v[1], w[1]) = (weights.relative * x[0] + x[1], weights.relative * e[0] + e[1]);
        }
        for (b, &inertia) in self.sizes.inertia.iter().enumerate() {
            let units = [(l.x(b), x, 1.0), (l.e(b), e, 1.0), (l.v(b), v, 1.0), (l.w(b), w, 1.0), (l.h(b), w, inertia)];
            units.into_iter().for_each(|(first, class, unit)| sizes::put(weights, first, 3, class, unit));
        }
        self.weigh_multipliers(weights);
        let angular = self.mechanism.drives_angular();
        for (drive, angular) in self.mechanism.drives.iter().zip(angular) {
            for (k, class) in if angular { [e, classes[3]] } else { [x, classes[2]] }.into_iter().enumerate() {
                let count = usize::from(k < drive.law.unknowns());
                sizes::put(weights, l.drive() + drive.first + k, count, class, 1.0);
            }
        }
    }

    fn first_step(&self, _y: &[f64], yp: &[f64], relative: f64) -> f64 {
        let l = self.layout;
        let largest = |of: &dyn Fn(usize) -> usize| (0..l.bodies).fold(0.0, |a, b| at(yp, of(b)).norm().max(a));
        self.sizes.first_step(relative, [largest(&|b| l.v(b)), largest(&|b| l.w(b))])
    }

    fn defect(&mut self, t: f64, h: f64, order: usize, errors: &mut dyn StepErrors) -> f64 {
        self.defect_of_time(t, h, order, errors)
    }

    fn watched_count(&self) -> usize {
        self.mechanism.watched.count()
    }

    fn watched_name(&self, k: usize) -> String {
        self.mechanism.condition_name(k)
    }

    fn watched_function(&self, k: usize) -> usize {
        self.mechanism.watched.function(k)
    }

    fn watch(&mut self, t: f64, y: &[f64], arguments: &mut [f64]) -> Result<(), EvalError> {
        self.place(y);
        self.loads.watch(&self.mechanism, t, &self.poses, &self.tracked, arguments)
    }

    fn expected_sign(&self, k: usize) -> Option<i8> {
        self.loads.expected(&self.mechanism, k)
    }

    fn choose_sides(&mut self, t: f64, y: &[f64]) -> Result<(), EvalError> {
        self.place(y);
        self.loads.release();
        self.loads.choose(&self.mechanism, t, &self.poses, &self.tracked)
    }

    fn switch(&mut self, t: f64, y: &mut [f64], yp: &mut [f64], events: &[RootEvent]) -> Result<bool, EvalError> {
        self.turn(t, y, yp, events)
    }

    fn save(&self, store: &mut Vec<f64>) {
        store.extend(self.loads.sides());
        store.extend(self.loads.break_state().saved());
        for chart in &self.charts {
            store.extend_from_slice(chart.as_slice());
        }
        for tracked in &self.tracked {
            store.extend([tracked.time, tracked.angle, tracked.rate]);
        }
        self.sizes.save(store);
    }

    fn restore(&mut self, store: &[f64]) -> Result<(), EvalError> {
        let charts = 9 * self.charts.len();
        let (sides, store) = store.split_at(store.len().min(self.loads.sides().len()));
        let (break_state, store) = store.split_at(store.len().min(3));
        let tracked = charts + 3 * self.tracked.len();
        if break_state.len() < 3 || store.len() != tracked + self.sizes.stored() {
            return Err(EvalError::Fatal {
                element: format!("mechanism \"{}\"", self.mechanism.name()),
                time: f64::NAN,
                reason: "the saved state belongs to another mechanism".to_owned(),
            });
        }
        self.loads.restore_sides(sides);
        self.loads.break_state_mut().restore([break_state[0], break_state[1], break_state[2]]);
        for (chart, saved) in self.charts.iter_mut().zip(store.chunks_exact(9)) {
            chart.copy_from_slice(saved);
        }
        for (angle, saved) in self.tracked.iter_mut().zip(store[charts..tracked].chunks_exact(3)) {
            *angle = Tracked { time: saved[0], angle: saved[1], rate: saved[2] };
        }
        self.sizes.restore(&store[tracked..]);
        Ok(())
    }
}

impl Equations {
    fn name(&self, i: usize, body: [&str; 15], rows: [&str; 2]) -> String {
        let l = self.layout;
        if i < l.lambda() {
            format!("body \"{}\" {}", self.mechanism.bodies[i / super::PER_BODY].name, body[i % super::PER_BODY])
        } else if i < l.mu() {
            format!("{} of {}", rows[0], self.mechanism.row_name(i - l.lambda()))
        } else if i < l.drive() {
            format!("{} of {}", rows[1], self.mechanism.row_name(i - l.mu()))
        } else {
            let name = self.mechanism.drive_unknown_name(i - l.drive());
            format!("coordinate of {name}")
        }
    }
}
