//! Who depends on whom without delay: the order in which outputs are brought up to date, algebraic loops, the order of stepping.

use std::collections::{BTreeSet, HashMap};

use super::connection::variable;
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

/// The sources on which each output depends without delay. Outputs are counted through all interfaces.
struct Graph {
    /// For each output: (output it comes from, relation it comes by).
    sources: Vec<Vec<(usize, usize)>>,
    /// Outputs of interface i: from `first[i]` to `first[i + 1]`.
    first: Vec<usize>,
    /// Interface of each output.
    owner: Vec<usize>,
    /// Interfaces of the outputs that depend on each output.
    followers: Vec<Vec<usize>>,
}

/// For each of the partners `of` all relations that bring its outputs, and what follows them without delay; of others none.
#[cold]
pub(super) fn reached(interfaces: &[Interface], relations: &[Relation], of: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
    let graph = Graph::new(interfaces, relations);
    let output = |relation: &Relation| graph.first[relation.source.0] + relation.source.1;
    let mut followers = vec![Vec::new(); graph.sources.len()];
    for (follower, sources) in graph.sources.iter().enumerate() {
        sources.iter().for_each(|&(source, _)| followers[source].push(follower));
    }
    let of_partner = |i: usize| {
        let mut found = vec![false; graph.sources.len()];
        let mut open: Vec<usize> = if of(i) { (graph.first[i]..graph.first[i + 1]).collect() } else { vec![] };
        while let Some(output) = open.pop() {
            if !std::mem::replace(&mut found[output], true) {
                open.extend(&followers[output]);
            }
        }
        (0..relations.len()).filter(|&r| found[output(&relations[r])]).collect()
    };
    (0..interfaces.len()).map(of_partner).collect()
}

/// Which relations bring what follows an input without delay.
pub(super) struct Followers {
    graph: Graph,
    /// Of each output the inputs on which it depends itself, as (interface, input).
    inputs: Vec<Vec<(usize, usize)>>,
    /// Outputs that each output feeds.
    next: Vec<Vec<usize>>,
}

impl Followers {
    pub(super) fn new(interfaces: &[Interface], relations: &[Relation]) -> Self {
        let graph = Graph::new(interfaces, relations);
        let mut next = vec![Vec::new(); graph.sources.len()];
        for (follower, sources) in graph.sources.iter().enumerate() {
            sources.iter().for_each(|&(source, _)| next[source].push(follower));
        }
        let mut inputs = Vec::with_capacity(graph.sources.len());
        for (i, interface) in interfaces.iter().enumerate() {
            let names: Vec<&str> = interface.names(Causality::Input).collect();
            let end = |name: &String| names.iter().position(|input| input == name).map(|k| (i, k));
            let outputs = interface.description().with(Causality::Output);
            inputs.extend(outputs.map(|v| v.feedthrough.iter().filter_map(end).collect::<Vec<_>>()));
        }
        Self { graph, inputs, next }
    }

    /// The relations that bring what follows an input.
    pub(super) fn of_input(&self, relations: &[Relation], input: (usize, usize)) -> Vec<usize> {
        let mut found = vec![false; self.inputs.len()];
        let mut open: Vec<usize> = (0..self.inputs.len()).filter(|&k| self.inputs[k].contains(&input)).collect();
        while let Some(output) = open.pop() {
            if !std::mem::replace(&mut found[output], true) {
                open.extend(&self.next[output]);
            }
        }
        let output = |relation: &Relation| self.graph.first[relation.source.0] + relation.source.1;
        (0..relations.len()).filter(|&r| found[output(&relations[r])]).collect()
    }
}

/// What is known in the search for an order.
struct Found {
    known: Vec<bool>,
    torn: Vec<bool>,
    /// All outputs before it are known.
    passed: usize,
}

impl Graph {
    /// `relations` are sorted by target.
    fn new(interfaces: &[Interface], relations: &[Relation]) -> Self {
        let mut first = vec![0];
        for interface in interfaces {
            first.push(first[first.len() - 1] + interface.description().with(Causality::Output).count());
        }
        let mut sources = Vec::with_capacity(first[interfaces.len()]);
        for (i, interface) in interfaces.iter().enumerate() {
            let description = interface.description();
            let inputs: HashMap<&str, usize> =
                description.with(Causality::Input).enumerate().map(|(k, v)| (v.name.as_str(), k)).collect();
            let source = |name: &String| {
                let target = (i, *inputs.get(name.as_str())?);
                let r = relations.binary_search_by_key(&target, |relation| relation.target).ok()?;
                let (from, output) = relations[r].source;
                Some((first[from] + output, r))
            };
            let outputs = description.with(Causality::Output);
            sources.extend(outputs.map(|v| v.feedthrough.iter().filter_map(source).collect::<Vec<_>>()));
        }
        let owner: Vec<usize> = (0..interfaces.len()).flat_map(|i| (first[i]..first[i + 1]).map(move |_| i)).collect();
        let mut followers = vec![Vec::new(); sources.len()];
        for (output, sources) in sources.iter().enumerate() {
            sources.iter().for_each(|&(source, _)| followers[source].push(owner[output]));
        }
        Self { sources, first, owner, followers }
    }

    /// A loop through outputs that are not known, and the relations along it: the first closes it.
    fn cycle(&self, found: &mut Found) -> Option<(Vec<usize>, Vec<usize>)> {
        while *found.known.get(found.passed)? {
            found.passed += 1;
        }
        let mut path = vec![found.passed];
        let mut place = HashMap::from([(found.passed, 0)]);
        let mut relations = vec![];
        loop {
            let here = *path.last()?;
            let open = |&&(source, r): &&(usize, usize)| !found.known[source] && !found.torn[r];
            let &(before, relation) = self.sources[here].iter().find(open)?;
            relations.push(relation);
            if let Some(&first) = place.get(&before) {
                path.drain(..first);
                relations.drain(..first);
                path.reverse();
                relations.reverse();
                return Some((path, relations));
            }
            place.insert(before, path.len());
            path.push(before);
        }
    }

    /// Goes through the interfaces, from the first to the last and again, as long as outputs come to be known, and notes at which. Only those
    /// `due` are looked at, and those that follow what has come to be known.
    fn advance(&self, found: &mut Found, mut due: BTreeSet<usize>, stages: &mut Vec<usize>) {
        let mut later = BTreeSet::new();
        loop {
            let Some(i) = due.pop_first() else {
                if later.is_empty() {
                    return;
                }
                due = std::mem::take(&mut later);
                continue;
            };
            let ready: Vec<usize> = (self.first[i]..self.first[i + 1])
                .filter(|&output| !found.known[output])
                .filter(|&output| self.sources[output].iter().all(|&(s, r)| found.known[s] || found.torn[r]))
                .collect();
            if ready.is_empty() {
                continue;
            }
            stages.push(i);
            for output in ready {
                found.known[output] = true;
                for &follower in &self.followers[output] {
                    if follower > i {
                        due.insert(follower)
                    } else {
                        later.insert(follower)
                    };
                }
            }
        }
    }
}

/// Which inputs that no output feeds each output follows without delay, through all partners between.
pub(super) struct Reach {
    graph: Graph,
    /// Of each output the open inputs on which it depends itself, as (interface, input).
    open: Vec<Vec<(usize, usize)>>,
}

impl Reach {
    pub(super) fn new(interfaces: &[Interface], relations: &[Relation]) -> Self {
        let mut open = Vec::new();
        for (i, interface) in interfaces.iter().enumerate() {
            let inputs: Vec<&str> = interface.names(Causality::Input).collect();
            let place = |name: &String| {
                let end = (i, inputs.iter().position(|input| input == name)?);
                relations.binary_search_by_key(&end, |relation| relation.target).is_err().then_some(end)
            };
            let outputs = interface.description().with(Causality::Output);
            open.extend(outputs.map(|v| v.feedthrough.iter().filter_map(place).collect::<Vec<_>>()));
        }
        Self { graph: Graph::new(interfaces, relations), open }
    }

    /// The open inputs that an output follows, as "partner.input"; outputs are counted through all interfaces.
    pub(super) fn inputs(&self, interfaces: &[Interface], output: usize) -> Vec<String> {
        let (mut seen, mut left) = (BTreeSet::from([output]), vec![output]);
        let mut ends = BTreeSet::new();
        while let Some(output) = left.pop() {
            ends.extend(self.open[output].iter().copied());
            left.extend(self.graph.sources[output].iter().map(|(source, _)| *source).filter(|s| seen.insert(*s)));
        }
        let name = |(i, k): (usize, usize)| {
            format!("{}.{}", interfaces[i].name(), interfaces[i].variable(Causality::Input, k))
        };
        ends.into_iter().map(name).collect()
    }
}

impl Dependencies {
    pub(super) fn new(interfaces: &[Interface], relations: &[Relation]) -> Self {
        let graph = Graph::new(interfaces, relations);
        let known = graph.sources.iter().map(Vec::is_empty).collect();
        Self::of(graph, known, interfaces, relations)
    }

    /// The same of a run whose inputs that no output feeds may change at any time: outputs that depend on them are brought up to date too.
    pub(super) fn with_outside(interfaces: &[Interface], relations: &[Relation]) -> Self {
        let Reach { graph, open } = Reach::new(interfaces, relations);
        let known = graph.sources.iter().zip(&open).map(|(own, open)| own.is_empty() && open.is_empty()).collect();
        Self::of(graph, known, interfaces, relations)
    }

    fn of(graph: Graph, known: Vec<bool>, interfaces: &[Interface], relations: &[Relation]) -> Self {
        let outputs = |i: usize| &known[graph.first[i]..graph.first[i + 1]];
        let independent = (0..interfaces.len()).map(|i| outputs(i).is_empty() || outputs(i).contains(&true)).collect();
        let mut found = Found { known, torn: vec![false; relations.len()], passed: 0 };
        let (mut stages, mut tears) = (Vec::new(), Vec::new());
        let (mut loops, mut around) = (Vec::new(), Vec::new());
        let mut due: BTreeSet<usize> = (0..interfaces.len()).collect();
        loop {
            graph.advance(&mut found, due, &mut stages);
            let Some((path, relations_along)) = graph.cycle(&mut found) else { break };
            let name = |&output: &usize| {
                let i = graph.owner[output];
                let k = output - graph.first[i];
                format!("{}.{}", interfaces[i].name(), interfaces[i].variable(Causality::Output, k))
            };
            loops.push(path.iter().map(name).collect());
            // Where the model states a value, the search begins with it.
            let stated = |&&r: &&usize| variable(interfaces, relations[r].target, Causality::Input).start != 0.0;
            let tear = relations_along.iter().find(stated).copied().unwrap_or(relations_along[0]);
            found.torn[tear] = true;
            due = BTreeSet::from([relations[tear].target.0]);
            tears.push(tear);
            around.push(relations_along);
        }
        Self { stages, tears, loops, around, independent }
    }
}

/// Order of stepping with few inputs from partners that have not stepped: next comes the one with the fewest of them open, the
/// first named if several have.
pub(super) fn sequence(n: usize, relations: &[Relation]) -> Vec<usize> {
    let (mut open, mut targets) = (vec![0_usize; n], vec![Vec::new(); n]);
    for relation in relations {
        open[relation.target.0] += 1;
        targets[relation.source.0].push(relation.target.0);
    }
    let mut left: BTreeSet<(usize, usize)> = open.iter().enumerate().map(|(i, &open)| (open, i)).collect();
    let mut sequence = Vec::with_capacity(n);
    while let Some((_, next)) = left.pop_first() {
        sequence.push(next);
        for &target in &targets[next] {
            // One that has stepped is not there any more.
            if left.remove(&(open[target], target)) {
                open[target] -= 1;
                left.insert((open[target], target));
            }
        }
    }
    sequence
}

/// Relations against the order of stepping: their sources step later than, or as, their targets.
pub(super) fn backward(sequence: &[usize], relations: &[Relation]) -> Vec<usize> {
    let mut place = vec![0; sequence.len()];
    sequence.iter().enumerate().for_each(|(k, &i)| place[i] = k);
    (0..relations.len()).filter(|&r| place[relations[r].source.0] >= place[relations[r].target.0]).collect()
}
