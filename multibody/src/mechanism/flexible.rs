//! Flexible bodies of a mechanism.

use super::Mechanism;
use crate::error::Error;

impl Mechanism {
    /// Names of the flexible bodies.
    pub fn flexible_bodies(&self) -> impl Iterator<Item = &str> {
        self.flexible.iter().map(|flexible| self.bodies[flexible.body].name.as_str())
    }

    /// An error if there are flexible bodies, for an analysis that takes none.
    ///
    /// # Errors
    /// [`Error::FlexibleUnsupported`] naming the first.
    pub fn refuse_flexible(&self, analysis: &'static str, remedy: &'static str) -> Result<(), Error> {
        match self.flexible_bodies().next() {
            Some(body) => Err(Error::FlexibleUnsupported { body: body.to_owned(), analysis, remedy }),
            None => Ok(()),
        }
    }
}
