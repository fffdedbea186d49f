//! A sampled system as source text for firmware: fixed sizes, no allocation, no standard library.
//!
//! The text computes y(k) = y0 + C_d z(k) + D_d (u(k) - u0), then z(k+1) = A_d z(k) + B_d (u(k) - u0), with u0 and y0 the values at the
//! operating point.

use super::LinearAnalysis;
use fourbar_lti::SampledSystem;
use nalgebra::DMatrix;
use std::fmt::Write as _;

/// Language of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Rust, a module for `no_std`.
    Rust,
    /// C99, a header with static functions.
    C,
}

/// The text of `sampled`, made from `analysis`; numbers are f64 and written so that they are read back as they are.
#[must_use]
pub fn firmware(analysis: &LinearAnalysis, sampled: &SampledSystem, language: Language) -> String {
    let text = Text { analysis, sampled };
    match language {
        Language::Rust => text.rust(),
        Language::C => text.c(),
    }
}

struct Text<'a> {
    analysis: &'a LinearAnalysis,
    sampled: &'a SampledSystem,
}

impl Text<'_> {
    /// The matrices with their names.
    fn matrices(&self) -> [(&'static str, &DMatrix<f64>); 4] {
        let sampled = self.sampled;
        [("A", sampled.a()), ("B", sampled.b()), ("C", sampled.c()), ("D", sampled.d())]
    }

    /// Lines that say what it is, each behind `comment`.
    fn head(&self, comment: &str) -> String {
        let mut text = String::new();
        let list = |names: &[String]| match names {
            [] => "none".to_owned(),
            // A line break in a name would end the comment.
            names => names.iter().map(|name| name.replace(['\n', '\r'], " ")).collect::<Vec<_>>().join(", "),
        };
        let (inputs, outputs) = (list(self.analysis.inputs()), list(self.analysis.outputs()));
        let lines = [
            format!("A sampled linear system, hold {}, step {:?} s.", self.sampled.hold().name(), self.sampled.step()),
            format!("Inputs u: {inputs}."),
            format!("Outputs y: {outputs}."),
            "y = Y0 + C z + D (u - U0), then z = A z + B (u - U0).".to_owned(),
        ];
        lines.iter().for_each(|line| text += &format!("{comment} {line}\n"));
        text
    }

    fn rust(&self) -> String {
        let (n, m, q) = self.sizes();
        let mut text = self.head("//!");
        let _ = write!(
            text,
            "#![allow(clippy::all)]\n\n/// States.\npub const N: usize = {n};\n/// Inputs.\npub const M: usize = {m};\n/// Outputs.\n\
             pub const Q: usize = {q};\n/// Step [s].\npub const STEP: f64 = {:?};\n\n",
            self.sampled.step()
        );
        for (name, matrix) in self.matrices() {
            let rows: Vec<String> =
                (0..matrix.nrows()).map(|i| format!("    [{}],\n", numbers(matrix.row(i).iter()))).collect();
            let _ = write!(
                text,
                "const {name}: [[f64; {}]; {}] = [\n{}];\n",
                matrix.ncols(),
                matrix.nrows(),
                rows.concat()
            );
        }
        for (name, values) in ["U0", "Y0"].iter().zip(self.analysis.offsets()) {
            let _ = writeln!(text, "const {name}: [f64; {}] = [{}];", values.len(), numbers(values.iter()));
        }
        text + RUST
    }

    fn c(&self) -> String {
        let (n, m, q) = self.sizes();
        let body: String = self.head("").lines().map(|line| format!(" *{}\n", line.replace("*/", "* /"))).collect();
        let mut text = format!("/*\n{body} */\n#ifndef FOURBAR_STEPPER_H\n#define FOURBAR_STEPPER_H\n\n");
        let _ = write!(
            text,
            "enum {{ STEPPER_N = {n}, STEPPER_M = {m}, STEPPER_Q = {q} }};\n#define STEPPER_STEP {:?}\n\n",
            self.sampled.step()
        );
        for (name, matrix) in self.matrices() {
            // C has no arrays of no length.
            let rows: Vec<String> = (0..matrix.nrows())
                .filter(|_| matrix.ncols() > 0)
                .map(|i| format!("    {{{}}},\n", numbers(matrix.row(i).iter())))
                .collect();
            let inner = if rows.is_empty() { "    {0.0},\n".to_owned() } else { rows.concat() };
            let (rows, columns) = (matrix.nrows().max(1), matrix.ncols().max(1));
            let _ = write!(text, "static const double stepper_{name}[{rows}][{columns}] = {{\n{inner}}};\n");
        }
        for (name, values) in ["U0", "Y0"].iter().zip(self.analysis.offsets()) {
            let inner = if values.is_empty() { "0.0".to_owned() } else { numbers(values.iter()) };
            let _ = writeln!(text, "static const double stepper_{name}[{}] = {{{inner}}};", values.len().max(1));
        }
        text + C
    }

    fn sizes(&self) -> (usize, usize, usize) {
        (self.sampled.states(), self.sampled.b().ncols(), self.sampled.c().nrows())
    }
}

/// Numbers as Rust and C read them, with a point or an exponent.
fn numbers<'a>(values: impl Iterator<Item = &'a f64>) -> String {
    values.map(|value| format!("{value:?}")).collect::<Vec<_>>().join(", ")
}

const RUST: &str = "
/// The system with its state z, deviations from the operating point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stepper {
    pub z: [f64; N],
}

impl Stepper {
    /// At the operating point.
    pub const fn new() -> Self {
        Self { z: [0.0; N] }
    }

    /// The outputs for the inputs `u` of now, then a step.
    pub fn step(&mut self, u: &[f64; M]) -> [f64; Q] {
        let mut y = Y0;
        let mut z = [0.0; N];
        for i in 0..Q {
            for j in 0..N {
                y[i] += C[i][j] * self.z[j];
            }
            for j in 0..M {
                y[i] += D[i][j] * (u[j] - U0[j]);
            }
        }
        for i in 0..N {
            for j in 0..N {
                z[i] += A[i][j] * self.z[j];
            }
            for j in 0..M {
                z[i] += B[i][j] * (u[j] - U0[j]);
            }
        }
        self.z = z;
        y
    }
}
";

const C: &str = "
/* The state z, deviations from the operating point. All zero is the operating point. */
typedef struct { double z[STEPPER_N > 0 ? STEPPER_N : 1]; } stepper;

/* The outputs y for the inputs u of now, then a step. */
static void stepper_step(stepper *own, const double *u, double *y) {
    double z[STEPPER_N > 0 ? STEPPER_N : 1];
    int i, j;
    for (i = 0; i < STEPPER_Q; i++) {
        y[i] = stepper_Y0[i];
        for (j = 0; j < STEPPER_N; j++) y[i] += stepper_C[i][j] * own->z[j];
        for (j = 0; j < STEPPER_M; j++) y[i] += stepper_D[i][j] * (u[j] - stepper_U0[j]);
    }
    for (i = 0; i < STEPPER_N; i++) {
        z[i] = 0.0;
        for (j = 0; j < STEPPER_N; j++) z[i] += stepper_A[i][j] * own->z[j];
        for (j = 0; j < STEPPER_M; j++) z[i] += stepper_B[i][j] * (u[j] - stepper_U0[j]);
    }
    for (i = 0; i < STEPPER_N; i++) own->z[i] = z[i];
}

#endif
";
