//! Problems of the kinds that public collections of frictional contact hold (FCLIB, fclib.gforge.inria.fr: stacks of boxes, capsules, chains,
//! plank towers, chutes, spheres in boxes): hyperstatic, at rest or moving, masses alike or far apart.
#![allow(dead_code, unreachable_pub, reason = "each test and bench uses its part")]

use super::{Numbers, PULL, cube, rows};
use fourbar_contact::{
    friction::Cone,
    problem::{FreeBody, GlobalContact, GlobalFriction},
};
use fourbar_multibody::space::{M3, V3};

/// What the members of a family differ in.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// Friction of all contacts.
    pub mu: f64,
    /// Masses spread over so many decades.
    pub decades: f64,
    /// Random velocities beside the pull [m/s].
    pub push: f64,
    /// Of the random numbers.
    pub seed: u64,
}

/// A problem under construction.
struct Scene {
    problem: GlobalFriction,
    centres: Vec<V3>,
    numbers: Numbers,
    kind: Kind,
}

/// Stands for the ground while bodies are still added.
const GROUND: usize = usize::MAX;

impl Scene {
    fn new(kind: Kind) -> Self {
        let mut numbers = Numbers(kind.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 77);
        (0..4).for_each(|_| {
            numbers.next();
        });
        Self { problem: GlobalFriction::default(), centres: Vec::new(), numbers, kind }
    }

    /// A body of about `mass` with these half edges, falling.
    fn body(&mut self, mass: f64, half: V3, centre: V3) -> usize {
        let mass = mass * 10.0_f64.powf(0.5 * self.kind.decades * self.numbers.next());
        let velocity = V3::new(0.0, 0.0, -PULL) + self.kind.push * self.numbers.vector();
        let spin = self.kind.push / half.norm() * self.numbers.vector();
        let mut body = cube(mass, 1.0, velocity, spin);
        let square = half.component_mul(&half);
        let inertia = V3::new(square.y + square.z, square.x + square.z, square.x + square.y) * (mass / 3.0);
        body.inverse_inertia = M3::from_diagonal(&inertia.map(|i| 1.0 / i));
        self.add(body, centre)
    }

    fn add(&mut self, body: FreeBody, centre: V3) -> usize {
        self.problem.bodies.push(body);
        self.centres.push(centre);
        self.centres.len() - 1
    }

    /// A contact at `point` whose normal `n` points to `i`.
    fn touch(&mut self, i: usize, j: usize, point: V3, n: V3) {
        let centre = |body: usize| self.centres.get(body).copied().unwrap_or_default();
        let rows = rows(point, n, [centre(i), centre(j)]);
        let cone = if self.kind.mu > 0.0 || self.kind.seed.is_multiple_of(2) {
            Cone::coulomb(self.kind.mu)
        } else {
            Cone::smooth()
        };
        self.problem.contacts.push(GlobalContact { bodies: [i, j], cone, rows, bias: [0.0; 6] });
    }

    /// Contacts at the corners of a rectangle about `middle` spanned by a and b.
    fn patch(&mut self, i: usize, j: usize, middle: V3, a: V3, b: V3) {
        let n = a.cross(&b).normalize();
        for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            self.touch(i, j, middle + a * x + b * y, n);
        }
    }

    fn done(mut self) -> GlobalFriction {
        let ground = self.problem.bodies.len();
        for contact in &mut self.problem.contacts {
            contact.bodies = contact.bodies.map(|body| body.min(ground));
        }
        self.problem
    }
}

/// Boxes of random size above one another, four points a face.
pub fn stack(height: usize, kind: Kind) -> GlobalFriction {
    let mut scene = Scene::new(kind);
    let (mut z, mut below, mut under) = (0.0, GROUND, V3::new(1.0, 1.0, 1.0));
    for _ in 0..height {
        let half = V3::new(0.1, 0.1, 0.1) + 0.05 * scene.numbers.vector();
        let centre = V3::new(0.02 * scene.numbers.next(), 0.02 * scene.numbers.next(), z + half.z);
        let body = scene.body(8.0, half, centre);
        let (a, b) = (half.x.min(under.x), half.y.min(under.y));
        scene.patch(body, below, V3::new(centre.x, centre.y, z), V3::new(a, 0.0, 0.0), V3::new(0.0, b, 0.0));
        (z, below, under) = (z + 2.0 * half.z, body, half);
    }
    scene.done()
}

/// Bricks in running bond with mortarless joints: each stands on two, and touches its neighbour in the row.
pub fn wall(wide: usize, rows: usize, kind: Kind) -> GlobalFriction {
    let mut scene = Scene::new(kind);
    let half = V3::new(0.1, 0.05, 0.05);
    let mut below: Vec<usize> = Vec::new();
    for row in 0..rows {
        let mut present = Vec::new();
        for k in 0..wide - row {
            let centre = V3::new((k as f64 + 0.5 * row as f64) * 0.2, 0.0, (row as f64 + 0.5) * 0.1);
            let body = scene.body(1.0, half, centre);
            let base = centre - V3::new(0.0, 0.0, half.z);
            let depth = V3::new(0.0, half.y, 0.0);
            if row == 0 {
                scene.patch(body, GROUND, base, V3::new(half.x, 0.0, 0.0), depth);
            } else {
                for (side, under) in [(-0.5, below[k]), (0.5, below[k + 1])] {
                    let middle = base + V3::new(side * half.x, 0.0, 0.0);
                    scene.patch(body, under, middle, V3::new(0.5 * half.x, 0.0, 0.0), depth);
                }
            }
            if let Some(&left) = present.last() {
                let middle = centre - V3::new(half.x, 0.0, 0.0);
                scene.patch(body, left, middle, depth, V3::new(0.0, 0.0, half.z));
            }
            present.push(body);
        }
        below = present;
    }
    scene.done()
}

/// A half circle of wedges between two abutments.
pub fn arch(stones: usize, kind: Kind) -> GlobalFriction {
    let mut scene = Scene::new(kind);
    let step = std::f64::consts::PI / stones as f64;
    let at = |angle: f64| V3::new(-angle.cos(), 0.0, angle.sin());
    let half = V3::new(0.5 * step, 0.2, 0.1);
    let mut before = GROUND;
    for k in 0..stones {
        let body = scene.body(1.0, half, at((k as f64 + 0.5) * step));
        let mut faces = vec![(k as f64 * step, before)];
        if k + 1 == stones {
            faces.push((stones as f64 * step, GROUND));
        }
        for (angle, end) in faces {
            // Along the arch, towards this stone.
            let radial = at(angle) * 0.1;
            let depth = V3::new(0.0, 0.2, 0.0);
            let forward = radial.cross(&depth);
            let along = at(angle + 1e-3) - at(angle);
            let towards = if angle > k as f64 * step + 0.5 * step { -along } else { along };
            let depth = if forward.dot(&towards) > 0.0 { depth } else { -depth };
            scene.patch(body, end, at(angle), radial, depth);
        }
        before = body;
    }
    scene.done()
}

/// Layers of three planks, each layer across the one below: a plank touches three others, four points each.
pub fn planks(layers: usize, kind: Kind) -> GlobalFriction {
    let mut scene = Scene::new(kind);
    let (length, width, height) = (0.06, 0.012, 0.004);
    let mut below: Vec<(usize, V3)> = Vec::new();
    for layer in 0..layers {
        let mut present = Vec::new();
        let (along, across) = if layer % 2 == 0 { (V3::x(), V3::y()) } else { (V3::y(), V3::x()) };
        for k in [-1.0, 0.0, 1.0] {
            let place = across * (k * (length - width));
            let centre = place + V3::new(0.0, 0.0, (2.0 * layer as f64 + 1.0) * height);
            let half = along * length + across * width + V3::new(0.0, 0.0, height);
            let body = scene.body(0.03, half, centre);
            let base = centre - V3::new(0.0, 0.0, height);
            let depth = V3::z().cross(&along);
            if layer == 0 {
                scene.patch(body, GROUND, base, along * length, depth * width);
            }
            for &(under, place) in &below {
                scene.patch(body, under, base + place, along * width, depth * width);
            }
            present.push((body, place));
        }
        below = present;
    }
    scene.done()
}

/// Capsules in a trough, layer across layer as logs are piled: lines of two points.
pub fn capsules(layers: usize, wide: usize, kind: Kind) -> GlobalFriction {
    let mut scene = Scene::new(kind);
    let (radius, half) = (0.05, 0.3);
    let mut below: Vec<(usize, V3)> = Vec::new();
    for layer in 0..layers {
        let mut present: Vec<(usize, V3)> = Vec::new();
        let count = wide - layer % 2;
        for k in 0..count {
            let x = radius * (2.0 * k as f64 + (layer % 2) as f64);
            let centre = V3::new(x, 0.0, radius * (1.0 + 3.0_f64.sqrt() * layer as f64));
            let body = scene.body(2.0, V3::new(radius, half, radius), centre);
            let mut touched: Vec<(usize, V3)> = Vec::new();
            if layer == 0 {
                touched.push((GROUND, V3::z()));
            }
            for &(under, place) in below.iter().chain(present.last()) {
                if (place - centre).norm() < 2.001 * radius {
                    touched.push((under, (centre - place).normalize()));
                }
            }
            if k == 0 {
                touched.push((GROUND, if layer % 2 == 0 { V3::x() } else { V3::new(1.0, 0.0, 0.2).normalize() }));
            }
            if k + 1 == count {
                touched.push((GROUND, if layer % 2 == 0 { -V3::x() } else { V3::new(-1.0, 0.0, 0.2).normalize() }));
            }
            for (other, n) in touched {
                for y in [-half, half] {
                    scene.touch(body, other, centre - n * radius + V3::new(0.0, y, 0.0), n);
                }
            }
            present.push((body, centre));
        }
        below = present;
    }
    scene.done()
}

/// A chain of links hanging between two hooks, each link touching the next in one point, some in two.
pub fn chain(links: usize, kind: Kind) -> GlobalFriction {
    let mut scene = Scene::new(kind);
    let at = |s: f64| V3::new(0.1 * s, 0.0, 0.02 * (s - 0.5 * links as f64).powi(2) / links as f64);
    let mut before = GROUND;
    for k in 0..links {
        let body = scene.body(0.2, V3::new(0.07, 0.03, 0.01), at(k as f64 + 0.5));
        let mut hooks = vec![(at(k as f64), before)];
        if k + 1 == links {
            hooks.push((at(links as f64), GROUND));
        }
        for (point, other) in hooks {
            // The link before pulls this one back by the inside of its bow.
            let pulled = (point - at(k as f64 + 0.5)).normalize();
            let n = (pulled + 0.2 * scene.numbers.vector()).normalize();
            scene.touch(body, other, point, n);
            if k % 3 == 1 {
                let aside = (pulled + V3::new(0.0, 0.4, 0.1)).normalize();
                scene.touch(body, other, point + V3::new(0.0, -0.01, 0.0), aside);
            }
        }
        before = body;
    }
    scene.done()
}

/// Spheres in a box, in layers whose centres are shaken a little; normals join centres. Every second one a fifth smaller in `mixed`.
pub fn spheres(across: usize, layers: usize, slope: f64, kind: Kind) -> GlobalFriction {
    let mut scene = Scene::new(kind);
    let radius = 0.05;
    let mut all: Vec<(usize, V3)> = Vec::new();
    for layer in 0..layers {
        for i in 0..across {
            for j in 0..across {
                let shift = radius * (layer % 2) as f64;
                let raise = radius * (1.0 + 2.0_f64.sqrt() * layer as f64);
                let centre = V3::new(2.0 * radius * i as f64 + shift, 2.0 * radius * j as f64 + shift, raise)
                    + 0.02 * radius * scene.numbers.vector();
                let body = scene.body(0.5, V3::new(1.0, 1.0, 1.0) * (radius * 0.77), centre);
                for &(other, place) in &all {
                    let apart = centre - place;
                    if apart.norm() < 2.05 * radius {
                        scene.touch(body, other, place + 0.5 * apart, apart.normalize());
                    }
                }
                let mut faces: Vec<V3> = Vec::new();
                if layer == 0 {
                    faces.push(V3::z());
                }
                let last = across - 1;
                for (index, axis) in [(i, V3::x()), (j, V3::y())] {
                    if index == 0 && layer % 2 == 0 {
                        faces.push(axis);
                    }
                    if index == last && (layer % 2 == 1 || across == 1) {
                        faces.push(-axis);
                    }
                }
                for n in faces {
                    scene.touch(body, GROUND, centre - n * radius, n);
                }
                all.push((body, centre));
            }
        }
    }
    // A chute: gravity along x, too.
    for body in &mut scene.problem.bodies {
        body.velocity.x += slope * PULL;
    }
    scene.done()
}

/// Boxes wedged between two walls that lean apart (`angle` from the vertical): friction may carry all of them.
pub fn wedged(count: usize, angle: f64, kind: Kind) -> GlobalFriction {
    let mut scene = Scene::new(kind);
    let half = V3::new(0.1, 0.1, 0.1);
    let (sin, cos) = angle.sin_cos();
    let mut before = GROUND;
    for k in 0..count {
        let centre = V3::new(0.2 * k as f64, 0.0, 0.0);
        let body = scene.body(1.0, half, centre);
        let (up, depth) = (V3::new(0.0, 0.0, half.z), V3::new(0.0, half.y, 0.0));
        let lean = if k == 0 { V3::new(-sin, 0.0, cos) * half.z } else { up };
        scene.patch(body, before, centre - V3::new(half.x, 0.0, 0.0), depth, lean);
        if k + 1 == count {
            scene.patch(body, GROUND, centre + V3::new(half.x, 0.0, 0.0), V3::new(sin, 0.0, cos) * half.z, depth);
        }
        before = body;
    }
    scene.done()
}

/// One member of each family with about 24 contacts.
pub fn of_two_dozen(kind: Kind) -> Vec<(&'static str, GlobalFriction)> {
    vec![
        ("stack", stack(6, kind)),
        ("wall", wall(2, 2, kind)),
        ("arch", arch(5, kind)),
        ("planks", planks(1, kind)),
        ("capsules", capsules(2, 3, kind)),
        ("chain", chain(18, kind)),
        ("spheres", spheres(2, 2, 0.0, kind)),
        ("chute", spheres(2, 2, 0.8, kind)),
        ("wedged", wedged(5, 0.2, kind)),
        ("heap", super::heap(10, 24, |_| Cone::coulomb(kind.mu), kind.decades, kind.seed + 1)),
    ]
}

/// One member of each family with about so many contacts, hundreds.
pub fn of_about(contacts: usize, kind: Kind) -> Vec<(&'static str, GlobalFriction)> {
    // The size of a family in steps of its own, up to where it has as many.
    let grown = |build: &dyn Fn(usize) -> GlobalFriction| {
        (1..).map(build).find(|problem| problem.contacts.len() >= contacts).unwrap_or_default()
    };
    let heap = || super::heap(2 * contacts / 5, contacts, |_| Cone::coulomb(kind.mu), kind.decades, kind.seed + 1);
    vec![
        ("stack", grown(&|n| stack(n, kind))),
        ("wall", grown(&|n| wall(n, n, kind))),
        ("arch", grown(&|n| arch(n, kind))),
        ("planks", grown(&|n| planks(n, kind))),
        ("capsules", grown(&|n| capsules(n, n + 1, kind))),
        ("chain", grown(&|n| chain(n, kind))),
        ("spheres", grown(&|n| spheres(n, n, 0.0, kind))),
        ("chute", grown(&|n| spheres(n, n, 0.8, kind))),
        ("wedged", grown(&|n| wedged(n, 0.2, kind))),
        ("heap", heap()),
    ]
}

/// One member of each family with hundreds of contacts.
pub fn of_hundreds(kind: Kind) -> Vec<(&'static str, GlobalFriction)> {
    vec![
        ("stack", stack(30, kind)),
        ("wall", wall(6, 5, kind)),
        ("arch", arch(25, kind)),
        ("planks", planks(6, kind)),
        ("capsules", capsules(6, 6, kind)),
        ("chain", chain(90, kind)),
        ("spheres", spheres(4, 5, 0.0, kind)),
        ("chute", spheres(4, 5, 0.8, kind)),
        ("wedged", wedged(20, 0.2, kind)),
        ("heap", super::heap(60, 150, |_| Cone::coulomb(kind.mu), kind.decades, kind.seed + 1)),
    ]
}
