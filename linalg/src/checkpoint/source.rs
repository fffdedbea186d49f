//! What can be written to bytes, and bytes that are read from the front.

use super::error::CheckpointError;

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

    /// How many bytes are left.
    #[must_use]
    pub fn left(&self) -> usize {
        self.rest.len()
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
