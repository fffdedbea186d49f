//! Times at which forces, motions, and offsets, lengths and limits of contacts jump or bend: a step ends there, and what touches is decided anew behind them.

use super::flow::Flow;
use super::handle::Signs;
use super::stepper::EventStepper;
use crate::error::Error;
use crate::unilateral::Contacts;
use fourbar_multibody::integrator::Integrator;

impl<C: Contacts> EventStepper<C> {
    /// Goes on behind a break at the present time, if there is one: the impulse of motions and joints, then that of contacts that it lets collide.
    pub(super) fn cross_break(&mut self) -> Result<(), Error> {
        let time = self.stepper.time();
        if self.stepper.ode_mut().next_break(time) > time {
            return Ok(());
        }
        self.visit()?;
        let flow = self.stepper.ode();
        let before = (flow.configuration.break_state(), flow.contacts.break_state());
        let crossed = self.commit(|run| {
            run.stepper.ode_mut().strike()?;
            run.settle(&Signs::default())
        });
        crossed.inspect_err(|_| {
            let flow = self.stepper.ode_mut();
            flow.configuration.set_break_state(before.0);
            flow.contacts.set_break_state(before.1);
        })
    }
}

impl<C: Contacts> Flow<C> {
    /// The first break from `time` \[s\] on that is not passed.
    pub(super) fn next_break(&mut self, time: f64) -> f64 {
        self.configuration.next_break(time).min(self.contacts.next_break(time))
    }

    /// Goes on behind a break where the flow stands; velocities are those behind the impulse of motions whose rates jump.
    fn strike(&mut self) -> Result<(), Error> {
        self.contacts.pass_break(self.state.time);
        if self.configuration.pass_break(&self.state)? {
            self.configuration.factor()?;
            self.configuration.project_velocities()?;
            self.configuration.store(&mut self.state);
        }
        Ok(())
    }
}
