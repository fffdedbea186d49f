//! What the semi-explicit equations ([`semi_explicit`](super::semi_explicit)) are: names, units, magnitudes, and which depends on which.

use super::Partitioned;
use super::local::PER_BODY;
use super::semi_explicit::{Places, RATES};
use crate::dae::Dae;
use crate::formulation::{Equations, Formulation};
use crate::mechanism::Mechanism;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Unknowns of a body in [`Formulation::I3`]: positions, then velocities, then momenta, of which six, six and three.
const IN_I3: usize = 15;

/// An algebraic variable or its equation.
#[derive(Debug, Clone, PartialEq)]
pub struct AlgebraicVariable {
    /// Its name.
    pub name: String,
    /// Its unit; empty for one without.
    pub unit: &'static str,
    /// Its magnitude that is neither large nor small \[unit\].
    pub typical: f64,
    /// Name of its equation.
    pub equation: String,
    /// Unit of that equation.
    pub equation_unit: &'static str,
}

/// Of rows that are lengths, and of those that are angles: the constraint, its rate, its second derivative, its force.
const ROW_UNITS: [[&str; 4]; 2] = [["m", "m/s", "m/s^2", "N"], ["rad", "rad/s", "rad/s^2", "N*m"]];

impl Partitioned {
    /// The algebraic variables at a start whose values are `algebraic`, with their equations.
    #[must_use]
    pub fn algebraic_variables(&self, algebraic: &[f64]) -> Vec<AlgebraicVariable> {
        const BODY: [&str; RATES] = ["ax", "ay", "az", "alpha x", "alpha y", "alpha z"];
        let (places, mechanism) = (self.places(), &*self.mechanism);
        let [length, acceleration, force] = magnitudes(mechanism, &places, algebraic, &self.angular_rows());
        let (angular, name) = (self.angular_rows(), |row: usize| mechanism.row_name(row));
        let mut all = Vec::with_capacity(places.count);
        let row = |what: &str, equation: &str, row: usize, unit, typical, level: usize| AlgebraicVariable {
            name: format!("{what} of {}", name(row)),
            unit,
            typical,
            equation: format!("{equation} constraint of {}", name(row)),
            equation_unit: ROW_UNITS[usize::from(angular[row])][level],
        };
        all.extend(self.position_rows().map(|k| row("position correction", "position", k, "", 1.0, 0)));
        all.extend((0..angular.len()).map(|k| row("velocity correction", "velocity", k, "1/s", 1.0, 1)));
        all.extend((0..places.lambda - places.accelerations).map(|k| {
            let (body, turns) = (mechanism.known_body(k / RATES), k % RATES >= 3);
            let kind = if turns { "torque" } else { "force" };
            AlgebraicVariable {
                name: format!("{body} {}", BODY[k % RATES]),
                unit: ROW_UNITS[usize::from(turns)][2],
                typical: if turns { acceleration / length } else { acceleration },
                equation: format!("{body} {kind} balance {}", ["x", "y", "z"][k % 3]),
                equation_unit: ROW_UNITS[usize::from(turns)][3],
            }
        }));
        all.extend((0..angular.len()).map(|k| {
            let typical = if angular[k] { force * length } else { force };
            row("lambda", "acceleration", k, ROW_UNITS[usize::from(angular[k])][3], typical, 2)
        }));
        all
    }

    /// Of each row whether it is an angle.
    fn angular_rows(&self) -> Vec<bool> {
        let mut angular = vec![false; self.joined.joint_rows()];
        for bound in &self.mechanism.constraints {
            for k in 0..bound.constraint.row_count() {
                if let Some(own) = angular.get_mut(bound.rows[k] as usize) {
                    *own = bound.constraint.is_angular();
                }
            }
        }
        angular
    }

    /// Of each entry of x' and each equation, in this order, on which of the unknowns x and a, in this order, it may depend; ascending. It holds for
    /// all points and partitions.
    #[must_use]
    pub fn structure(&self) -> Vec<Vec<usize>> {
        Structure::new(self).all(self)
    }
}

/// Length of the mechanism, and magnitudes of accelerations and forces at the start: those of gravity and of what happens there.
fn magnitudes(mechanism: &Mechanism, places: &Places, algebraic: &[f64], angular: &[bool]) -> [f64; 3] {
    let length = mechanism.length;
    let (accelerations, lambda) = algebraic[places.accelerations..].split_at(places.lambda - places.accelerations);
    let arm = |turns: bool| if turns { length } else { 1.0 };
    let largest = accelerations.iter().enumerate().map(|(k, a)| a.abs() * arm(k % RATES >= 3));
    let acceleration = largest.fold(mechanism.gravity.norm(), f64::max);
    let acceleration = if acceleration > 0.0 { acceleration } else { length };
    let forces = lambda.iter().zip(angular).map(|(lambda, turns)| lambda.abs() / arm(*turns));
    let weights = mechanism.bodies.iter().map(|body| body.mass * acceleration);
    let force = forces.chain(weights).fold(0.0, f64::max);
    [length, acceleration, if force > 0.0 { force } else { 1.0 }]
}

/// What stands where among x and a, and what depends on what.
struct Structure {
    bodies: usize,
    drives: usize,
    /// Number of x.
    differential: usize,
    places: Places,
    held: Vec<usize>,
    /// Bodies of each row.
    of_rows: Vec<BTreeSet<usize>>,
    /// Rows of each body.
    rows: Vec<Vec<usize>>,
    /// Columns of the Jacobian of each row.
    columns: Vec<Vec<usize>>,
    /// Of each row of the equations of index 3 the columns that it has.
    index_3: Vec<BTreeSet<usize>>,
    /// Bodies with which each shares masses.
    coupled: Vec<BTreeSet<usize>>,
}

impl Structure {
    fn new(own: &Partitioned) -> Self {
        let mechanism = &own.mechanism;
        let bodies = mechanism.bodies.len();
        let equations = Equations::new(Arc::clone(mechanism), Formulation::I3, mechanism.start());
        let mut index_3 = vec![BTreeSet::new(); equations.dimension()];
        for (column, range) in equations.pattern().major_offsets().windows(2).enumerate() {
            equations.pattern().minor_indices()[range[0]..range[1]].iter().for_each(|&row| {
                index_3[row].insert(column);
            });
        }
        let columns: Vec<Vec<usize>> = own.joined.jacobian.row_iter().map(|row| row.col_indices().to_vec()).collect();
        let mut coupled = vec![BTreeSet::new(); bodies];
        for (row, column, _) in own.joined.system.mass.triplet_iter() {
            coupled[row / RATES].insert(column / RATES);
        }
        let of_rows: Vec<BTreeSet<usize>> =
            columns.iter().map(|columns| columns.iter().map(|column| column / RATES).collect()).collect();
        let mut rows = vec![Vec::new(); bodies];
        for (row, own) in of_rows.iter().enumerate() {
            own.iter().for_each(|body| rows[*body].push(row));
        }
        Self {
            bodies,
            drives: mechanism.drive_unknowns(),
            differential: own.unknowns.len(),
            places: own.places(),
            held: own.position_rows().collect(),
            of_rows,
            rows,
            columns,
            index_3,
            coupled,
        }
    }

    fn motions(&self, to: &mut BTreeSet<usize>) {
        to.extend((0..self.drives).map(|k| PER_BODY * self.bodies + k));
    }

    /// Where a body is.
    fn position(&self, body: usize, to: &mut BTreeSet<usize>) {
        to.extend(PER_BODY * body..PER_BODY * body + RATES);
        let rows = self.rows[body].iter().filter_map(|row| self.held.binary_search(row).ok());
        to.extend(rows.map(|k| self.differential + k));
    }

    /// How a body moves.
    fn velocity(&self, body: usize, to: &mut BTreeSet<usize>) {
        to.extend(PER_BODY * body + RATES..PER_BODY * (body + 1));
        to.extend(self.rows[body].iter().map(|row| self.differential + self.places.nu + row));
    }

    fn accelerations(&self, body: usize, to: &mut BTreeSet<usize>) {
        let first = self.differential + self.places.accelerations + RATES * body;
        to.extend(first..first + RATES);
    }

    fn lambda(&self, row: usize, to: &mut BTreeSet<usize>) {
        to.insert(self.differential + self.places.lambda + row);
    }

    /// What a row of the equations of index 3 depends on.
    fn as_index_3(&self, row: usize, to: &mut BTreeSet<usize>) {
        let (lambda, rows) = (IN_I3 * self.bodies, self.of_rows.len());
        for &column in &self.index_3[row] {
            match column.checked_sub(lambda) {
                None if column % IN_I3 < RATES => self.position(column / IN_I3, to),
                None => self.velocity(column / IN_I3, to),
                Some(k) if k < rows => self.lambda(k, to),
                Some(k) => {
                    to.insert(PER_BODY * self.bodies + k - rows);
                }
            }
        }
    }

    fn all(&self, own: &Partitioned) -> Vec<Vec<usize>> {
        let mut all: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.differential + self.places.count];
        let (of_x, of_a) = all.split_at_mut(self.differential);
        for (body, rates) in of_x.chunks_exact_mut(PER_BODY).take(self.bodies).enumerate() {
            for to in &mut rates[..RATES] {
                self.velocity(body, to);
            }
            rates[3..RATES].iter_mut().for_each(|to| self.position(body, to));
            let first = self.differential + self.places.accelerations + RATES * body;
            rates[RATES..].iter_mut().zip(first..).for_each(|(to, k)| {
                to.insert(k);
            });
        }
        let rest = &mut of_x[PER_BODY * self.bodies..];
        rest[..self.drives].iter_mut().for_each(|to| self.motions(to));
        let first = IN_I3 * self.bodies + self.of_rows.len() + self.drives;
        rest[self.drives..].iter_mut().zip(first..).for_each(|(to, row)| self.as_index_3(row, to));
        self.constraints(of_a);
        self.balances(own, &mut of_a[self.places.accelerations..self.places.lambda]);
        all.into_iter().map(|set| set.into_iter().collect()).collect()
    }

    /// Constraints with their rates and second derivatives.
    fn constraints(&self, of_a: &mut [BTreeSet<usize>]) {
        for (row, bodies) in self.of_rows.iter().enumerate() {
            let position = self.held.binary_search(&row).ok();
            let levels = [(position, 0), (Some(self.places.nu + row), 1), (Some(self.places.lambda + row), 2)];
            for (at, level) in levels {
                let Some(to) = at.map(|at| &mut of_a[at]) else { continue };
                self.motions(to);
                for &body in bodies {
                    self.position(body, to);
                    if level > 0 {
                        self.velocity(body, to);
                    }
                    if level > 1 {
                        self.accelerations(body, to);
                    }
                }
            }
        }
    }

    /// Balances of forces and torques.
    fn balances(&self, own: &Partitioned, of_bodies: &mut [BTreeSet<usize>]) {
        for (body, balances) in of_bodies.chunks_exact_mut(RATES).enumerate() {
            for (k, to) in balances.iter_mut().enumerate() {
                // V stands at 6, omega at 9.
                self.as_index_3(IN_I3 * body + RATES + k, to);
                for &other in &self.coupled[body] {
                    self.position(other, to);
                    self.velocity(other, to);
                }
            }
        }
        for (row, column, _) in own.joined.system.mass.triplet_iter() {
            of_bodies[row].insert(self.differential + self.places.accelerations + column);
        }
        for (row, columns) in self.columns.iter().enumerate() {
            columns.iter().for_each(|column| self.lambda(row, &mut of_bodies[*column]));
        }
    }
}
