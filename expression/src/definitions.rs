//! The order in which definitions that refer to each other are evaluated.
use std::collections::HashMap;

use thiserror::Error;

use super::expression::Expression;

/// Definitions that need their own values.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("cyclic expression: {}; define one of them without the others", .cycle.join(" -> "))]
pub struct CyclicDefinition {
    /// The names along the cycle, each of which uses the next; the first one stands at the end again.
    pub cycle: Vec<String>,
}

/// An order of `definitions`, as indices, in which each expression comes after all that it uses.
///
/// Names that are defined elsewhere (`time`, measures of bodies) do not matter. Of two definitions of one name
/// the later one counts.
///
/// # Errors
/// The first cycle, if definitions depend on themselves.
///
/// ```
/// use fourbar_expression::{Expression, definition_order};
/// let area = Expression::parse("pi * radius^2")?;
/// let radius = Expression::constant(0.1);
/// let order = definition_order(&[("area", &area), ("radius", &radius)]);
/// assert_eq!(order, Ok(vec![1, 0]));
/// # Ok::<(), fourbar_expression::ExpressionError>(())
/// ```
pub fn definition_order(definitions: &[(&str, &Expression)]) -> Result<Vec<usize>, CyclicDefinition> {
    let named = definitions.iter().enumerate();
    let indices: HashMap<&str, usize> = named.map(|(index, (name, _))| (*name, index)).collect();
    let mut done = vec![false; definitions.len()];
    let mut order = Vec::with_capacity(definitions.len());
    for start in 0..definitions.len() {
        if !done[start] {
            visit(start, definitions, &indices, &mut done, &mut order)?;
        }
    }
    Ok(order)
}

/// Depth-first search from `start` without recursion: chains of definitions may be long.
fn visit(
    start: usize,
    definitions: &[(&str, &Expression)],
    indices: &HashMap<&str, usize>,
    done: &mut [bool],
    order: &mut Vec<usize>,
) -> Result<(), CyclicDefinition> {
    // The definitions being visited, and how many names of each have been followed.
    let mut path = vec![(start, 0)];
    let mut on_path = HashMap::from([(start, 0)]);
    while let Some((index, followed)) = path.last_mut() {
        let index = *index;
        let variable = definitions[index].1.variables().get(*followed);
        *followed += 1;
        let Some(variable) = variable else {
            done[index] = true;
            order.push(index);
            on_path.remove(&index);
            path.pop();
            continue;
        };
        let Some(&used) = indices.get(variable.as_str()).filter(|used| !done[**used]) else {
            continue;
        };
        if let Some(&first) = on_path.get(&used) {
            let along = path[first..].iter().map(|(index, _)| *index);
            let names = along.chain([used]).map(|index| definitions[index].0.to_owned());
            let cycle = names.collect();
            return Err(CyclicDefinition { cycle });
        }
        on_path.insert(used, path.len());
        path.push((used, 0));
    }
    Ok(())
}
