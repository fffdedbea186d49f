//! Block diagrams: blocks, the wires between them, and the one state-space system that they are.

mod interconnection;

use nalgebra::DMatrix;

use crate::{Error, StateSpace};

/// A block of a [`Diagram`]; its ports are counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BlockId(usize);

/// An external input of a [`Diagram`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct InputId(usize);

/// Blocks and their connections. Signals that arrive at one block input add up.
///
/// ```
/// use fourbar_lti::{Diagram, StateSpace, integrator, lag};
///
/// // A position loop: u = 20 (r - y), a servo valve with a lag of 1 ms, a cylinder that integrates.
/// let mut loop_ = Diagram::new();
/// let gain = loop_.add("controller", StateSpace::gain(nalgebra::dmatrix![20.0])?);
/// let valve = loop_.add("valve", lag(1.0, 1e-3)?);
/// let cylinder = loop_.add("cylinder", integrator());
/// let reference = loop_.add_input();
/// loop_.feed(reference, (gain, 0), 1.0)?;
/// loop_.connect((gain, 0), (valve, 0), 1.0)?;
/// loop_.connect((valve, 0), (cylinder, 0), 1.0)?;
/// loop_.connect((cylinder, 0), (gain, 0), -1.0)?;
/// loop_.add_output((cylinder, 0))?;
/// let system = loop_.to_state_space()?;
/// let (gain_at_rest, _) = system.frequency_response(0.0, 0.0).unwrap();
/// assert!((gain_at_rest[0] - 1.0).abs() < 1e-14);
/// # Ok::<(), fourbar_lti::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Diagram {
    blocks: Vec<Block>,
    /// (from column, to row, gain): u += gain y, over all ports of all blocks.
    wires: Vec<(usize, usize, f64)>,
    /// (external input, to row, gain).
    feeds: Vec<(usize, usize, f64)>,
    external_inputs: usize,
    /// Columns of y that are outputs of the diagram.
    taps: Vec<usize>,
}

#[derive(Debug, Clone)]
struct Block {
    name: String,
    system: StateSpace,
    first_input: usize,
    first_output: usize,
}

impl Diagram {
    /// No blocks, no wires.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a block; the name serves messages.
    pub fn add(&mut self, name: &str, system: StateSpace) -> BlockId {
        let (first_input, first_output) = self.ports();
        self.blocks.push(Block { name: name.to_owned(), system, first_input, first_output });
        BlockId(self.blocks.len() - 1)
    }

    /// Adds an external input; inputs of the system are in the order of these calls.
    pub fn add_input(&mut self) -> InputId {
        self.external_inputs += 1;
        InputId(self.external_inputs - 1)
    }

    /// Leads an output of a block to an input of a block, times `gain`.
    ///
    /// # Errors
    /// [`Error::NoSuchBlock`], [`Error::NoSuchPort`], [`Error::NotFinite`].
    pub fn connect(&mut self, from: (BlockId, usize), to: (BlockId, usize), gain: f64) -> Result<(), Error> {
        crate::error::all_finite("gain of a connection", [&gain])?;
        let wire = (self.output_column(from)?, self.input_row(to)?, gain);
        self.wires.push(wire);
        Ok(())
    }

    /// Leads an external input to an input of a block, times `gain`.
    ///
    /// # Errors
    /// As [`Diagram::connect`].
    pub fn feed(&mut self, from: InputId, to: (BlockId, usize), gain: f64) -> Result<(), Error> {
        crate::error::all_finite("gain of a connection", [&gain])?;
        if from.0 >= self.external_inputs {
            let (block, what, count) = ("diagram".to_owned(), "external input", self.external_inputs);
            return Err(Error::NoSuchPort { block, what, index: from.0, count });
        }
        let feed = (from.0, self.input_row(to)?, gain);
        self.feeds.push(feed);
        Ok(())
    }

    /// Makes an output of a block an output of the system, in the order of these calls.
    ///
    /// # Errors
    /// [`Error::NoSuchBlock`], [`Error::NoSuchPort`].
    pub fn add_output(&mut self, from: (BlockId, usize)) -> Result<(), Error> {
        let tap = self.output_column(from)?;
        self.taps.push(tap);
        Ok(())
    }

    /// The system that the diagram is, its states those of the blocks in the order of their adding.
    ///
    /// With u = K y + R r and y = C x + D u over all blocks, and S = (I - K D)^{-1}:
    ///
    /// ```text
    /// x' = (A + B S K C) x + B S R r,    outputs M y = M (C + D S K C) x + M D S R r.
    /// ```
    ///
    /// # Errors
    /// [`Error::AlgebraicLoop`] where direct feedthroughs close a loop without a unique solution; [`Error::Overflow`] where gains multiply beyond
    /// the range of f64.
    pub fn to_state_space(&self) -> Result<StateSpace, Error> {
        let all = self.side_by_side();
        let (inputs, outputs) = self.ports();
        let k = matrix_of(inputs, outputs, self.wires.iter().map(|&(y, u, gain)| (u, y, gain)));
        let r = matrix_of(inputs, self.external_inputs, self.feeds.iter().map(|&(r, u, gain)| (u, r, gain)));
        let m = matrix_of(self.taps.len(), outputs, self.taps.iter().enumerate().map(|(i, &y)| (i, y, 1.0)));
        let loops = DMatrix::identity(inputs, inputs) - &k * all.d();
        if !loops.iter().all(|x| x.is_finite()) {
            return Err(Error::Overflow { what: "product of the gains of connected blocks" });
        }
        let s = self.solve_loops(&loops)?;
        let from_states = &s * &k * all.c();
        let from_inputs = s * r;
        let a = all.a() + all.b() * &from_states;
        let b = all.b() * &from_inputs;
        let c = &m * (all.c() + all.d() * from_states);
        let d = m * all.d() * from_inputs;
        let finite = |m: &DMatrix<f64>| m.iter().all(|x| x.is_finite());
        if [&a, &b, &c, &d].into_iter().all(finite) {
            Ok(StateSpace::from_checked(a, b, c, d))
        } else {
            Err(Error::Overflow { what: "product of the gains of connected blocks" })
        }
    }

    /// S = (I - K D)^{-1}.
    fn solve_loops(&self, loops: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
        let refuse = |condition| Error::AlgebraicLoop { condition, through: self.names_in_loop(loops) };
        let inverse = loops.clone().try_inverse().ok_or_else(|| refuse(f64::INFINITY))?;
        if !inverse.iter().all(|x| x.is_finite()) {
            return Err(Error::Overflow { what: "product of the gains of connected blocks" });
        }
        // Ports outside of every loop do not count, however large the gains of the chains they stand in.
        let ports = ports_on_loops(loops);
        let on_loops = |m: &DMatrix<f64>| m.select_rows(&ports).select_columns(&ports);
        let condition = best_scaled_condition(&on_loops(loops), &on_loops(&inverse));
        if condition < 1e13 { Ok(inverse) } else { Err(refuse(condition)) }
    }

    /// The blocks whose inputs take part in the null vector of I - K D.
    fn names_in_loop(&self, loops: &DMatrix<f64>) -> String {
        let svd = fourbar_linalg::SingularValues::new(loops);
        let null = svd.filter(|svd| !svd.v.is_empty()).map(|svd| svd.v.column(svd.v.ncols() - 1).abs());
        let Some(null) = null else { return "blocks that cannot be told".to_owned() };
        let takes_part = |block: &&Block| {
            let ports = block.first_input..block.first_input + block.system.inputs();
            ports.into_iter().any(|u| null[u] > 0.1 * null.max())
        };
        let names: Vec<&str> = self.blocks.iter().filter(takes_part).map(|block| block.name.as_str()).collect();
        names.join(", ")
    }

    /// Inputs and outputs of all blocks.
    fn ports(&self) -> (usize, usize) {
        let end =
            |block: &Block| (block.first_input + block.system.inputs(), block.first_output + block.system.outputs());
        self.blocks.last().map_or((0, 0), end)
    }

    fn block(&self, id: BlockId) -> Result<&Block, Error> {
        self.blocks.get(id.0).ok_or(Error::NoSuchBlock { index: id.0, count: self.blocks.len() })
    }

    fn input_row(&self, (id, index): (BlockId, usize)) -> Result<usize, Error> {
        let block = self.block(id)?;
        let count = block.system.inputs();
        check_port(&block.name, "input", index, count)?;
        Ok(block.first_input + index)
    }

    fn output_column(&self, (id, index): (BlockId, usize)) -> Result<usize, Error> {
        let block = self.block(id)?;
        let count = block.system.outputs();
        check_port(&block.name, "output", index, count)?;
        Ok(block.first_output + index)
    }

    /// All blocks as one system without connections.
    fn side_by_side(&self) -> StateSpace {
        let (inputs, outputs) = self.ports();
        let states = self.blocks.iter().map(|block| block.system.states()).sum();
        let zeros = DMatrix::zeros;
        let [mut a, mut b] = [zeros(states, states), zeros(states, inputs)];
        let [mut c, mut d] = [zeros(outputs, states), zeros(outputs, inputs)];
        let mut x = 0;
        for Block { system, first_input: u, first_output: y, .. } in &self.blocks {
            let (n, m, q) = (system.states(), system.inputs(), system.outputs());
            a.view_mut((x, x), (n, n)).copy_from(system.a());
            b.view_mut((x, *u), (n, m)).copy_from(system.b());
            c.view_mut((*y, x), (q, n)).copy_from(system.c());
            d.view_mut((*y, *u), (q, m)).copy_from(system.d());
            x += n;
        }
        StateSpace::from_checked(a, b, c, d)
    }
}

/// The inputs through which direct feedthrough may return: what is left when those that nothing reaches, or that reach nothing, have been
/// taken away again and again. The rest of I - K D is triangular with ones on its diagonal.
fn ports_on_loops(loops: &DMatrix<f64>) -> Vec<usize> {
    let mut ports: Vec<usize> = (0..loops.nrows()).collect();
    loop {
        let linked = |i: usize, j: usize| i != j && loops[(i, j)] != 0.0;
        let own_loop = |i: usize| loops[(i, i)] != 1.0;
        let through =
            |&i: &usize| own_loop(i) || (ports.iter().any(|&j| linked(i, j)) && ports.iter().any(|&j| linked(j, i)));
        let left: Vec<usize> = ports.iter().copied().filter(through).collect();
        if left.len() == ports.len() {
            return ports;
        }
        ports = left;
    }
}

/// The condition number after the best scaling of rows and columns, the spectral radius of |A^{-1}| |A| (Bauer, Numer. Math. 5 (1963)
/// 73): signals of different units, and gains in a chain, are no trouble; only a true loop of gain 1 is.
fn best_scaled_condition(matrix: &DMatrix<f64>, inverse: &DMatrix<f64>) -> f64 {
    if matrix.is_empty() {
        return 1.0;
    }
    // ||M^64||^(1/64) by squaring, each time brought back to size 1.
    let mut power = inverse.abs() * matrix.abs();
    let mut logarithm = 0.0;
    for squarings in 0..7 {
        let size = power.amax();
        logarithm += size.log2() / f64::from(1 << squarings);
        power /= size;
        power = &power * &power;
    }
    logarithm.exp2()
}

fn check_port(block: &str, what: &'static str, index: usize, count: usize) -> Result<(), Error> {
    if index < count {
        return Ok(());
    }
    Err(Error::NoSuchPort { block: block.to_owned(), what, index, count })
}

fn matrix_of(rows: usize, columns: usize, entries: impl Iterator<Item = (usize, usize, f64)>) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(rows, columns);
    for (i, j, value) in entries {
        matrix[(i, j)] += value;
    }
    matrix
}

#[cfg(test)]
mod tests {
    use nalgebra::{Complex, dmatrix};

    use super::*;
    use crate::{TransferFunction, integrator, lag, summing_junction};

    fn response(system: &StateSpace, w: f64) -> Complex<f64> {
        let (re, im) = system.frequency_response(0.0, w).unwrap();
        Complex::new(re[0], im[0])
    }

    #[test]
    fn connections_obey_the_algebra_of_transfer_functions() {
        let p = TransferFunction { numerator: vec![2.0, 1.0, 5.0], denominator: vec![1.0, 3.0, 20.0] }
            .to_state_space()
            .unwrap();
        let c = TransferFunction { numerator: vec![1.0, 8.0], denominator: vec![1.0, 50.0] }.to_state_space().unwrap();
        for w in [0.0, 2.0, 90.0] {
            let (hp, hc) = (response(&p, w), response(&c, w));
            let one = Complex::new(1.0, 0.0);
            for (system, exact) in [
                (p.series(&c).unwrap(), hp * hc),
                (p.parallel(&c).unwrap(), hp + hc),
                (p.feedback(&c, -1.0).unwrap(), hp / (one + hp * hc)),
                (p.feedback(&c, 0.25).unwrap(), hp / (one - hp * hc * 0.25)),
            ] {
                assert!((response(&system, w) - exact).norm() < 1e-13 * exact.norm(), "at {w}");
            }
        }
    }

    /// r -> (+,-) -> 1/s -> lag -> y, y back into the junction: H = 1 / (1 + s (1 + s T)).
    #[test]
    fn a_drawn_loop() {
        let mut diagram = Diagram::new();
        let sum = diagram.add("junction", summing_junction(&[1.0, -1.0]).unwrap());
        let integral = diagram.add("integral", integrator());
        let actuator = diagram.add("actuator", lag(1.0, 0.5).unwrap());
        let reference = diagram.add_input();
        diagram.feed(reference, (sum, 0), 1.0).unwrap();
        diagram.connect((sum, 0), (integral, 0), 1.0).unwrap();
        diagram.connect((integral, 0), (actuator, 0), 1.0).unwrap();
        diagram.connect((actuator, 0), (sum, 1), 1.0).unwrap();
        diagram.add_output((actuator, 0)).unwrap();
        diagram.add_output((sum, 0)).unwrap();
        let system = diagram.to_state_space().unwrap();
        assert_eq!((system.states(), system.inputs(), system.outputs()), (2, 1, 2));
        let s = Complex::new(0.0, 3.0);
        let exact = Complex::new(1.0, 0.0) / (s * (s * 0.5 + 1.0) + 1.0);
        assert!((response(&system, 3.0) - exact).norm() < 1e-15);
    }

    /// Gains of any size in a chain are no algebraic loop, and a loop of gain other than 1 is solved.
    #[test]
    fn feedthrough_is_no_obstacle_by_itself() {
        let gain = |k: f64| StateSpace::gain(dmatrix![k]).unwrap();
        let chain = gain(1e9).series(&gain(1e9)).unwrap().series(&gain(1e-12)).unwrap();
        assert!((chain.d()[0] / 1e6 - 1.0).abs() < 1e-15);
        let closed = gain(1e8).feedback(&gain(1.0), -1.0).unwrap();
        assert!((closed.d()[0] - 1e8 / (1e8 + 1.0)).abs() < 1e-15);
        let tower = gain(1e200).series(&gain(1e200));
        assert!(matches!(tower, Err(Error::Overflow { .. })), "{tower:?}");
        let tower = gain(1e200).series(&gain(1e100)).unwrap().series(&gain(1e-300)).unwrap();
        assert!((tower.d()[0] - 1.0).abs() < 1e-15);
        let empty = Diagram::new().to_state_space().unwrap();
        assert_eq!((empty.states(), empty.inputs(), empty.outputs()), (0, 0, 0));
    }

    #[test]
    fn mistakes_are_named() {
        let mut diagram = Diagram::new();
        let a = diagram.add("a", StateSpace::gain(dmatrix![2.0]).unwrap());
        let b = diagram.add("b", StateSpace::gain(dmatrix![0.5]).unwrap());
        diagram.connect((a, 0), (b, 0), 1.0).unwrap();
        diagram.connect((b, 0), (a, 0), 1.0).unwrap();
        let message = diagram.to_state_space().unwrap_err().to_string();
        assert!(message.contains("algebraic loop") && message.contains("a, b"), "{message}");
        assert!(matches!(diagram.connect((a, 1), (b, 0), 1.0), Err(Error::NoSuchPort { what: "output", .. })));
        assert!(matches!(diagram.add_output((BlockId(7), 0)), Err(Error::NoSuchBlock { index: 7, count: 2 })));
        let mut other = Diagram::new();
        let foreign = other.add_input();
        assert!(matches!(diagram.feed(foreign, (a, 0), 1.0), Err(Error::NoSuchPort { what: "external input", .. })));
    }
}
