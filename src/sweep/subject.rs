//! What tables and journals are of: the pieces of a sweep that its results depend on, each by a digest, so that what differs has a name.

use super::error::SweepError;
use super::plan::Plan;
use super::prepared::Sweep;
use super::shard::Shard;
use serde::{Deserialize, Serialize};

/// The sections of a plan that results depend on; its title and description they do not, nor on the path of the model.
const SECTIONS: [(&str, &str); 5] = [
    ("settings", "[settings] of the plan"),
    ("parameter", "[[parameter]] of the plan"),
    ("members", "[members] of the plan"),
    ("output", "[[output]] of the plan"),
    ("optimize", "[optimize] of the plan"),
];

/// Of what a table or a journal is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Subject {
    /// The version of this program.
    pub(super) fourbar: String,
    /// The plan as the caller named it; the same plan may be named by another path.
    pub(super) plan: String,
    /// Sections of the plan, then the files that it names, in their order.
    pub(super) parts: Vec<Part>,
    pub(super) shard: Shard,
    /// Members of the whole sweep; 0 of a search.
    pub(super) members: usize,
}

/// A piece that results depend on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Part {
    name: String,
    digest: String,
}

impl Part {
    fn new(name: String, bytes: &[u8]) -> Self {
        Self { name, digest: format!("{:016x}", digest(bytes)) }
    }
}

impl Subject {
    /// Of a sweep, or a shard of it.
    pub(super) fn of(sweep: &Sweep, shard: Shard) -> Result<Self, SweepError> {
        Ok(Self {
            fourbar: env!("CARGO_PKG_VERSION").to_owned(),
            plan: sweep.plan.name().to_owned(),
            parts: parts(sweep)?,
            shard,
            members: sweep.members().map_or(0, super::MemberValues::len),
        })
    }

    /// What is not the same in `other`, in words; empty if all but the shard is.
    pub(super) fn differences(&self, other: &Self) -> Vec<String> {
        let mut found = Vec::new();
        if self.fourbar != other.fourbar {
            found.push(format!("the version of fourbar ({} there, {} here)", other.fourbar, self.fourbar));
        }
        let pairs = self.parts.iter().zip(&other.parts);
        found.extend(pairs.filter(|(own, other)| own.digest != other.digest).map(|(own, _)| own.name.clone()));
        let (own, others) = (self.parts.len(), other.parts.len());
        let more = self.parts.iter().skip(others).chain(other.parts.iter().skip(own));
        found.extend(more.map(|part| part.name.clone()));
        found
    }
}

fn parts(sweep: &Sweep) -> Result<Vec<Part>, SweepError> {
    let mut parts = sections(sweep.plan());
    let model = sweep.model();
    for path in sweep.files() {
        let name = path.display().to_string();
        match std::fs::read(&path) {
            Ok(bytes) => parts.push(Part::new(name, &bytes)),
            // A model given as text has no file.
            Err(_) if path.as_os_str() == model.name() => {
                parts.push(Part::new(name, format!("{:?}", model.document()).as_bytes()));
            }
            Err(source) => return Err(SweepError::File { path, source }),
        }
    }
    Ok(parts)
}

fn sections(plan: &Plan) -> Vec<Part> {
    let whole = serde_json::to_value(plan).unwrap_or_default();
    let text = |key: &str| whole.get(key).map(ToString::to_string).unwrap_or_default();
    SECTIONS.iter().map(|(key, name)| Part::new((*name).to_owned(), text(key).as_bytes())).collect()
}

/// FNV-1a of 64 bits (Fowler, Noll and Vo; RFC 9923): a change by chance goes unseen once in 1e19.
pub(super) fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
