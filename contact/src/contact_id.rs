//! Names of contacts for programs.

use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored};

/// Which contact this is, the same from step to step: its pair among those of the model, and its feature there (the corner of a
/// box, the pair of faces of a mesh).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct ContactId {
    /// Pair, an index.
    pub pair: u32,
    /// Feature of the pair.
    pub feature: u64,
}

impl ContactId {
    /// No contact.
    pub const NONE: Self = Self { pair: u32::MAX, feature: 0 };
}

impl Stored for ContactId {
    fn store(&self, to: &mut Vec<u8>) {
        self.pair.store(to);
        to.extend_from_slice(&self.feature.to_le_bytes());
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        self.pair.load(from)?;
        let mut bytes = [0; 8];
        bytes.copy_from_slice(from.take(8)?);
        self.feature = u64::from_le_bytes(bytes);
        Ok(())
    }
}
