//! What an interface is asked of parameters and texts between two communication steps.

use super::call::Call;
use super::interface::Interface;
use super::leg::Timebase;
use super::{Causality, Fault, Parameter, Text};

impl Interface {
    /// The parameters as they stand. One that is an input as well has the value that it is sent.
    #[cold]
    pub(crate) fn parameters(&mut self, base: &Timebase) -> Result<Vec<Parameter>, Box<Fault>> {
        self.ask(Call::Parameters, base, base.time(self.position))?;
        let mut told = std::mem::take(&mut self.buffers.carried.parameters);
        for parameter in &mut told {
            if let Some(k) = self.names(Causality::Input).position(|input| input == parameter.name) {
                parameter.value = self.sent.values[k].value;
            }
        }
        Ok(told)
    }

    /// The texts as they stand.
    #[cold]
    pub(crate) fn texts(&mut self, base: &Timebase) -> Result<Vec<Text>, Box<Fault>> {
        self.ask(Call::Texts, base, base.time(self.position))?;
        Ok(std::mem::take(&mut self.buffers.carried.texts))
    }

    /// Has the simulator take these values, which are known to be possible. A state that was saved before is replaced: what returns to it goes on
    /// with them.
    #[cold]
    pub(crate) fn tune(&mut self, values: Vec<(String, f64)>, base: &Timebase) -> Result<(), Box<Fault>> {
        self.buffers.carried.tuned = values;
        self.ask(Call::Tune, base, base.time(self.position))?;
        if self.is_saved() { self.save(base) } else { Ok(()) }
    }
}
