//! Gaps against closed forms, manifolds of boxes, ids that persist, and what is wrong with a model in words.

#[path = "gaps/elements.rs"]
mod elements;
#[path = "gaps/shapes.rs"]
mod shapes;
#[path = "gaps/tools.rs"]
mod tools;
#[path = "gaps/words.rs"]
mod words;
