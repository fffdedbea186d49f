//! Gaps against closed forms, manifolds of boxes, ids that persist, and what is wrong with a model in words.

mod elements;
mod shapes;
mod tools;
mod words;
