//! FMUs of which a process can hold one instance.

use crate::partner::fmu::error::FmuError;
use std::sync::{Mutex, PoisonError};

/// Tokens of the instances that there are.
static TAKEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The only instance; another one may come once this is dropped.
pub(super) struct Once(String);

impl Once {
    pub(super) fn take(fmu: &str, token: &str) -> Result<Self, FmuError> {
        let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.iter().any(|known| known == token) {
            return Err(FmuError::Unsupported {
                fmu: fmu.to_owned(),
                problem: "a process can hold one instance of it, and there is one already".to_owned(),
                remedy: "use it once",
            });
        }
        taken.push(token.to_owned());
        Ok(Self(token.to_owned()))
    }
}

impl Drop for Once {
    fn drop(&mut self) {
        TAKEN.lock().unwrap_or_else(PoisonError::into_inner).retain(|known| *known != self.0);
    }
}
