//! A checkpoint of a simulator in memory, whatever its type.

use super::Failure;
use std::any::Any;

/// A checkpoint of a simulator; saving again into the same one need not allocate.
#[derive(Default)]
pub struct Snapshot {
    content: Option<Box<dyn Any + Send>>,
}

impl Snapshot {
    /// An empty one.
    #[must_use]
    pub const fn new() -> Self {
        Self { content: None }
    }

    /// The content to write to; a default one if there is none of this type yet.
    pub fn content_mut<T: Any + Send + Default>(&mut self) -> &mut T {
        let fits = self.content.as_ref().is_some_and(|content| content.is::<T>());
        if !fits {
            self.content = Some(Box::new(T::default()));
        }
        // Present and of this type by the lines above.
        self.content.as_mut().and_then(|content| content.downcast_mut()).expect("content was just written")
    }

    /// The content to return to.
    ///
    /// # Errors
    /// [`Failure::Reported`] if the snapshot is empty or was written by a simulator of another kind.
    pub fn content<T: Any + Send>(&self) -> Result<&T, Failure> {
        let content = self.content.as_ref().and_then(|content| content.downcast_ref());
        content.ok_or_else(|| Failure::new("the snapshot was not written by this simulator"))
    }
}

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snapshot").field("written", &self.content.is_some()).finish()
    }
}
