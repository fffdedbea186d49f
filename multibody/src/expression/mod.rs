//! Expressions of model files.
