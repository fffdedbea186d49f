//! All partners from one communication point to the next, once: the patent's loop, Jacobi, Gauss-Seidel.

use super::master::{Master, Plan};
use super::observer::Observer;
use super::recovery::Request;
use crate::Error;
use crate::function::interface::Leg;

impl Master {
    /// Steps every partner that is due at the target.
    #[inline]
    pub(super) fn advance(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        if self.saves {
            self.save_all(observer)?;
        }
        match self.plan {
            Plan::JacobiDelayed | Plan::Jacobi => self.side_by_side(observer),
            Plan::GaussSeidel => self.one_by_one(observer),
            Plan::Iterated => self.iterate(observer),
        }
    }

    /// All at the same time, from what is known at the beginning. Partners on threads step while others are started.
    #[inline]
    fn side_by_side(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        let leg = self.leg();
        self.under_way.clear();
        for i in 0..self.interfaces.len() {
            if self.clock.is_due(i, self.target) && self.ready(i, observer)? {
                self.interaction.extrapolate(&mut self.interfaces[i], i, &self.clock.base);
                if self.start(i, &leg, observer)? {
                    self.under_way.push(i);
                }
            }
        }
        for k in 0..self.under_way.len() {
            self.collect(self.under_way[k], observer)?;
        }
        Ok(())
    }

    /// One after the other, from the newest that is known.
    fn one_by_one(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        let leg = self.leg();
        for k in 0..self.sequence.len() {
            let i = self.sequence[k];
            if self.clock.is_due(i, self.target) && self.ready(i, observer)? {
                self.interaction.prepare(&mut self.interfaces, i, &self.clock.base, |_| None);
                if self.start(i, &leg, observer)? {
                    self.collect(i, observer)?;
                }
            }
        }
        Ok(())
    }

    /// The way to the target, of all that stand at the present time.
    #[inline]
    pub(super) fn leg(&self) -> Leg {
        self.clock.base.leg(self.clock.now, self.target)
    }

    /// Saves the state of every partner that can.
    pub(super) fn save_all(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        for i in 0..self.interfaces.len() {
            if self.interfaces[i].description().capabilities.rollback && !self.interfaces[i].is_waiting() {
                let result = self.interfaces[i].save(&self.clock.base);
                self.caught((i, self.clock.now, Request::Save), result, observer)?;
            }
        }
        Ok(())
    }

    /// Returns every partner to its saved state; one that has not answered yet stays held, and is returned when it has.
    pub(super) fn restore_all(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        for i in 0..self.interfaces.len() {
            if self.interfaces[i].is_waiting() {
                continue;
            }
            let result = self.interfaces[i].restore(&self.clock.base);
            self.caught((i, self.clock.now, Request::Restore), result, observer)?;
        }
        Ok(())
    }
}
