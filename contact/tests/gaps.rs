//! Gaps against closed forms, rows and drifts against differences, manifolds of boxes, ids that persist, and what is wrong with a model in words.

mod derivatives;
mod elements;
mod shapes;
mod tools;
mod words;
