//! Flexible bodies of a mechanism.

use super::Mechanism;
use crate::error::Error;
use std::ops::Range;

/// The bodies that a flexible one is made of, indices of [`Mechanism::bodies`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlexibleParts {
    /// Its floating frame.
    pub frame: usize,
    /// What carries its modal coordinates: their poses are no places.
    pub carriers: Range<usize>,
    /// Its nodes: of a beam the start, the end and the stations.
    pub nodes: Range<usize>,
}

impl Mechanism {
    /// Names of the flexible bodies.
    pub fn flexible_bodies(&self) -> impl Iterator<Item = &str> {
        self.flexible.iter().map(|flexible| self.bodies[flexible.body].name.as_str())
    }

    /// What each flexible body is made of, in the order of the model.
    pub fn flexible_parts(&self) -> impl Iterator<Item = FlexibleParts> {
        self.flexible.iter().map(|flexible| FlexibleParts {
            frame: flexible.body,
            carriers: flexible.carriers.clone(),
            nodes: flexible.nodes.clone(),
        })
    }

    /// Whether body `body` carries modal coordinates of a flexible one: its place is none.
    #[must_use]
    pub fn carries_modes(&self, body: usize) -> bool {
        self.flexible.iter().any(|flexible| flexible.carriers.contains(&body))
    }

    /// Modal coordinates of the flexible bodies, each with the body that carries it and which of x, y and z (0 to 2) it is, by names such
    /// as `arm mode 4`.
    pub fn modal_coordinates(&self) -> impl Iterator<Item = (String, [usize; 2])> {
        self.flexible.iter().flat_map(|flexible| {
            let name = &self.bodies[flexible.body].name;
            (0..flexible.modes()).map(move |k| {
                let (body, at) = flexible.place(k);
                (format!("{name} mode {}", k + 1), [body, at])
            })
        })
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
