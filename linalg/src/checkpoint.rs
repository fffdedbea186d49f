//! Checkpoints as bytes: what changes as a computation goes on, written down so that another process can go on from it.
//!
//! A restart from a checkpoint is bitwise, so its bytes hold everything that the further steps depend on, pivot sequences included. They are
//! read in place, into a point of the same kind that is there already ([`Stored::load`]): that one says how long each array must be, and no
//! length in the bytes is trusted. [`Header`] puts a head before them that tells what they belong to, and a checksum behind.

mod header;
mod values;

pub use header::{CheckpointError, Fingerprint, Header};

/// What can be written to bytes and read from them, little-endian, in the order of its fields.
pub trait Stored {
    /// Appends it to `to`.
    fn store(&self, to: &mut Vec<u8>);

    /// Becomes what was stored. Arrays keep the lengths that they have.
    ///
    /// # Errors
    /// [`CheckpointError::Content`] for bytes that are not such an object of the same dimensions; the object is then to be thrown away.
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError>;
}

/// Bytes that are read from the front.
#[derive(Debug, Clone)]
pub struct Source<'a> {
    rest: &'a [u8],
    /// What they were before anything was read.
    length: usize,
}

impl<'a> Source<'a> {
    /// All of `bytes`.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, length: bytes.len() }
    }

    /// The next `count` bytes.
    ///
    /// # Errors
    /// [`CheckpointError::Content`] where fewer are left.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], CheckpointError> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or_else(|| self.refuse("the end"))?;
        self.rest = rest;
        Ok(taken)
    }

    /// The next value of a type that needs no dimensions.
    ///
    /// # Errors
    /// As [`Stored::load`].
    pub fn value<T: Stored + Default>(&mut self) -> Result<T, CheckpointError> {
        let mut value = T::default();
        value.load(self)?;
        Ok(value)
    }

    /// The next values into a list whose length may be another than it has.
    ///
    /// # Errors
    /// As [`Stored::load`].
    pub fn list<T: Stored + Default + Clone>(&mut self, list: &mut Vec<T>) -> Result<(), CheckpointError> {
        self.list_like(list, &T::default())
    }

    /// The same of values that are read into copies of `blank`.
    ///
    /// # Errors
    /// As [`Stored::load`].
    pub fn list_like<T: Stored + Clone>(&mut self, list: &mut Vec<T>, blank: &T) -> Result<(), CheckpointError> {
        let count: usize = self.value()?;
        // Each takes a byte at least: no length makes more room than there are bytes.
        if count > self.rest.len() {
            return Err(self.refuse("the length of a list"));
        }
        list.clear();
        for _ in 0..count {
            let mut value = blank.clone();
            value.load(self)?;
            list.push(value);
        }
        Ok(())
    }

    /// That what was read last, called `what`, cannot be.
    #[must_use]
    pub fn refuse(&self, what: &'static str) -> CheckpointError {
        CheckpointError::Content { what, at: self.length - self.rest.len() }
    }

    /// Nothing may be left.
    ///
    /// # Errors
    /// [`CheckpointError::Content`].
    pub fn finish(self) -> Result<(), CheckpointError> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.refuse("what follows the end")) }
    }
}

/// Appends a list whose length [`Source::list`] reads back.
pub fn store_list<T: Stored>(list: &[T], to: &mut Vec<u8>) {
    list.len().store(to);
    list.iter().for_each(|value| value.store(to));
}

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
