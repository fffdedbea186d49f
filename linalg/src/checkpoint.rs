//! Checkpoints as bytes: what changes as a computation goes on, written down so that another process can go on from it.
//!
//! A restart from a checkpoint is bitwise, so its bytes hold everything that the further steps depend on, pivot sequences included. They are
//! read in place, into a point of the same kind that is there already ([`Stored::load`]): that one says how long each array must be, and no
//! length in the bytes is trusted. [`Header`] puts a head before them that tells what they belong to, and a checksum behind.

mod error;
mod header;
mod source;
mod values;

pub use error::CheckpointError;
pub use header::{Fingerprint, Header};
pub use source::{Source, Stored, store_list};

/// Implements [`Stored`](crate::checkpoint::Stored): of a struct with the fields listed, those left out keep what they have; of an enum without
/// data with all its variants.
#[macro_export]
macro_rules! stored {
    (struct $name:ty { $($field:ident),+ $(,)? }) => {
        impl $crate::checkpoint::Stored for $name {
            fn store(&self, to: &mut Vec<u8>) {
                $($crate::checkpoint::Stored::store(&self.$field, to);)+
            }
            fn load(&mut self, from: &mut $crate::checkpoint::Source<'_>) -> Result<(), $crate::checkpoint::CheckpointError> {
                $($crate::checkpoint::Stored::load(&mut self.$field, from)?;)+
                Ok(())
            }
        }
    };
    (enum $name:ident { $($variant:ident = $code:literal),+ $(,)? }) => {
        impl $crate::checkpoint::Stored for $name {
            fn store(&self, to: &mut Vec<u8>) {
                to.push(match self { $(Self::$variant => $code),+ });
            }
            fn load(&mut self, from: &mut $crate::checkpoint::Source<'_>) -> Result<(), $crate::checkpoint::CheckpointError> {
                *self = match from.value::<u8>()? {
                    $($code => Self::$variant,)+
                    _ => return Err(from.refuse(stringify!($name))),
                };
                Ok(())
            }
        }
    };
}
