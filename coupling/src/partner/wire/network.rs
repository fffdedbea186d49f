//! What connections to other computers need beside: signs of life, limits of time and of size.

use std::time::Instant;

use super::{Content, HEADER, LONGEST, Transport, Wire, Word};

/// A frame without content.
pub(in crate::partner) fn bare_frame(word: Word) -> [u8; HEADER] {
    let mut frame = [0; HEADER];
    frame[HEADER - 1] = word as u8;
    frame
}

impl<S: Transport> Wire<S> {
    /// The next frame that says more than that the other end is there.
    pub(in crate::partner) fn receive_word(&mut self) -> std::io::Result<(Word, Content<'_>)> {
        loop {
            let word = self.receive()?.0;
            if word != Word::Alive {
                return Ok((word, Content(&self.received)));
            }
        }
    }

    /// Whether the time at which it gives up in any case has come.
    pub(in crate::partner) fn is_late(&self) -> bool {
        self.reader.get_ref().deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// From now on it gives up at this time in any case.
    pub(in crate::partner) fn until(&mut self, deadline: Option<Instant>) {
        self.reader.get_mut().deadline = deadline;
    }

    /// Refuses frames longer than this \[bytes\]; the largest of all if None.
    pub(in crate::partner) fn at_most(&mut self, longest: Option<u64>) {
        self.longest = longest.unwrap_or(LONGEST);
    }
}

impl Content<'_> {
    pub(in crate::partner) fn byte(&mut self) -> std::io::Result<u8> {
        Ok(self.take(1)?[0])
    }
}
