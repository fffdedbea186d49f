//! The application layer (R5 to R7, R9 to R14): an operator's commands, what watchers see, and what is left on disk.

mod commands;
mod machine;
mod recording;
mod settings;
mod watching;
