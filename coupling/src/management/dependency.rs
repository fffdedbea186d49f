//! Who depends on whom without delay: the order in which outputs are brought up to date, algebraic loops, the order of stepping.

use std::collections::BTreeSet;

use crate::function::Causality;
use crate::function::interaction::Relation;
use crate::function::interface::Interface;

/// Outputs by feedthrough.
pub(super) struct Dependencies {
    /// Interfaces with feedthrough in an order in which their inputs are known; one may appear more than once.
    pub(super) stages: Vec<usize>,
    /// Relations whose value must be guessed: one in each algebraic loop.
    pub(super) tears: Vec<usize>,
    /// The loops, by the names of the outputs along them.
    pub(super) loops: Vec<Vec<String>>,
    /// The relations along each loop.
    pub(super) around: Vec<Vec<usize>>,
    /// Interfaces with an output that depends on no input: those can be sampled before any input is known.
    pub(super) independent: Vec<bool>,
}

/// An output, as interface and index.
type Output = (usize, usize);

/// The sources on which each output depends without delay: (output it comes from, relation it comes by).
struct Graph {
    sources: Vec<Vec<Vec<(Output, usize)>>>,
}

impl Graph {
    fn new(interfaces: &[Interface], relations: &[Relation]) -> Self {
        let of = |i: usize| {
            let description = interfaces[i].description();
            let inputs: Vec<&str> = description.with(Causality::Input).map(|v| v.name.as_str()).collect();
            let source = |name: &String| {
                let k = inputs.iter().position(|input| input == name)?;
                let r = relations.iter().position(|relation| relation.target == (i, k))?;
                Some((relations[r].source, r))
            };
            description.with(Causality::Output).map(|v| v.feedthrough.iter().filter_map(source).collect()).collect()
        };
        Self { sources: (0..interfaces.len()).map(of).collect() }
    }

    fn of(&self, (i, k): Output) -> &[(Output, usize)] {
        &self.sources[i][k]
    }

    fn outputs(&self) -> impl Iterator<Item = Output> {
        self.sources.iter().enumerate().flat_map(|(i, outputs)| (0..outputs.len()).map(move |k| (i, k)))
    }

    /// A loop through outputs that are not known, and the relations along it: the first closes it.
    fn cycle(&self, known: &BTreeSet<Output>, torn: &BTreeSet<usize>) -> Option<(Vec<Output>, Vec<usize>)> {
        let mut path = vec![self.outputs().find(|output| !known.contains(output))?];
        let mut relations = vec![];
        loop {
            let here = *path.last()?;
            let open = |&&(source, r): &&(Output, usize)| !known.contains(&source) && !torn.contains(&r);
            let &(before, relation) = self.of(here).iter().find(open)?;
            relations.push(relation);
            if let Some(first) = path.iter().position(|&output| output == before) {
                path.drain(..first);
                relations.drain(..first);
                path.reverse();
                relations.reverse();
                return Some((path, relations));
            }
            path.push(before);
        }
    }
}

impl Dependencies {
    pub(super) fn new(interfaces: &[Interface], relations: &[Relation]) -> Self {
        let graph = Graph::new(interfaces, relations);
        let mut known: BTreeSet<Output> = graph.outputs().filter(|&output| graph.of(output).is_empty()).collect();
        let independent = (0..interfaces.len())
            .map(|i| {
                let outputs = interfaces[i].description().with(Causality::Output).count();
                outputs == 0 || (0..outputs).any(|k| known.contains(&(i, k)))
            })
            .collect();
        let (mut stages, mut torn, mut tears) = (Vec::new(), BTreeSet::new(), Vec::new());
        let (mut loops, mut around) = (Vec::new(), Vec::new());
        loop {
            let before = known.len();
            for i in 0..interfaces.len() {
                let ready: Vec<Output> = graph
                    .outputs()
                    .filter(|output| output.0 == i && !known.contains(output))
                    .filter(|&output| graph.of(output).iter().all(|(s, r)| known.contains(s) || torn.contains(r)))
                    .collect();
                if !ready.is_empty() {
                    stages.push(i);
                    known.extend(ready);
                }
            }
            if known.len() > before {
                continue;
            }
            let Some((path, relations)) = graph.cycle(&known, &torn) else { break };
            let name =
                |&(i, k): &Output| format!("{}.{}", interfaces[i].name(), interfaces[i].variable(Causality::Output, k));
            loops.push(path.iter().map(name).collect());
            torn.insert(relations[0]);
            tears.push(relations[0]);
            around.push(relations);
        }
        Self { stages, tears, loops, around, independent }
    }
}

/// Order of stepping with few inputs from partners that have not stepped: next comes the one with the fewest of them open, the
/// first named if several have.
pub(super) fn sequence(n: usize, relations: &[Relation]) -> Vec<usize> {
    let mut sequence = Vec::with_capacity(n);
    let mut left: Vec<usize> = (0..n).collect();
    while !left.is_empty() {
        let open = |i: usize| relations.iter().filter(|r| r.target.0 == i && left.contains(&r.source.0)).count();
        let k = (0..left.len()).min_by_key(|&k| open(left[k])).unwrap_or(0);
        sequence.push(left.remove(k));
    }
    sequence
}

/// Relations against the order of stepping: their sources step later than, or as, their targets.
pub(super) fn backward(sequence: &[usize], relations: &[Relation]) -> Vec<usize> {
    let place = |i: usize| sequence.iter().position(|&k| k == i);
    (0..relations.len()).filter(|&r| place(relations[r].source.0) >= place(relations[r].target.0)).collect()
}
