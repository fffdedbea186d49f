//! Files of the kind "linear": blocks and inputs have a reader of their own because their tables are of several types.

use super::issue::Issue;
use super::section::{Entry, entries};
use crate::linear::{Block, Input, LinearModel};
use toml::de::DeTable;

/// The whole model.
pub(super) fn read(file: &DeTable<'_>) -> Result<LinearModel, Issue> {
    let mut model: LinearModel = Entry::top(file).rest(&["type", "block", "input"])?;
    model.blocks = blocks(file)?;
    model.inputs = inputs(file)?;
    Ok(model)
}

/// Types of `[[block]]`.
const BLOCKS: &[&str] = &["gain", "sum", "integrator", "lag", "transfer_function", "zeros_poles_gain", "state_space"];

/// Types of `[[input]]`.
const INPUTS: &[&str] = &["expression", "step", "sine", "table", "external"];

fn blocks(file: &DeTable<'_>) -> Result<Vec<Block>, Issue> {
    entries(file, "block", |entry| {
        let kind = entry.word("type", BLOCKS)?;
        let without = ["type"];
        match kind {
            "gain" => entry.rest(&without).map(Block::Gain),
            "sum" => entry.rest(&without).map(Block::Sum),
            "integrator" => entry.rest(&without).map(Block::Integrator),
            "lag" => entry.rest(&without).map(Block::Lag),
            "transfer_function" => entry.rest(&without).map(Block::TransferFunction),
            "zeros_poles_gain" => entry.rest(&without).map(Block::ZerosPolesGain),
            "state_space" => entry.rest(&without).map(Block::StateSpace),
            other => Err(Issue::unknown_word(other, BLOCKS)),
        }
    })
}

fn inputs(file: &DeTable<'_>) -> Result<Vec<Input>, Issue> {
    entries(file, "input", |entry| {
        let kind = entry.word("type", INPUTS)?;
        let without = ["type"];
        match kind {
            "expression" => entry.rest(&without).map(Input::Expression),
            "step" => entry.rest(&without).map(Input::Step),
            "sine" => entry.rest(&without).map(Input::Sine),
            "table" => entry.rest(&without).map(Input::Table),
            "external" => entry.rest(&without).map(Input::External),
            other => Err(Issue::unknown_word(other, INPUTS)),
        }
    })
}
