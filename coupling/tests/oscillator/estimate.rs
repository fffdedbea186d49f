//! The error estimate of coupled oscillators against the closed form.

use fourbar_coupling::management::ErrorEstimate;
use fourbar_coupling::partner::Linear;
use fourbar_coupling::{Algorithm, Connection, Master, Options, Order, Partner, Variable};
use fourbar_lti::{GMatrices, StateSpace};
use nalgebra::{DMatrix, DVector, dmatrix};

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a fixed sequence of members.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Logarithmically between.
    fn log(&mut self, from: f64, to: f64) -> f64 {
        from * (to / from).powf(self.unit())
    }

    fn one_of<T: Clone>(&mut self, values: &[T]) -> T {
        values[((self.unit() * values.len() as f64) as usize).min(values.len() - 1)].clone()
    }
}

/// Two masses, each tied to the ground or not, and a spring between them that belongs to the first; or a spring alone and a mass.
#[derive(Debug, Clone)]
struct Member {
    /// No mass on the side of the spring.
    alone: bool,
    m: [f64; 2],
    k: [f64; 2],
    d: [f64; 2],
    kc: f64,
    dc: f64,
    start: [f64; 4],
    algorithm: Algorithm,
    /// Step times the largest angular frequency, periods of it.
    h_omega: f64,
    periods: f64,
    omega: f64,
}

fn order(random: &mut Random) -> Order {
    random.one_of(&[Order::Hold, Order::Linear, Order::Quadratic])
}

impl Member {
    fn draw(random: &mut Random, most_steps: f64) -> Self {
        let alone = random.unit() < 0.4;
        let time = random.log(1e-3, 1e3);
        let mass = random.log(1e-9, 1e9);
        let size = random.log(1e-9, 1e9);
        let stiffness = mass / (time * time);
        let m = [mass, mass * random.log(0.1, 10.0)];
        let kc = stiffness * random.log(0.3, 3.0);
        let tied = random.unit() < 0.5 && !alone;
        let mut k = || if tied { stiffness * random.log(0.1, 1.0) } else { 0.0 };
        let k = [k(), k()];
        let zeta = random.one_of(&[0.0, 0.0, 1e-3, 0.02]);
        let mut own = Self {
            alone,
            m,
            k,
            d: [0.0; 2],
            kc,
            dc: 0.0,
            start: [0.0; 4],
            algorithm: Algorithm::JacobiDelayed,
            h_omega: random.log(0.01, 3.0),
            periods: 0.0,
            omega: 0.0,
        };
        own.omega = own.frequency();
        own.d = own.k.map(|k| 2.0 * zeta * k / own.omega);
        own.dc = 2.0 * zeta * kc / own.omega;
        own.start = match alone {
            true => [0.0, 0.0, size, 0.0],
            false => [size, 0.0, 0.0, size / time * (random.unit() - 0.5)],
        };
        let most = (most_steps * own.h_omega / std::f64::consts::TAU).min(1000.0);
        own.periods = random.log(1.0, most.max(1.0));
        let p = order(random);
        own.algorithm = match (random.unit() * 5.0) as usize {
            0 => Algorithm::JacobiDelayed,
            1 => Algorithm::Jacobi { order: p },
            2 => Algorithm::GaussSeidel { order: p, sequence: vec![] },
            3 => Algorithm::GaussSeidel { order: p, sequence: vec!["s2".into(), "s1".into()] },
            _ => Algorithm::iterated(p),
        };
        own
    }

    /// The largest angular frequency without damping.
    fn frequency(&self) -> f64 {
        if self.alone {
            return (self.kc / self.m[1]).sqrt();
        }
        let (a, b) = ((self.k[0] + self.kc) / self.m[0], (self.k[1] + self.kc) / self.m[1]);
        let product = self.kc / self.m[0] * (self.kc / self.m[1]);
        (0.5 * (a + b) + (0.25 * (a - b).powi(2) + product).sqrt()).sqrt()
    }

    fn together(&self) -> DMatrix<f64> {
        let ([m1, m2], [k1, k2], [d1, d2], kc, dc) = (self.m, self.k, self.d, self.kc, self.dc);
        let mut a = dmatrix![
            0.0, 1.0, 0.0, 0.0;
            -(k1 + kc) / m1, -(d1 + dc) / m1, kc / m1, dc / m1;
            0.0, 0.0, 0.0, 1.0;
            kc / m2, dc / m2, -(k2 + kc) / m2, -(d2 + dc) / m2
        ];
        if self.alone {
            a.row_mut(0).fill(0.0);
            a.row_mut(1).fill(0.0);
        }
        a
    }

    fn force(&self, z: &[f64]) -> f64 {
        self.kc * (z[0] - z[2]) + self.dc * (z[1] - z[3])
    }

    fn partners(&self) -> Vec<Partner> {
        let ([m1, m2], [k1, k2], [d1, d2], kc, dc) = (self.m, self.k, self.d, self.kc, self.dc);
        let (x2, v2) = (Variable::input("x2", "m"), Variable::input("v2", "m/s"));
        let z = &self.start;
        let s1 = if self.alone {
            let s1 =
                StateSpace::new(DMatrix::zeros(0, 0), DMatrix::zeros(0, 2), DMatrix::zeros(1, 0), dmatrix![-kc, -dc]);
            Linear::new(s1.unwrap(), vec![x2, v2, Variable::output("F", "N")], &[])
        } else {
            let s1 = StateSpace::new(
                dmatrix![0.0, 1.0; -(k1 + kc) / m1, -(d1 + dc) / m1],
                dmatrix![0.0, 0.0; kc / m1, dc / m1],
                dmatrix![kc, dc; 1.0, 0.0; 0.0, 1.0],
                dmatrix![-kc, -dc; 0.0, 0.0; 0.0, 0.0],
            );
            let outputs = [Variable::output("F", "N"), Variable::output("x1", "m"), Variable::output("v1", "m/s")];
            Linear::new(s1.unwrap(), [vec![x2, v2], outputs.to_vec()].concat(), &z[..2])
        };
        let s2 = StateSpace::new(
            dmatrix![0.0, 1.0; -k2 / m2, -d2 / m2],
            dmatrix![0.0; 1.0 / m2],
            DMatrix::identity(2, 2),
            DMatrix::zeros(2, 1),
        );
        let second = vec![Variable::input("F", "N"), Variable::output("x2", "m"), Variable::output("v2", "m/s")];
        let s2 = Linear::new(s2.unwrap(), second, &z[2..]);
        vec![Partner::new("s1", s1.unwrap()), Partner::new("s2", s2.unwrap())]
    }

    fn names(&self) -> Vec<(&'static str, Option<usize>)> {
        let mut names = vec![("s1.F", None), ("s2.x2", Some(2)), ("s2.v2", Some(3))];
        if !self.alone {
            names.extend([("s1.x1", Some(0)), ("s1.v1", Some(1))]);
        }
        names
    }

    fn found(&self) -> Found {
        let h = self.h_omega / self.omega;
        let steps = (self.periods * std::f64::consts::TAU / self.h_omega).ceil();
        let mut connections = vec![Connection::new("s1.F", "s2.F"), Connection::new("s2.x2", "s1.x2")];
        connections.push(Connection::new("s2.v2", "s1.v2"));
        let options = Options::new(steps * h, h, self.algorithm.clone());
        let mut master = Master::new(self.partners(), &connections, &options).unwrap();
        master.initialize(&mut ()).unwrap();
        let phi = GMatrices::new(&self.together(), h, 0).unwrap().exp().clone();
        let mut z = DVector::from_column_slice(&self.start);
        let names = self.names();
        // Its first force is sampled before a position is known.
        let names = if self.algorithm == Algorithm::JacobiDelayed { &names[1..] } else { &names };
        let mut found = vec![(0.0f64, 0.0f64); names.len()];
        for step in 0..=steps as usize {
            if step > 0 {
                if master.step(&mut ()).is_err() {
                    // It left the range of numbers.
                    return Found { error: 1.0, estimate: master.error_estimate().unwrap() };
                }
                z = &phi * z;
            }
            for ((name, index), (error, size)) in names.iter().zip(&mut found) {
                let exact = index.map_or_else(|| self.force(z.as_slice()), |index| z[index]);
                let value = master.output(name).unwrap();
                *error = error.max((value - exact).abs());
                *size = size.max(value.abs()).max(exact.abs());
            }
        }
        let error = found.iter().map(|(error, size)| error / size).fold(0.0, f64::max);
        Found { error, estimate: master.error_estimate().unwrap() }
    }

    /// Held inputs that are not corrected by feedthrough at the end of the step, and a spring between masses that wander off: what docs/coupling.md
    /// says is not seen.
    fn is_beyond(&self) -> bool {
        let met = match &self.algorithm {
            Algorithm::JacobiDelayed => true,
            Algorithm::GaussSeidel { order, .. } | Algorithm::Iterated { order, .. } => *order == Order::Hold,
            _ => false,
        };
        met && !self.alone && self.k[0] == 0.0
    }
}

/// Largest error of an output relative to its largest value, and what the master estimates.
struct Found {
    error: f64,
    estimate: ErrorEstimate,
}

impl Found {
    /// Estimate over error, neither of them beyond all.
    fn ratio(&self) -> f64 {
        self.estimate.relative.min(1.0) / self.error.min(1.0)
    }
}

/// What the members of a family come to.
#[derive(Debug, Default)]
struct Count {
    members: usize,
    right: usize,
    /// Right to 1 %, and warned of.
    false_alarms: usize,
    /// Wrong by more than 1 %, and no warning.
    silent: usize,
    /// Wrong and warned of, with an estimate within a factor of 3, below and above.
    within: usize,
    below: usize,
    above: usize,
    /// Called unstable though right to a third.
    called_unstable: usize,
}

impl Count {
    fn add(&mut self, found: &Found) {
        self.members += 1;
        self.called_unstable += usize::from(found.estimate.unstable && found.error < 1.0 / 3.0);
        match (found.error > 0.01, found.estimate.is_large()) {
            (false, warned) => {
                self.right += 1;
                self.false_alarms += usize::from(warned);
            }
            (true, false) => self.silent += 1,
            (true, true) if found.ratio() < 1.0 / 3.0 => self.below += 1,
            (true, true) if found.ratio() > 3.0 => self.above += 1,
            (true, true) => self.within += 1,
        }
    }
}

/// Step times omega from 0.01 to 3, masses and lengths from 1e-9 to 1e9, 1 to 1000 periods, all algorithms and orders.
#[test]
fn runs_are_right_or_warned_of() {
    let mut random = Random(20);
    let mut count = Count::default();
    while count.members < 600 {
        let member = Member::draw(&mut random, 2e4);
        let found = member.found();
        if member.is_beyond() {
            continue;
        }
        if found.error > 0.01 && !(1.0 / 3.0..=8.0).contains(&found.ratio()) {
            println!("ratio {:.2}, error {:.3}: {member:?}", found.ratio(), found.error);
        }
        assert!(found.error <= 0.01 || found.estimate.is_large(), "{} {:?} {member:?}", found.error, found.estimate);
        count.add(&found);
    }
    println!("{count:?}");
    assert_eq!((count.silent, count.below, count.called_unstable), (0, 0, 0), "{count:?}");
    let wrong = count.members - count.right;
    assert!(count.within * 100 >= 85 * wrong, "{count:?}");
    assert!(count.false_alarms * 5 <= count.right, "{count:?}");
}

/// An oscillation that passes whole through its connection has an estimate that is its error.
#[test]
fn the_estimate_of_a_mass_on_a_spring_is_its_error() {
    let mut random = Random(3);
    let mut seen = 0;
    while seen < 60 {
        let member = Member { d: [0.0; 2], dc: 0.0, ..Member::draw(&mut random, 2e4) };
        if !member.alone || member.algorithm == Algorithm::JacobiDelayed || member.periods < 3.0 {
            continue;
        }
        let found = member.found();
        if (1e-3..0.2).contains(&found.error) && member.h_omega < 0.5 {
            seen += 1;
            // The first steps have fewer values behind them and lower orders; their defects need not add up.
            assert!((0.65..2.5).contains(&found.ratio()), "{} of {}: {member:?}", found.ratio(), found.error);
        }
    }
}
